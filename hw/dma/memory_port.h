#pragma once

#include <tlm.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/dma/dma_parameters.h"
#include "hw/statistics.h"
#include "hw/units.h"

namespace weir::hw {

/// A burst's time at the port: whole beats.
[[nodiscard]] inline Cycles memory_burst_cycles(Bytes bytes, Bytes beat_bytes, Cycles beat_cycles) {
    return flits_of(bytes, beat_bytes).count() * beat_cycles;
}

/// The port between a node's DRAM and all who use it: caches and both DMA engines.
///
/// TLM-2.0: requesters bind to requester_socket, in the order of their port numbers, and call
/// nb_transport_fw with BEGIN_REQ; the port accepts, and answers with BEGIN_RESP when the burst is
/// granted, the delay being the time until its last byte has moved. dram_socket hands the burst to
/// the DRAM, which moves it at once.
///
/// In a cycle: if the port is free, one of the bursts asked for before this cycle is granted, round
/// robin from the port after the last one served; those of one cycle are known by their port
/// numbers, never by who called first. A burst of n bytes keeps the port for the DRAM's access
/// time, then for a beat every beat_bytes. A requester has one burst at a time that is not granted.
///
/// With several bursts in flight the port is free again in the next cycle, while fewer than these
/// are under way. Accesses then overlap; beats do not, and come in the order of the grants.
class MemoryPort final : public sc_core::sc_module, public ClockedPart {
  public:
    using Parameters = MemoryPortParameters;

    struct Statistics : StatisticsGroup {
        Counter bursts{*this, "bursts", "Bursts granted"};
        Counter bytes{*this, "bytes", "Their bytes"};
        Counter busy_cycles{*this, "busy_cycles", "Cycles the port was in use"};
        Counter open_row_bursts{*this, "open_row_bursts", "Of the bursts, those in the open row"};
        Counter wait_cycles{*this, "wait_cycles",
                            "Cycles requests waited beyond the one they take to be seen"};
    };

    MemoryPort(const sc_core::sc_module_name& name, ClockDomain& domain,
               const Parameters& parameters);

    tlm_utils::multi_passthrough_target_socket_optional<MemoryPort> requester_socket{
        "requester_socket"};
    tlm_utils::simple_initiator_socket<MemoryPort> dram_socket{"dram_socket"};

    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

    void tick(Cycles now) override;

  private:
    struct Request {
        tlm::tlm_generic_payload* payload = nullptr;
        Cycles issued;
    };

    tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    [[nodiscard]] std::size_t next_to_serve(Cycles now) const;
    void grant(std::size_t port, Cycles now);
    Cycles access_cycles(std::uint64_t address);

    Bytes beat_bytes_;
    Cycles beat_cycles_;
    Cycles access_cycles_;
    std::uint64_t row_bytes_;
    Cycles row_access_cycles_;
    std::uint64_t open_row_ = UINT64_MAX;
    std::vector<Request> requests_;  // by port
    std::size_t last_served_ = 0;
    Cycles free_from_{0};
    std::size_t bursts_in_flight_;
    std::deque<Cycles> ends_;  // of the last bursts granted, as many as may be in flight
    Statistics statistics_;
};

}  // namespace weir::hw
