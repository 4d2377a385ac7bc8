#include "firmware/kernels/ping/ping.h"

#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

class Ping::Program final : public ActiveMessageProgram {
  public:
    Program(Ping& ping, nodes::Processor& processor, const ActiveMessages::Parameters& parameters)
        : ActiveMessageProgram(processor, parameters), ping_(ping) {
        const auto sizes = ping.parameters_.argument_words.value();
        const auto work = ping.parameters_.handler_work_cycles.value();
        for (std::size_t size = 0; size < sizes.size(); ++size) {
            messages().add_handler([this, words = static_cast<std::int32_t>(sizes[size]),
                                    cycles = hw::Cycles(work.empty() ? 0 : work[size])] {
                return arrive(words, cycles);
            });
        }
    }

    Task thread() override {
        const auto sizes = ping_.parameters_.argument_words.value();
        const hw::Cycles slot_cycles = ping_.parameters_.slot_cycles.value();
        const std::size_t count = ping_.node_count_;
        const std::size_t self = processor().node().index();
        for (std::size_t other = 0; other < count; ++other) {
            if (other == self) {
                continue;
            }
            for (std::size_t size = 0; size < sizes.size(); ++size) {
                const std::size_t slot = (self * count + other) * sizes.size() + size;
                co_await processor().wait_until(static_cast<std::int64_t>(slot) * slot_cycles);
                ActiveMessages::Arguments arguments{};
                for (std::int32_t i = 0; i < sizes[size]; ++i) {
                    arguments.push_back(ping_.word(slot, i));
                }
                co_await messages().send(hw::NodeId(static_cast<std::int32_t>(other)),
                                         static_cast<std::uint32_t>(size), arguments);
            }
        }
    }

  private:
    // The slot is known from the time; the arguments must be that slot's.
    Task arrive(std::int32_t words, hw::Cycles work) {
        const std::size_t slot =
            processor().now().count() / ping_.parameters_.slot_cycles.value().count();
        ++ping_.delivered_;
        if (slot >= ping_.deliveries_.size()) {
            co_return;  // too late for any slot; missed in its own
        }
        Delivery& delivery = ping_.deliveries_[slot];
        for (std::int32_t i = 0; i < words; ++i) {
            const std::uint32_t argument = co_await messages().argument(i);
            delivery.wrong = delivery.wrong || argument != ping_.word(slot, i);
        }
        ++delivery.times;
        co_await processor().compute(work);
    }

    Ping& ping_;
};

void Ping::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                   nodes::MemoryAccess& /*memory*/) {
    node_count_ = machine.node_count();
    seed_ = seed;
    const std::size_t count = node_count_;
    deliveries_.resize(count * count * parameters_.argument_words.value().size());
}

std::unique_ptr<nodes::NodeProgram> Ping::program(nodes::Processor& processor,
                                                  const ActiveMessages::Parameters& parameters) {
    return std::make_unique<Program>(*this, processor, parameters);
}

std::uint32_t Ping::word(std::size_t slot, std::int32_t index) const {
    hw::RandomStream stream(seed_ + slot, hw::NodeId(index), "ping argument");
    return static_cast<std::uint32_t>(stream.next());
}

std::optional<std::string> Ping::check(nodes::MemoryAccess& /*memory*/) {
    const std::size_t sizes = parameters_.argument_words.value().size();
    const std::size_t count = node_count_;
    for (std::size_t slot = 0; slot < deliveries_.size(); ++slot) {
        const std::size_t pair = slot / sizes;
        const bool to_itself = pair / count == pair % count;
        const std::int32_t expected = to_itself ? 0 : 1;
        if (deliveries_[slot].times != expected || deliveries_[slot].wrong) {
            return "the message from node " + std::to_string(pair / count) + " to node " +
                   std::to_string(pair % count) + " arrived in its slot " +
                   std::to_string(deliveries_[slot].times) + " times" +
                   (deliveries_[slot].wrong ? " with wrong arguments" : "") +
                   " (workload.slot_cycles must exceed a whole trip)";
        }
    }
    return std::nullopt;
}

double Ping::progress() const {
    return static_cast<double>(delivered_) / static_cast<double>(deliveries_.size());
}

}  // namespace weir::firmware
