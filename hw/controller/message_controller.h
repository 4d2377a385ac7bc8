#pragma once

#include <tlm.h>

#include <array>
#include <optional>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/clock/clocked_register.h"
#include "hw/controller/controller.h"
#include "hw/controller/protocol_port.h"
#include "hw/dma/dma_engine.h"
#include "hw/dma/memory_port.h"
#include "hw/messages/message_pool.h"
#include "hw/queues/byte_queue.h"
#include "hw/queues/fifo.h"
#include "hw/statistics.h"
#include "hw/tracing/trace_probe.h"
#include "hw/wait_report.h"

namespace weir::hw {

/// A level-sensitive interrupt wire from a controller to a core. The driver writes the level, the
/// core sees it from the cycle named on, and is woken then when it rises.
class InterruptLine {
  public:
    void set_core(ClockedPart& core) { core_ = &core; }

    void drive(bool level, Cycles now) {
        const bool rises = level && !level_.latest();
        level_.write(level, now);
        if (rises && core_ != nullptr) {
            core_->wake_at(now + Cycles(1));
        }
    }
    [[nodiscard]] bool raised(Cycles now) const { return level_.read(now); }
    [[nodiscard]] bool driven() const { return level_.latest(); }

  private:
    ClockedRegister<bool> level_{false};
    ClockedPart* core_ = nullptr;
};

/// Alewife's CMMU as far as messages go.
///
/// Hardware: memory-mapped registers (hw/controller/controller_registers.h) on the core's bus, an
/// output descriptor of 16 words, a 256-byte queue to and a 256-byte queue from the network, an
/// interrupt line for messages and one for DMA engines that have ended, and two DMA engines
/// (hw/dma/dma_engine.h), one behind each queue.
///
/// In a cycle: accesses of this cycle see the queues as they stood when it began. A launch that has
/// room (LoGPC Section 2.1) completes after launch_cycles, and in that cycle its message is in the
/// output queue; without room, or while the sending engine gathers another's body, it waits. With
/// both ports in use launches are decided one cycle later, those of one cycle in the order of their
/// ports, and complete no later for that. A launch with a body takes the engine's set-up longer,
/// and the engine begins when it completes. A store to STORE_BODY takes the set-up of the receiving
/// engine, which begins then with the message at the head of the input queue.
/// A store to DISPOSE removes that message in the next cycle, or in the second cycle after its
/// engine's last burst, whichever is later; the access does not wait for the engine. The interrupt
/// line is high while the message at the head has been there, with its whole 8-byte header, for
/// notify_cycles, and has not been disposed of.
///
/// With overflow_trap, a timer on the input queue (Alewife's CMMU has one; LoGPC reference 19):
/// when the network's next flit has found no room in it in overflow_timeout_cycles cycles in
/// sequence, the trap line is high from the second cycle after them until the second cycle after a
/// flit has gone on. The window shows the head of the queue and nothing behind it, so that a trap
/// which is to reach the messages behind it must take the head off too, be it that of a running
/// handler. A message disposed of before its handler has begun is a saved one: the controller's
/// trace keeps the order of these. What was stored to SAVED_MESSAGES drives their interrupt line
/// from the next cycle on.
///
/// With coherent memory beside it (connect_protocol), packets of its protocol share both queues
/// with messages. One that is at the head of the input queue as a whole leaves it, one in a cycle,
/// when the port takes it; it interrupts nobody, and no register shows it. One that is to be sent
/// is in the output queue in the first cycle in which there is room, before launches that wait;
/// these are decided one cycle later, as with both ports in use.
class MessageController final : public Controller {
  public:
    using Parameters = ControllerParameters;

    struct Statistics : StatisticsGroup {
        Counter messages_launched{*this, "messages_launched", "Messages put in the output queue"};
        Counter bytes_launched{*this, "bytes_launched", "Their bytes on the wire"};
        Counter messages_disposed{*this, "messages_disposed",
                                  "Messages removed from the input queue"};
        Counter launch_blocked_cycles{*this, "launch_blocked_cycles",
                                      "Cycles launches waited for room in the output queue, or for "
                                      "the sending DMA engine"};
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
        Counter messages_saved{*this, "messages_saved",
                               "Messages that overflow traps took to memory before their handlers "
                               "began"};
        Counter bytes_saved{*this, "bytes_saved", "Their bytes on the wire"};
        Counter saved_peak_messages{*this, "saved_peak_messages",
                                    "Most messages in memory that waited for their handlers"};
        Counter protocol_packets{*this, "protocol_packets",
                                 "Of the messages launched, packets of the coherence protocol"};
    };

