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
#include "hw/dma/memory_port_probe.h"
#include "hw/statistics.h"
#include "hw/units.h"

namespace weir::hw {

/// Time of a burst at the port, in whole beats.
[[nodiscard]] inline Cycles memory_burst_cycles(Bytes bytes, Bytes beat_bytes, Cycles beat_cycles) {
    return flits_of(bytes, beat_bytes).count() * beat_cycles;
}

/// The port between a node's DRAM and its users: the caches and both DMA engines.
///
/// TLM-2.0: requesters bind to requester_socket in the order of their port numbers, and call
/// nb_transport_fw with BEGIN_REQ. The port accepts, and answers with BEGIN_RESP when the burst is
/// granted; the delay is the time until its last byte has moved. dram_socket passes the burst to
/// the DRAM, which moves it at once.
///
/// In a cycle: a free port grants one of the bursts requested before this cycle, round robin from
/// the port behind the last one served. Requests of one cycle are ordered by port number, never by
/// the order of calls. A burst keeps the port for the DRAM's access time plus one beat for every
/// beat_bytes. A requester may have one burst that is not granted yet.
///
/// With several bursts in flight, the port is free again in the next cycle while fewer than these
/// are under way. Their accesses overlap; their beats do not, and come in the order of the grants.
class MemoryPort final : public sc_core::sc_module, public ClockedPart {
  public:
    using Parameters = MemoryPortParameters;

    struct Statistics : StatisticsGroup {
        Counter bursts{*this, "bursts", "Bursts granted"};
        Counter bytes{*this, "bytes", "Bytes of granted bursts"};
        Counter busy_cycles{*this, "busy_cycles", "Cycles in which the port was in use"};
        Counter open_row_bursts{*this, "open_row_bursts", "Granted bursts to the open row"};
        Counter wait_cycles{*this, "wait_cycles",
                            "Cycles in which requests waited for other bursts"};
    };

    MemoryPort(const sc_core::sc_module_name& name, ClockDomain& domain,
               const Parameters& parameters);

    tlm_utils::multi_passthrough_target_socket_optional<MemoryPort> requester_socket{
        "requester_socket"};
    tlm_utils::simple_initiator_socket<MemoryPort> dram_socket{"dram_socket"};

    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    /// Sets an observer of the bursts; null for none.
    void set_probe(MemoryPortProbe* probe) { probe_ = probe; }

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
    std::vector<Request> requests_;  // indexed by port
    std::size_t last_served_ = 0;
    Cycles free_from_{0};
    std::size_t bursts_in_flight_;
    std::deque<Cycles> ends_;  // ends of the latest bursts, as many as may be in flight
    MemoryPortProbe* probe_ = nullptr;
    Statistics statistics_;
};

}  // namespace weir::hw
