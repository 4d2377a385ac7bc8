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

/// DRAM of a node, and the core's accesses to it when every access hits. The node's part of shared
/// memory follows its private bytes.
///
/// TLM-2.0 targets:
/// - bus_socket (the core's) and handler_bus_socket (a protocol processor's): nb_transport_fw
///   answers at once with a delay of whole cycles. transport_dbg loads programs' data and reads
///   results, without cycles.
/// - dram_socket (the memory port's): nb_transport_fw moves a burst of any length at once, since
///   the port models its time.
///
/// Core and port see each other's writes. Pages of 4096 bytes are allocated when they are first
/// written; unwritten bytes read as zero.
class NodeMemory final : public sc_core::sc_module, public HitPort {
  public:
    using Parameters = MemoryParameters;

    static constexpr std::size_t kPageBytes = 4096;
    using Page = std::array<std::uint8_t, kPageBytes>;

    /// View of the allocated pages for plain hits; valid while no page is allocated. A last partial
    /// page is not included.
    class Pages {
      public:
        static constexpr std::uint32_t kFetchedBytes = 32;  ///< bytes of a fetch; see HitPort

        /// See HitPort. A page that is not allocated is no hit: the bus reads zeros, and
        /// NodeMemory::hit() allocates.
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
    /// Socket of a protocol processor; null without one.
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
