#pragma once

#include <cstdint>
#include <vector>

#include "firmware/constant_work.h"
#include "firmware/kernels/built_in_kernel.h"
#include "firmware/kernels/remap/remap_bodies.h"
#include "firmware/sparcle/compiled_kernel.h"
#include "hw/per_node.h"
#include "hw/random_stream.h"

namespace weir::firmware {

/// All-to-all remap. Synchronous (LoGPC Section 5.1.1, LoPC Section 4.4): each node repeatedly
/// works, sends a request to another node, and waits for its reply. Asynchronous (LoGPC Section
/// 5.1.2): each node repeatedly works and sends, and waits for nothing.
///
/// In the remap of LogP Section 4.1, between the layouts of the FFT, each node has the same number
/// of messages for every other node. destinations = "ascending" is the naive order of Section
/// 4.1.2: all nodes send to node 0 first, then all to node 1. "cyclic" is the staggered order.
/// consecutive_messages is the number of messages to a destination before the next one. With
/// barrier_messages the nodes meet at the hardware barrier from time to time, which keeps them in
/// step (Section 4.1.4).
///
/// With outstanding_requests a synchronous thread goes on after a request, until this many of its
/// requests have no reply. Then it waits for any of them (LoPC Section 7: non-blocking requests).
///
/// With span_nodes random destinations are near the sender: the locality of LoGPC Section 3.3.
///
/// With body_bytes every message and every reply has a body (asynchronous: LoGPC Section 5.1.3).
/// firmware.body_send and firmware.body_receive select the way to wait for DMA engines. If sends do
/// not block, the thread continues its work, and waits before it refills a send buffer whose body
/// has not left. With one buffer the thread waits for its DMA engine. With two it waits in the
/// launch, because an engine takes the second body only after the first. For the same reason,
/// handlers reply from two alternating buffers. A handler that receives uses the next receive
/// buffer without waiting: a message interrupts only when the previous body is in memory. One
/// receive buffer is therefore enough, and more do not change the time. A synchronous thread also
/// waits until the reply's body is in memory.
///
/// The check: every message arrived once, unchanged, in its buffer.
class Remap final : public BuiltInKernel {
  public:
    enum class Style : std::uint8_t { kSynchronous, kAsynchronous };
    enum class Destinations : std::uint8_t { kRandom, kCyclic, kAscending };
    enum class WorkDistribution : std::uint8_t { kConstant, kExponential };

    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload",
                             "remap: every node sends requests or messages to other nodes") {}

