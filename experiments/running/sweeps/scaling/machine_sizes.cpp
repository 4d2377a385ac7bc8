#include "experiments/running/sweeps/scaling/machine_sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <variant>

#include "experiments/kinds/machine_size.h"
#include "experiments/setup/user_fault.h"
#include "network/topology/topology_size.h"

namespace weir::experiments::running {

namespace {

using setup::UserFault;

[[noreturn]] void refuse_shape(const std::string& option, const std::string& text) {
    throw UserFault({option + " " + text}, "this is no size of a machine",
                    fmt::format("a number of nodes from 2 to {}, or extents such as 32x32",
                                network::kMostTopologyNodes));
}

std::int64_t whole(const std::string& option, const std::string& text, std::string_view part) {
    std::int64_t number = 0;
    const char* const end = part.data() + part.size();
    const auto [rest, fault] = std::from_chars(part.data(), end, number);
    if (fault != std::errc() || rest != end || number < 1 || number > network::kMostTopologyNodes) {
        refuse_shape(option, text);
    }
    return number;
}

std::int64_t longest_side(const MachineShape& machine) {
    return *std::max_element(machine.extents.begin(), machine.extents.end());
}

std::int64_t nearest_multiple(double value, std::int64_t unit) {
    const auto multiple = static_cast<double>(std::max<std::int64_t>(unit, 1));
    return static_cast<std::int64_t>(multiple * std::max(1.0, std::round(value / multiple)));
}

}  // namespace

MachineShape parse_shape(const std::string& option, const std::string& text) {
    MachineShape shape{1, {}};
    std::string_view rest = text;
    for (bool is_last = false; !is_last;) {
        const std::size_t cross = rest.find('x');
        is_last = cross == std::string_view::npos;
        shape.extents.push_back(whole(option, text, rest.substr(0, cross)));
        shape.nodes *= shape.extents.back();
        rest = is_last ? "" : rest.substr(cross + 1);
        if (shape.nodes > network::kMostTopologyNodes) {
            refuse_shape(option, text);
        }
    }
    if (shape.nodes < 2) {
        refuse_shape(option, text);
    }
    if (shape.extents.size() == 1) {
        shape.extents = kinds::nearest_to_square(shape.nodes);
    }
    return shape;
}

std::vector<MachineShape> usual_small_machines(const MachineShape& larger) {
    constexpr std::array<std::int64_t, 12> kSides{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32};
    const std::int64_t least = std::max<std::int64_t>(4, (larger.nodes + 127) / 128);
    const std::int64_t most = std::min<std::int64_t>(64, larger.nodes / 4);
    const std::int64_t width = larger.extents.front();
    const std::int64_t height = larger.extents.size() > 1 ? larger.extents[1] : 1;
    std::vector<MachineShape> machines;
    for (const std::int64_t x : kSides) {
        for (const std::int64_t y : kSides) {
            const std::int64_t nodes = x * y;
            const bool is_part = x <= width && y <= height && nodes >= least && nodes <= most;
            const bool is_turned_line = x == 1 && y <= width;  // the same network as y x 1
            if (is_part && !is_turned_line) {
                machines.push_back({nodes, {x, y}});
            }
        }
    }
    std::stable_sort(machines.begin(), machines.end(), [](const auto& a, const auto& b) {
        return std::pair(a.nodes, -longest_side(a)) < std::pair(b.nodes, -longest_side(b));
    });
    return machines;
}

StudySizes::StudySizes(const setup::ExperimentFile& file, setup::SelectedRun run,
                       ConstantSize constant)
    : constant_(constant) {
    const std::unique_ptr<kinds::Setup> setup = kinds::make_setup(file, run);
    nodes_ = setup->machine.node_count();
    for (const firmware::SizeParameter& parameter : setup->kind->size_parameters()) {
        for (const hw::ParameterGroup* group : setup->groups()) {
            if (group->table() == "workload") {
                sizes_.push_back({parameter, std::get<std::int64_t>(
                                                 group->find(parameter.name)->value_as_variant())});
            }
        }
    }
    if (sizes_.empty() && constant == ConstantSize::kTotal) {
        throw UserFault(
            {"--total-size"},
            fmt::format("{} has no parameter that sets its total size", setup->kernel_name),
            "--per-node-size, with which its workload stays as it is written");
    }
    if (!sizes_.empty() && constant == ConstantSize::kAsWritten) {
        throw UserFault({file.place_of("workload.kernel", run)},
                        fmt::format("{} has the size workload.{}, and no option says how it grows",
                                    setup->kernel_name, sizes_.front().parameter.name),
                        "--per-node-size (each node's part stays constant), or --total-size");
    }
}

std::int64_t StudySizes::value_on(const Size& size, std::int64_t nodes) const {
    const auto value = static_cast<double>(size.value);
    const double growth = static_cast<double>(nodes) / static_cast<double>(nodes_);
    const double power = 1.0 / size.parameter.power;
    if (size.parameter.is_of_node) {
        return constant_ == ConstantSize::kTotal
                   ? nearest_multiple(value / std::pow(growth, power), 1)
                   : size.value;
    }
    return constant_ == ConstantSize::kTotal
               ? size.value
               : nearest_multiple(value * std::pow(growth, power),
                                  size.parameter.multiple_of_nodes * nodes);
}

std::vector<SizeValue> StudySizes::on(std::int64_t nodes) const {
    std::vector<SizeValue> values;
    for (const Size& size : sizes_) {
        values.emplace_back("workload." + size.parameter.name, value_on(size, nodes));
    }
    constexpr double kMostChange = 1.25;
    const double change =
        constant_ == ConstantSize::kOfNode && !values.empty() ? size_of_node(nodes, values) : 1.0;
    if (change > kMostChange || change < 1.0 / kMostChange) {
        const Size& size = sizes_.front();
        throw UserFault(
            {"--per-node-size"},
            fmt::format("on {} nodes the nearest workload.{} is {}, {:.2f} times the size of a "
                        "node's part",
                        nodes, size.parameter.name, values.front().second, change),
            fmt::format("a larger workload.{}, or --total-size", size.parameter.name));
    }
    return values;
}

double StudySizes::size_of_node(std::int64_t nodes, const std::vector<SizeValue>& sizes) const {
    if (sizes.empty()) {
        return 1.0;
    }
    const Size& first = sizes_.front();
    const double growth =
        std::pow(static_cast<double>(sizes.front().second) / static_cast<double>(first.value),
                 first.parameter.power);
    return first.parameter.is_of_node
               ? growth
               : growth * static_cast<double>(nodes_) / static_cast<double>(nodes);
}

std::string StudySizes::constant_text() const {
    if (sizes_.empty()) {
        return "the workload as written";
    }
    std::vector<std::string> names;
    for (const Size& size : sizes_) {
        names.push_back(
            fmt::format("workload.{} = {} on {} nodes", size.parameter.name, size.value, nodes_));
    }
    return fmt::format("{} ({})",
                       constant_ == ConstantSize::kTotal ? "the size of the whole problem"
                                                         : "the size of each node's part",
                       fmt::join(names, ", "));
}

}  // namespace weir::experiments::running
