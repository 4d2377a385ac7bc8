#pragma once

#include <tlm.h>

#include <cstdint>
#include <functional>
#include <span>
#include <systemc>

#include "hw/units.h"
#include "memory/hit_port.h"

namespace weir::memory {

/// Interface of a node's caches to the part that manages shared lines in their first level (the
/// coherence controller).
class SharedLines {
  public:
    SharedLines() = default;
    SharedLines(const SharedLines&) = delete;
    SharedLines& operator=(const SharedLines&) = delete;
    virtual ~SharedLines() = default;

    /// True if the address belongs to this part: shared memory, or one of its registers.
    [[nodiscard]] virtual bool takes(std::uint64_t address) const = 0;
    /// Performs an access that takes() accepts, or withdraws one. Arguments as in nb_transport_fw
    /// of the caches' sockets, with the socket's number.
    virtual tlm::tlm_sync_enum access(int port, tlm::tlm_generic_payload& payload,
                                      const tlm::tlm_phase& phase, sc_core::sc_time& delay) = 0;
    /// Called when a line without copies in other nodes leaves the first level.
    virtual void write_back(std::uint64_t address, std::span<const std::uint8_t> bytes,
                            std::uint8_t empty_words) = 0;
    /// Called when the first level replaces a copy to read; no packet informs the home.
    virtual void leaves_unseen(std::uint64_t address) = 0;
    /// Called when a burst has moved between shared bytes in the DRAM and a requester at the memory
    /// port.
    virtual void burst_moves(const tlm::tlm_generic_payload& payload, hw::Cycles now) = 0;
    /// True if a hit of the core's only thread changes only bytes and counts. The core may then
    /// perform hits itself (DirectMappedLines::shared_hit), and count them here.
    [[nodiscard]] virtual bool has_plain_hits() const = 0;
    virtual void count_plain_hits(const PlainHitCounts& counts) = 0;
    /// Sets a function to call before another node's request changes a line in the first level.
    /// Such a change takes the line, replaces it, changes its bytes, or gives another node a copy.
    /// The function is called at the end of the given cycle. Call before the run.
    virtual void set_before_line_goes(std::function<void(hw::Cycles)> call) = 0;
    /// Called by the caches' end_of_cycle().
    virtual void end_of_cycle(hw::Cycles now) = 0;
};

}  // namespace weir::memory
