#pragma once

#include <cstdint>
#include <vector>

#include "firmware/constant_work.h"
#include "firmware/kernel.h"
#include "firmware/kernels/remap/remap_bodies.h"
#include "hw/random_stream.h"

namespace weir::firmware {

/// The all-to-all remap. Synchronous (LoGPC Section 5.1.1, LoPC Section 4.4): each node repeatedly
/// works, sends a request to another node, and waits for its reply. Asynchronous (LoGPC Section
/// 5.1.2): each node repeatedly works and sends, and waits for nothing.
///
/// Between the layouts of the FFT of LogP Section 4.1 each node has the same number of messages for
/// every other: destinations = "ascending" is the naive order of Section 4.1.2, in which all nodes
/// send to node 0 first and then all to node 1, "cyclic" the staggered one, and
/// consecutive_messages how many a destination gets before the next. With barrier_messages the
/// nodes meet at the hardware barrier now and then, so that they keep in step (Section 4.1.4).
///
/// With span_nodes random destinations are near, the locality of LoGPC Section 3.3.
///
/// With body_bytes every message has a body besides, replies too (asynchronous: LoGPC Section
/// 5.1.3). firmware.body_send and firmware.body_receive say who waits for the DMA engines. Where a
/// send does not block, the thread goes on to its work, and waits before it fills a send buffer
/// that has not left: with one buffer for its engine, with two in the launch, since an engine takes
/// the second body when it is done with the first. A handler replies from one of two buffers in
/// turn, for the same reason. A handler that receives takes the next receive buffer. It need not
/// wait for one: a message interrupts when the body of the one before it is in memory, so that one
/// buffer is enough, and more change no cycle. A synchronous thread also waits until the reply's
/// body is in memory.
///
/// The check: every message came once, with its bytes, to its buffer.
class Remap final : public Kernel {
  public:
    enum class Style : std::uint8_t { kSynchronous, kAsynchronous };
    enum class Destinations : std::uint8_t { kRandom, kCyclic, kAscending };
    enum class WorkDistribution : std::uint8_t { kConstant, kExponential };

    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "remap: every node sends to every other") {}

        hw::Choice<Style> style{
            *this,
            "style",
            Style::kSynchronous,
            {{Style::kSynchronous, "synchronous"}, {Style::kAsynchronous, "asynchronous"}},
            "Request, reply and wait; or messages without waiting"};
        hw::Parameter<std::int64_t> iterations{
            *this, "iterations", 400, {1, 1'000'000'000}, "Requests or messages each node sends"};
        hw::Choice<Destinations> destinations{
            *this,
            "destinations",
            Destinations::kRandom,
            {{Destinations::kRandom, "random"},
             {Destinations::kCyclic, "cyclic"},
             {Destinations::kAscending, "ascending"}},
            "A random other node; or node (i + p) mod P with i increasing and itself left out; or "
            "nodes 0, 1, 2 and so on, the same for all, itself left out"};
        hw::Parameter<std::int64_t> span_nodes{
            *this,
            "span_nodes",
            0,
            {0, 1'000'000},
            "Random destinations are at most so many nodes before or behind in number, node 0 next "
            "to the last; 0: anywhere",
            "LoGPC Section 3.3: locality, 1 in equation (12)",
            hw::when("workload.destinations").is("random")};
        hw::Parameter<std::int64_t> consecutive_messages{
            *this,
            "consecutive_messages",
            1,
            {1, 1'000'000'000},
            "Requests or messages to a destination before the next one's turn",
            "LogP Section 4.1.1: n/P^2",
            hw::when("workload.destinations").is("cyclic", "ascending")};
        hw::Parameter<std::int64_t> barrier_messages{
            *this,
            "barrier_messages",
            0,
            {0, 1'000'000'000},
            "Requests or messages each node sends between two hardware barriers; 0: no barrier",
            "LogP Section 4.1.4: n/P^2"};
        hw::Parameter<std::int64_t> argument_words{*this,
                                                   "argument_words",
                                                   2,
                                                   {2, ActiveMessages::kMostArguments},
                                                   "Argument words of request and reply"};
        hw::Parameter<double> work_cycles{
            *this, "work_cycles", 0.0, {0.0, 1e9}, "Mean work between requests (W)"};
        hw::Choice<WorkDistribution> work_distribution{
            *this,
            "work_distribution",
            WorkDistribution::kConstant,
            {{WorkDistribution::kConstant, "constant"},
             {WorkDistribution::kExponential, "exponential"}},
            "How the work between requests is distributed"};
        hw::Parameter<double> handler_work_cycles{
            *this,
            "handler_work_cycles",
            0.0,
            {0.0, 1e9},
            "Mean cycles each handler works beyond what the message itself costs"};
        hw::Parameter<double> handler_squared_cv{
            *this,
            "handler_squared_cv",
            0.0,
            {0.0, 1e4},
            "Squared coefficient of variation of that work (C^2 of LoPC Section 4.3)"};
        hw::Parameter<hw::Cycles> loop_cycles{
            *this,
            "loop_cycles",
            0,
            {0, 1'000'000},
            "Cycles of the loop around request and wait",
            "not published; a draw without a multiply instruction takes 7 to 134 cycles on Sparcle",
            hw::when("core.kind").is("behavioural")};
        hw::Parameter<hw::Bytes> body_bytes{
            *this,
            "body_bytes",
            0,
            {0, 1 << 24},
            "Bytes of the body of every message, replies too, a multiple of 8; 0: short messages"};
        hw::Parameter<std::int64_t> send_buffers{
            *this,
            "send_buffers",
            1,
            {1, 2},
            "Bodies a thread can have ready at once: with one it waits until that has left memory "
            "before the next is made",
            "not published",
            hw::when("workload.body_bytes").above(0)};
        hw::Parameter<std::int64_t> receive_buffers{
            *this,
            "receive_buffers",
            1,
            {1, 1024},
            "Buffers for the bodies a node receives, used in turn",
            "not published",
            hw::when("workload.body_bytes").above(0)};

        [[nodiscard]] std::optional<Fault> check() const override;
        /// Throws InputFault when the machine has too few nodes for the span.
        void require_nodes(std::int32_t node_count) const;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] hw::ParameterBase* steady_state_length() override {
        return &parameters_.iterations;
    }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
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
    /// Requests or messages of each node.
    [[nodiscard]] std::int64_t iterations() const { return parameters_.iterations.value(); }
    [[nodiscard]] double progress() const override;

    /// A node's random choices, in the order in which its program makes them.
    class Choices {
      public:
        Choices(const Parameters& parameters, std::uint64_t seed, hw::NodeId node,
                std::int32_t node_count);

        /// Of the request or message of that number; once for each, in their order.
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
    /// What happened to one request, for the check.
    struct Record {
        std::int32_t deliveries = 0;
        std::int32_t replies = 0;
        bool wrong_reply = false;
        bool stored = false;  // the body of the request or message, as its receiver knows
        bool reply_stored = false;
    };
    [[nodiscard]] bool synchronous() const {
        return parameters_.style.value() == Style::kSynchronous;
    }
    Record& record(std::size_t node, std::size_t iteration) {
        return records_.at(node * iterations_ + iteration);
    }

    Parameters parameters_;
    std::int32_t node_count_ = 0;
    std::size_t iterations_ = 0;
    std::uint64_t seed_ = 0;
    std::vector<Record> records_;  // by node and iteration
    RemapBodies bodies_;
    SharedCount done_ = 0;  // replies, or deliveries of messages without one
};

}  // namespace weir::firmware
