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
#include "hw/controller/bus_probe.h"
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
/// The second word of a two-word access.
[[nodiscard]] inline std::uint32_t second_data_word(const tlm::tlm_generic_payload& payload) {
    std::uint32_t word = 0;
    std::memcpy(&word, payload.get_data_ptr() + sizeof word, sizeof word);
    return word;
}
inline void set_second_data_word(tlm::tlm_generic_payload& payload, std::uint32_t word) {
    std::memcpy(payload.get_data_ptr() + sizeof word, &word, sizeof word);
}

/// Access to a register, as passed to the register's handler.
struct RegisterAccess {
    int port;
    std::uint32_t word;  ///< index within a register of several words, from 0
    tlm::tlm_generic_payload& payload;
    Cycles now;

    /// The word to store.
    [[nodiscard]] std::uint32_t data() const { return data_word(payload); }
    [[nodiscard]] bool is_double() const { return payload.get_data_length() > WEIR_WORD_BYTES; }
};

/// A memory-mapped register of a part: its address, the permitted accesses, and the handlers that
/// execute them.
///
/// A handler returns the cost of the access. It returns nothing in two cases: when it has answered
/// the payload with an error, or when the access waits and is answered later.
template <class Part>
struct Register {
    using Handler = std::optional<Cycles> (Part::*)(const RegisterAccess&);

    std::uint32_t address;
    std::uint32_t words;
    Handler read;                ///< null: the register is write-only
    Handler write;               ///< null: the register is read-only
    const char* sentence;        ///< contents of the register, or effect of a store to it
    bool takes_doubles = false;  ///< also accepts accesses of two words

    [[nodiscard]] constexpr Handler handler(tlm::tlm_command command) const {
        return command == tlm::TLM_WRITE_COMMAND ? write : read;
    }
};

/// All registers of a controller; a register is found by its address in constant time.
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
    /// The register at an address; null if there is none.
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

/// TLM phase with which a core withdraws a pending access to take an interrupt. The controller
/// answers with an error response, and the core issues the access again later.
DECLARE_EXTENDED_PHASE(WITHDRAW_REQUEST);

/// Flits and bytes at each stage of the trip. Nothing may be lost between two stages.
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
    std::int64_t bytes_handled = 0;  // messages that have left both queue and handler
    std::int64_t messages_in_overflow_buffers = 0;
    std::int64_t bytes_in_overflow_buffers = 0;
    // For a network with hardware faults.
    std::int64_t flits_discarded = 0;
    std::int64_t bytes_discarded = 0;     // discarded at the destination
    std::int64_t bytes_kept_at_ends = 0;  // incomplete messages in network interfaces
    std::int64_t bytes_lost = 0;          // header lost
    std::int64_t messages_lost = 0;       // discarded, or header lost
    // For a network of finite capacity: maximum over all nodes and cycles of the messages from or
    // to one node.
    std::int64_t most_in_transit = 0;
    std::int64_t transit_capacity = std::numeric_limits<std::int64_t>::max();

    /// Description of the first imbalance; empty where there is none. With `finished`, no message
    /// may be in transit.
    [[nodiscard]] std::optional<std::string> fault(bool finished) const;
};

/// Interface of a message controller to a core and to the machine: memory-mapped registers
/// (hw/controller/controller_registers.h) behind a TLM-2.0 socket, and an interrupt.
///
/// A request by nb_transport_fw is either answered at once (TLM_COMPLETED, and a delay of whole
/// cycles), or accepted, and answered later by BEGIN_RESP. The socket's index is the port number.
class Controller : public sc_core::sc_module, public ClockedPart {
  public:
    /// Ports of the core and of an optional protocol processor (LoPC Section 4.2).
    static constexpr int kCorePort = 0;
    static constexpr int kHandlerPort = 1;
    static constexpr int kPorts = 2;

    /// State of the core that the trace needs; the core updates it.
    struct TraceContext {
        bool in_handler = false;  ///< the core executes a handler
        MessageId handled;        ///< message that the core or the protocol processor handles
        std::array<Cycles, 2> compose{
            kNever, kNever};  ///< first stores to the descriptor, by thread and by handler
    };

    tlm_utils::multi_passthrough_target_socket<Controller> bus_socket{"bus_socket"};

    /// In the order of addresses.
    [[nodiscard]] static std::span<const Register<Controller>> registers() {
        return register_table().registers();
    }

