#include "firmware/kernels/remap/remap.h"

#include <cmath>

#include "firmware/hardware_barrier.h"
#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

namespace {

// Two are enough, because an engine takes the second body only after the first has left.
constexpr std::int64_t kReplyBuffers = 2;
// Address and length of a body are words of the descriptor too.
constexpr std::int64_t kMostArgumentsWithBody = ActiveMessages::kMostArguments - 2;

}  // namespace

std::optional<hw::ParameterGroup::Fault> Remap::Parameters::check() const {
    if (auto fault = fault_of_body(body_bytes.value())) {
        return fault;
    }
    if (body_bytes.value() > hw::Bytes(0) && argument_words.value() > kMostArgumentsWithBody) {
        return Fault{"argument_words",
                     "found " + std::to_string(argument_words.value()) + " in messages with a body",
                     "at most " + std::to_string(kMostArgumentsWithBody)};
    }
    return std::nullopt;
}

void Remap::Parameters::require_nodes(std::int32_t node_count) const {
    if (2 * span_nodes.value() >= node_count) {
        throw InputFault(
            "workload.span_nodes", "found " + std::to_string(span_nodes.value()),
            "less than half of the " + std::to_string(node_count) + " nodes, or 0 for all of them");
    }
}

Remap::Choices::Choices(const Parameters& parameters, std::uint64_t seed, hw::NodeId node,
                        std::int32_t node_count)
    : parameters_(parameters),
      self_(node.index()),
      node_count_(node_count),
      destinations_(seed, node, "remap destinations"),
      work_(seed, node, "remap work"),
      handler_work_(seed, node, "remap handler work"),
      constant_work_(parameters.work_cycles.value()),
      constant_handler_work_(parameters.handler_work_cycles.value()) {}

hw::NodeId Remap::Choices::destination(std::size_t iteration) {
    const std::int32_t others = node_count_ - 1;
    const std::size_t turn = iteration / parameters_.consecutive_messages.value();
    const auto step = static_cast<std::int32_t>(turn % others);
    switch (parameters_.destinations.value()) {
        case Destinations::kAscending:
            return hw::NodeId(step < self_ ? step : step + 1);
        case Destinations::kCyclic:
            return hw::NodeId((self_ + 1 + step) % node_count_);
        default:
            return random_destination();
    }
}

// With a span, numbers from 0 on mean 1 to `span` nodes ahead, then 1 to `span` nodes behind.
hw::NodeId Remap::Choices::random_destination() {
    const auto span = static_cast<std::int32_t>(parameters_.span_nodes.value());
    const std::int32_t choices = span > 0 ? 2 * span : node_count_ - 1;
    const auto drawn =
        static_cast<std::int32_t>(destinations_.below(static_cast<std::uint64_t>(choices)));
    const std::int32_t ahead = span > 0 && drawn >= span ? span - 1 - drawn : drawn + 1;
    return hw::NodeId((self_ + ahead + node_count_) % node_count_);
}

hw::Cycles Remap::Choices::work() {
    return parameters_.work_distribution.value() == WorkDistribution::kExponential
               ? hw::Cycles(std::llround(work_.exponential(parameters_.work_cycles.value())))
               : constant_work_.next();
}

hw::Cycles Remap::Choices::handler_work() {
    const double squared_cv = parameters_.handler_squared_cv.value();
    return squared_cv > 0.0 ? hw::Cycles(std::llround(handler_work_.with_squared_cv(
                                  parameters_.handler_work_cycles.value(), squared_cv)))
                            : constant_handler_work_.next();
}

