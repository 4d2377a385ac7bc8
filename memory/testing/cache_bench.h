#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hw/dma/memory_port.h"
#include "hw/testing/bus_initiator.h"
#include "memory/cache_hierarchy.h"
#include "memory/node_memory.h"

namespace weir::memory::testing {

/// A second requester at the memory port, such as a DMA engine. It requests one burst after the
/// other, each in its cycle or as soon as the previous burst has ended.
class BurstRequester final : public sc_core::sc_module, public hw::ClockedPart {
  public:
    struct Burst {
        tlm::tlm_command command;
        std::uint64_t address;
        std::vector<std::uint8_t> data;
        hw::Cycles not_before;
        hw::Cycles end = hw::kNever;
    };

    BurstRequester(const sc_core::sc_module_name& name, hw::ClockDomain& domain)
        : sc_module(name), ClockedPart(domain) {
        socket.register_nb_transport_bw(this, &BurstRequester::nb_transport_bw);
    }

    tlm_utils::simple_initiator_socket<BurstRequester> socket{"socket"};

    const Burst& write(std::int64_t cycle, std::uint64_t address, std::vector<std::uint8_t> data) {
        return append({tlm::TLM_WRITE_COMMAND, address, std::move(data), hw::Cycles(cycle)});
    }
    const Burst& read(std::int64_t cycle, std::uint64_t address, std::size_t bytes) {
        return append(
            {tlm::TLM_READ_COMMAND, address, std::vector<std::uint8_t>(bytes), hw::Cycles(cycle)});
    }

    void tick(hw::Cycles now) override {
        if (at_port_ || next_ == bursts_.size()) {
            return;
        }
        Burst& burst = bursts_[next_];
        if (now < burst.not_before || now < free_from_) {
            wake_at(std::max(burst.not_before, free_from_));
            return;
        }
        at_port_ = true;
        payload_.set_command(burst.command);
        payload_.set_address(burst.address);
        payload_.set_data_ptr(burst.data.data());
        payload_.set_data_length(static_cast<unsigned>(burst.data.size()));
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        socket->nb_transport_fw(payload_, phase, delay);
    }

  private:
    const Burst& append(Burst burst) {
        bursts_.push_back(std::move(burst));
        wake_at(std::max(bursts_.back().not_before, domain().now() + hw::Cycles(1)));
        return bursts_.back();
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& /*phase*/,
                                       sc_core::sc_time& delay) {
        EXPECT_TRUE(payload.is_response_ok());
        free_from_ = domain().now() + domain().to_cycles(delay);
        bursts_[next_++].end = free_from_;
        at_port_ = false;
        wake_at(free_from_);
        return tlm::TLM_COMPLETED;
    }

    std::deque<Burst> bursts_;
    std::size_t next_ = 0;
    bool at_port_ = false;
    hw::Cycles free_from_{0};
    tlm::tlm_generic_payload payload_;
};

/// Caches between ideal processors and a memory port with its DRAM. Parameters are Alewife's,
/// unless a test changes them before it first accesses a part. A load that hits takes 2 cycles, a
/// store 3. A line arrives 9 cycles after its miss, and occupies the port for 4.
class CacheBench {
  public:
    explicit CacheBench(std::size_t level_count = 1) : levels(level_count) {}

    template <class P, class V>
    static void set(P& parameter, V value) {
        EXPECT_TRUE(parameter.set(hw::ParameterValue(value))) << parameter.name();
    }
    void set_level(std::size_t level, std::int64_t bytes, std::int64_t line_bytes,
                   std::int64_t ways) {
        CacheLevelParameters& l = caches.levels[level];
        set(l.bytes, bytes);
        set(l.line_bytes, line_bytes);
        set(l.ways, ways);
        EXPECT_FALSE(l.check().has_value()) << l.check()->found;
    }

