#pragma once

#include <cstdint>

#include "hw/parameter.h"
#include "hw/units.h"

namespace weir::memory {

/// The fate of a cached line that a DMA engine stores into.
enum class DmaStores : std::uint8_t { kInvalidate, kUpdate };

struct MemoryParameters : hw::ParameterGroup {
    MemoryParameters();
    ~MemoryParameters() override;

    hw::Parameter<hw::Bytes> bytes{*this,
                                   "bytes",
                                   1 << 26,
                                   {4096, std::int64_t{1} << 31},
                                   "Size of a node's memory",
                                   "assumed; Alewife's 8 MB would not hold two nodes' half of "
                                   "the matrix of LoPC Section 4.5 with room to spare"};
    hw::Parameter<hw::Cycles> load_cycles{*this,
                                          "load_cycles",
                                          2,
                                          {0, 100'000},
                                          "A load of a word that hits",
                                          "SPARC V7 (Cypress 601): load 2"};
    hw::Parameter<hw::Cycles> store_cycles{*this,
                                           "store_cycles",
                                           3,
                                           {0, 100'000},
                                           "A store of a word that hits",
                                           "SPARC V7 (Cypress 601): store 3"};
    hw::Parameter<hw::Cycles> double_cycles{*this,
                                            "double_cycles",
                                            1,
                                            {0, 100'000},
                                            "Added when a double word is moved",
                                            "SPARC V7 (Cypress 601): ldd 3, std 4"};
    hw::Parameter<std::int64_t> caches{
        *this,
        "caches",
        0,
        {0, 4},
        "Levels of cache between core and memory, [l1] to [l4]; 0: every access hits"};
    hw::Parameter<bool> instruction_cache{
        *this,
        "instruction_cache",
        false,
        {},
        "Instructions have a first level of their own, [l1i]; if not, they share [l1]",
        "Alewife: one cache for both",
        hw::when("core.kind").is("sparcle") && hw::when("memory.caches").at_least(1)};
    hw::Choice<DmaStores> dma_stores{
        *this,
        "dma_stores",
        DmaStores::kInvalidate,
        {{DmaStores::kInvalidate, "invalidate"}, {DmaStores::kUpdate, "update"}},
        "What a DMA engine stores takes its lines out of the caches, or changes them there",
        hw::when("memory.caches").at_least(1) && hw::when("network.model").is("wormhole") &&
            hw::messages_have_bodies()};
};

}  // namespace weir::memory
