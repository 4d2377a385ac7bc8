#include "firmware/kernels/em3d/em3d.h"

#include <algorithm>
#include <bit>
#include <map>

#include "firmware/collectives.h"
#include "hw/random_stream.h"

namespace weir::firmware {

std::optional<hw::ParameterGroup::Fault> Em3dComputation::Parameters::check() const {
    if (graph_nodes.value() % 2 != 0) {
        return Fault{"graph_nodes",
                     std::to_string(graph_nodes.value()) + " don't divide into E and H nodes",
                     "a multiple of twice the processors"};
    }
    return std::nullopt;
}

std::span<const float> Em3dComputation::start_of(Kind kind, std::int32_t processor) const {
    const std::size_t each = values_each_;
    return std::span(graph_.start[kind]).subspan(processor * each, each);
}

std::span<const Em3dComputation::Edge> Em3dComputation::edges_of(Kind kind,
                                                                 std::int32_t processor) const {
    return std::span(graph_.edges[kind]).subspan(processor * edges_each(), edges_each());
}

std::int64_t Em3dComputation::values_on_each(std::int32_t processors) const {
    const std::int64_t graph_nodes = common().graph_nodes.value();
    const bool fits = graph_nodes % 2 == 0 && graph_nodes / 2 % processors == 0 &&
                      2 * common().span.value() < processors;
    return fits ? graph_nodes / 2 / processors : 0;
}

Em3dComputation::Graph Em3dComputation::make_graph(std::int32_t processors,
                                                   std::uint64_t seed) const {
    const std::int64_t degree = common().degree.value();
    const std::int64_t span = common().span.value();
    const std::int64_t values_each = values_on_each(processors);
    Graph graph;
    for (const Kind kind : kKinds) {
        hw::RandomStream stream(seed, hw::NodeId(kind), "em3d graph");
        for (std::int32_t processor = 0; processor < processors; ++processor) {
            for (std::int64_t i = 0; i < values_each; ++i) {
                graph.start[kind].push_back(static_cast<float>(stream.unit()));
                for (std::int64_t j = 0; j < degree; ++j) {
                    const bool stays = static_cast<std::int64_t>(stream.below(100)) <
                                       common().local_percent.value();
                    const auto away = static_cast<std::int64_t>(
                        stream.below(2 * static_cast<std::uint64_t>(span)));
                    const std::int64_t step = away < span ? away - span : away - span + 1;
                    Edge edge;
                    edge.processor = static_cast<std::int32_t>(
                        stays ? processor : (processor + step + processors) % processors);
                    edge.index = static_cast<std::int32_t>(
                        stream.below(static_cast<std::uint64_t>(values_each)));
                    // Small, so that values remain finite.
                    edge.weight = static_cast<float>(stream.unit() / static_cast<double>(degree));
                    graph.edges[kind].push_back(edge);
                }
            }
        }
    }
    return graph;
}

void Em3dComputation::compute_reference() {
    reference_ = graph_.start;
    const std::size_t degree = common().degree.value();
    for (std::int64_t i = 0; i < common().iterations.value(); ++i) {
        for (const Kind kind : kKinds) {
            for (std::size_t value = 0; value < reference_[kind].size(); ++value) {
                for (std::size_t j = value * degree; j < (value + 1) * degree; ++j) {
                    const Edge& edge = graph_.edges[kind][j];
                    const std::size_t neighbour = edge.processor * values_each_ + edge.index;
                    reference_[kind][value] = updated(reference_[kind][value], edge.weight,
                                                      reference_[1 - kind][neighbour]);
                }
            }
        }
    }
}

void Em3dComputation::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                              nodes::MemoryAccess& memory) {
    node_count_ = machine.node_count();
    const std::int64_t graph_nodes = common().graph_nodes.value();
    if (graph_nodes % 2 != 0 || graph_nodes / 2 % node_count_ != 0) {
        throw InputFault("workload.graph_nodes",
                         std::to_string(graph_nodes) + " don't divide among " +
                             std::to_string(node_count_) +
                             " processors, half of each one's E and half H",
                         "a multiple of " + std::to_string(2 * node_count_));
    }
    if (2 * common().span.value() >= node_count_) {
        throw InputFault("workload.span",
                         "found " + std::to_string(common().span.value()) + " on " +
                             std::to_string(node_count_) + " processors",
                         "less than half of them");
    }
    values_each_ = values_on_each(node_count_);
    graph_ = make_graph(node_count_, seed);
    place(machine, seed, memory);
    compute_reference();
}

