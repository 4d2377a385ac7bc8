#pragma once

#include <tlm.h>

#include <array>
#include <optional>
#include <systemc>
#include <vector>

#include "hw/byte_queue.h"
#include "hw/clock_domain.h"
#include "hw/controller.h"
#include "hw/interrupt_line.h"
#include "hw/message.h"
#include "hw/statistics.h"
#include "hw/trace_probe.h"
#include "hw/wait_report.h"

namespace weir::hw {

/// Alewife's CMMU as far as messages go.
///
/// Hardware: memory-mapped registers (hw/controller_registers.h) on the core's bus, an output
/// descriptor of 16 words, a 256-byte queue to and a 256-byte queue from the network, an interrupt
/// line.
///
/// In a cycle: accesses of this cycle see the queues as they stood when it began. A launch that has
/// room (LoGPC Section 2.1) completes after launch_cycles, and in that cycle its message is in the
/// output queue; without room it waits. With both ports in use launches are decided one cycle
/// later, those of one cycle in the order of their ports, and complete no later for that. A store
/// to DISPOSE removes the head of the input queue in the next cycle. The interrupt line is high
/// while the message at the head has been there, with its whole 8-byte header, for notify_cycles.
class MessageController final : public Controller {
  public:
    using Parameters = ControllerParameters;

    struct Statistics : StatisticsGroup {
        Counter messages_launched{*this, "messages_launched", "Messages put in the output queue"};
        Counter bytes_launched{*this, "bytes_launched", "Their bytes on the wire"};
        Counter messages_disposed{*this, "messages_disposed",
                                  "Messages removed from the input queue"};
        Counter launch_blocked_cycles{*this, "launch_blocked_cycles",
                                      "Cycles launches waited for room in the output queue"};
        Counter blocked_launches{*this, "blocked_launches", "Launches that had to wait"};
        Counter output_queue_byte_cycles{*this, "output_queue_byte_cycles",
                                         "Bytes in the output queue, summed over cycles"};
        Counter output_queue_message_cycles{*this, "output_queue_message_cycles",
                                            "Messages in the output queue, summed over cycles"};
        Counter output_queue_peak_bytes{*this, "output_queue_peak_bytes",
                                        "Most bytes in the output queue"};
        Counter input_queue_byte_cycles{*this, "input_queue_byte_cycles",
                                        "Bytes in the input queue, summed over cycles"};
        Counter input_queue_message_cycles{*this, "input_queue_message_cycles",
                                           "Messages in the input queue, summed over cycles"};
        Counter input_queue_peak_bytes{*this, "input_queue_peak_bytes",
                                       "Most bytes in the input queue"};
        Counter withdrawn_launches{*this, "withdrawn_launches",
                                   "Waiting launches given up for an interrupt and tried again"};
    };

    MessageController(const sc_core::sc_module_name& name, ClockDomain& domain,
                      const Parameters& parameters, NodeId node, std::int32_t node_count,
                      MessagePool& messages, TraceSink* queue_level_trace);

    ByteQueue& output_queue() { return output_queue_; }
    ByteQueue& input_queue() { return input_queue_; }
    InterruptLine& interrupt_line() { return interrupt_line_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    [[nodiscard]] const StatisticsGroup& statistics_group() const override { return statistics_; }

    void set_core(ClockedPart& core) override { interrupt_line_.set_core(core); }
    [[nodiscard]] bool interrupt_raised(Cycles now) const override {
        return interrupt_line_.raised(now);
    }
    [[nodiscard]] MessageSlot head_message() const override { return input_queue_.front(); }

    /// The network interface tells that the whole header of a message is in the input queue at
    /// `now`.
    void header_arrived(Message& message, Cycles now);

    /// Bytes launched that have not left the output queue.
    [[nodiscard]] Bytes bytes_to_send() const { return output_queue_.held() + launched_bytes_; }
    void add_to(ConservationAccount& account) const override;

    void tick(Cycles now) override;
    void end_of_run(Cycles now) override;
    void report_waits(WaitReport& report, const std::string& network_interface,
                      const std::string& core) const override;

  private:
    enum class AccessKind : std::uint8_t { kLaunch, kDispose, kWindowLoad };
    struct WaitingAccess {
        int port;
        AccessKind kind;
        tlm::tlm_generic_payload* payload;
        Cycles issued;
        Cycles withdrawn_from = kNever;
    };
    struct Commit {
        Cycles cycle;
        AccessKind kind;
        MessageSlot message;
    };

    tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
    unsigned transport_dbg(int port, tlm::tlm_generic_payload& payload) override;

    std::optional<Cycles> write(WaitingAccess& access, std::uint32_t address, std::uint32_t value,
                                Cycles now);
    std::optional<Cycles> read(WaitingAccess& access, std::uint32_t address, Cycles now);
    std::optional<Cycles> try_access(const WaitingAccess& access, Cycles now);
    std::optional<Cycles> try_launch(const WaitingAccess& access, Cycles now);
    [[nodiscard]] Cycles start_of(const WaitingAccess& access, Cycles now) const;
    std::optional<Cycles> try_dispose(Cycles now);
    std::optional<Cycles> try_window_load(const WaitingAccess& access, Cycles now);
    void commit_due(Cycles now);
    void retry_waiting(Cycles now);
    void wait_for_change(AccessKind kind, Cycles now);
    void drive_interrupt(Cycles now);
    void fail(tlm::tlm_generic_payload& payload);
    [[nodiscard]] bool head_is_whole(Cycles now) const;

    std::vector<Commit> commits_;
    Bytes launched_bytes_;  // of launches that have not reached the output queue yet
    std::vector<WaitingAccess> waiting_;

    ByteQueue output_queue_;
    ByteQueue input_queue_;
    InterruptLine interrupt_line_;
    Statistics statistics_;
};

}  // namespace weir::hw
