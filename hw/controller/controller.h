#pragma once

#include <tlm.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <systemc>

#include "hw/clock/clock_domain.h"
#include "hw/controller/controller_parameters.h"
#include "hw/controller/controller_registers.h"
#include "hw/controller/output_descriptor.h"
#include "hw/controller/protocol_port.h"
#include "hw/messages/message_pool.h"
#include "hw/statistics.h"
#include "hw/tracing/trace_probe.h"
#include "hw/units.h"
#include "hw/wait_report.h"

namespace weir::hw {

[[nodiscard]] inline std::uint32_t data_word(const tlm::tlm_generic_payload& payload) {
    std::uint32_t word = 0;
    std::memcpy(&word, payload.get_data_ptr(), sizeof word);
    return word;
}
inline void set_data_word(tlm::tlm_generic_payload& payload, std::uint32_t word) {
    std::memcpy(payload.get_data_ptr(), &word, sizeof word);
}
/// Of an access of two words, the second.
[[nodiscard]] inline std::uint32_t second_data_word(const tlm::tlm_generic_payload& payload) {
    std::uint32_t word = 0;
    std::memcpy(&word, payload.get_data_ptr() + sizeof word, sizeof word);
    return word;
}
inline void set_second_data_word(tlm::tlm_generic_payload& payload, std::uint32_t word) {
    std::memcpy(payload.get_data_ptr() + sizeof word, &word, sizeof word);
}

/// A load or store of a register, as the register's handler is given it.
struct RegisterAccess {
    int port;
    std::uint32_t word;  ///< of a register of several words: which one, from 0
    tlm::tlm_generic_payload& payload;
    Cycles now;

    /// The word that is stored.
    [[nodiscard]] std::uint32_t data() const { return data_word(payload); }
    [[nodiscard]] bool is_double() const { return payload.get_data_length() > WEIR_WORD_BYTES; }
};

/// A memory-mapped register of a part: where it is, what may be done with it and who does it.
///
/// A handler returns what the access costs. It returns nothing when it has answered the payload
/// with an error, or when the access waits and is answered later.
template <class Part>
struct Register {
    using Handler = std::optional<Cycles> (Part::*)(const RegisterAccess&);

    std::uint32_t address;
    std::uint32_t words;
    Handler read;                ///< null: the register is only written
    Handler write;               ///< null: the register is only read
    const char* sentence;        ///< what it holds, or what a store to it does
    bool takes_doubles = false;  ///< two of its words at once, too

    [[nodiscard]] constexpr Handler handler(tlm::tlm_command command) const {
        return command == tlm::TLM_WRITE_COMMAND ? write : read;
    }
};

/// All registers of a controller, found by their addresses in one step.
template <class Part>
class RegisterTable {
  public:
    constexpr explicit RegisterTable(std::span<const Register<Part>> registers)
        : registers_(registers) {
        for (const Register<Part>& entry : registers) {
            for (std::uint32_t word = 0; word < entry.words; ++word) {
                by_word_[place_of(entry.address) + word] = &entry;
            }
        }
    }

    [[nodiscard]] constexpr std::span<const Register<Part>> registers() const { return registers_; }
    /// The register there; null if there is none.
    [[nodiscard]] constexpr const Register<Part>* find(std::uint32_t address) const {
        const std::uint32_t place = place_of(address);
        return place < kWords ? by_word_[place] : nullptr;
    }

  private:
    static constexpr std::size_t kWords = WEIR_CONTROLLER_BYTES / WEIR_WORD_BYTES;

    static constexpr std::uint32_t place_of(std::uint32_t address) {
        return (address - WEIR_CONTROLLER_BASE) / WEIR_WORD_BYTES;
    }

