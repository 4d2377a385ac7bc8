#include "firmware/kernels/em3d/em3d.h"

#include <algorithm>
#include <bit>

#include "firmware/collectives.h"
#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

namespace {

constexpr std::uint32_t kWordSize = 4;
constexpr std::uint32_t kCountBits = 4;  // of a message's first argument, below the index

// What an edge does to a value; the sequential computation's too.
float updated(float value, float weight, float neighbour) { return value - weight * neighbour; }

}  // namespace

std::optional<hw::ParameterGroup::Fault> Em3d::Parameters::check() const {
    if (graph_nodes.value() % 2 != 0) {
        return Fault{"graph_nodes",
                     std::to_string(graph_nodes.value()) + " don't divide into E and H nodes",
                     "a multiple of twice the processors"};
    }
    return std::nullopt;
}

class Em3d::Program final : public ActiveMessageProgram {
  public:
    Program(Em3d& em3d, nodes::Processor& processor, const ActiveMessages::Parameters& parameters)
        : ActiveMessageProgram(processor, parameters),
          em3d_(em3d),
          layout_(em3d.layout_.at(static_cast<std::size_t>(processor.node().index()))),
          collectives_(processor, messages()),
          store_{messages().add_handler([this] { return store(kElectric); }),
                 messages().add_handler([this] { return store(kMagnetic); })},
          all_come_{layout_[kElectric].received == 0, layout_[kMagnetic].received == 0} {}

    Task thread() override {
        co_await collectives_.barrier();
        processor().trace_mark(kProgramBegins, 0);
        for (std::int64_t i = 0; i < em3d_.parameters_.iterations.value(); ++i) {
            for (const Kind kind : kKinds) {
                co_await send_neighbours(kind);
                co_await processor().wait_for(all_come_[kind]);
                co_await compute(kind);
                received_[kind] = 0;
                all_come_[kind] = layout_[kind].received == 0;
                co_await collectives_.barrier();
            }
            ++em3d_.done_;
        }
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    // The other kind's values that the values of `kind` are computed from.
    Task send_neighbours(Kind kind) {
        const std::uint32_t from = layout_[1 - kind].values;
        const bool polls = processor().receive_mode() == nodes::ReceiveMode::kPolling;
        for (const Block& block : layout_[kind].sends) {
            ActiveMessages::Arguments arguments(block.first_ghost << kCountBits | block.count);
            for (std::uint32_t i = 0; i < block.count; ++i) {
                const std::uint32_t index =
                    co_await processor().load(block.indices + i * kWordSize);
                const std::uint32_t value = co_await processor().load(from + index * kWordSize);
                arguments.push_back(value);
            }
            co_await messages().send(hw::NodeId(block.destination), store_[kind], arguments);
            if (polls) {
                co_await processor().wait_until(processor().now() + hw::Cycles(1));
            }
        }
        for (const Block& block : layout_[kind].copies) {
            for (std::uint32_t i = 0; i < block.count; ++i) {
                const std::uint32_t index =
                    co_await processor().load(block.indices + i * kWordSize);
                const std::uint32_t value = co_await processor().load(from + index * kWordSize);
                co_await processor().store(ghost(kind, block.first_ghost + i), value);
            }
        }
    }

    Task compute(Kind kind) {
        const Half& half = layout_[kind];
        const hw::Cycles arithmetic = em3d_.parameters_.arithmetic_cycles.value();
        std::uint32_t edge = 0;
        for (std::int64_t i = 0; i < em3d_.values_each_; ++i) {
            const std::uint32_t address = half.values + static_cast<std::uint32_t>(i) * kWordSize;
            auto value = std::bit_cast<float>(co_await processor().load(address));
            for (std::int64_t j = 0; j < em3d_.parameters_.degree.value(); ++j, edge += kWordSize) {
                const std::uint32_t index = co_await processor().load(half.ghost_indices + edge);
                const std::uint32_t weight = co_await processor().load(half.weights + edge);
                const std::uint32_t neighbour = co_await processor().load(ghost(kind, index));
                co_await processor().compute(arithmetic);
                value =
                    updated(value, std::bit_cast<float>(weight), std::bit_cast<float>(neighbour));
            }
            co_await processor().store(address, std::bit_cast<std::uint32_t>(value));
        }
    }

    Task store(Kind kind) {
        const std::uint32_t head = co_await messages().argument(0);
        const std::uint32_t first = head >> kCountBits;
        const std::uint32_t count = head & ((1U << kCountBits) - 1);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t value =
                co_await messages().argument(static_cast<std::int32_t>(i) + 1);
            co_await processor().store(ghost(kind, first + i), value);
        }
        received_[kind] += count;
        all_come_[kind] = received_[kind] == layout_[kind].received;
    }

