#include "firmware/kernels/remap/remap.h"

#include <algorithm>
#include <cmath>

#include "firmware/hardware_barrier.h"
#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

namespace {

// Two buffers for replies are enough, because a DMA engine takes the second body only after the
// first has left.
constexpr std::int64_t kReplyBuffers = 2;
// A body's address and length take two words of the message's descriptor.
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

// With a span, the drawn numbers 0, 1, ... stand for 1 to `span` nodes ahead of the sender, then
// for 1 to `span` nodes behind it.
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
            iteration_ = i;
            destination_ = choices_.destination(i);
            kernel_.record(self(), i).destination = destination_.index();
            ++requests_without_reply_;
            may_continue_ = requests_without_reply_ < parameters.outstanding_requests.value();
            co_await send(kernel_.synchronous() ? request_ : deliver_);
            if (kernel_.synchronous()) {
                co_await processor().wait_for(may_continue_);
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

    // Handler of a request, at the requested node. The answer depends on the requester, the
    // iteration and the requested node.
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
        co_await receive_rest({record.destination, iteration, self()}, record.reply_stored);
        co_await processor().compute(choices_.handler_work());
        ++record.replies;
        record.wrong_reply = record.wrong_reply || record.destination < 0 ||
                             value != answer(hw::NodeId(record.destination),
                                             static_cast<std::uint32_t>(self()), iteration);
        ++kernel_.done_;
        --requests_without_reply_;
        may_continue_ = true;
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
    std::int64_t requests_without_reply_ = 0;
    bool may_continue_ = false;     // whether the thread may work for its next request
    std::size_t replies_sent_ = 0;  // number of replies with a body that this node has sent
};

std::optional<NodeLoads> Remap::node_loads(const nodes::MachineShape& machine,
                                           std::uint64_t seed) const {
    const std::int32_t count = machine.node_count();
    if (2 * parameters_.span_nodes.value() >= count) {
        return std::nullopt;
    }
    const double of_a_message = synchronous() ? 2.0 : 1.0;  // a request comes with a reply
    std::vector<NodeLoad> nodes(count);
    for (std::int32_t node = 0; node < count; ++node) {
        Choices choices(parameters_, seed, hw::NodeId(node), count);
        for (std::int64_t i = 0; i < iterations(); ++i) {
            nodes[node].messages += of_a_message;
            nodes[choices.destination(i).index()].messages += of_a_message;
        }
    }
    return node_loads_of(nodes);
}

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
    if (synchronous() && !sends_bodies()) {
        pattern.outstanding_requests =
            static_cast<double>(parameters_.outstanding_requests.value());
        pattern.work_squared_cv =
            parameters_.work_distribution.value() == WorkDistribution::kExponential ? 1.0 : 0.0;
    }
    return pattern;
}

namespace {

// Value of a missing reply. No answer (iteration xor key) equals it: the highest bit of an answer
// is 0.
constexpr std::uint32_t kNoReply = 0xffffffff;
// Replaces the iteration for the body of all replies of a node; no iteration has this number.
constexpr std::uint32_t kReplyBody = 0xffffffff;

}  // namespace

ElfImage CompiledRemap::load_image() { return built_in_program("remap"); }