    /// What the trace is told by the controller's parts; `queue_levels` only when asked for.
    struct Traces {
        TraceSink* events = nullptr;
        TraceSink* queue_levels = nullptr;
    };

    MessageController(const sc_core::sc_module_name& name, ClockDomain& domain,
                      const Parameters& parameters, const DmaParameters& dma_parameters,
                      NodeId node, std::int32_t node_count, MessagePool& messages, Traces traces);

    /// Binds both DMA engines to the port of a memory of so many bytes; before the run.
    void connect_memory(MemoryPort& port, Bytes memory_bytes);
    /// Its DMA engines move lines of shared memory that lie at the node, too; behind
    /// connect_memory().
    void connect_shared(const SharedSegment& shared) { memory_.connect(shared); }
    /// Its queues carry packets of the coherence protocol too; before the run.
    void connect_protocol(ProtocolPort& port) {
        protocol_ = &port;
        decide_launches_later();
    }

    ByteQueue& output_queue() { return output_queue_; }
    ByteQueue& input_queue() { return input_queue_; }
    InterruptLine& interrupt_line() { return interrupt_line_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    [[nodiscard]] const SendDma& send_dma() const { return send_dma_; }
    [[nodiscard]] const ReceiveDma& receive_dma() const { return receive_dma_; }
    void add_statistics(std::vector<PartStatistics>& statistics) const override;

    void set_core(ClockedPart& core) override {
        interrupt_line_.set_core(core);
        dma_interrupt_line_.set_core(core);
        overflow_line_.set_core(core);
        saved_messages_line_.set_core(core);
        coherence_trap_line_.set_core(core);
    }
    [[nodiscard]] bool raises_traps() const override {
        return has_overflow_trap_ || protocol_ != nullptr;
    }
    [[nodiscard]] bool coherence_trap_raised(Cycles now) const override {
        return coherence_trap_line_.raised(now);
    }
    /// The packet at the head of the input queue, if there is one as a whole.
    [[nodiscard]] std::optional<ProtocolPacket> packet_at_head(Cycles now);
    /// It leaves the queue; after the ticks.
    void discard_packet(Cycles now);
    /// Whether packets of the coherence protocol wait for software.
    void drive_coherence_trap(bool level, Cycles now) {
        if (level != coherence_trap_line_.driven()) {
            coherence_trap_line_.drive(level, now);
        }
    }
    [[nodiscard]] bool interrupt_raised(Cycles now) const override {
        return interrupt_line_.raised(now);
    }
    [[nodiscard]] bool dma_interrupt_raised(Cycles now) const override {
        return dma_interrupt_line_.raised(now);
    }
    [[nodiscard]] bool overflow_raised(Cycles now) const override {
        return overflow_line_.raised(now);
    }
    [[nodiscard]] bool saved_messages_raised(Cycles now) const override {
        return saved_messages_line_.raised(now);
    }
    [[nodiscard]] Cycles settled_until(Cycles now) override;
    [[nodiscard]] bool has_saved_messages() const override { return !saved_messages_.empty(); }
    MessageSlot take_saved_message() override;
    [[nodiscard]] MessageSlot head_message() const override { return input_queue_.front(); }
    [[nodiscard]] bool handler_ended(MessageSlot message, Cycles now) override;

    /// The network interface tells that the whole header of a message is in the input queue at
    /// `now`.
    void header_arrived(Message& message, Cycles now);
    /// The network interface tells in the first cycle in which a flit finds no room in the input
    /// queue; and, with kNever, in the one in which it goes on.
    void network_stopped(Cycles since, Cycles now);

    /// Bytes launched that have not left the output queue, or memory.
    [[nodiscard]] Bytes bytes_to_send() const {
        return output_queue_.held() + launched_bytes_ + send_dma_.bytes_left();
    }
    void add_to(ConservationAccount& account) const override;

    void tick(Cycles now) override;
    void end_of_run(Cycles now) override;
    void report_waits(WaitReport& report, const std::string& network_interface,
                      const std::string& core) const override;
    [[nodiscard]] std::string part_behind(std::uint32_t address) const override;

  private:
    enum class AccessKind : std::uint8_t {
        kLaunch,
        kDispose,
        kWindowLoad,
        kSendIdle,
        kReceiveIdle
    };
    struct WaitingAccess {
        int port;
        AccessKind kind;
        tlm::tlm_generic_payload* payload;
        Cycles issued;
        Cycles withdrawn_from = kNever;
        MessageId holder;  // of a launch: the one before it
    };
    struct Commit {
        Cycles cycle;
        MessageSlot message;
    };
    // What has become of the message at the head of the input queue.
    struct Head {
        bool is_stored = false;    // its body is, or is being
        Cycles disposed = kNever;  // a store to DISPOSE was done
        bool is_handled = false;   // the interrupt for it has ended
    };

    void withdraw(int port, Cycles now) override;
    unsigned transport_dbg(int port, tlm::tlm_generic_payload& payload) override;

    std::optional<Cycles> read_window(const RegisterAccess& access) override;
    std::optional<Cycles> launch(const RegisterAccess& access) override;
    std::optional<Cycles> dispose(const RegisterAccess& access) override;
    std::optional<Cycles> read_output_room(const RegisterAccess& access) override;
    std::optional<Cycles> store_body(const RegisterAccess& access) override {
        return store_body(access, false);
    }
    std::optional<Cycles> store_body_and_interrupt(const RegisterAccess& access) override {
        return store_body(access, true);
    }
    std::optional<Cycles> read_body_bytes(const RegisterAccess& access) override;
    std::optional<Cycles> await_send_idle(const RegisterAccess& access) override;
    std::optional<Cycles> await_receive_idle(const RegisterAccess& access) override;
    std::optional<Cycles> read_dma_status(const RegisterAccess& access) override;
    std::optional<Cycles> clear_dma_status(const RegisterAccess& access) override;
    std::optional<Cycles> store_saved_messages(const RegisterAccess& access) override;

    std::optional<Cycles> store_body(const RegisterAccess& access, bool interrupt);
    // Does the access now, or has it wait until it can be done.
    std::optional<Cycles> do_or_wait(AccessKind kind, const RegisterAccess& access);
    std::optional<Cycles> try_access(const WaitingAccess& access, Cycles now);
    std::optional<Cycles> try_launch(const WaitingAccess& access, Cycles now);
    [[nodiscard]] Bytes output_room(Cycles now) const;
    [[nodiscard]] Cycles start_of(const WaitingAccess& access, Cycles now) const;
    std::optional<Cycles> try_dispose(Cycles now);
    std::optional<Cycles> try_window_load(const WaitingAccess& access, Cycles now);
    std::optional<Cycles> try_idle(const WaitingAccess& access, const DmaEngine& engine,
                                   Cycles now);
    [[nodiscard]] std::uint32_t dma_status(Cycles now) const;
    void receive_packet(Cycles now);
    ProtocolPacket take_packet(Cycles now);
    void send_packet(Cycles now);
    [[nodiscard]] bool has_message_for_programs(Cycles now);
    void retry_waiting(Cycles now);
    void note_blocked(const WaitingAccess& access, Cycles until, MessageId launched);
    void commit_due(Cycles now);
    void end_head(Cycles now);
    void note_ended_engines(Cycles now);
    void drive_interrupts(Cycles now);
    void drive_overflow_trap(Cycles now);
    void wait_for_change(const WaitingAccess& access, Cycles now);
    [[nodiscard]] Bytes needed_bytes(const WaitingAccess& access) const;
    [[nodiscard]] bool head_is_whole(Cycles now) const;
    [[nodiscard]] std::string program_at(int port) const;

    Cycles dma_setup_cycles_;
    DmaMemory memory_;
    ProtocolPort* protocol_ = nullptr;
    std::vector<Commit> commits_;
    Bytes launched_bytes_;  // of launches that have not reached the output queue yet
    std::vector<WaitingAccess> waiting_;
    Head head_;
    MessageId last_launched_;
    std::uint32_t interrupts_wanted_ = 0;   // WEIR_DMA_ENDED bits of the engines at work
    ClockedRegister<std::uint32_t> ended_;  // WEIR_DMA_ENDED bits
    std::uint32_t acknowledged_ = 0;        // of these, to be cleared after the cycle of the store
    Cycles acknowledged_at_ = kNever;
    bool has_overflow_trap_;
    Cycles overflow_timeout_;
    ClockedRegister<Cycles> network_stopped_since_{kNever};
    Fifo<MessageSlot> saved_messages_;  // by traps, before their handlers began

    ByteQueue output_queue_;
    ByteQueue input_queue_;
    SendDma send_dma_;
    ReceiveDma receive_dma_;
    InterruptLine interrupt_line_;
    InterruptLine dma_interrupt_line_;
    InterruptLine overflow_line_;
    InterruptLine saved_messages_line_;
    InterruptLine coherence_trap_line_;
    Statistics statistics_;
};

}  // namespace weir::hw
