#pragma once

#include <tlm.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include <array>
#include <optional>
#include <systemc>
#include <vector>

#include "hw/byte_queue.h"
#include "hw/clock_domain.h"
#include "hw/controller_registers.h"
#include "hw/interrupt_line.h"
#include "hw/message.h"
#include "hw/parameter.h"
#include "hw/statistics.h"
#include "hw/trace_probe.h"
#include "hw/wait_report.h"

namespace weir::hw {

/// A core that takes an interrupt while its access has no answer withdraws the access; the
/// controller then answers with an error response, and the core issues it again later.
DECLARE_EXTENDED_PHASE(WITHDRAW_REQUEST);

/// Alewife's CMMU as far as messages go.
///
/// Hardware: memory-mapped registers (hw/controller_registers.h) on the core's bus, an output
/// descriptor of 16 words, a 256-byte queue to and a 256-byte queue from the network, an interrupt
/// line. TLM-2.0: requests by nb_transport_fw are answered at once (TLM_COMPLETED and a delay of
/// whole cycles), or accepted and answered by BEGIN_RESP once they can be done; the socket's index
/// is the port number.
///
/// In a cycle: accesses of this cycle see the queues as they stood when it began. A launch that has
/// room (LoGPC Section 2.1) completes after launch_cycles, and in that cycle its message is in the
/// output queue; without room it waits. A store to DISPOSE removes the head of the input queue in
/// the next cycle. The interrupt line is high while the message at the head has been there, with
/// its whole 8-byte header, for notify_cycles.
class MessageController final : public sc_core::sc_module, public ClockedPart {
  public:
    struct Parameters : ParameterGroup {
        Parameters() : ParameterGroup("controller", "The message controller (CMMU) of a node") {}

        Parameter<Bytes> output_queue_bytes{*this,
                                            "output_queue_bytes",
                                            256,
                                            {64, 1 << 20},
                                            "Size of the queue to the network",
                                            "LoGPC Section 2: 256 bytes"};
        Parameter<Bytes> input_queue_bytes{*this,
                                           "input_queue_bytes",
                                           256,
                                           {64, 1 << 20},
                                           "Size of the queue from the network",
                                           "LoGPC Section 2: 256 bytes (LoPC Section 2: 512)"};
        Parameter<Cycles> store_cycles{*this,
                                       "store_cycles",
                                       3,
                                       {2, 10'000},
                                       "A store to a register of the controller",
                                       "LoGPC Table 1: each argument adds 3 to o_s"};
        Parameter<Cycles> launch_cycles{
            *this,
            "launch_cycles",
            3,
            {2, 10'000},
            "The store that launches a message, when there is room",
            "LoGPC Table 1: o_s of 9 is header, handler address and launch"};
        Parameter<Cycles> load_cycles{*this,
                                      "load_cycles",
                                      2,
                                      {1, 10'000},
                                      "A load from a register of the controller",
                                      "LoGPC Table 1: the first argument adds 2 to o_r"};
        Parameter<Cycles> consecutive_load_cycles{
            *this,
            "consecutive_load_cycles",
            1,
            {0, 10'000},
            "Added to a load right after another load from the controller",
            "assumed; LoGPC Table 1: the second argument adds 3 to o_r"};
        Parameter<Cycles> notify_cycles{
            *this,
            "notify_cycles",
            10,
            {2, 10'000},
            "From the whole header in the input queue to the interrupt",
            "calibrated: L = 21 at 4 mean hops (LoGPC Table 1) less 8 for the first byte (Table 2) "
            "and 3 more header flits"};
    };

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

    /// What the trace needs to know of the core, kept by the core.
    struct TraceContext {
        bool in_handler = false;
        MessageId handled;                              ///< valid while in_handler
        std::array<Cycles, 2> compose{kNever, kNever};  ///< first store, by thread and by handler
    };

    MessageController(const sc_core::sc_module_name& name, ClockDomain& domain,
                      const Parameters& parameters, NodeId node, std::int32_t node_count,
                      MessagePool& messages, TraceSink* queue_level_trace);

    tlm_utils::multi_passthrough_target_socket<MessageController> bus_socket{"bus_socket"};

    ByteQueue& output_queue() { return output_queue_; }
    ByteQueue& input_queue() { return input_queue_; }
    InterruptLine& interrupt_line() { return interrupt_line_; }
    TraceContext& trace_context() { return trace_context_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

    /// The network interface tells that the whole header of a message is in the input queue at
    /// `now`.
    void header_arrived(Message& message, Cycles now);

    /// Bytes launched that have not left the output queue.
    [[nodiscard]] Bytes bytes_to_send() const { return output_queue_.held() + launched_bytes_; }

    /// The message that interrupts, for the trace.
    [[nodiscard]] MessageSlot head_message() const { return input_queue_.front(); }

    void tick(Cycles now) override;
    /// Settles the queues' statistics up to `now`; once, after the run.
    void end_of_run(Cycles now);
    void report_waits(WaitReport& report, const std::string& network_interface,
                      const std::string& core) const;

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
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    unsigned transport_dbg(int port, tlm::tlm_generic_payload& payload);

    std::optional<Cycles> write(WaitingAccess& access, std::uint32_t address, std::uint32_t value,
                                Cycles now);
    std::optional<Cycles> read(WaitingAccess& access, std::uint32_t address, Cycles now);
    std::optional<Cycles> try_access(const WaitingAccess& access, Cycles now);
    std::optional<Cycles> try_launch(const WaitingAccess& access, Cycles now);
    std::optional<Cycles> try_dispose(Cycles now);
    std::optional<Cycles> try_window_load(const WaitingAccess& access, Cycles now);
    Cycles load_cost(int port, Cycles now);
    void commit_due(Cycles now);
    void retry_waiting(Cycles now);
    void wait_for_change(AccessKind kind, Cycles now);
    void drive_interrupt(Cycles now);
    void fail(tlm::tlm_generic_payload& payload);
    [[nodiscard]] bool head_is_whole(Cycles now) const;

    NodeId node_;
    std::int32_t node_count_;
    MessagePool& messages_;
    Cycles store_cycles_;
    Cycles launch_cycles_;
    Cycles load_cycles_;
    Cycles consecutive_load_cycles_;
    Cycles notify_cycles_;

    std::array<std::uint32_t, WEIR_DESCRIPTOR_WORDS> descriptor_{};
    std::uint32_t composed_words_ = 0;
    std::int64_t next_sequence_ = 0;
    std::vector<Cycles> last_load_end_;  // by port
    std::vector<Commit> commits_;
    Bytes launched_bytes_;  // of launches that have not reached the output queue yet
    std::vector<WaitingAccess> waiting_;

    ByteQueue output_queue_;
    ByteQueue input_queue_;
    InterruptLine interrupt_line_;
    TraceContext trace_context_;
    Statistics statistics_;
};

}  // namespace weir::hw