    /// Sets the core that is woken when the interrupt line rises.
    virtual void set_core(ClockedPart& core) = 0;
    [[nodiscard]] virtual bool interrupt_raised(Cycles now) const = 0;
    /// True if an overflow or coherence trap is possible in this run.
    [[nodiscard]] virtual bool raises_traps() const { return false; }
    /// True while the core must take an overflow trap: the full input queue has stopped the network
    /// for too long.
    [[nodiscard]] virtual bool overflow_raised(Cycles /*now*/) const { return false; }
    /// True while the core must take a coherence trap: packets of the coherence protocol wait for
    /// software.
    [[nodiscard]] virtual bool coherence_trap_raised(Cycles /*now*/) const { return false; }
    /// True while messages that a trap has moved to memory wait.
    [[nodiscard]] virtual bool saved_messages_raised(Cycles /*now*/) const { return false; }
    /// The same condition one cycle earlier, before the line reaches the core.
    [[nodiscard]] virtual bool has_saved_messages() const { return false; }
    /// Returns the oldest saved message, whose handler begins.
    virtual MessageSlot take_saved_message() {
        sc_assert(false);
        return {};
    }
    /// First cycle after `now` in which one of these lines may change without an access by the
    /// core. A core may run ahead until then. The coherence trap's line is excluded: a packet may
    /// raise it at any time.
    [[nodiscard]] virtual Cycles settled_until(Cycles now) { return now + Cycles(1); }
    /// Number of words in the core's descriptor since its last launch.
    [[nodiscard]] std::uint32_t composed_words() const {
        return descriptor(kCorePort).composed_words();
    }
    /// The message that causes the interrupt.
    [[nodiscard]] virtual MessageSlot head_message() const = 0;
    /// True while a DMA engine interrupts because it has ended.
    [[nodiscard]] virtual bool dma_interrupt_raised(Cycles /*now*/) const { return false; }
    /// Reports that the core has left the interrupt for a message; returns whether the message was
    /// disposed of. A message is complete when it has left the input queue, too: then it goes to
    /// the trace, and its slot becomes free.
    [[nodiscard]] virtual bool handler_ended(MessageSlot message, Cycles now) = 0;

    /// Has launches decided one cycle later, when all requests for room are known. Needed when both
    /// ports are in use, or packets share the queue. Call it before the run.
    void decide_launches_later() { decides_later_ = true; }
    /// True if even accesses without waiting are answered in the next cycle.
    [[nodiscard]] virtual bool answers_a_cycle_later() const { return decides_later_; }

    TraceContext& trace_context() { return trace_context_; }
    [[nodiscard]] const TraceContext& trace_context() const { return trace_context_; }
    /// Sets an observer of the accesses; null for none.
    void set_probe(BusProbe* probe) { probe_ = probe; }
    /// Reason for the latest error response.
    [[nodiscard]] const std::string& refusal() const { return refusal_; }
    virtual void add_statistics(std::vector<PartStatistics>& statistics) const = 0;
    virtual void add_to(ConservationAccount& account) const {
        account.bytes_handled += bytes_handled_;
    }
    /// Brings statistics up to `now`; to be called once, after the run.
    virtual void end_of_run(Cycles now) = 0;
    virtual void report_waits(WaitReport& report, const std::string& network_interface,
                              const std::string& core) const = 0;
    /// Name of the part whose state this register shows.
    [[nodiscard]] virtual std::string part_behind(std::uint32_t /*address*/) const {
        return name();
    }

  protected:
    Controller(const sc_core::sc_module_name& name, ClockDomain& domain,
               const ControllerParameters& parameters, NodeId node, std::int32_t node_count,
               MessagePool& messages, TraceSink* trace);

    /// Withdraws the access that waits on this port, if any.
    virtual void withdraw(int port, Cycles now) = 0;
    virtual unsigned transport_dbg(int /*port*/, tlm::tlm_generic_payload& /*payload*/) {
        return 0;
    }

    // Handlers of the registers (hw/controller/controller_registers.h).
    virtual std::optional<Cycles> read_window(const RegisterAccess& access) = 0;
    virtual std::optional<Cycles> launch(const RegisterAccess& access) = 0;
    virtual std::optional<Cycles> dispose(const RegisterAccess& access) = 0;
    virtual std::optional<Cycles> read_output_room(const RegisterAccess& access) = 0;
    // Handlers of controllers with DMA engines, and with an overflow trap.
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
    /// Answers an access to an unknown register, or of a kind that the register does not permit,
    /// with an error.
    virtual std::optional<Cycles> refuse_register(const RegisterAccess& access);

    [[nodiscard]] bool decides_later() const { return decides_later_; }
    [[nodiscard]] BusProbe* probe() const { return probe_; }
    // Each port has its own output descriptor.
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
    /// Cost of a load that is answered at `now`; higher right after another load from the same
    /// port.
    [[nodiscard]] Cycles load_cost(int port, Cycles now);

    // Message data for the trace.
    [[nodiscard]] bool from_handler(int port) const {
        return port == kHandlerPort || trace_context_.in_handler;
    }
    void note_compose(int port, Cycles now) {
        Cycles& compose = trace_context_.compose[from_handler(port) ? 1 : 0];
        compose = compose == kNever ? now : compose;
    }
    /// Creates the message in the port's descriptor, and empties the descriptor. The launch
    /// completes at `launch`.
    MessageSlot begin_trip(int port, const LaunchRequest& request, Cycles launch);
    /// Ends a message whose last time stamp is set.
    void end_trip(MessageSlot message);
    /// Creates a packet of the coherence protocol that is in the output queue at `launch`.
    MessageSlot begin_packet(const ProtocolPacket& packet, Cycles launch);
    [[nodiscard]] ProtocolPacket packet_of(MessageSlot slot) const;
    /// Ends a packet that has left the input queue.
    ProtocolPacket end_packet(MessageSlot slot);
    /// Answers a load without waiting.
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

    // Handlers of registers that all controllers have.
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
    BusProbe* probe_ = nullptr;
};

}  // namespace weir::hw
