#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>

#include "hw/clock/clock_domain.h"

namespace weir::hw {

class Controller;

/// A way into the machine for a process of one's own: an SC_THREAD does loads and stores on a bus
/// as a core would, and waits for interrupts. The domain follows the kernel (ClockDomain).
///
/// In a cycle: issues the access that its process asked for at the cycle's time, or since the last
/// cycle. The call comes back at the time of the cycle in which the access ends, and what the
/// process asks for then is issued in that cycle: accesses follow each other as a core's do. An
/// access that is answered later without a cost of its own ends in the cycle of its answer, and the
/// next one is issued in the cycle after; so is one after an interrupt, which the process is told
/// of at the end of the first cycle in which the line is high.
///
/// One process uses a port; SystemC reports an error (sc_core::sc_report) when two do at a time,
/// and when the bus refuses an access.
class ProcessPort final : public sc_core::sc_module, public ClockedPart {
  public:
    ProcessPort(const sc_core::sc_module_name& name, ClockDomain& domain);

    tlm_utils::simple_initiator_socket<ProcessPort> bus_socket{"bus_socket"};

    /// A word to an address of the bus; returns when the store has ended.
    void store(std::uint64_t address, std::uint32_t word);
    /// A word from there.
    [[nodiscard]] std::uint32_t load(std::uint64_t address);
    /// Returns when the controller interrupts for a message, at once if it does already. This port
    /// is the controller's core then.
    void wait_for_interrupt(Controller& controller);

    void tick(Cycles now) override;

  private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    std::uint32_t access(tlm::tlm_command command, std::uint64_t address, std::uint32_t word);
    void begin_use();

    tlm::tlm_generic_payload payload_;
    std::uint32_t word_ = 0;
    bool is_in_use_ = false;     // by a process that waits
    bool is_asked_for_ = false;  // an access that is not issued yet
    Controller* awaited_ = nullptr;
    sc_core::sc_event done_;
};

}  // namespace weir::hw