std::optional<std::string> Em3dComputation::check(nodes::MemoryAccess& memory) {
    for (std::int32_t processor = 0; processor < node_count_; ++processor) {
        for (const Kind kind : kKinds) {
            const std::vector<float> values = values_of(kind, processor, memory);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const float expected = reference_[kind][processor * values_each_ + i];
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

using nodes::Task;

namespace {

constexpr std::uint32_t kWordSize = 4;
constexpr std::uint32_t kCountBits = 4;  // bits for the number of values in a message's first
                                         // argument; the index is above them

}  // namespace

class Em3d::Program final : public ProgramOf<Em3d> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        co_await collectives_.barrier();
        processor().trace_mark(kProgramBegins, 0);
        for (std::int64_t i = 0; i < kernel_.parameters_.iterations.value(); ++i) {
            for (const Kind kind : kKinds) {
                co_await send_neighbours(kind);
                co_await processor().wait_for(all_come_[kind]);
                co_await compute(kind);
                received_[kind] = 0;
                all_come_[kind] = layout_[kind].received == 0;
                co_await collectives_.barrier();
            }
            ++kernel_.done_;
        }
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    // Sends values of the other kind, from which the values of `kind` are computed.
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
        const hw::Cycles arithmetic = kernel_.parameters_.arithmetic_cycles.value();
        std::uint32_t edge = 0;
        for (std::int64_t i = 0; i < kernel_.values_each(); ++i) {
            const std::uint32_t address = half.values + static_cast<std::uint32_t>(i) * kWordSize;
            auto value = std::bit_cast<float>(co_await processor().load(address));
            for (std::int64_t j = 0; j < kernel_.parameters_.degree.value();
                 ++j, edge += kWordSize) {
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

    const Layout& layout_ = kernel_.layout_.at(processor().node());
    Collectives collectives_{processor(), messages()};
    std::array<ActiveMessages::HandlerAddress, 2> store_{
        messages().add_handler([this] { return store(kElectric); }),
        messages().add_handler([this] { return store(kMagnetic); })};
    std::array<std::uint32_t, 2> received_{};
    std::array<bool, 2> all_come_{layout_[kElectric].received == 0,
                                  layout_[kMagnetic].received == 0};
};

std::optional<NodeLoads> Em3d::node_loads(const nodes::MachineShape& machine,
                                          std::uint64_t seed) const {
    const std::int32_t processors = machine.node_count();
    const std::int64_t edges_each = values_on_each(processors) * parameters_.degree.value();
    if (edges_each == 0) {
        return std::nullopt;
    }
    const auto iterations = static_cast<double>(parameters_.iterations.value());
    const std::int64_t in_a_message = parameters_.block_values.value();
    const Graph graph = make_graph(processors, seed);
    std::vector<NodeLoad> loads(processors,
                                {2.0 * iterations * static_cast<double>(edges_each), 0.0});
    for (const Kind kind : kKinds) {
        for (std::int32_t to = 0; to < processors; ++to) {
            std::map<std::int32_t, std::int64_t> values;  // number of values, by their processor
            for (std::int64_t i = to * edges_each; i < (to + 1) * edges_each; ++i) {
                ++values[graph.edges[kind][i].processor];
            }
            values.erase(to);
            for (const auto& [from, count] : values) {
                const std::int64_t full = (count + in_a_message - 1) / in_a_message;
                const auto messages = static_cast<double>(full);
                loads[from].messages += iterations * messages;
                loads[to].messages += iterations * messages;
            }
        }
    }
    return node_loads_of(loads);
}

void Em3d::place(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    if (edges_each() >= std::size_t{1} << (32 - kCountBits)) {
        throw InputFault("workload.degree",
                         "a processor has more edges than a message's index can hold",
                         "fewer graph_nodes or a smaller degree");
    }
    const auto block_values = static_cast<std::uint32_t>(parameters_.block_values.value());
    std::vector<std::uint32_t> next(node_count_, 0);
    const auto put = [&](std::int32_t processor, const auto& words) {
        std::uint32_t& address = next[processor];
        const std::uint32_t begin = address;
        memory.write<typename std::decay_t<decltype(words)>::value_type>(hw::NodeId(processor),
                                                                         begin, words);
        address += static_cast<std::uint32_t>(words.size()) * kWordSize;
        return begin;
    };
    layout_.assign(node_count_, {});
    for (const Kind kind : kKinds) {
        for (std::int32_t to = 0; to < node_count_; ++to) {
            const std::span<const Edge> edges = edges_of(kind, to);
            Half& half = layout_[to][kind];
            half.values = put(to, start_of(kind, to));
            half.ghosts = put(to, std::vector<float>(edges.size(), 0.0F));
            std::vector<float> weights;
            std::vector<std::uint32_t> ghost_indices(edges.size());
            for (const Edge& edge : edges) {
                weights.push_back(edge.weight);
            }
            // Ghost nodes are in the order of the sending processors, so that a message fills
            // consecutive ghost nodes.
            std::uint32_t next_ghost = 0;
            for (std::int32_t from = 0; from < node_count_; ++from) {
                const std::uint32_t first_ghost = next_ghost;
                std::vector<std::uint32_t> indices;
                for (std::size_t i = 0; i < edges.size(); ++i) {
                    if (edges[i].processor == from) {
                        ghost_indices[i] = next_ghost++;
                        indices.push_back(static_cast<std::uint32_t>(edges[i].index));
                    }
                }
                half.received += from == to ? 0 : next_ghost - first_ghost;
                const std::uint32_t address = put(from, indices);
                Half& sender = layout_[from][kind];
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
            for (std::int32_t from = 0; from < node_count_; ++from) {
                auto& blocks = layout_[from][kind].sends;
                std::stable_partition(blocks.begin(), blocks.end(), [from](const Block& block) {
                    return block.destination > from;
                });
            }
        }
        if (parameters_.order.value() == Order::kRandom) {
            for (std::int32_t from = 0; from < node_count_; ++from) {
                hw::RandomStream mix(seed, hw::NodeId(from), "em3d order");
                auto& blocks = layout_[from][kind].sends;
                for (std::size_t left = blocks.size(); left > 1; --left) {
                    std::swap(blocks[left - 1], blocks[mix.below(left)]);
                }
            }
        }
    }
}

std::vector<float> Em3d::values_of(Kind kind, std::int32_t processor,
                                   nodes::MemoryAccess& memory) const {
    std::vector<float> values(values_each());
    memory.read<float>(hw::NodeId(processor), layout_[processor][kind].values, values);
    return values;
}

}  // namespace weir::firmware
