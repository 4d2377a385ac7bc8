#include "firmware/kernels/flood/flood.h"

#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

class Flood::Program final : public ActiveMessageProgram {
  public:
    Program(Flood& flood, nodes::Processor& processor, const ActiveMessages::Parameters& parameters)
        : ActiveMessageProgram(processor, parameters),
          flood_(flood),
          arrive_(messages().add_handler([this] { return arrive(); })) {}

    Task thread() override {
        const std::int32_t self = processor().node().index();
        if (!flood_.sends(self)) {
            co_return;
        }
        hw::RandomStream values(flood_.seed_, processor().node(), "flood arguments");
        const std::int64_t words = flood_.parameters_.argument_words.value();
        for (std::int64_t i = 0; i < flood_.parameters_.messages.value(); ++i) {
            const auto receiver =
                self == 0 ? static_cast<std::int32_t>(1 + i % (flood_.node_count_ - 1)) : 0;
            ActiveMessages::Arguments arguments{};
            for (std::int64_t word = 0; word < words; ++word) {
                arguments.push_back(static_cast<std::uint32_t>(values.next()));
                flood_.sent_sum_[receiver] += arguments[static_cast<std::int32_t>(word)];
            }
            co_await messages().send(hw::NodeId(receiver), arrive_, arguments);
        }
    }

  private:
    Task arrive() {
        const std::size_t self = processor().node().index();
        const auto words = static_cast<std::int32_t>(flood_.parameters_.argument_words.value());
        for (std::int32_t i = 0; i < words; ++i) {
            flood_.received_sum_[self] += co_await messages().argument(i);
        }
        ++flood_.received_;
    }

    Flood& flood_;
    ActiveMessages::HandlerAddress arrive_;
};

void Flood::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                    nodes::MemoryAccess& /*memory*/) {
    node_count_ = machine.node_count();
    seed_ = seed;
    sent_sum_.resize(node_count_);
    received_sum_.resize(node_count_);
    const std::int64_t senders =
        parameters_.pattern.value() == Pattern::kFanOut ? 1 : node_count_ - 1;
    expected_ = senders * parameters_.messages.value();
}

std::unique_ptr<nodes::NodeProgram> Flood::program(nodes::Processor& processor,
                                                   const ActiveMessages::Parameters& parameters) {
    return std::make_unique<Program>(*this, processor, parameters);
}

std::optional<std::string> Flood::check(nodes::MemoryAccess& /*memory*/) {
    if (received_ != expected_) {
        return std::to_string(received_) + " of " + std::to_string(expected_) +
               " messages were handled";
    }
    for (std::size_t node = 0; node < sent_sum_.size(); ++node) {
        if (sent_sum_[node] != received_sum_[node]) {
            return "the arguments that node " + std::to_string(node) +
                   " received are not those sent to it";
        }
    }
    return std::nullopt;
}

double Flood::progress() const {
    return static_cast<double>(received_) / static_cast<double>(expected_);
}

}  // namespace weir::firmware
