#pragma once

#include <cstdint>

#include "hw/parameter.h"
#include "hw/units.h"

namespace weir::memory {

/// Effect of a DMA engine's store on a cached line.
enum class DmaStores : std::uint8_t { kInvalidate, kUpdate };

struct MemoryParameters : hw::ParameterGroup {
    MemoryParameters();
    ~MemoryParameters() override;

    hw::Parameter<hw::Bytes> bytes{*this,
                                   "bytes",
                                   1 << 26,
                                   {4096, std::int64_t{1} << 31},
                                   "Size of a node's memory",
                                   "assumed; on two nodes, half of the matrix of LoPC Section 4.5 "
                                   "would not fit into Alewife's 8 MB with room to spare"};
    hw::Parameter<hw::Cycles> load_cycles{*this,
                                          "load_cycles",
                                          2,
                                          {0, 100'000},
                                          "Hit time of a load of one word",
                                          "SPARC V7 (Cypress 601): load 2"};
    hw::Parameter<hw::Cycles> store_cycles{*this,
                                           "store_cycles",
                                           3,
                                           {0, 100'000},
                                           "Hit time of a store of one word",
                                           "SPARC V7 (Cypress 601): store 3"};
    hw::Parameter<hw::Cycles> double_cycles{*this,
                                            "double_cycles",
                                            1,
                                            {0, 100'000},
                                            "Time added to a load or store of a double word",
                                            "SPARC V7 (Cypress 601): ldd 3, std 4"};
    hw::Parameter<std::int64_t> caches{
        *this,
        "caches",
        0,
        {0, 4},
        "Number of cache levels between core and memory, [l1] to [l4]; 0: every access hits"};
    hw::Parameter<bool> instruction_cache{
        *this,
        "instruction_cache",
        false,
        {},
        "Whether instructions have a separate first level of cache, [l1i]. If false, instructions "
        "share [l1] with data",
        "Alewife: one cache for both",
        hw::when("core.kind").is("sparcle") && hw::when("memory.caches").at_least(1)};
    hw::Choice<DmaStores> dma_stores{
        *this,
        "dma_stores",
        DmaStores::kInvalidate,
        {{DmaStores::kInvalidate, "invalidate"}, {DmaStores::kUpdate, "update"}},
        "Effect of a DMA engine's store on copies of the line in the node's caches. invalidate: "
        "the copies are removed. update: the copies get the new data",
        hw::when("memory.caches").at_least(1) && hw::when("network.model").is("wormhole") &&
            hw::messages_have_bodies()};
};

}  // namespace weir::memory
