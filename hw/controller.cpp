#include "hw/controller.h"

#include <sstream>

namespace weir::hw {

std::optional<std::string> ConservationAccount::fault(bool finished) const {
    std::ostringstream text;
    const auto differ = [&text](const char* what, std::int64_t in, std::int64_t out) {
        if (in != out) {
            text << what << ": " << in << " went in, " << out << " are accounted for; ";
        }
    };
    differ("bytes through the output queues", bytes_launched,
           bytes_injected + bytes_in_output_queues);
    differ("flits through the network", flits_injected, flits_ejected + flits_in_channels);
    differ("bytes into the input queues", bytes_ejected, bytes_into_input_queues);
    if (finished) {
        differ("messages", messages_launched, messages_disposed);
        differ("flits left in channels", 0, flits_in_channels);
        differ("messages left", 0, messages_held);
        differ("bytes through the network", bytes_injected, bytes_ejected);
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
      notify_cycles_(parameters.notify_cycles.value()) {
    bus_socket.register_nb_transport_fw(this, &Controller::nb_transport_fw);
    bus_socket.register_transport_dbg(this, &Controller::transport_dbg);
}

Cycles Controller::load_cost(int port, Cycles now) {
    Cycles& last_end = last_load_end_[static_cast<std::size_t>(port)];
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

void Controller::end_trip(MessageSlot message) {
    bytes_handled_ += messages_[message].bytes.count();
    if (trace_ != nullptr) {
        trace_->message(messages_[message]);
    }
    messages_.release(message);
}

}  // namespace weir::hw
