#include "firmware/kernels/ping/ping.h"

#include <algorithm>

#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

class Ping::Program final : public ProgramOf<Ping> {
  public:
    Program(Ping& ping, nodes::Processor& processor, const ActiveMessages::Parameters& parameters)
        : ProgramOf(ping, processor, parameters) {
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
        const auto sizes = kernel_.parameters_.argument_words.value();
        const hw::Cycles slot_cycles = kernel_.parameters_.slot_cycles.value();
        const std::size_t count = kernel_.node_count_;
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
                    arguments.push_back(kernel_.word(slot, i));
                }
                co_await messages().send(hw::NodeId(static_cast<std::int32_t>(other)),
                                         static_cast<std::uint32_t>(size), arguments);
            }
        }
    }

  private:
    // The current cycle gives the slot; the arguments must be those of this slot.
    Task arrive(std::int32_t words, hw::Cycles work) {
        const std::size_t slot =
            processor().now().count() / kernel_.parameters_.slot_cycles.value().count();
        ++kernel_.done_;
        if (slot >= kernel_.deliveries_.size()) {
            co_return;  // arrival after the last slot: the check misses the message in its own slot
        }
        Delivery& delivery = kernel_.deliveries_[slot];
        for (std::int32_t i = 0; i < words; ++i) {
            const std::uint32_t argument = co_await messages().argument(i);
            delivery.wrong = delivery.wrong || argument != kernel_.word(slot, i);
        }
        ++delivery.times;
        co_await processor().compute(work);
    }
};

void Ping::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                   nodes::MemoryAccess& /*memory*/) {
    start<Program>(*this, machine, seed);
    const std::size_t count = node_count_;
    deliveries_.resize(count * count * parameters_.argument_words.value().size());
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

ElfImage CompiledPing::load_image() { return built_in_program("ping"); }

void CompiledPing::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                              ImageMemory& memory) {
    const std::vector<std::int64_t> sizes = workload().argument_words.value();
    const auto slot_cycles = static_cast<std::uint32_t>(workload().slot_cycles.value().count());
    const std::size_t nodes = machine.node_count();
    if (sizes.size() > ActiveMessages::kMostArguments + 1) {
        throw InputFault("workload.argument_words",
                         "found " + std::to_string(sizes.size()) + " numbers on Sparcle nodes",
                         "at most " + std::to_string(ActiveMessages::kMostArguments + 1));
    }
    without_arguments_ = static_cast<std::uint32_t>(std::count(sizes.begin(), sizes.end(), 0) *
                                                    (machine.node_count() - 1));
    expected_.assign(nodes, {});
    log_.clear();
    std::size_t slot = 0;
    for (std::size_t source = 0; source < nodes; ++source) {
        std::vector<std::uint32_t> sent;
        for (std::size_t destination = 0; destination < nodes; ++destination) {
            for (const std::int64_t words : sizes) {
                for (std::int32_t i = 0; source != destination && i < words; ++i) {
                    hw::RandomStream stream(seed + slot, hw::NodeId(i), "ping argument");
                    sent.push_back(static_cast<std::uint32_t>(stream.next()));
                    expected_[destination].push_back(sent.back());
                }
                ++slot;
            }
        }
        const hw::NodeId node(static_cast<std::int32_t>(source));
        const std::uint32_t address =
            memory.allot(node, sent.size(), sizeof(std::uint32_t), "what is sent");
        memory.write_words(node, address, sent);
        std::vector<std::uint32_t> parameters{slot_cycles, slot_cycles,
                                              static_cast<std::uint32_t>(sizes.size())};
        for (const std::int64_t words : sizes) {
            parameters.push_back(static_cast<std::uint32_t>(words));
        }
        memory.write_words(node, "weir_parameters", parameters);
    }
    for (std::size_t index = 0; index < nodes; ++index) {
        const hw::NodeId node(static_cast<std::int32_t>(index));
        log_.push_back(
            memory.allot(node, expected_[index].size(), sizeof(std::uint32_t), "what is received"));
        memory.write_words(node, "ping_log_end", {log_.back()});
    }
}

std::optional<std::string> CompiledPing::check_answer(ImageMemory& memory) {
    for (std::size_t index = 0; index < expected_.size(); ++index) {
        const hw::NodeId node(static_cast<std::int32_t>(index));
        const std::vector<std::uint32_t>& expected = expected_[index];
        const std::uint32_t received =
            (memory.read_word(node, "ping_log_end") - log_[index]) / sizeof(std::uint32_t);
        const std::uint32_t without = memory.read_word(node, "ping_without_arguments");
        if (received != expected.size() || without != without_arguments_) {
            return "node " + std::to_string(index) + " received " + std::to_string(received) +
                   " arguments and " + std::to_string(without) + " messages without, of " +
                   std::to_string(expected.size()) + " and " + std::to_string(without_arguments_);
        }
        if (memory.read_words(node, log_[index], expected.size()) != expected) {
            return "node " + std::to_string(index) +
                   " received wrong arguments (workload.slot_cycles must exceed a whole trip)";
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
