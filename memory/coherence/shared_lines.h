#pragma once

#include <tlm.h>

#include <cstdint>
#include <functional>
#include <span>
#include <systemc>

#include "hw/units.h"
#include "memory/hit_port.h"

namespace weir::memory {

/// What a node's caches ask of the part that keeps shared lines in their first level.
class SharedLines {
  public:
    SharedLines() = default;
    SharedLines(const SharedLines&) = delete;
    SharedLines& operator=(const SharedLines&) = delete;
    virtual ~SharedLines() = default;

    /// Whether an access to the address is this part's: shared memory, or one of its registers.
    [[nodiscard]] virtual bool takes(std::uint64_t address) const = 0;
    /// An access that it takes, or the end of one that is withdrawn; as nb_transport_fw of
    /// the caches' sockets, by the number of the socket.
    virtual tlm::tlm_sync_enum access(int port, tlm::tlm_generic_payload& payload,
                                      const tlm::tlm_phase& phase, sc_core::sc_time& delay) = 0;
    /// A line that no other node has leaves the first level.
    virtual void write_back(std::uint64_t address, std::span<const std::uint8_t> bytes,
                            std::uint8_t empty_words) = 0;
    /// A copy to read leaves the first level for another line; its home is not told.
    virtual void leaves_unseen(std::uint64_t address) = 0;
    /// A burst has moved between the DRAM behind the node's own and whoever asked the memory port
    /// for it.
    virtual void burst_moves(const tlm::tlm_generic_payload& payload, hw::Cycles now) = 0;
    /// Whether a hit of its core's only thread changes nothing but bytes and counts; then the core
    /// may do it by itself (DirectMappedLines::shared_hit), and count it here.
    [[nodiscard]] virtual bool has_plain_hits() const = 0;
    virtual void count_plain_hits(const PlainHitCounts& counts) = 0;
    /// Is called before a line in the first level is taken, or is no longer the only copy, or is
    /// changed or makes room for another node's sake, in the end of the cycle that it is told;
    /// before the run.
    virtual void set_before_line_goes(std::function<void(hw::Cycles)> call) = 0;
    /// In the caches' own end of the cycle.
    virtual void end_of_cycle(hw::Cycles now) = 0;
};

}  // namespace weir::memory
