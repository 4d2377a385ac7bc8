#include "network/router_network.h"

#include "hw/controller/message_controller.h"

namespace weir::network {

std::unique_ptr<hw::Controller> RouterNetwork::make_controller(const ControllerSite& site) {
    auto controller = std::make_unique<hw::MessageController>(
        "controller", site.domain, site.controller, site.dma, site.node, site.node_count,
        site.messages, site.traces);
    interface(site.node).attach(
        controller->output_queue(), controller->input_queue(),
        [parts = controller.get()](hw::Message& message, hw::Cycles now) {
            parts->header_arrived(message, now);
        },
        site.traces.events,
        [parts = controller.get()](hw::Cycles since, hw::Cycles now) {
            parts->network_stopped(since, now);
        });
    return controller;
}

void RouterNetwork::end_of_run(hw::Cycles now) {
    settle();
    for (std::int32_t node = 0; node < node_count(); ++node) {
        interface(hw::NodeId(node)).end_of_run(now);
    }
}

void RouterNetwork::forget_times_after(hw::Cycles now, hw::MessagePool& messages) {
    messages.for_each([now](hw::Message& message) {
        hw::MessageTimes& times = message.times;
        if (times.network_entry > now && times.network_entry != hw::kNever) {
            message.hops = 0;
            message.unloaded = hw::Cycles(0);
        }
        for (hw::Cycles* time :
             {&times.network_entry, &times.tail_entry, &times.first_arrival, &times.tail_arrival}) {
            *time = *time > now ? hw::kNever : *time;
        }
    });
}

std::string RouterNetwork::report_end_waits(hw::NodeId node, const std::string& controller_input,
                                            hw::WaitReport& report) const {
    const NetworkInterface& end = interface(node);
    end.report_waits(report, controller_input);
    return end.name();
}

}  // namespace weir::network