    [[nodiscard]] std::uint32_t ghost(Kind kind, std::uint32_t index) const {
        return layout_[kind].ghosts + index * kWordSize;
    }

    Em3d& em3d_;
    const Layout& layout_;
    Collectives collectives_;
    std::array<ActiveMessages::HandlerAddress, 2> store_;
    std::array<std::uint32_t, 2> received_{};
    std::array<bool, 2> all_come_;
};

void Em3d::make_graph(std::uint64_t seed) {
    const std::int64_t degree = parameters_.degree.value();
    const std::int64_t span = parameters_.span.value();
    for (const Kind kind : kKinds) {
        edges_[kind].clear();
        start_[kind].clear();
        hw::RandomStream stream(seed, hw::NodeId(kind), "em3d graph");
        for (std::int32_t processor = 0; processor < processors_; ++processor) {
            for (std::int64_t i = 0; i < values_each_; ++i) {
                start_[kind].push_back(static_cast<float>(stream.unit()));
                for (std::int64_t j = 0; j < degree; ++j) {
                    const bool stays = static_cast<std::int64_t>(stream.below(100)) <
                                       parameters_.local_percent.value();
                    const auto away = static_cast<std::int64_t>(
                        stream.below(2 * static_cast<std::uint64_t>(span)));
                    const std::int64_t step = away < span ? away - span : away - span + 1;
                    Edge edge;
                    edge.processor = static_cast<std::int32_t>(
                        stays ? processor : (processor + step + processors_) % processors_);
                    edge.index = static_cast<std::int32_t>(
                        stream.below(static_cast<std::uint64_t>(values_each_)));
                    // Small enough that values stay finite.
                    edge.weight = static_cast<float>(stream.unit() / static_cast<double>(degree));
                    edges_[kind].push_back(edge);
                }
            }
        }
    }
}

void Em3d::place(std::uint64_t seed, nodes::MemoryAccess& memory) {
    const auto edges_each = static_cast<std::size_t>(values_each_ * parameters_.degree.value());
    const auto block_values = static_cast<std::uint32_t>(parameters_.block_values.value());
    std::vector<std::uint32_t> next(static_cast<std::size_t>(processors_), 0);
    const auto put = [&](std::int32_t processor, const auto& words) {
        std::uint32_t& address = next[static_cast<std::size_t>(processor)];
        const std::uint32_t begin = address;
        memory.write<typename std::decay_t<decltype(words)>::value_type>(hw::NodeId(processor),
                                                                         begin, words);
        address += static_cast<std::uint32_t>(words.size()) * kWordSize;
        return begin;
    };
    layout_.assign(static_cast<std::size_t>(processors_), {});
    for (const Kind kind : kKinds) {
        for (std::int32_t to = 0; to < processors_; ++to) {
            const std::size_t first = edge(to, 0);
            Half& half = layout_[static_cast<std::size_t>(to)][kind];
            const auto own = start_[kind].begin() + to * values_each_;
            half.values = put(to, std::vector<float>(own, own + values_each_));
            half.ghosts = put(to, std::vector<float>(edges_each, 0.0F));
            std::vector<float> weights;
            std::vector<std::uint32_t> ghost_indices(edges_each);
            for (std::size_t i = 0; i < edges_each; ++i) {
                weights.push_back(edges_[kind][first + i].weight);
            }
            // Ghosts lie by sending processor, so that a message fills neighbouring ones.
            std::uint32_t next_ghost = 0;
            for (std::int32_t from = 0; from < processors_; ++from) {
                const std::uint32_t first_ghost = next_ghost;
                std::vector<std::uint32_t> indices;
                for (std::size_t i = 0; i < edges_each; ++i) {
                    if (edges_[kind][first + i].processor == from) {
                        ghost_indices[i] = next_ghost++;
                        indices.push_back(
                            static_cast<std::uint32_t>(edges_[kind][first + i].index));
                    }
                }
                half.received += from == to ? 0 : next_ghost - first_ghost;
                const std::uint32_t address = put(from, indices);
                Half& sender = layout_[static_cast<std::size_t>(from)][kind];
                auto& blocks = from == to ? sender.copies : sender.sends;
                for (std::uint32_t i = 0; i < indices.size(); i += block_values) {
                    blocks.push_back(
                        {to, first_ghost + i, address + i * kWordSize,
                         std::min(block_values, static_cast<std::uint32_t>(indices.size()) - i)});
                }
            }
            half.weights = put(to, weights);
            half.ghost_indices = put(to, ghost_indices);
        }
        if (parameters_.order.value() == Order::kStaggered) {
            for (std::int32_t from = 0; from < processors_; ++from) {
                auto& blocks = layout_[static_cast<std::size_t>(from)][kind].sends;
                std::stable_partition(blocks.begin(), blocks.end(), [from](const Block& block) {
                    return block.destination > from;
                });
            }
        }
        if (parameters_.order.value() == Order::kRandom) {
            for (std::int32_t from = 0; from < processors_; ++from) {
                hw::RandomStream mix(seed, hw::NodeId(from), "em3d order");
                auto& blocks = layout_[static_cast<std::size_t>(from)][kind].sends;
                for (std::size_t left = blocks.size(); left > 1; --left) {
                    std::swap(blocks[left - 1], blocks[mix.below(left)]);
                }
            }
        }
    }
}

