#include "network/router/input_first_allocator.h"

#include <cstddef>

namespace weir::network {

InputFirstAllocator::InputFirstAllocator(const Design& design) : design_(design) {
    const std::int32_t none = no_winner(design.arbitration);
    const auto ports = static_cast<std::size_t>(design.ports);
    const std::size_t vcs = ports * static_cast<std::size_t>(design.vcs);
    input_vcs_.resize(vcs, {none, none, {}});
    output_vcs_.resize(
        vcs, {none, std::vector<std::int32_t>(ports, none), std::vector<First>(ports), {}});
    input_ports_.resize(ports, {none, {}});
    output_ports_.resize(ports, {none, {}});
}

// Step 1 of virtual channel allocation: each input chooses a request. Lists the inputs with
// requests in asking_.
void InputFirstAllocator::choose_output_vcs(Requests requests) {
    asking_.clear();
    for (const Request& request : requests) {
        InputVirtualChannel& vc = input_vcs_[request.input];
        const std::int32_t port = port_of(request.output);
        const std::int32_t other = vc.chosen_port;
        if (other == First::kNone) {
            asking_.push_back(request.input);
        }
        if (other == First::kNone || rank(port, vc.last_port, design_.ports, 0) <
                                         rank(other, vc.last_port, design_.ports, 0)) {
            vc.chosen_port = port;
        }
    }
    for (std::size_t number = 0; number < requests.size(); ++number) {
        const Request& request = requests[number];
        InputVirtualChannel& vc = input_vcs_[request.input];
        if (port_of(request.output) == vc.chosen_port) {
            vc.chosen.compare(static_cast<std::int32_t>(number),
                              rank(channel_of(request.output), vc.last_channel, design_.vcs, 0));
        }
    }
}

void InputFirstAllocator::allocate_vcs(Requests requests, Grants& grants) {
    choose_output_vcs(requests);
    asked_.clear();
    for (const std::int32_t asking : asking_) {
        InputVirtualChannel& vc = input_vcs_[asking];
        vc.chosen_port = First::kNone;
        const std::int32_t number = vc.chosen.take();
        const Request& request = requests[number];
        OutputVirtualChannel& output = output_vcs_[request.output];
        const std::int32_t port = port_of(asking);
        output.channels[port].compare(number, rank(channel_of(asking), output.last_channels[port],
                                                   design_.vcs, request.since));
        asked_.push_back(request.output);
    }
    for (const std::int32_t asked : asked_) {
        OutputVirtualChannel& output = output_vcs_[asked];
        for (std::int32_t port = 0; port < design_.ports; ++port) {
            if (const std::int32_t number = output.channels[port].take(); number != First::kNone) {
                output.port.compare(
                    number, rank(port, output.last_port, design_.ports, requests[number].since));
            }
        }
        const std::int32_t number = output.port.take();
        if (number == First::kNone) {
            continue;  // already done: an output that two inputs have chosen is listed twice
        }
        const std::int32_t input = requests[number].input;
        output.last_port = port_of(input);
        output.last_channels[output.last_port] = channel_of(input);
        input_vcs_[input].last_port = port_of(asked);
        input_vcs_[input].last_channel = channel_of(asked);
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
                rank(channel_of(request.input), port.last_channel, design_.vcs, request.since))) {
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