    const hw::testing::BusAccess& load(std::uint64_t address, std::int64_t not_before = 0) {
        return core().load(address, hw::Cycles(not_before));
    }
    const hw::testing::BusAccess& store(std::uint64_t address, std::uint64_t data,
                                        std::int64_t not_before = 0) {
        return core().store(address, data, hw::Cycles(not_before));
    }
    void run(std::int64_t cycles = 100'000) {
        hierarchy();
        domain->run_until(hw::Cycles(cycles));
    }

    hw::testing::BusInitiator& core() { return parts().core; }
    hw::testing::BusInitiator& second_core() { return *parts().second_core; }
    BurstRequester& dma() { return parts().dma; }
    CacheHierarchy& hierarchy() { return parts().hierarchy; }
    NodeMemory& dram() { return parts().dram; }
    hw::MemoryPort& port() { return parts().port; }
    const CacheHierarchy::LevelStatistics& level(std::size_t index) {
        return hierarchy().level_statistics(index);
    }
    std::vector<std::uint8_t> debug_read(std::uint64_t address, std::size_t bytes) {
        std::vector<std::uint8_t> data(bytes);
        EXPECT_EQ(
            core().debug(tlm::TLM_READ_COMMAND, address, data.data(), static_cast<unsigned>(bytes)),
            bytes);
        return data;
    }
    void debug_write(std::uint64_t address, std::vector<std::uint8_t> data) {
        EXPECT_EQ(core().debug(tlm::TLM_WRITE_COMMAND, address, data.data(),
                               static_cast<unsigned>(data.size())),
                  data.size());
    }
    /// Returns the bytes in the DRAM, ignoring the caches.
    std::vector<std::uint8_t> in_dram(std::uint64_t address, std::size_t bytes) {
        std::vector<std::uint8_t> data(bytes);
        tlm::tlm_generic_payload payload;
        payload.set_command(tlm::TLM_READ_COMMAND);
        payload.set_address(address);
        payload.set_data_ptr(data.data());
        payload.set_data_length(static_cast<unsigned>(bytes));
        hierarchy().dram_socket->transport_dbg(payload);
        return data;
    }

    std::size_t levels;
    hw::ClockDomainParameters clock;
    CacheParameters caches;
    NodeMemory::Parameters memory;
    hw::MemoryPort::Parameters memory_port;
    std::uint64_t seed = 1;
    bool has_second_core = true;
    bool fetches_instructions = false;  ///< the second core's accesses are fetches
    std::optional<CacheLevelParameters> instructions;
    std::unique_ptr<hw::ClockDomain> domain;

  private:
    struct Parts {
        explicit Parts(CacheBench& bench)
            : core("core", *bench.domain),
              dma("dma", *bench.domain),
              hierarchy("caches", *bench.domain,
                        {bench.caches, bench.levels, bench.memory,
                         bench.instructions ? &*bench.instructions : nullptr},
                        bench.seed, hw::NodeId(0)),
              port("port", *bench.domain, bench.memory_port),
              dram("dram", *bench.domain, bench.memory) {
            core.bus_socket.bind(hierarchy.bus_socket);
            if (bench.has_second_core) {
                second_core.emplace("second_core", *bench.domain);
                second_core->bus_socket.bind(bench.fetches_instructions
                                                 ? hierarchy.instruction_socket
                                                 : hierarchy.handler_bus_socket);
            }
            hierarchy.port_socket.bind(port.requester_socket);
            dma.socket.bind(port.requester_socket);
            port.dram_socket.bind(hierarchy.snoop_socket);
            hierarchy.dram_socket.bind(dram.dram_socket);
        }
        hw::testing::BusInitiator core;
        std::optional<hw::testing::BusInitiator> second_core;
        BurstRequester dma;
        CacheHierarchy hierarchy;
        hw::MemoryPort port;
        NodeMemory dram;
    };
    Parts& parts() {
        if (!parts_) {
            domain = std::make_unique<hw::ClockDomain>("clock", clock);
            parts_ = std::make_unique<Parts>(*this);
        }
        return *parts_;
    }

    std::unique_ptr<Parts> parts_;
};

}  // namespace weir::memory::testing