class Remap::Program final : public ProgramOf<Remap> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        const Parameters& parameters = kernel_.parameters_;
        const std::size_t barrier_messages = parameters.barrier_messages.value();
        for (std::size_t i = 0; i < kernel_.iterations_; ++i) {
            if (barrier_messages > 0 && i > 0 && i % barrier_messages == 0) {
                co_await barrier_.meet();
            }
            co_await processor().compute(parameters.loop_cycles.value());
            co_await processor().compute(choices_.work());
            replied_ = false;
            iteration_ = i;
            destination_ = choices_.destination(i);
            co_await send(kernel_.synchronous() ? request_ : deliver_);
            if (kernel_.synchronous()) {
                co_await processor().wait_for(replied_);
            }
            if (kernel_.synchronous() && kernel_.sends_bodies()) {
                co_await messages().wait_stored(kernel_.record(self(), i).reply_stored);
                kernel_.bodies_.use(self(), {destination_.index(), iteration_word(), self()});
            }
        }
        processor().trace_mark("steady state ends", 0);
    }

  private:
    [[nodiscard]] std::int32_t self() const { return self_; }
    [[nodiscard]] std::uint32_t iteration_word() const {
        return static_cast<std::uint32_t>(iteration_);
    }

    Task send(ActiveMessages::HandlerAddress handler) {
        const ActiveMessages::Arguments arguments =
            padded({static_cast<std::uint32_t>(self()), iteration_word()});
        if (!kernel_.sends_bodies()) {
            co_await messages().send(destination_, handler, arguments);
            co_return;
        }
        if (kernel_.parameters_.send_buffers.value() == 1) {
            co_await messages().wait_body_sent();
        }
        const std::uint32_t buffer = kernel_.bodies_.send_buffer(iteration_);
        kernel_.bodies_.fill(buffer, {self(), iteration_word(), self()});
        co_await messages().send_body(destination_, handler, arguments, body_in(buffer));
    }

    // Handler only: receives the message's parts after its first two arguments.
    Task receive_rest(const RemapBodies::Origin& origin, bool& stored) {
        co_await load_padding();
        if (kernel_.sends_bodies()) {
            const std::uint32_t buffer = kernel_.bodies_.begin_receive(self(), origin);
            co_await messages().receive_body(buffer, stored);
        }
    }

    [[nodiscard]] ActiveMessages::Body body_in(std::uint32_t buffer) const {
        return {buffer, static_cast<std::uint32_t>(kernel_.parameters_.body_bytes.value().count())};
    }

    // Runs at the requested node. The answer depends on the requester, the iteration and the
    // requested node.
    Task request() {
        const std::uint32_t asking_node = co_await messages().argument(0);
        const std::uint32_t iteration = co_await messages().argument(1);
        const hw::NodeId asking(static_cast<std::int32_t>(asking_node));
        Record& record = kernel_.record(asking_node, iteration);
        co_await receive_rest({asking.index(), iteration, asking.index()}, record.stored);
        ++record.deliveries;
        co_await processor().compute(choices_.handler_work());
        const ActiveMessages::Arguments arguments =
            padded({iteration, answer(processor().node(), asking_node, iteration)});
        if (!kernel_.sends_bodies()) {
            co_await messages().send(asking, reply_, arguments);
            co_return;
        }
        const std::uint32_t buffer = kernel_.bodies_.reply_buffer(replies_sent_++);
        kernel_.bodies_.fill(buffer, {self(), iteration, asking.index()});
        co_await messages().send_body(asking, reply_, arguments, body_in(buffer));
    }

    Task reply() {
        const std::uint32_t iteration = co_await messages().argument(0);
        const std::uint32_t value = co_await messages().argument(1);
        Record& record = kernel_.record(self(), iteration);
        co_await receive_rest({destination_.index(), iteration, self()}, record.reply_stored);
        co_await processor().compute(choices_.handler_work());
        ++record.replies;
        record.wrong_reply =
            record.wrong_reply || iteration != iteration_ ||
            value != answer(destination_, static_cast<std::uint32_t>(self()), iteration);
        ++kernel_.done_;
        replied_ = true;
    }

    // Handler of a message without a reply; notes its sender and iteration.
    Task deliver() {
        const std::uint32_t sender = co_await messages().argument(0);
        const std::uint32_t iteration = co_await messages().argument(1);
        Record& record = kernel_.record(sender, iteration);
        const auto sending_node = static_cast<std::int32_t>(sender);
        co_await receive_rest({sending_node, iteration, sending_node}, record.stored);
        co_await processor().compute(choices_.handler_work());
        ++record.deliveries;
        ++kernel_.done_;
    }

    [[nodiscard]] std::uint32_t answer(hw::NodeId answering, std::uint32_t asking,
                                       std::uint32_t iteration) const {
        hw::RandomStream stream(kernel_.seed_ ^ (std::uint64_t{asking} << 32 | iteration),
                                answering, "remap answer");
        return static_cast<std::uint32_t>(stream.next());
    }

    [[nodiscard]] ActiveMessages::Arguments padded(ActiveMessages::Arguments arguments) const {
        while (arguments.count() < argument_words_) {
            arguments.push_back(static_cast<std::uint32_t>(arguments.count()));
        }
        return arguments;
    }
    Task load_padding() {
        for (std::int32_t i = 2; i < argument_words_; ++i) {
            co_await messages().argument(i);
        }
    }

    Choices choices_{kernel_.parameters_, kernel_.seed_, processor().node(), kernel_.node_count_};
    HardwareBarrier barrier_{processor()};
    std::int32_t argument_words_ =
        static_cast<std::int32_t>(kernel_.parameters_.argument_words.value());
    ActiveMessages::HandlerAddress request_ = messages().add_handler([this] { return request(); });
    ActiveMessages::HandlerAddress reply_ = messages().add_handler([this] { return reply(); });
    ActiveMessages::HandlerAddress deliver_ = messages().add_handler([this] { return deliver(); });
    std::size_t iteration_ = 0;
    hw::NodeId destination_;
    bool replied_ = false;
    std::size_t replies_sent_ = 0;  // number of replies with a body
};

