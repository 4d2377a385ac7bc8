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

/// A level-sensitive interrupt line from a controller to a core. The driver writes a level and the
/// cycle from which the core sees it. The core is woken when the line rises.
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

/// The message-passing part of Alewife's CMMU.
///
/// Hardware:
/// - memory-mapped registers (hw/controller/controller_registers.h) on the core's bus, and an
///   output descriptor of 16 words;
/// - a queue of 256 bytes to the network and one from it, with a DMA engine behind each
///   (hw/dma/dma_engine.h);
/// - an interrupt line for messages, and one for DMA engines that have ended.
///
/// In a cycle: accesses see the queues as they were at its beginning.
/// - A launch with room (LoGPC Section 2.1) completes after launch_cycles, and in that cycle its
///   message is in the output queue. Without room, or while the sending engine gathers another
///   body, it waits. A launch with a body takes the engine's set-up in addition; the engine begins
///   when the launch completes.
/// - With both ports in use, launches are decided one cycle later, those of one cycle in the order
///   of their ports. This does not delay their completion.
/// - A store to STORE_BODY takes the set-up of the receiving engine. The engine then begins with
///   the message at the head of the input queue.
/// - A store to DISPOSE removes that message in the next cycle, or in the second cycle after its
///   engine's last burst, whichever is later. The access does not wait for the engine.
/// - The interrupt line rises when the message at the head has been there, with its whole 8-byte
///   header, for notify_cycles. It falls when the message is disposed of.
///
/// Overflow trap (overflow_trap): a timer on the input queue (Alewife's CMMU has one; LoGPC
/// reference 19). It counts consecutive cycles in which the network's next flit finds no room.
/// After overflow_timeout_cycles of them, the trap line is high from the second cycle on, until the
/// second cycle after a flit has gone on. The input window shows only the head of the queue. So a
/// trap must take the head off to reach the messages behind it, even if a handler is working on the
/// head. A message disposed of before its handler has begun is a saved message; the controller
/// keeps the order of these for the trace. A store to SAVED_MESSAGES drives their interrupt line
/// from the next cycle on.
///
/// Coherent memory (connect_protocol): packets of its protocol share both queues with messages. A
/// complete packet at the head of the input queue leaves it when the port takes it, one per cycle.
/// It causes no interrupt, and no register shows it. A packet to send enters the output queue in
/// the first cycle with room, before waiting launches. Launches are decided one cycle later, as
/// with both ports in use.
class MessageController final : public Controller {
  public:
    using Parameters = ControllerParameters;

    struct Statistics : StatisticsGroup {
        Counter messages_launched{*this, "messages_launched", "Messages put in the output queue"};
        Counter bytes_launched{*this, "bytes_launched", "Bytes put in the output queue"};
        Counter messages_disposed{*this, "messages_disposed",
                                  "Messages removed from the input queue"};
        Counter launch_blocked_cycles{
            *this, "launch_blocked_cycles",
            "Cycles in which launches waited for room in the output queue, "
            "or for the sending DMA engine"};
        Counter blocked_launches{*this, "blocked_launches",
                                 "Launches that had to wait for room in the output queue, or for "
                                 "the sending DMA engine"};
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
                                   "Waiting launches withdrawn for an interrupt and tried again"};
        Counter messages_saved{*this, "messages_saved",
                               "Messages that overflow traps moved to memory before their handlers "
                               "began"};
        Counter bytes_saved{*this, "bytes_saved", "Bytes of saved messages"};
        Counter saved_peak_messages{*this, "saved_peak_messages",
                                    "Most saved messages that waited in memory"};
        Counter protocol_packets{*this, "protocol_packets",
                                 "Launched messages that are packets of the coherence protocol"};
    };

    /// Receivers of trace reports; `queue_levels` is null unless queues are traced.
    struct Traces {
        TraceSink* events = nullptr;
        TraceSink* queue_levels = nullptr;
    };

    MessageController(const sc_core::sc_module_name& name, ClockDomain& domain,
                      const Parameters& parameters, const DmaParameters& dma_parameters,
                      NodeId node, std::int32_t node_count, MessagePool& messages, Traces traces);

    /// Binds both DMA engines to the port of a memory of `memory_bytes`; to be called before the
    /// run.
    void connect_memory(MemoryPort& port, Bytes memory_bytes);
    /// Lets the DMA engines move lines of shared memory on this node, too; to be called after
    /// connect_memory().
    void connect_shared(const SharedSegment& shared) { memory_.connect(shared); }
    /// Lets the queues carry packets of the coherence protocol, too; to be called before the run.
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
    /// The packet at the head of the input queue, if it is complete.
    [[nodiscard]] std::optional<ProtocolPacket> packet_at_head(Cycles now);
    /// Removes the packet from the queue; to be called after the ticks.
    void discard_packet(Cycles now);
    /// Sets the level of the coherence trap's line.
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

    /// Called by the network interface: the whole header of a message is in the input queue at
    /// `now`.
    void header_arrived(Message& message, Cycles now);
    /// Called by the network interface when a flit first finds no room in the input queue, with
    /// that cycle. Called again, with kNever, when the flit goes on.
    void network_stopped(Cycles since, Cycles now);

    /// Bytes of launched messages that have not left the output queue or memory.
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
        MessageId holder;  // for a launch: the message that was launched before
    };
    struct Commit {
        Cycles cycle;
        MessageSlot message;
    };
    // State of the message at the head of the input queue.
    struct Head {
        bool is_stored = false;    // whether the body is stored or being stored
        Cycles disposed = kNever;  // cycle of the store to DISPOSE
        bool is_handled = false;   // whether the message's interrupt has ended
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
    // Executes the access, or queues it until it can be executed.
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
    Bytes launched_bytes_;  // bytes of launches that have not reached the output queue yet
    std::vector<WaitingAccess> waiting_;
    Head head_;
    MessageId last_launched_;
    std::uint32_t interrupts_wanted_ = 0;   // WEIR_DMA_ENDED bits to set when an engine ends
    ClockedRegister<std::uint32_t> ended_;  // WEIR_DMA_ENDED bits as seen by the core
    std::uint32_t acknowledged_ = 0;  // bits that a store to WEIR_DMA_STATUS clears after its cycle
    Cycles acknowledged_at_ = kNever;
    bool has_overflow_trap_;
    Cycles overflow_timeout_;
    ClockedRegister<Cycles> network_stopped_since_{kNever};
    Fifo<MessageSlot> saved_messages_;  // messages disposed of before their handlers began

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
