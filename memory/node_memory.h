#pragma once

#include <tlm.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/target_socket.h"
#include "hw/units.h"
#include "memory/hit_port.h"
#include "memory/memory_parameters.h"

namespace weir::memory {

/// A node's DRAM, and the core's view of it when every access hits the cache. Behind the node's own
/// bytes lie those that it adds to shared memory.
///
/// TLM-2.0 targets. bus_socket, the core's, and handler_bus_socket, a protocol processor's:
/// nb_transport_fw answers at once with a whole-cycle delay; transport_dbg loads programs' data and
/// checks results without taking time. dram_socket, the memory port's: nb_transport_fw moves a
/// burst of any length at once, since the port knows how long it takes. The core sees what was
/// written there, and the port what the core wrote. Pages of 4096 bytes are allocated when they are
/// first written; what was never written reads as zero.
class NodeMemory final : public sc_core::sc_module, public HitPort {
  public:
    using Parameters = MemoryParameters;

    static constexpr std::size_t kPageBytes = 4096;
    using Page = std::array<std::uint8_t, kPageBytes>;

    /// What accesses hit in while no page is allocated: pages that lie in the memory as a whole.
    class Pages {
      public:
        static constexpr std::uint32_t kFetchedBytes = 32;  ///< see HitPort

        /// See HitPort. A page that is not allocated: by the bus, which reads zero, or
        /// NodeMemory::hit().
        [[nodiscard]] PlainHit hit(std::uint64_t address, bool /*is_store*/,
                                   hw::Cycles /*at*/) const {
            const std::uint64_t index = address / kPageBytes;
            if (index >= pages_.size() || pages_[index] == nullptr) {
                return {};
            }
            return {pages_[index]->data() + address % kPageBytes};
        }

      private:
        friend class NodeMemory;
        explicit Pages(std::span<const std::unique_ptr<Page>> pages) : pages_(pages) {}

        std::span<const std::unique_ptr<Page>> pages_;
    };

    NodeMemory(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
               const Parameters& parameters, bool has_protocol_processor = false,
               hw::Bytes shared_bytes = hw::Bytes(0));

    hw::OptionalTargetSocket<NodeMemory> bus_socket{"bus_socket"};
    /// If there is a protocol processor.
    std::unique_ptr<hw::OptionalTargetSocket<NodeMemory>> handler_bus_socket;

    hw::OptionalTargetSocket<NodeMemory> dram_socket{"dram_socket"};

    [[nodiscard]] std::size_t pages_allocated() const { return pages_allocated_; }

    Hit hit(Side side, std::uint64_t address, unsigned bytes, bool is_store,
            hw::Cycles at) override;
    [[nodiscard]] bool is_settled() const override { return true; }

    [[nodiscard]] static bool has_plain_hits() { return true; }
    [[nodiscard]] Pages plain_instructions() const { return plain_data(); }
    [[nodiscard]] Pages plain_data() const {
        const std::size_t whole = std::min<std::size_t>(pages_.size(), bytes_ / kPageBytes);
        return Pages({pages_.data(), whole});
    }

  private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    tlm::tlm_sync_enum move_burst(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                  sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& payload);
    bool move(tlm::tlm_generic_payload& payload);
    Page& allocated_page(std::size_t index);

    hw::ClockDomain& domain_;
    std::uint64_t bytes_;
    hw::Cycles load_cycles_;
    hw::Cycles store_cycles_;
    hw::Cycles double_cycles_;
    std::vector<std::unique_ptr<Page>> pages_;
    std::size_t pages_allocated_ = 0;
};

}  // namespace weir::memory
