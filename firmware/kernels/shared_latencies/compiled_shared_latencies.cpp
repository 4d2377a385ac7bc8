#include "firmware/kernels/shared_latencies/compiled_shared_latencies.h"

#include <algorithm>

namespace weir::firmware {

bool CompiledSharedLatencies::is_mark(const std::string& text) const {
    const auto& all = SharedLatencies::scenarios();
    return std::any_of(all.begin(), all.end(), [&](const SharedLatencies::Scenario& scenario) {
        const std::string name = scenario.name;
        return text == name + " begins" || text == name + " ends";
    });
}

void CompiledSharedLatencies::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                         ImageMemory& memory) {
    NoMemory nowhere;
    twin().prepare(machine, seed, nowhere);
    std::vector<std::uint32_t> words{static_cast<std::uint32_t>(workload().rounds.value())};
    for (const SharedLatencies::Scenario& scenario : SharedLatencies::scenarios()) {
        words.insert(words.end(), {scenario.is_store ? 1U : 0U, scenario.from_home ? 1U : 0U,
                                   static_cast<std::uint32_t>(scenario.readers),
                                   static_cast<std::uint32_t>(scenario.writer)});
    }
    for (std::int32_t node = 0; node < machine.node_count(); ++node) {
        memory.write_words(hw::NodeId(node), "weir_parameters", words);
    }
}

std::optional<std::string> CompiledSharedLatencies::check_answer(ImageMemory& memory) {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t line : twin().lines()) {
        found.push_back(memory.read_words(hw::NodeId(0), line, 1).front());
    }
    return twin().fault_of(found);
}

}  // namespace weir::firmware