void CompiledRemap::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                               ImageMemory& memory) {
    const Remap::Parameters& parameters = workload();
    constexpr std::int64_t kMostWithBody = 0x10000;  // remap.c keeps 16 bits of a body's iteration
    if (parameters.body_bytes.value() > hw::Bytes(0) &&
        parameters.iterations.value() > kMostWithBody) {
        throw InputFault("workload.iterations",
                         "found " + std::to_string(parameters.iterations.value()) +
                             " iterations of compiled messages with bodies",
                         "at most 65536");
    }
    if (parameters.body_bytes.value() > hw::Bytes(0) && body_send() == kInterrupt) {
        throw InputFault("firmware.body_send",
                         R"(found "interrupt", which the compiled remap does not support)",
                         R"("blocking" or "status")");
    }
    const std::size_t nodes = machine.node_count();
    iterations_ = parameters.iterations.value();
    synchronous_ = parameters.style.value() == Remap::Style::kSynchronous;
    // Work times are listed singly if they are random or not whole cycles.
    const auto is_whole = [](double cycles) { return cycles == std::floor(cycles); };
    const bool lists_work =
        parameters.work_distribution.value() == Remap::WorkDistribution::kExponential ||
        !is_whole(parameters.work_cycles.value());
    const bool lists_handler_work = parameters.handler_work_cycles.value() > 0.0 &&
                                    (parameters.handler_squared_cv.value() > 0.0 ||
                                     !is_whole(parameters.handler_work_cycles.value()));
    parameters.require_nodes(machine.node_count());
    destinations_.assign(nodes, {});
    keys_.clear();
    records_.assign(nodes, {});

    std::vector<Remap::Choices> choices;
    // Number of handlers on each node, including those of replies.
    std::vector<std::size_t> handlers(nodes, synchronous_ ? iterations_ : 0);
    for (std::size_t index = 0; index < nodes; ++index) {
        choices.emplace_back(parameters, seed, hw::NodeId(static_cast<std::int32_t>(index)),
                             machine.node_count());
        for (std::size_t i = 0; i < iterations_; ++i) {
            const std::int32_t destination = choices.back().destination(i).index();
            destinations_[index].push_back(static_cast<std::uint16_t>(destination));
            ++handlers[destination];
        }
    }
    for (std::size_t index = 0; index < nodes; ++index) {
        const hw::NodeId node(static_cast<std::int32_t>(index));
        Remap::Choices& choice = choices[index];
        hw::RandomStream key(seed, node, "remap key");
        keys_.push_back(static_cast<std::uint32_t>(key.next()) >> 1);
        Records& records = records_[index];

        const std::uint32_t destinations =
            memory.allot(node, iterations_, sizeof(std::uint16_t), "the list of destinations");
        memory.write_halfwords(node, destinations, destinations_[index]);
        std::vector<std::uint32_t> work;
        for (std::size_t i = 0; i < (lists_work ? iterations_ : 1); ++i) {
            work.push_back(static_cast<std::uint32_t>(choice.work().count()));
        }
        const std::uint32_t work_at =
            lists_work ? memory.allot(node, work.size(), WEIR_WORD_BYTES, "the list of work") : 0;
        if (lists_work) {
            memory.write_words(node, work_at, work);
        }
        // The list has at least one entry, also on nodes to which no messages are sent.
        std::vector<std::uint32_t> handler_work;
        const std::size_t handled =
            lists_handler_work ? std::max<std::size_t>(handlers[index], 1) : 1;
        for (std::size_t i = 0; i < handled; ++i) {
            handler_work.push_back(static_cast<std::uint32_t>(choice.handler_work().count()));
        }
        const std::uint32_t handler_work_at =
            lists_handler_work ? memory.allot(node, handler_work.size(), WEIR_WORD_BYTES,
                                              "the list of handlers' work")
                               : 0;
        if (lists_handler_work) {
            memory.write_words(node, handler_work_at, handler_work);
        }
        records.replies = memory.allot(node, iterations_, WEIR_WORD_BYTES, "the list of replies");
        memory.write_words(node, records.replies,
                           std::vector<std::uint32_t>(iterations_, kNoReply));
        for (std::size_t asking = 0; asking < nodes; ++asking) {
            records.deliveries.push_back(
                memory.allot_zeros(node, iterations_, 1, "the record of messages"));
        }
        const std::uint32_t deliveries =
            memory.allot(node, nodes, WEIR_WORD_BYTES, "the record of messages");
        memory.write_words(node, deliveries, records.deliveries);

        memory.write_words(
            node, "weir_parameters",
            {synchronous_ ? 1U : 0U, static_cast<std::uint32_t>(iterations_),
             static_cast<std::uint32_t>(parameters.barrier_messages.value()),
             static_cast<std::uint32_t>(parameters.argument_words.value()), work.front(), work_at,
             destinations, keys_.back(), records.replies, deliveries});
        write_bodies(memory, node, seed, handlers[index]);
        memory.write_words(node, "remap_handler_work", {handler_work_at});
        memory.write_words(node, "remap_handler_work_cycles", {handler_work.front()});
    }
}

std::vector<std::uint32_t> CompiledRemap::body(std::int32_t sender, std::uint32_t iteration) {
    hw::RandomStream stream(seed_ ^ (std::uint64_t{iteration} << 32), hw::NodeId(sender),
                            "remap body");
    std::vector<std::uint32_t> words(workload().body_bytes.value().count() / WEIR_WORD_BYTES);
    std::generate(words.begin(), words.end(),
                  [&stream] { return static_cast<std::uint32_t>(stream.next()); });
    return words;
}

