#include "firmware/kernels/broadcast/broadcast.h"

#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

class Broadcast::Program final : public ActiveMessageProgram {
  public:
    Program(Broadcast& broadcast, nodes::Processor& processor,
            const ActiveMessages::Parameters& parameters)
        : ActiveMessageProgram(processor, parameters),
          broadcast_(broadcast),
          receive_(messages().add_handler([this] { return receive(); })) {}

    Task thread() override {
        const std::size_t self = processor().node().index();
        if (self == 0) {
            processor().trace_mark(kProgramBegins, 0);
            datum_ = co_await processor().load(kDatum);
        } else {
            co_await processor().wait_for(is_informed_);
        }
        processor().trace_mark(kProgramEnds, 0);
        ++broadcast_.informed_;
        for (const std::int32_t child : broadcast_.children_[self]) {
            co_await messages().send(hw::NodeId(child), receive_, {datum_});
        }
        co_await processor().store(kDatum, datum_);
    }

  private:
    Task receive() {
        datum_ = co_await messages().argument(0);
        is_informed_ = true;
    }

    Broadcast& broadcast_;
    ActiveMessages::HandlerAddress receive_;
    std::uint32_t datum_ = 0;
    bool is_informed_ = false;
};

void Broadcast::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                        nodes::MemoryAccess& memory) {
    children_ =
        broadcast_tree(parameters_.tree.value(), parameters_.machine_of(machine.node_count()));
    hw::RandomStream data(seed, hw::NodeId(0), "broadcast datum");
    datum_ = static_cast<std::uint32_t>(data.next());
    for (std::int32_t node = 0; node < machine.node_count(); ++node) {
        // What a node has not received must not look like the datum.
        const std::uint32_t word = node == 0 ? datum_ : ~datum_;
        memory.write<std::uint32_t>(hw::NodeId(node), kDatum, {&word, 1});
    }
}

std::unique_ptr<nodes::NodeProgram> Broadcast::program(
    nodes::Processor& processor, const ActiveMessages::Parameters& parameters) {
    return std::make_unique<Program>(*this, processor, parameters);
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

double Broadcast::progress() const {
    return static_cast<double>(informed_) / static_cast<double>(children_.size());
}

}  // namespace weir::firmware