        hw::Choice<Style> style{
            *this,
            "style",
            Style::kSynchronous,
            {{Style::kSynchronous, "synchronous"}, {Style::kAsynchronous, "asynchronous"}},
            "Style of communication. synchronous: a node sends a request and waits for the reply. "
            "asynchronous: a node sends messages without waiting"};
        hw::Parameter<std::int64_t> iterations{*this,
                                               "iterations",
                                               400,
                                               {1, 1'000'000'000},
                                               "Number of requests or messages sent by each node"};
        hw::Parameter<std::int64_t> outstanding_requests{
            *this,
            "outstanding_requests",
            1,
            {1, 1'000'000},
            "Number of requests that a node may have sent without a reply. A thread with this many "
            "waits for any of their replies before its next work",
            "LoPC Section 7: non-blocking requests",
            hw::when("core.kind").is("behavioural") &&
                hw::when("workload.style").is("synchronous") &&
                hw::when("workload.body_bytes").is(std::int64_t{0})};
        hw::Choice<Destinations> destinations{
            *this,
            "destinations",
            Destinations::kRandom,
            {{Destinations::kRandom, "random"},
             {Destinations::kCyclic, "cyclic"},
             {Destinations::kAscending, "ascending"}},
            "Destinations of a node's messages. random: a random other node. cyclic: beginning "
            "with the next node, in ascending order with wrap-around. ascending: in the order of "
            "node numbers from 0 on, the same for all senders. A node never sends to itself"};
        hw::Parameter<std::int64_t> span_nodes{
            *this,
            "span_nodes",
            0,
            {0, 1'000'000},
            "Largest distance of random destinations by node number, with wrap-around. 0: any node",
            "LoGPC Section 3.3: locality, l in equation (12)",
            hw::when("workload.destinations").is("random")};
        hw::Parameter<std::int64_t> consecutive_messages{
            *this,
            "consecutive_messages",
            1,
            {1, 1'000'000'000},
            "Number of consecutive requests or messages to one destination",
            "LogP Section 4.1.1: n/P^2",
            hw::when("workload.destinations").is("cyclic", "ascending")};
        hw::Parameter<std::int64_t> barrier_messages{*this,
                                                     "barrier_messages",
                                                     0,
                                                     {0, 1'000'000'000},
                                                     "Number of requests or messages of each node "
                                                     "between two hardware barriers. 0: no barrier",
                                                     "LogP Section 4.1.4: n/P^2"};
        hw::Parameter<std::int64_t> argument_words{
            *this,
            "argument_words",
            2,
            {2, ActiveMessages::kMostArguments},
            "Number of argument words of each request, message and reply"};
        hw::Parameter<double> work_cycles{
            *this,
            "work_cycles",
            0.0,
            {0.0, 1e9},
            "Mean work of a node between two requests or messages (W)"};
        hw::Choice<WorkDistribution> work_distribution{
            *this,
            "work_distribution",
            WorkDistribution::kConstant,
            {{WorkDistribution::kConstant, "constant"},
             {WorkDistribution::kExponential, "exponential"}},
            "Distribution of a node's work between two requests or messages"};
        hw::Parameter<double> handler_work_cycles{
            *this,
            "handler_work_cycles",
            0.0,
            {0.0, 1e9},
            "Mean work of a handler, in addition to the cost of the message itself"};
        hw::Parameter<double> handler_squared_cv{
            *this,
            "handler_squared_cv",
            0.0,
            {0.0, 1e4},
            "Squared coefficient of variation of the handlers' work (C^2 of LoPC Section 4.3)"};
        hw::Parameter<hw::Cycles> loop_cycles{*this,
                                              "loop_cycles",
                                              0,
                                              {0, 1'000'000},
                                              "Time of the loop around each request and its wait",
                                              "not published; a random choice without a multiply "
                                              "instruction takes 7 to 134 cycles on Sparcle",
                                              hw::when("core.kind").is("behavioural")};
        hw::Parameter<hw::Bytes> body_bytes{*this,
                                            "body_bytes",
                                            0,
                                            {0, 1 << 24},
                                            "Size of the body of every message and reply, a "
                                            "multiple of 8. 0: messages without bodies"};
        hw::Parameter<std::int64_t> send_buffers{
            *this,
            "send_buffers",
            1,
            {1, 2},
            "Number of send buffers of a thread. With one buffer, a thread waits until a body has "
            "left memory before it makes the next body",
            "not published",
            hw::when("workload.body_bytes").above(0)};
        hw::Parameter<std::int64_t> receive_buffers{
            *this,
            "receive_buffers",
            1,
            {1, 1024},
            "Number of receive buffers of a node, used in turn",
            "not published",
            hw::when("workload.body_bytes").above(0)};

        [[nodiscard]] std::optional<Fault> check() const override;
        /// Throws InputFault if the machine has too few nodes for the span.
        void require_nodes(std::int32_t node_count) const;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] hw::ParameterBase* steady_state_length() override {
        return &parameters_.iterations;
    }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override {
        return synchronous() ? Communication::kRequestReply : Communication::kOneWay;
    }
    [[nodiscard]] std::vector<std::string> sending_handlers() const override {
        return synchronous() ? std::vector<std::string>{"request"} : std::vector<std::string>{};
    }
    [[nodiscard]] bool sends_bodies() const override {
        return parameters_.body_bytes.value() > hw::Bytes(0);
    }
    [[nodiscard]] bool needs_barrier() const override {
        return parameters_.barrier_messages.value() > 0;
    }
    [[nodiscard]] MessagePattern message_pattern() const override;
    [[nodiscard]] std::optional<NodeLoads> node_loads(const nodes::MachineShape& machine,
                                                      std::uint64_t seed) const override;
    /// Requests or messages of each node.
    [[nodiscard]] std::int64_t iterations() const { return parameters_.iterations.value(); }
    [[nodiscard]] double work() const override { return static_cast<double>(records_.size()); }

    /// Random choices of a node, in the order in which its program makes them.
    class Choices {
      public:
        Choices(const Parameters& parameters, std::uint64_t seed, hw::NodeId node,
                std::int32_t node_count);

        /// Choices for request or message `iteration`; call each once, in order.
        [[nodiscard]] hw::NodeId destination(std::size_t iteration);
        [[nodiscard]] hw::Cycles work();
        [[nodiscard]] hw::Cycles handler_work();

      private:
        [[nodiscard]] hw::NodeId random_destination();

        const Parameters& parameters_;
        std::int32_t self_;
        std::int32_t node_count_;
        hw::RandomStream destinations_;
        hw::RandomStream work_;
        hw::RandomStream handler_work_;
        ConstantWork constant_work_;
        ConstantWork constant_handler_work_;
    };

  private:
    class Program;
    /// History of a request, for the check.
    struct Record {
        std::int32_t destination = -1;  // requested node; -1 before the request is sent
        std::int32_t deliveries = 0;
        std::int32_t replies = 0;
        bool wrong_reply = false;
        // Whether the receiver's program knows that the body of the request or message is in
        // memory.
        bool stored = false;
        bool reply_stored = false;
    };
    [[nodiscard]] bool synchronous() const {
        return parameters_.style.value() == Style::kSynchronous;
    }
    Record& record(std::size_t node, std::size_t iteration) {
        return records_.at(node * iterations_ + iteration);
    }

    Parameters parameters_;
    std::size_t iterations_ = 0;
    std::vector<Record> records_;  // history of each request or message, by sender and iteration
    RemapBodies bodies_;
};

/// remap.c on Sparcle nodes, with its twin's destinations and work times. A node replies with the
/// number of the request and a word of its own. The check: every message arrived once, and every
/// reply has the right answer. With body_bytes also: every body arrived unchanged. Each body has
/// memory of its own at the receiver, so receive_buffers have no effect. All replies of a node have
/// the same body.
class CompiledRemap final : public TwinKernel<Remap> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    /// Addresses of the records in a node's memory.
    struct Records {
        std::uint32_t replies = 0;              // received answers: a word for each iteration
        std::vector<std::uint32_t> deliveries;  // numbers of deliveries from each requester: a byte
                                                // for each iteration
        std::uint32_t stride = 0;               // bytes from one body to the next
        std::uint32_t reply_bodies = 0;         // received reply of each iteration
        std::uint32_t bodies = 0;               // received bodies of requests or messages, in the
                                                // order of arrival
        std::uint32_t origins = 0;              // a word for the origin of each of these bodies
        std::size_t body_count = 0;             // number of requests or messages with a body that
                                                // the node receives
    };
    [[nodiscard]] std::vector<std::uint32_t> body(std::int32_t sender, std::uint32_t iteration);
    void write_bodies(ImageMemory& memory, hw::NodeId node, std::uint64_t seed,
                      std::size_t handlers);
    [[nodiscard]] std::optional<std::string> fault_of_bodies(ImageMemory& memory);

    std::uint64_t seed_ = 0;
    std::size_t iterations_ = 0;
    bool synchronous_ = false;
    // Destination of each message, by sender and iteration.
    std::vector<std::vector<std::uint16_t>> destinations_;
    std::vector<std::uint32_t> keys_;  // key of each node's answers
    hw::PerNode<Records> records_;     // addresses in each node's memory
};

}  // namespace weir::firmware
