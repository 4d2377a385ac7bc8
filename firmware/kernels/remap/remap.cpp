#include "firmware/kernels/remap/remap.h"

#include <cmath>

#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

class Remap::Program final : public ActiveMessageProgram {
  public:
    Program(Remap& remap, nodes::Processor& processor, const ActiveMessages::Parameters& parameters)
        : ActiveMessageProgram(processor, parameters),
          remap_(remap),
          destinations_(remap.seed_, processor.node(), "remap destinations"),
          work_(remap.seed_, processor.node(), "remap work"),
          handler_work_(remap.seed_, processor.node(), "remap handler work"),
          argument_words_(static_cast<std::int32_t>(remap.parameters_.argument_words.value())),
          request_(messages().add_handler([this] { return request(); })),
          reply_(messages().add_handler([this] { return reply(); })),
          deliver_(messages().add_handler([this] { return deliver(); })) {}

    Task thread() override {
        const Parameters& parameters = remap_.parameters_;
        const auto self = static_cast<std::uint32_t>(processor().node().index());
        for (std::size_t i = 0; i < remap_.iterations_; ++i) {
            co_await processor().compute(parameters.loop_cycles.value());
            co_await processor().compute(work());
            replied_ = false;
            iteration_ = i;
            destination_ = next_destination();
            const auto iteration = static_cast<std::uint32_t>(i);
            if (remap_.synchronous()) {
                co_await messages().send(destination_, request_, padded({self, iteration}));
                co_await processor().wait_for(replied_);
            } else {
                co_await messages().send(destination_, deliver_, padded({self, iteration}));
            }
        }
        processor().trace_mark("steady state ends", 0);
    }

  private:
    // At the node asked: the answer depends on who asked what, and on who answers.
    Task request() {
        const std::uint32_t asking_node = co_await messages().argument(0);
        const std::uint32_t iteration = co_await messages().argument(1);
        co_await load_padding();
        ++remap_.record(asking_node, iteration).deliveries;
        co_await processor().compute(handler_work());
        co_await messages().send(
            hw::NodeId(static_cast<std::int32_t>(asking_node)), reply_,
            padded({iteration, answer(processor().node(), asking_node, iteration)}));
    }

    Task reply() {
        const std::uint32_t iteration = co_await messages().argument(0);
        const std::uint32_t value = co_await messages().argument(1);
        co_await load_padding();
        co_await processor().compute(handler_work());
        const auto self = static_cast<std::uint32_t>(processor().node().index());
        Record& record = remap_.record(self, iteration);
        ++record.replies;
        record.wrong_reply = record.wrong_reply || iteration != iteration_ ||
                             value != answer(destination_, self, iteration);
        ++remap_.done_;
        replied_ = true;
    }

    // A message without a reply: who sent it which time.
    Task deliver() {
        const std::uint32_t sender = co_await messages().argument(0);
        const std::uint32_t iteration = co_await messages().argument(1);
        co_await load_padding();
        co_await processor().compute(handler_work());
        ++remap_.record(sender, iteration).deliveries;
        ++remap_.done_;
    }

    [[nodiscard]] std::uint32_t answer(hw::NodeId answering, std::uint32_t asking,
                                       std::uint32_t iteration) const {
        hw::RandomStream stream(remap_.seed_ ^ (std::uint64_t{asking} << 32 | iteration), answering,
                                "remap answer");
        return static_cast<std::uint32_t>(stream.next());
    }

    hw::NodeId next_destination() {
        const std::int32_t self = processor().node().index();
        const std::int32_t others = remap_.node_count_ - 1;
        const auto step =
            remap_.parameters_.destinations.value() == Destinations::kRandom
                ? static_cast<std::int32_t>(destinations_.below(static_cast<std::uint64_t>(others)))
                : static_cast<std::int32_t>(iteration_ % static_cast<std::size_t>(others));
        return hw::NodeId((self + 1 + step) % remap_.node_count_);
    }

    hw::Cycles work() {
        const double mean = remap_.parameters_.work_cycles.value();
        const bool exponential =
            remap_.parameters_.work_distribution.value() == WorkDistribution::kExponential;
        return hw::Cycles(std::llround(exponential ? work_.exponential(mean) : mean));
    }

    hw::Cycles handler_work() {
        return hw::Cycles(std::llround(
            handler_work_.with_squared_cv(remap_.parameters_.handler_work_cycles.value(),
                                          remap_.parameters_.handler_squared_cv.value())));
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

    Remap& remap_;
    hw::RandomStream destinations_;
    hw::RandomStream work_;
    hw::RandomStream handler_work_;
    std::int32_t argument_words_;
    ActiveMessages::HandlerAddress request_;
    ActiveMessages::HandlerAddress reply_;
    ActiveMessages::HandlerAddress deliver_;
    std::size_t iteration_ = 0;
    hw::NodeId destination_;
    bool replied_ = false;
};

void Remap::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                    nodes::MemoryAccess& /*memory*/) {
    node_count_ = machine.node_count();
    seed_ = seed;
    iterations_ = static_cast<std::size_t>(parameters_.iterations.value());
    records_.resize(static_cast<std::size_t>(node_count_) * iterations_);
}

std::unique_ptr<nodes::NodeProgram> Remap::program(nodes::Processor& processor,
                                                   const ActiveMessages::Parameters& parameters) {
    return std::make_unique<Program>(*this, processor, parameters);
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
    return std::nullopt;
}

double Remap::progress() const {
    return static_cast<double>(done_) / static_cast<double>(records_.size());
}

}  // namespace weir::firmware
