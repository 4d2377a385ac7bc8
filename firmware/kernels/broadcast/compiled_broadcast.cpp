#include "firmware/kernels/broadcast/compiled_broadcast.h"

#include "hw/random_stream.h"

namespace weir::firmware {

ElfImage CompiledBroadcast::load_image() { return built_in_program("broadcast"); }

void CompiledBroadcast::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                   ImageMemory& memory) {
    const std::vector<std::vector<std::int32_t>> tree =
        broadcast_tree(workload().tree.value(), workload().machine_of(machine.node_count()));
    hw::RandomStream data(seed, hw::NodeId(0), "broadcast datum");
    datum_ = static_cast<std::uint32_t>(data.next());
    for (std::int32_t index = 0; index < machine.node_count(); ++index) {
        const hw::NodeId node(index);
        const std::vector<std::int32_t>& children = tree[index];
        const std::vector<std::uint32_t> words(children.begin(), children.end());
        const std::uint32_t address =
            memory.allot(node, words.size(), WEIR_WORD_BYTES, "the list of children");
        memory.write_words(node, address, words);
        // What a node has not received must not look like the datum.
        memory.write_words(
            node, "weir_parameters",
            {index == 0 ? datum_ : ~datum_, static_cast<std::uint32_t>(words.size()), address});
    }
}

std::optional<std::string> CompiledBroadcast::check_answer(ImageMemory& memory) {
    for (std::int32_t node = 0; node < memory.node_count(); ++node) {
        const std::uint32_t word = memory.read_word(hw::NodeId(node), "weir_parameters");
        if (word != datum_) {
            return "node " + std::to_string(node) + " has " + std::to_string(word) +
                   " for the datum " + std::to_string(datum_);
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
