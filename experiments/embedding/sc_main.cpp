// Two of Weir's nodes without cores, in a user's SystemC program. At each end an SC_THREAD takes
// the place of the processor. One thread sends a message, register by register; the message
// interrupts the other.
//
//   sender -- ProcessPort -- MessageController -- FlitInterface -- WormholeRouter
//                                                                        |  ^
//                                                                        v  |
//   receiver -- ProcessPort -- MessageController -- FlitInterface -- WormholeRouter
#include <cstdint>
#include <iostream>
#include <string>
#include <systemc>

#include "hw/clock/clock_domain.h"
#include "hw/clock/process_port.h"
#include "hw/controller/message_controller.h"
#include "hw/dma/memory_port.h"
#include "hw/messages/message_pool.h"
#include "memory/node_memory.h"
#include "network/fabric/flit_channel.h"
#include "network/fabric/flit_interface.h"
#include "network/network_parameters.h"
#include "network/router/wormhole_router.h"
#include "network/unloaded_trips.h"

namespace hw = weir::hw;
namespace memory = weir::memory;
namespace network = weir::network;

// Parameters as listed by `weir params`, with Alewife's values; parameter.set() changes a value.
struct Parameters {
    hw::ClockDomainParameters clock;
    hw::ControllerParameters controller;
    hw::DmaParameters dma;
    hw::MemoryPortParameters memory_port;
    memory::NodeMemory::Parameters memory;
    network::NetworkParameters network;
};

constexpr std::int32_t kNodes = 2;
constexpr int kToNode = 0;  // ports of the routers
constexpr int kToNeighbour = 1;

// Time from launch to the complete header at the other node without contention; messages that
// waited are compared with it.
network::UnloadedTrip unloaded_trip(const network::NetworkParameters& parameters) {
    const hw::Flits header =
        hw::flits_of(hw::Bytes(WEIR_HEADER_BYTES), parameters.flit_bytes.value());
    return {.hops = 1,
            .header_cycles = parameters.injection_cycles.value() + parameters.hop_cycles.value() +
                             parameters.ejection_cycles.value() + hw::Cycles(header.count() - 1)};
}

// A node from its processor's port to its router.
class Node : public sc_core::sc_module {
  public:
    Node(const sc_core::sc_module_name& name, hw::ClockDomain& clock, const Parameters& parameters,
         hw::NodeId node, hw::MessagePool& messages)
        : sc_module(name),
          processor("processor", clock),
          controller("controller", clock, parameters.controller, parameters.dma, node, kNodes,
                     messages, {}),
          router("router", clock, 2,
                 node == hw::NodeId(0) ? network::RouteTable{kToNode, kToNeighbour}
                                       : network::RouteTable{kToNeighbour, kToNode}),
          to_neighbour("to_neighbour", parameters.network.hop_cycles.value(),
                       parameters.network.buffer_flits.value()),
          memory_port_("memory_port", clock, parameters.memory_port),
          memory_("memory", clock, parameters.memory),
          injection_("injection", parameters.network.injection_cycles.value(),
                     parameters.network.buffer_flits.value()),
          ejection_("ejection", parameters.network.ejection_cycles.value(),
                    parameters.network.buffer_flits.value()),
          interface_("interface", clock, node, parameters.network.flit_bytes.value(), messages,
                     injection_, ejection_, [&parameters](const hw::Message&, int) {
                         return unloaded_trip(parameters.network);
                     }) {
        // Path of an outgoing and an incoming message.
        processor.bus_socket.bind(controller.bus_socket);
        interface_.attach(controller.output_queue(), controller.input_queue(),
                          [this](hw::Message& message, hw::Cycles now) {
                              controller.header_arrived(message, now);
                          });
        injection_.connect(interface_, router);
        router.connect_input(kToNode, injection_);
        ejection_.connect(router, interface_);
        router.connect_output(kToNode, ejection_);
        // Memory for the bodies of long messages, which the DMA engines read and write.
        controller.connect_memory(memory_port_, parameters.memory.bytes.value());
        memory_port_.dram_socket.bind(memory_.dram_socket);
    }

    void connect(Node& neighbour) {
        to_neighbour.connect(router, neighbour.router);
        router.connect_output(kToNeighbour, to_neighbour);
        neighbour.router.connect_input(kToNeighbour, to_neighbour);
    }

    hw::ProcessPort processor;
    hw::MessageController controller;
    network::WormholeRouter router;
    network::FlitChannel to_neighbour;

  private:
    hw::MemoryPort memory_port_;
    memory::NodeMemory memory_;
    network::FlitChannel injection_;
    network::FlitChannel ejection_;
    network::FlitInterface interface_;
};

// The program; its registers are those of hw/controller/controller_registers.h.
class TwoNodes : public sc_core::sc_module {
  public:
    TwoNodes(const sc_core::sc_module_name& name, const Parameters& parameters)
        : sc_module(name),
          clock_("clock", parameters.clock),
          sender_("node_0", clock_, parameters, hw::NodeId(0), messages_),
          receiver_("node_1", clock_, parameters, hw::NodeId(1), messages_) {
        sender_.connect(receiver_);
        receiver_.connect(sender_);
        clock_.follow_kernel();  // the program calls sc_start() itself
        SC_HAS_PROCESS(TwoNodes);
        SC_THREAD(send);
        SC_THREAD(receive);
    }

  private:
    void send() {
        wait(clock_.to_time(hw::Cycles(100)));
        say("node 0 begins to send");
        sender_.processor.store(WEIR_OUTPUT_DESCRIPTOR, WEIR_HEADER(0, 3, 1));
        sender_.processor.store(WEIR_OUTPUT_DESCRIPTOR + WEIR_WORD_BYTES, 0x1000);  // address of
                                                                                    // the handler
        sender_.processor.store(WEIR_OUTPUT_DESCRIPTOR + 2 * WEIR_WORD_BYTES, 42);  // an argument
        sender_.processor.store(WEIR_LAUNCH, 3);
        say("node 0 has launched a message of 3 words");
    }

    void receive() {
        receiver_.processor.wait_for_interrupt(receiver_.controller);
        say("node 1 is interrupted");
        const hw::MessageTimes& times = messages_[receiver_.controller.head_message()].times;
        std::cout << "  launch " << times.launch << ", into the network " << times.network_entry
                  << ", first flit in the input queue " << times.first_arrival << ", header "
                  << times.header_arrival << ", last flit " << times.tail_arrival << "\n";
        const auto argument = receiver_.processor.load(WEIR_INPUT_WINDOW + 2 * WEIR_WORD_BYTES);
        receiver_.processor.store(WEIR_DISPOSE, 0);
        say("node 1 has read " + std::to_string(argument) + " and disposed of the message");
    }

    void say(const std::string& what) const {
        std::cout << "cycle " << clock_.to_cycles(sc_core::sc_time_stamp()) << " ("
                  << sc_core::sc_time_stamp() << "): " << what << "\n";
    }

    hw::MessagePool messages_;
    hw::ClockDomain clock_;
    Node sender_;
    Node receiver_;
};

int sc_main(int /*argc*/, char** /*argv*/) {
    const Parameters parameters;
    TwoNodes two_nodes("two_nodes", parameters);
    sc_core::sc_start();
    return 0;
}
