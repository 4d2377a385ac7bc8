#include "network/router/input_first_allocator.h"

#include <cstddef>

namespace weir::network {

InputFirstAllocator::InputFirstAllocator(const Design& design) : design_(design) {
    const std::int32_t none = no_winner(design.arbitration);
    const auto ports = static_cast<std::size_t>(design.ports);
    const std::size_t lanes = ports * static_cast<std::size_t>(design.lanes);
    input_lanes_.resize(lanes, {none, none, {}});
    output_lanes_.resize(
        lanes, {none, std::vector<std::int32_t>(ports, none), std::vector<First>(ports), {}});
    input_ports_.resize(ports, {none, {}});
    output_ports_.resize(ports, {none, {}});
}

// Step 1 of virtual channel allocation. Leaves the inputs in asking_.
void InputFirstAllocator::choose_output_lanes(Requests requests) {
    asking_.clear();
    for (const Request& request : requests) {
        InputLane& lane = input_lanes_[request.input];
        const std::int32_t port = port_of(request.output);
        const std::int32_t other = lane.chosen_port;
        if (other == First::kNone) {
            asking_.push_back(request.input);
        }
        if (other == First::kNone || rank(port, lane.last_port, design_.ports, 0) <
                                         rank(other, lane.last_port, design_.ports, 0)) {
            lane.chosen_port = port;
        }
    }
    for (std::size_t number = 0; number < requests.size(); ++number) {
        const Request& request = requests[number];
        InputLane& lane = input_lanes_[request.input];
        if (port_of(request.output) == lane.chosen_port) {
            lane.chosen.compare(
                static_cast<std::int32_t>(number),
                rank(channel_of(request.output), lane.last_channel, design_.lanes, 0));
        }
    }
}

void InputFirstAllocator::allocate_lanes(Requests requests, Grants& grants) {
    choose_output_lanes(requests);
    asked_.clear();
    for (const std::int32_t asking : asking_) {
        InputLane& lane = input_lanes_[asking];
        lane.chosen_port = First::kNone;
        const std::int32_t number = lane.chosen.take();
        const Request& request = requests[number];
        OutputLane& output = output_lanes_[request.output];
        const std::int32_t port = port_of(asking);
        output.channels[port].compare(number, rank(channel_of(asking), output.last_channels[port],
                                                   design_.lanes, request.since));
        asked_.push_back(request.output);
    }
    for (const std::int32_t asked : asked_) {
        OutputLane& output = output_lanes_[asked];
        for (std::int32_t port = 0; port < design_.ports; ++port) {
            if (const std::int32_t number = output.channels[port].take(); number != First::kNone) {
                output.port.compare(
                    number, rank(port, output.last_port, design_.ports, requests[number].since));
            }
        }
        const std::int32_t number = output.port.take();
        if (number == First::kNone) {
            continue;  // listed twice: two inputs have chosen this output
        }
        const std::int32_t input = requests[number].input;
        output.last_port = port_of(input);
        output.last_channels[output.last_port] = channel_of(input);
        input_lanes_[input].last_port = port_of(asked);
        input_lanes_[input].last_channel = channel_of(asked);
        grants.push_back(number);
    }
}

void InputFirstAllocator::allocate_switch(Requests requests, Grants& grants) {
    asking_.clear();
    asked_.clear();
    for (std::size_t number = 0; number < requests.size(); ++number) {
        const Request& request = requests[number];
        InputPort& port = input_ports_[port_of(request.input)];
        if (port.channel.compare(
                static_cast<std::int32_t>(number),
                rank(channel_of(request.input), port.last_channel, design_.lanes, request.since))) {
            asking_.push_back(port_of(request.input));
        }
    }
    for (const std::int32_t asking : asking_) {
        const std::int32_t number = input_ports_[asking].channel.take();
        const Request& request = requests[number];
        OutputPort& port = output_ports_[port_of(request.output)];
        if (port.port.compare(number, rank(asking, port.last_port, design_.ports, request.since))) {
            asked_.push_back(port_of(request.output));
        }
    }
    for (const std::int32_t asked : asked_) {
        const std::int32_t number = output_ports_[asked].port.take();
        const std::int32_t input = requests[number].input;
        output_ports_[asked].last_port = port_of(input);
        input_ports_[port_of(input)].last_channel = channel_of(input);
        grants.push_back(number);
    }
}

const AllocatorKind& input_first_allocator_kind() {
    static const AllocatorKind kind{
        "input_first",
        "separable: each input chooses one of its requests, then each output one of "
        "the inputs",
        [](const Allocator::Design& design) -> std::unique_ptr<Allocator> {
            return std::make_unique<InputFirstAllocator>(design);
        }};
    return kind;
}

}  // namespace weir::network