    std::span<const Register<Part>> registers_;
    std::array<const Register<Part>*, kWords> by_word_{};
};

/// A core that takes an interrupt while its access has no answer withdraws the access; the
/// controller then answers with an error response, and the core issues it again later.
DECLARE_EXTENDED_PHASE(WITHDRAW_REQUEST);

/// Flits and bytes at each stage of the trip; what goes in must come out or be somewhere.
struct ConservationAccount {
    std::int64_t bytes_launched = 0;
    std::int64_t bytes_in_output_queues = 0;
    std::int64_t bytes_injected = 0;
    std::int64_t flits_injected = 0;
    std::int64_t flits_in_channels = 0;
    std::int64_t flits_ejected = 0;
    std::int64_t bytes_ejected = 0;
    std::int64_t bytes_into_input_queues = 0;
    std::int64_t messages_launched = 0;
    std::int64_t messages_disposed = 0;
    std::int64_t messages_held = 0;
    std::int64_t bytes_handled = 0;  // of messages that have left both queue and handler
    std::int64_t messages_in_overflow_buffers = 0;
    std::int64_t bytes_in_overflow_buffers = 0;
    // Of a network of which something fails.
    std::int64_t flits_discarded = 0;
    std::int64_t bytes_discarded = 0;     // of messages thrown away at their destination
    std::int64_t bytes_kept_at_ends = 0;  // until all words of their message are there
    std::int64_t bytes_lost = 0;          // of messages whose header was lost
    std::int64_t messages_lost = 0;       // of either kind
    // Of a network of finite capacity: from or to any one node, at any time of the run.
    std::int64_t most_in_transit = 0;
    std::int64_t transit_capacity = std::numeric_limits<std::int64_t>::max();

    /// What does not add up, or nothing; `finished`: nothing may be left on its way.
    [[nodiscard]] std::optional<std::string> fault(bool finished) const;
};

/// What a core and its machine see of a message controller: memory-mapped registers
/// (hw/controller/controller_registers.h) behind a TLM-2.0 socket, and an interrupt.
///
/// Requests by nb_transport_fw are answered at once (TLM_COMPLETED and a delay of whole cycles), or
/// accepted and answered by BEGIN_RESP once they can be done; the socket's index is the port
/// number.
class Controller : public sc_core::sc_module, public ClockedPart {
  public:
    /// The core's port, and that of a protocol processor beside it (LoPC Section 4.2).
    static constexpr int kCorePort = 0;
    static constexpr int kHandlerPort = 1;
    static constexpr int kPorts = 2;

    /// What the trace needs to know of the core, kept by the core.
    struct TraceContext {
        bool in_handler = false;                        ///< the core's port is a handler's
        MessageId handled;                              ///< by the core or the protocol processor
        std::array<Cycles, 2> compose{kNever, kNever};  ///< first store, by thread and by handler
    };

    tlm_utils::multi_passthrough_target_socket<Controller> bus_socket{"bus_socket"};

    /// In the order of their addresses.
    [[nodiscard]] static std::span<const Register<Controller>> registers() {
        return register_table().registers();
    }

    /// The core that is woken when the interrupt rises.
    virtual void set_core(ClockedPart& core) = 0;
    [[nodiscard]] virtual bool interrupt_raised(Cycles now) const = 0;
    /// Whether an overflow or coherence trap may be raised in this run.
    [[nodiscard]] virtual bool raises_traps() const { return false; }
    /// Whether the full input queue has stopped the network for so long that the core is to trap.
    [[nodiscard]] virtual bool overflow_raised(Cycles /*now*/) const { return false; }
    /// Whether the core is to trap for packets of the coherence protocol that wait for software.
    [[nodiscard]] virtual bool coherence_trap_raised(Cycles /*now*/) const { return false; }
    /// Whether messages wait that a trap has taken to memory.
    [[nodiscard]] virtual bool saved_messages_raised(Cycles /*now*/) const { return false; }
    /// The same, before the line tells the core.
    [[nodiscard]] virtual bool has_saved_messages() const { return false; }
    /// The one of them that was taken first; its handler begins.
    virtual MessageSlot take_saved_message() {
        sc_assert(false);
        return {};
    }
    /// The first cycle in which any of these lines but the coherence trap's, which a packet may
    /// raise at any time, may show another level than at `now`, unless a core's access changes it:
    /// later than `now`. A core may run ahead until then.
    [[nodiscard]] virtual Cycles settled_until(Cycles now) { return now + Cycles(1); }
    /// Words of a message being composed, in the core's descriptor.
    [[nodiscard]] std::uint32_t composed_words() const {
        return descriptor(kCorePort).composed_words();
    }
    /// The message that interrupts.
    [[nodiscard]] virtual MessageSlot head_message() const = 0;
    /// Whether a DMA engine interrupts, which ended and was to.
    [[nodiscard]] virtual bool dma_interrupt_raised(Cycles /*now*/) const { return false; }
    /// The core has left the interrupt for a message; whether that was disposed of. The message is
    /// over when it has left the input queue too: it goes to the trace, and its slot is free.
    [[nodiscard]] virtual bool handler_ended(MessageSlot message, Cycles now) = 0;

