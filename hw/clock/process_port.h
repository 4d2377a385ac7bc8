#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>

#include "hw/clock/clock_domain.h"

namespace weir::hw {

class Controller;

/// A bus master for an SC_THREAD outside the machine, which loads, stores and waits for interrupts
/// like a core. The domain must follow the kernel (ClockDomain::follow_kernel()).
///
/// In a cycle: issues the access that the process has requested since the last cycle, or at this
/// cycle's time. The call returns at the time of the cycle in which the access ends. A request made
/// at that time is issued in the same cycle, so that accesses follow each other as a core's do.
/// There are two exceptions, in which the next access is issued one cycle later:
/// - after an access that is answered later, without a cost of its own: it ends in the cycle of its
///   answer;
/// - after an interrupt: the process learns of it at the end of the first cycle in which the line
///   is high.
///
/// A port serves one process. SystemC reports an error (sc_core::sc_report) when two use it at
/// once, or when the bus refuses an access.
class ProcessPort final : public sc_core::sc_module, public ClockedPart {
  public:
    ProcessPort(const sc_core::sc_module_name& name, ClockDomain& domain);

    tlm_utils::simple_initiator_socket<ProcessPort> bus_socket{"bus_socket"};

    /// Stores a word at an address of the bus; returns when the store has ended.
    void store(std::uint64_t address, std::uint32_t word);
    /// Loads a word from an address of the bus.
    [[nodiscard]] std::uint32_t load(std::uint64_t address);
    /// Waits until the controller interrupts for a message; returns at once if it already does. The
    /// port takes the place of the controller's core.
    void wait_for_interrupt(Controller& controller);

    void tick(Cycles now) override;

  private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    std::uint32_t access(tlm::tlm_command command, std::uint64_t address, std::uint32_t word);
    void begin_use();

    tlm::tlm_generic_payload payload_;
    std::uint32_t word_ = 0;
    bool is_in_use_ = false;     // whether a process waits for an access or an interrupt
    bool is_asked_for_ = false;  // whether an access is requested and not yet issued
    Controller* awaited_ = nullptr;
    sc_core::sc_event done_;
};

}  // namespace weir::hw
