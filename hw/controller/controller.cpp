#include "hw/controller/controller.h"

#include <array>

#include "hw/text_streams.h"

namespace weir::hw {

ControllerParameters::ControllerParameters()
    : ParameterGroup("controller", "The message controller (CMMU) of a node") {}
ControllerParameters::~ControllerParameters() = default;

std::optional<std::string> ConservationAccount::fault(bool finished) const {
    hw::TextWriter text;
    const auto differ = [&text](const char* what, std::int64_t in, std::int64_t out) {
        if (in != out) {
            text << what << ": " << in << " went in, " << out << " are accounted for; ";
        }
    };
    differ("bytes through the output queues", bytes_launched,
           bytes_injected + bytes_in_output_queues);
    differ("flits through the network", flits_injected,
           flits_ejected + flits_in_channels + flits_discarded);
    differ("bytes into the input queues", bytes_ejected,
           bytes_into_input_queues + bytes_kept_at_ends + bytes_discarded);
    if (finished) {
        differ("messages", messages_launched, messages_disposed + messages_lost);
        differ("flits left in channels", 0, flits_in_channels);
        differ("messages left", messages_lost, messages_held);
        differ("bytes through the network", bytes_injected, bytes_ejected + bytes_lost);
        differ("messages left in overflow buffers", 0, messages_in_overflow_buffers);
        differ("bytes through the handlers", bytes_into_input_queues,
               bytes_handled + bytes_in_overflow_buffers);
    }
    if (most_in_transit > transit_capacity) {
        text << "messages in transit: " << most_in_transit << " from or to one node at once, where "
             << transit_capacity << " may be; ";
    }
    std::string found = text.str();
    if (found.empty()) {
        return std::nullopt;
    }
    return "conservation is broken: " + found.substr(0, found.size() - 2);
}

Controller::Controller(const sc_core::sc_module_name& name, ClockDomain& domain,
                       const ControllerParameters& parameters, NodeId node, std::int32_t node_count,
                       MessagePool& messages, TraceSink* trace)
    : sc_module(name),
      ClockedPart(domain),
      node_(node),
      node_count_(node_count),
      messages_(messages),
      trace_(trace),
      store_cycles_(parameters.store_cycles.value()),
      launch_cycles_(parameters.launch_cycles.value()),
      load_cycles_(parameters.load_cycles.value()),
      consecutive_load_cycles_(parameters.consecutive_load_cycles.value()),
      double_cycles_(parameters.double_cycles.value()),
      notify_cycles_(parameters.notify_cycles.value()) {
    bus_socket.register_nb_transport_fw(this, &Controller::nb_transport_fw);
    bus_socket.register_transport_dbg(this, &Controller::transport_dbg);
}

const RegisterTable<Controller>& Controller::register_table() {
    using C = Controller;
    static constexpr auto kRegisters = std::to_array<Register<Controller>>({
        {WEIR_OUTPUT_DESCRIPTOR, WEIR_DESCRIPTOR_WORDS, &C::read_descriptor,
         &C::store_to_descriptor, "Message that is being composed", true},
        {WEIR_INPUT_WINDOW, WEIR_DESCRIPTOR_WORDS, &C::read_window, nullptr,
         "Message at the head of the input queue"},
        {WEIR_LAUNCH, 1, nullptr, &C::launch, "Sends the message that has been composed"},
        {WEIR_DISPOSE, 1, nullptr, &C::dispose, "Drops the message at the head of the input queue"},
        {WEIR_COMPOSED_WORDS, 1, &C::read_composed_words, nullptr,
         "Number of words composed since the last launch"},
        {WEIR_MESSAGE_WAITING, 1, &C::read_message_waiting, nullptr,
         "1 while a message waits that interrupts"},
        {WEIR_STORE_BODY, 1, nullptr, &C::store_body,
         "Starts storing the body of the message at the head to memory"},
        {WEIR_STORE_BODY_AND_INTERRUPT, 1, nullptr, &C::store_body_and_interrupt,
         "Starts storing that body, with an interrupt at the end"},
        {WEIR_BODY_BYTES, 1, &C::read_body_bytes, nullptr,
         "Length of the body of the message at the head"},
        {WEIR_SEND_DMA_IDLE, 1, &C::await_send_idle, nullptr,
         "Answers when the sending engine is idle"},
        {WEIR_RECEIVE_DMA_IDLE, 1, &C::await_receive_idle, nullptr,
         "Answers when the receiving engine is idle"},
        {WEIR_DMA_STATUS, 1, &C::read_dma_status, &C::clear_dma_status,
         "Engines at work, and engines that have ended"},
        {WEIR_SAVED_MESSAGES, 1, nullptr, &C::store_saved_messages,
         "Number of messages that traps have saved"},
        {WEIR_OUTPUT_ROOM, 1, &C::read_output_room, nullptr, "Free bytes in the output queue"},
    });
    static constexpr RegisterTable<Controller> kTable(kRegisters);
    return kTable;
}

tlm::tlm_sync_enum Controller::nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const Cycles now = domain().now();
    if (phase == WITHDRAW_REQUEST) {
        if (probe_ != nullptr) {
            probe_->withdrawn(port);
        }
        withdraw(port, now);
        return tlm::TLM_ACCEPTED;
    }
    sc_assert(phase == tlm::BEGIN_REQ);
    const auto address = static_cast<std::uint32_t>(payload.get_address());
    const Register<Controller>* found = register_table().find(address);
    const std::uint32_t length = payload.get_data_length();
    const bool is_double =
        length == 2 * WEIR_WORD_BYTES && found != nullptr && found->takes_doubles;
    if ((length != WEIR_WORD_BYTES && !is_double) || (address & (length - 1)) != 0) {
        refuse(payload, "registers are words", tlm::TLM_BURST_ERROR_RESPONSE);
        if (probe_ != nullptr) {
            probe_->accessed(port, payload, Cycles(0));
        }
        return tlm::TLM_COMPLETED;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    const Register<Controller>::Handler handler =
        found == nullptr ? nullptr : found->handler(payload.get_command());
    const std::uint32_t word =
        found == nullptr ? 0 : (address - found->address) / std::uint32_t{WEIR_WORD_BYTES};
    const RegisterAccess access{port, word, payload, now};
    const std::optional<Cycles> cost =
        handler == nullptr ? refuse_register(access) : (this->*handler)(access);
    if (cost) {
        delay = domain().to_time(*cost);
    }
    const bool is_answered = cost || payload.is_response_error();
    if (probe_ != nullptr) {
        probe_->accessed(port, payload,
                         is_answered ? std::optional(cost.value_or(Cycles(0))) : std::nullopt);
    }
    return is_answered ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

std::optional<Cycles> Controller::refuse_register(const RegisterAccess& access) {
    const Register<Controller>* found =
        register_table().find(static_cast<std::uint32_t>(access.payload.get_address()));
    std::string reason = "there is no such register";
    if (found != nullptr && found->handler(access.payload.get_command()) == nullptr) {
        reason = std::string("this register is only ") +
                 (access.payload.is_write() ? "loaded from: " : "stored to: ") + found->sentence;
    }
    return refuse(access.payload, reason, tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

std::optional<Cycles> Controller::read_descriptor(const RegisterAccess& access) {
    const std::optional<Cycles> cost = loaded(access, descriptor(access.port).word(access.word));
    if (!access.is_double()) {
        return cost;
    }
    set_second_data_word(access.payload, descriptor(access.port).word(access.word + 1));
    last_load_end_[access.port] += double_cycles_;
    return *cost + double_cycles_;
}

std::optional<Cycles> Controller::store_to_descriptor(const RegisterAccess& access) {
    note_compose(access.port, access.now);
    descriptor(access.port).store(access.word, access.data());
    if (!access.is_double()) {
        return store_cycles();
    }
    descriptor(access.port).store(access.word + 1, second_data_word(access.payload));
    return store_cycles() + double_cycles_;
}

std::optional<Cycles> Controller::read_composed_words(const RegisterAccess& access) {
    return loaded(access, descriptor(access.port).composed_words());
}

std::optional<Cycles> Controller::read_message_waiting(const RegisterAccess& access) {
    return loaded(access, interrupt_raised(access.now) ? 1 : 0);
}

Cycles Controller::load_cost(int port, Cycles now) {
    Cycles& last_end = last_load_end_[port];
    const Cycles cost = load_cycles_ + (now == last_end ? consecutive_load_cycles_ : Cycles(0));
    last_end = now + cost;
    return cost;
}

MessageSlot Controller::begin_trip(int port, const LaunchRequest& request, Cycles launch) {
    const MessageSlot slot = messages_.allocate();
    Message& message = messages_[slot];
    descriptor(port).launch(request, message);
    Cycles& compose = trace_context_.compose[from_handler(port) ? 1 : 0];
    message.id = {node_, next_sequence_++};
    message.source = node_;
    message.parent = from_handler(port) ? trace_context_.handled : MessageId{};
    message.times.compose = compose;
    message.times.launch = launch;
    compose = kNever;
    return slot;
}

MessageSlot Controller::begin_packet(const ProtocolPacket& packet, Cycles launch) {
    const MessageSlot slot = messages_.allocate();
    Message& message = messages_[slot];
    message.id = {node_, next_sequence_++};
    message.source = node_;
    message.destination = packet.node;
    message.word_count = packet.words();
    message.words[0] = WEIR_HEADER(WEIR_PROTOCOL_OPERATION | packet.operation, packet.words(),
                                   packet.node.index());
    message.words[1] = packet.second_word();
    message.words[2] = packet.operand.value_or(0);
    std::copy(packet.line.begin(), packet.line.end(),
              message.words.begin() + (packet.operand ? 3 : 2));
    message.bytes = packet.bytes();
    message.times.compose = message.times.launch = launch;
    return slot;
}

ProtocolPacket Controller::packet_of(MessageSlot slot) const {
    const Message& message = messages_[slot];
    ProtocolPacket packet{
        .node = message.source,
        .operation = WEIR_HEADER_OPERATION(message.words[0]) & ~WEIR_PROTOCOL_OPERATION,
        .has_line = message.word_count > 4,
        .has_word = message.word_count == 4};
    packet.set_second_word(message.words[1]);
    const bool has_operand = message.word_count % 2 != 0 || packet.has_word;
    if (has_operand) {
        packet.operand = static_cast<std::uint16_t>(message.words[2]);
    }
    std::copy_n(message.words.begin() + (has_operand ? 3 : 2), packet.line.size(),
                packet.line.begin());
    return packet;
}

ProtocolPacket Controller::end_packet(MessageSlot slot) {
    const ProtocolPacket packet = packet_of(slot);
    bytes_handled_ += messages_[slot].bytes.count();
    messages_.release(slot);
    return packet;
}

void Controller::end_trip(MessageSlot message) {
    bytes_handled_ += messages_[message].bytes.count();
    if (trace_ != nullptr) {
        trace_->message(messages_[message]);
    }
    messages_.release(message);
}

}  // namespace weir::hw
