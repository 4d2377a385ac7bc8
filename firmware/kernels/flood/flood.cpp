#include "firmware/kernels/flood/flood.h"

#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

class Flood::Program final : public ProgramOf<Flood> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        const std::int32_t self = processor().node().index();
        if (!kernel_.sends(self)) {
            co_return;
        }
        hw::RandomStream values(kernel_.seed_, processor().node(), "flood arguments");
        const std::int64_t words = kernel_.parameters_.argument_words.value();
        for (std::int64_t i = 0; i < kernel_.parameters_.messages.value(); ++i) {
            const auto receiver =
                self == 0 ? static_cast<std::int32_t>(1 + i % (kernel_.node_count_ - 1)) : 0;
            ActiveMessages::Arguments arguments{};
            for (std::int64_t word = 0; word < words; ++word) {
                arguments.push_back(static_cast<std::uint32_t>(values.next()));
                kernel_.sent_sum_[receiver] += arguments[static_cast<std::int32_t>(word)];
            }
            co_await messages().send(hw::NodeId(receiver), arrive_, arguments);
        }
    }

  private:
    Task arrive() {
        const std::size_t self = processor().node().index();
        const auto words = static_cast<std::int32_t>(kernel_.parameters_.argument_words.value());
        for (std::int32_t i = 0; i < words; ++i) {
            kernel_.received_sum_[self] += co_await messages().argument(i);
        }
        ++kernel_.done_;
    }

    ActiveMessages::HandlerAddress arrive_ = messages().add_handler([this] { return arrive(); });
};

void Flood::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                    nodes::MemoryAccess& /*memory*/) {
    start<Program>(*this, machine, seed);
    sent_sum_.resize(node_count_);
    received_sum_.resize(node_count_);
    const std::int64_t senders =
        parameters_.pattern.value() == Pattern::kFanOut ? 1 : node_count_ - 1;
    expected_ = senders * parameters_.messages.value();
}

std::optional<std::string> Flood::check(nodes::MemoryAccess& /*memory*/) {
    if (done_ != expected_) {
        return std::to_string(done_) + " of " + std::to_string(expected_) +
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

}  // namespace weir::firmware