    /// Launches are decided in the cycle after their own, when all that wants room is known: both
    /// ports are in use, or packets share the queue. Before the run.
    void decide_launches_later() { decides_later_ = true; }
    /// Whether an access that waits for nothing is answered only in the cycle after its own.
    [[nodiscard]] virtual bool answers_a_cycle_later() const { return decides_later_; }

    TraceContext& trace_context() { return trace_context_; }
    [[nodiscard]] const TraceContext& trace_context() const { return trace_context_; }
    /// Why the last access that was answered with an error was.
    [[nodiscard]] const std::string& refusal() const { return refusal_; }
    virtual void add_statistics(std::vector<PartStatistics>& statistics) const = 0;
    virtual void add_to(ConservationAccount& account) const {
        account.bytes_handled += bytes_handled_;
    }
    /// Settles statistics up to `now`; once, after the run.
    virtual void end_of_run(Cycles now) = 0;
    virtual void report_waits(WaitReport& report, const std::string& network_interface,
                              const std::string& core) const = 0;
    /// The name of the part that a load from this register tells of.
    [[nodiscard]] virtual std::string part_behind(std::uint32_t /*address*/) const {
        return name();
    }

  protected:
    Controller(const sc_core::sc_module_name& name, ClockDomain& domain,
               const ControllerParameters& parameters, NodeId node, std::int32_t node_count,
               MessagePool& messages, TraceSink* trace);

    /// The core gives up the access that waits on this port, if there is one.
    virtual void withdraw(int port, Cycles now) = 0;
    virtual unsigned transport_dbg(int /*port*/, tlm::tlm_generic_payload& /*payload*/) {
        return 0;
    }

    // What a load from a register, or a store to it, does (hw/controller/controller_registers.h).
    virtual std::optional<Cycles> read_window(const RegisterAccess& access) = 0;
    virtual std::optional<Cycles> launch(const RegisterAccess& access) = 0;
    virtual std::optional<Cycles> dispose(const RegisterAccess& access) = 0;
    virtual std::optional<Cycles> read_output_room(const RegisterAccess& access) = 0;
    // Of a controller with DMA engines, and of one with an overflow trap.
    virtual std::optional<Cycles> store_body(const RegisterAccess& access) {
        return refuse_register(access);
    }
    virtual std::optional<Cycles> store_body_and_interrupt(const RegisterAccess& access) {
        return refuse_register(access);
    }
    virtual std::optional<Cycles> read_body_bytes(const RegisterAccess& access) {
        return refuse_register(access);
    }
    virtual std::optional<Cycles> await_send_idle(const RegisterAccess& access) {
        return refuse_register(access);
    }
    virtual std::optional<Cycles> await_receive_idle(const RegisterAccess& access) {
        return refuse_register(access);
    }
    virtual std::optional<Cycles> read_dma_status(const RegisterAccess& access) {
        return refuse_register(access);
    }
    virtual std::optional<Cycles> clear_dma_status(const RegisterAccess& access) {
        return refuse_register(access);
    }
    virtual std::optional<Cycles> store_saved_messages(const RegisterAccess& access) {
        return refuse_register(access);
    }
    /// Answers an access to what is no register of this controller, or not for such an access, with
    /// an error.
    virtual std::optional<Cycles> refuse_register(const RegisterAccess& access);