void Remap::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                    nodes::MemoryAccess& memory) {
    start<Program>(*this, machine, seed);
    parameters_.require_nodes(node_count_);
    iterations_ = parameters_.iterations.value();
    records_.resize(node_count_ * iterations_);
    if (sends_bodies()) {
        bodies_.lay_out({.body_bytes = parameters_.body_bytes.value().count(),
                         .send_buffers = parameters_.send_buffers.value(),
                         .reply_buffers = synchronous() ? kReplyBuffers : 0,
                         .receive_buffers = parameters_.receive_buffers.value()},
                        machine, seed, memory);
    }
}

std::optional<std::string> Remap::check(nodes::MemoryAccess& /*memory*/) {
    for (std::size_t i = 0; i < records_.size(); ++i) {
        const Record& record = records_[i];
        const std::int32_t replies = synchronous() ? 1 : 0;
        if (record.deliveries != 1 || record.replies != replies || record.wrong_reply) {
            return "message " + std::to_string(i % iterations_) + " of node " +
                   std::to_string(i / iterations_) + " was delivered " +
                   std::to_string(record.deliveries) + " times and replied to " +
                   std::to_string(record.replies) + " times" +
                   (record.wrong_reply ? ", with a wrong value" : "");
        }
    }
    const std::size_t bodies_each = synchronous() ? 2 : 1;
    return sends_bodies() ? bodies_.fault(bodies_each * records_.size()) : std::nullopt;
}

MessagePattern Remap::message_pattern() const {
    MessagePattern pattern;
    const bool is_random = parameters_.destinations.value() == Destinations::kRandom;
    if (sends_bodies() || is_random) {
        pattern.span_nodes = static_cast<double>(parameters_.span_nodes.value());
    }
    if (sends_bodies() || !is_random) {
        pattern.iterations = static_cast<double>(parameters_.iterations.value());
    }
    if (sends_bodies()) {
        pattern.body_bytes = static_cast<double>(parameters_.body_bytes.value().count());
    } else if (!is_random) {
        pattern.has_fixed_order = true;
        pattern.has_same_order = parameters_.destinations.value() == Destinations::kAscending;
    }
    return pattern;
}

}  // namespace weir::firmware