void CompiledRemap::write_bodies(ImageMemory& memory, hw::NodeId node, std::uint64_t seed,
                                 std::size_t handlers) {
    const Remap::Parameters& parameters = workload();
    const auto bytes = static_cast<std::uint32_t>(parameters.body_bytes.value().count());
    seed_ = seed;
    if (bytes == 0) {
        return;
    }
    constexpr std::uint32_t kAlignment = ImageMemory::kBurstAlignment;
    const std::uint32_t stride = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    const auto allot = [&](std::size_t count, const char* what) {
        return memory.allot(node, count, stride, what, kAlignment);
    };
    Records& records = records_[node];
    records.stride = stride;
    const std::uint32_t to_send = allot(iterations_, "the bodies to send");
    for (std::size_t i = 0; i < iterations_; ++i) {
        const auto iteration = static_cast<std::uint32_t>(i);
        memory.write_words(node, to_send + iteration * stride, body(node.index(), iteration));
    }
    const std::uint32_t reply = allot(1, "the body of replies");
    memory.write_words(node, reply, body(node.index(), kReplyBody));
    records.reply_bodies = allot(synchronous_ ? iterations_ : 0, "the bodies of replies");
    records.body_count = handlers - (synchronous_ ? iterations_ : 0);
    records.bodies = allot(records.body_count, "the bodies received");
    records.origins =
        memory.allot(node, records.body_count, WEIR_WORD_BYTES, "the list of bodies received");
    memory.write_words(node, "remap_bodies",
                       {bytes, stride, body_send(), body_receive(),
                        static_cast<std::uint32_t>(parameters.send_buffers.value()), to_send, reply,
                        records.reply_bodies, records.bodies, records.origins});
}

std::optional<std::string> CompiledRemap::fault_of_bodies(ImageMemory& memory) {
    const std::size_t words = body(0, 0).size();
    for (std::size_t index = 0; index < records_.size() && words > 0; ++index) {
        const hw::NodeId node(static_cast<std::int32_t>(index));
        const Records& records = records_[index];
        const std::uint32_t stored = memory.read_word(node, "remap_bodies_stored");
        if (stored != records.body_count) {
            return "node " + std::to_string(index) + " received " + std::to_string(stored) +
                   " bodies, " + std::to_string(records.body_count) + " were sent to it";
        }
        const std::vector<std::uint32_t> origins =
            memory.read_words(node, records.origins, records.body_count);
        for (std::uint32_t i = 0; i < stored; ++i) {
            const std::uint32_t iteration = origins[i] & 0xffff;
            const std::uint32_t sender = origins[i] >> 16;
            if (memory.read_words(node, records.bodies + i * records.stride, words) !=
                body(static_cast<std::int32_t>(sender), iteration)) {
                return "the body of message " + std::to_string(iteration) + " of node " +
                       std::to_string(sender) + " is wrong in node " + std::to_string(index) +
                       "'s memory";
            }
        }
        for (std::size_t i = 0; synchronous_ && i < iterations_; ++i) {
            const auto at = records.reply_bodies + static_cast<std::uint32_t>(i) * records.stride;
            if (memory.read_words(node, at, words) != body(destinations_[index][i], kReplyBody)) {
                return "the body of the reply to message " + std::to_string(i) + " of node " +
                       std::to_string(index) + " is wrong";
            }
        }
    }
    return std::nullopt;
}

std::optional<std::string> CompiledRemap::check_answer(ImageMemory& memory) {
    for (std::size_t asking = 0; asking < destinations_.size(); ++asking) {
        const hw::NodeId node(static_cast<std::int32_t>(asking));
        const std::vector<std::uint32_t> replies =
            memory.read_words(node, records_[asking].replies, iterations_);
        for (std::size_t i = 0; synchronous_ && i < iterations_; ++i) {
            const std::uint32_t expected =
                static_cast<std::uint32_t>(i) ^ keys_[destinations_[asking][i]];
            if (replies[i] != expected) {
                return "message " + std::to_string(i) + " of node " + std::to_string(asking) +
                       (replies[i] == kNoReply ? " was not replied to"
                                               : " was replied to with a wrong value");
            }
        }
        const std::uint32_t too_many = memory.read_word(node, "remap_replies_too_many");
        if (too_many != 0) {
            return "node " + std::to_string(asking) + " got " + std::to_string(too_many) +
                   " replies too many";
        }
        for (std::size_t asked = 0; asked < destinations_.size(); ++asked) {
            const std::vector<std::uint8_t> deliveries =
                memory.read_bytes(hw::NodeId(static_cast<std::int32_t>(asked)),
                                  records_[asked].deliveries[asking], iterations_);
            for (std::size_t i = 0; i < iterations_; ++i) {
                const int expected = destinations_[asking][i] == asked ? 1 : 0;
                if (deliveries[i] != expected) {
                    return "message " + std::to_string(i) + " of node " + std::to_string(asking) +
                           " was delivered to node " + std::to_string(asked) + " " +
                           std::to_string(deliveries[i]) + " times";
                }
            }
        }
    }
    return fault_of_bodies(memory);
}

}  // namespace weir::firmware