    [[nodiscard]] bool decides_later() const { return decides_later_; }
    // Each port has an output descriptor of its own.
    [[nodiscard]] OutputDescriptor& descriptor(int port) { return descriptors_[port]; }
    [[nodiscard]] const OutputDescriptor& descriptor(int port) const { return descriptors_[port]; }

    [[nodiscard]] NodeId node() const { return node_; }
    [[nodiscard]] std::int32_t node_count() const { return node_count_; }
    [[nodiscard]] TraceSink* trace_sink() const { return trace_; }
    [[nodiscard]] MessagePool& messages() { return messages_; }
    [[nodiscard]] const MessagePool& messages() const { return messages_; }
    [[nodiscard]] Cycles store_cycles() const { return store_cycles_; }
    [[nodiscard]] Cycles launch_cycles() const { return launch_cycles_; }
    [[nodiscard]] Cycles notify_cycles() const { return notify_cycles_; }
    /// Of a load that is answered at `now`; more right after another load of the same port.
    [[nodiscard]] Cycles load_cost(int port, Cycles now);

    // What the trace says of a message before it leaves.
    [[nodiscard]] bool from_handler(int port) const {
        return port == kHandlerPort || trace_context_.in_handler;
    }
    void note_compose(int port, Cycles now) {
        Cycles& compose = trace_context_.compose[from_handler(port) ? 1 : 0];
        compose = compose == kNever ? now : compose;
    }
    /// The message in the port's descriptor, which is empty again; its launch completes at
    /// `launch`.
    MessageSlot begin_trip(int port, const LaunchRequest& request, Cycles launch);
    /// Its last time stamp is set.
    void end_trip(MessageSlot message);
    /// A packet of the coherence protocol on its way; it is in the output queue at `launch`.
    MessageSlot begin_packet(const ProtocolPacket& packet, Cycles launch);
    [[nodiscard]] ProtocolPacket packet_of(MessageSlot slot) const;
    /// It has left the input queue.
    ProtocolPacket end_packet(MessageSlot slot);
    /// The answer to a load from a register that waits for nothing.
    std::optional<Cycles> loaded(const RegisterAccess& access, std::uint32_t word) {
        set_data_word(access.payload, word);
        return load_cost(access.port, access.now);
    }
    /// Answers an access with an error.
    std::nullopt_t refuse(tlm::tlm_generic_payload& payload, const std::string& reason,
                          tlm::tlm_response_status status = tlm::TLM_COMMAND_ERROR_RESPONSE) {
        payload.set_response_status(status);
        refusal_ = reason;
        return std::nullopt;
    }

  private:
    [[nodiscard]] static const RegisterTable<Controller>& register_table();
    tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);

    // Registers that are the same in every controller.
    std::optional<Cycles> read_descriptor(const RegisterAccess& access);
    std::optional<Cycles> store_to_descriptor(const RegisterAccess& access);
    std::optional<Cycles> read_composed_words(const RegisterAccess& access);
    std::optional<Cycles> read_message_waiting(const RegisterAccess& access);

    NodeId node_;
    std::int32_t node_count_;
    MessagePool& messages_;
    TraceSink* trace_;
    std::string refusal_;
    Cycles store_cycles_;
    Cycles launch_cycles_;
    Cycles load_cycles_;
    Cycles consecutive_load_cycles_;
    Cycles double_cycles_;
    Cycles notify_cycles_;

    std::int64_t next_sequence_ = 0;
    std::int64_t bytes_handled_ = 0;
    std::array<Cycles, kPorts> last_load_end_{Cycles(-1), Cycles(-1)};
    std::array<OutputDescriptor, kPorts> descriptors_;
    TraceContext trace_context_;
    bool decides_later_ = false;
};

}  // namespace weir::hw
