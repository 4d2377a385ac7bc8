#include "firmware/kernels/broadcast/broadcast.h"

#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

class Broadcast::Program final : public ProgramOf<Broadcast> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        const std::size_t self = processor().node().index();
        if (self == 0) {
            processor().trace_mark(kProgramBegins, 0);
            datum_ = co_await processor().load(kDatum);
        } else {
            co_await processor().wait_for(is_informed_);
        }
        processor().trace_mark(kProgramEnds, 0);
        ++kernel_.done_;
        for (const std::int32_t child : kernel_.children_[self]) {
            co_await messages().send(hw::NodeId(child), receive_, {datum_});
        }
        co_await processor().store(kDatum, datum_);
    }

  private:
    Task receive() {
        datum_ = co_await messages().argument(0);
        is_informed_ = true;
    }

    ActiveMessages::HandlerAddress receive_ = messages().add_handler([this] { return receive(); });
    std::uint32_t datum_ = 0;
    bool is_informed_ = false;
};

void Broadcast::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                        nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    children_ =
        broadcast_tree(parameters_.tree.value(), parameters_.machine_of(machine.node_count()));
    hw::RandomStream data(seed, hw::NodeId(0), "broadcast datum");
    datum_ = static_cast<std::uint32_t>(data.next());
    for (std::int32_t node = 0; node < machine.node_count(); ++node) {
        // Nodes without the datum must not hold its value by chance.
        const std::uint32_t word = node == 0 ? datum_ : ~datum_;
        memory.write<std::uint32_t>(hw::NodeId(node), kDatum, {&word, 1});
    }
}

std::optional<std::string> Broadcast::check(nodes::MemoryAccess& memory) {
    for (std::size_t node = 0; node < children_.size(); ++node) {
        std::uint32_t word = 0;
        memory.read<std::uint32_t>(hw::NodeId(static_cast<std::int32_t>(node)), kDatum, {&word, 1});
        if (word != datum_) {
            return "node " + std::to_string(node) + " has " + std::to_string(word) +
                   " for the datum " + std::to_string(datum_);
        }
    }
    return std::nullopt;
}

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
        // Nodes without the datum must not hold its value by chance.
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
