#include "firmware/kernels/em3d/em3d_computation.h"

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
    return std::span(start_[kind]).subspan(processor * each, each);
}

std::span<const Em3dComputation::Edge> Em3dComputation::edges_of(Kind kind,
                                                                 std::int32_t processor) const {
    return std::span(edges_[kind]).subspan(processor * edges_each(), edges_each());
}

void Em3dComputation::make_graph(std::uint64_t seed) {
    const std::int64_t degree = common().degree.value();
    const std::int64_t span = common().span.value();
    for (const Kind kind : kKinds) {
        edges_[kind].clear();
        start_[kind].clear();
        hw::RandomStream stream(seed, hw::NodeId(kind), "em3d graph");
        for (std::int32_t processor = 0; processor < processors_; ++processor) {
            for (std::int64_t i = 0; i < values_each_; ++i) {
                start_[kind].push_back(static_cast<float>(stream.unit()));
                for (std::int64_t j = 0; j < degree; ++j) {
                    const bool stays = static_cast<std::int64_t>(stream.below(100)) <
                                       common().local_percent.value();
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

void Em3dComputation::compute_reference() {
    reference_ = start_;
    const std::size_t degree = common().degree.value();
    for (std::int64_t i = 0; i < common().iterations.value(); ++i) {
        for (const Kind kind : kKinds) {
            for (std::size_t value = 0; value < reference_[kind].size(); ++value) {
                for (std::size_t j = value * degree; j < (value + 1) * degree; ++j) {
                    const Edge& edge = edges_[kind][j];
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
    processors_ = machine.node_count();
    const std::int64_t graph_nodes = common().graph_nodes.value();
    if (graph_nodes % 2 != 0 || graph_nodes / 2 % processors_ != 0) {
        throw InputFault("workload.graph_nodes",
                         std::to_string(graph_nodes) + " don't divide among " +
                             std::to_string(processors_) +
                             " processors, half of each one's E and half H",
                         "a multiple of " + std::to_string(2 * processors_));
    }
    if (2 * common().span.value() >= processors_) {
        throw InputFault("workload.span",
                         "found " + std::to_string(common().span.value()) + " on " +
                             std::to_string(processors_) + " processors",
                         "less than half of them");
    }
    values_each_ = graph_nodes / 2 / processors_;
    make_graph(seed);
    place(machine, seed, memory);
    compute_reference();
}

std::optional<std::string> Em3dComputation::check(nodes::MemoryAccess& memory) {
    for (std::int32_t processor = 0; processor < processors_; ++processor) {
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

double Em3dComputation::progress() const {
    return static_cast<double>(done_) /
           (static_cast<double>(common().iterations.value()) * processors_);
}

}  // namespace weir::firmware
