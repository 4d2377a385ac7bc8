#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hw/messages/message_pool.h"
#include "hw/per_node.h"
#include "hw/units.h"
#include "memory/coherence/coherence_controller.h"
#include "memory/coherence/golden_memory.h"

namespace weir::memory {

/// Contents of shared memory as seen from outside the machine: by the host before and after a run,
/// and by a debugger at any time. Accesses take no cycles, and leave full/empty bits, directories,
/// statistics and traces as they are.
///
/// The newest bytes of a line are in the first of these places that has them:
///  1. the only copy, in a cache or a transaction buffer, also on its way to the output queue;
///  2. a packet on its way (REPM, UPDATE, SHARE, WDATA): in a controller, a queue or the network,
///     or saved by an overflow trap;
///  3. a returned line that waits at its home for the memory port;
///  4. the home's DRAM.
/// RDATA is not in the list: a copy to read may be overtaken by its invalidation, and is then
/// dropped on arrival.
///
/// A write changes all places and all copies to read. To be called between the ticks of parts, or
/// in a core's tick; in a machine of several tiles only while no tile runs.
class SharedContents {
  public:
    /// Moves bytes to or from a node's part of shared memory in its DRAM.
    using MoveInDram = std::function<void(hw::NodeId node, std::uint64_t offset,
                                          std::span<std::uint8_t> bytes, bool is_write)>;

    /// `golden` is null without a check of loads. All arguments must outlive this object.
    SharedContents(hw::PerNode<CoherenceController*> nodes, hw::MessagePool& messages,
                   GoldenMemory* golden, MoveInDram move_in_dram)
        : nodes_(std::move(nodes)),
          messages_(messages),
          golden_(golden),
          move_in_dram_(std::move(move_in_dram)) {}

    /// Reads bytes, all of which must be shared (AddressMap::is_shared).
    void read(std::uint64_t address, std::span<std::uint8_t> bytes);
    /// Writes bytes, all of which must be shared. Returns the reason if nothing could be written:
    /// software holds a packet with a line of these bytes.
    [[nodiscard]] std::optional<std::string> write(std::uint64_t address,
                                                   std::span<const std::uint8_t> bytes);

  private:
    using Place = CoherenceController::LinePlace;
    // Packet in a queue or in the network that carries a line.
    struct InFlight {
        std::uint64_t line;
        Place place;
        hw::NodeId to;
        std::uint8_t* bytes;
    };

    [[nodiscard]] const AddressMap& map() const { return nodes_.front()->map(); }
    [[nodiscard]] std::vector<InFlight> packets_in_flight();
    [[nodiscard]] bool was_requested(std::uint64_t line) const;
    template <class Visit>
    void visit_places(std::uint64_t line, std::span<const InFlight> packets, const Visit& visit);
    template <class Each>
    static void for_each_line(std::uint64_t address, std::size_t bytes, const Each& each);
    void move_in_dram(std::uint64_t address, std::span<std::uint8_t> bytes, bool is_write);
    [[nodiscard]] std::optional<std::string> refusal(std::uint64_t line,
                                                     std::span<const InFlight> packets);

    hw::PerNode<CoherenceController*> nodes_;
    hw::MessagePool& messages_;
    GoldenMemory* golden_;
    MoveInDram move_in_dram_;
};

}  // namespace weir::memory
