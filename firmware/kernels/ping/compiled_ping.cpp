#include "firmware/kernels/ping/compiled_ping.h"

#include <algorithm>

#include "hw/random_stream.h"

namespace weir::firmware {

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
