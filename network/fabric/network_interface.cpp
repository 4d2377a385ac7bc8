#include "network/fabric/network_interface.h"

#include <utility>

namespace weir::network {

NetworkInterface::NetworkInterface(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                                   hw::NodeId node, hw::Bytes flit_bytes, hw::MessagePool& messages,
                                   Trip trip)
    : sc_module(name),
      ClockedPart(domain),
      flit_bytes_(flit_bytes),
      messages_(messages),
      trip_(std::move(trip)),
      node_(node) {}

void NetworkInterface::attach(hw::ByteQueue& output_queue, hw::ByteQueue& input_queue,
                              HeaderArrived listener, hw::TraceSink* trace, NetworkStopped timer) {
    trace_ = trace;
    network_stopped_ = std::move(timer);
    output_queue_ = &output_queue;
    input_queue_ = &input_queue;
    header_arrived_ = std::move(listener);
    begin();
}

void NetworkInterface::note_arrival(hw::MessageSlot slot, hw::Cycles now) {
    forget_left_messages(now);
    in_input_queue_.push_back(messages_[slot].id);
}

void NetworkInterface::note_stopped(hw::Cycles now) {
    if (is_stopped()) {
        return;
    }
    stopped_since_ = now;
    forget_left_messages(now);
    stopped_for_ = in_input_queue_.empty() ? hw::MessageId{} : in_input_queue_.front();
    statistics_.input_queue_full_stops += 1;
    if (network_stopped_) {
        network_stopped_(now, now);
    }
}

void NetworkInterface::end_stop(hw::Cycles now) {
    report_stop(now);
    stopped_since_ = hw::kNever;
    if (network_stopped_) {
        network_stopped_(hw::kNever, now);
    }
}

void NetworkInterface::report_stop(hw::Cycles until) {
    statistics_.input_stalled_cycles += (until - stopped_since_).count();
    if (trace_ != nullptr) {
        trace_->stall({node_, hw::StallPlace::kInputQueue, stopped_since_, until,
                       messages_[stopped_message()].id, stopped_for_});
    }
}

void NetworkInterface::end_of_run(hw::Cycles now) {
    if (stopped_since_ < now) {
        report_stop(now);
    }
}

// Forgets the messages that had left the input queue when this cycle began. Messages removed in
// this cycle are kept until the next call.
void NetworkInterface::forget_left_messages(hw::Cycles now) {
    const std::int64_t left = input_queue_->messages_ended(now);
    for (; left_input_queue_ < left; ++left_input_queue_) {
        in_input_queue_.pop_front();
    }
}

void NetworkInterface::add_to(hw::ConservationAccount& account) const {
    account.flits_injected += statistics_.flits_injected.value();
    account.bytes_injected += statistics_.bytes_injected.value();
    account.flits_ejected += statistics_.flits_ejected.value();
    account.bytes_ejected += statistics_.bytes_ejected.value();
}

void NetworkInterface::report_wait_to_send(hw::WaitReport& report, const std::string& channel,
                                           const std::string& why) const {
    if (output_queue().held() > hw::Bytes(0)) {
        report.push_back({name(), channel,
                          "it has " + std::to_string(output_queue().held().count()) +
                              " bytes to send, first those of " +
                              described(messages()[output_queue().front()].id) + why});
    }
}

hw::Wait NetworkInterface::wait_to_take(const std::string& channel,
                                        const std::string& controller_input,
                                        hw::MessageSlot message, const char* why) const {
    return {channel, controller_input,
            "arrived flits of " + described(messages()[message].id) + why};
}

}  // namespace weir::network