void Em3d::compute_reference() {
    reference_ = start_;
    const auto degree = static_cast<std::size_t>(parameters_.degree.value());
    for (std::int64_t i = 0; i < parameters_.iterations.value(); ++i) {
        for (const Kind kind : kKinds) {
            for (std::size_t value = 0; value < reference_[kind].size(); ++value) {
                for (std::size_t j = value * degree; j < (value + 1) * degree; ++j) {
                    const Edge& edge = edges_[kind][j];
                    const auto neighbour =
                        static_cast<std::size_t>(edge.processor * values_each_ + edge.index);
                    reference_[kind][value] = updated(reference_[kind][value], edge.weight,
                                                      reference_[1 - kind][neighbour]);
                }
            }
        }
    }
}

void Em3d::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                   nodes::MemoryAccess& memory) {
    processors_ = machine.node_count();
    const std::int64_t graph_nodes = parameters_.graph_nodes.value();
    if (graph_nodes % 2 != 0 || graph_nodes / 2 % processors_ != 0) {
        throw InputFault("workload.graph_nodes",
                         std::to_string(graph_nodes) + " don't divide among " +
                             std::to_string(processors_) +
                             " processors, half of each one's E and half H",
                         "a multiple of " + std::to_string(2 * processors_));
    }
    if (2 * parameters_.span.value() >= processors_) {
        throw InputFault("workload.span",
                         "found " + std::to_string(parameters_.span.value()) + " on " +
                             std::to_string(processors_) + " processors",
                         "less than half of them");
    }
    values_each_ = graph_nodes / 2 / processors_;
    if (values_each_ * parameters_.degree.value() >= 1 << (32 - kCountBits)) {
        throw InputFault("workload.degree",
                         "a processor has more edges than a message's index can say",
                         "fewer graph_nodes or a smaller degree");
    }
    make_graph(seed);
    place(seed, memory);
    compute_reference();
}

std::unique_ptr<nodes::NodeProgram> Em3d::program(nodes::Processor& processor,
                                                  const ActiveMessages::Parameters& parameters) {
    return std::make_unique<Program>(*this, processor, parameters);
}

std::optional<std::string> Em3d::check(nodes::MemoryAccess& memory) {
    for (std::int32_t processor = 0; processor < processors_; ++processor) {
        for (const Kind kind : kKinds) {
            std::vector<float> values(static_cast<std::size_t>(values_each_));
            memory.read<float>(hw::NodeId(processor),
                               layout_[static_cast<std::size_t>(processor)][kind].values, values);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const float expected =
                    reference_[kind][static_cast<std::size_t>(processor * values_each_) + i];
                if (!(values[i] == expected)) {
                    return std::string(kind == kElectric ? "E" : "H") + "[" + std::to_string(i) +
                           "] of node " + std::to_string(processor) + " is " +
                           std::to_string(values[i]) + ", the sequential computation gives " +
                           std::to_string(expected);
                }
            }
        }
    }
    return std::nullopt;
}

double Em3d::progress() const {
    return static_cast<double>(done_) /
           (static_cast<double>(parameters_.iterations.value()) * processors_);
}

}  // namespace weir::firmware
