#include "experiments/running/prices/machine_price.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

#include "experiments/kinds/setup.h"
#include "experiments/running/prices/synthesis.h"
#include "experiments/setup/files/experiment_file.h"
#include "experiments/setup/files/study.h"
#include "experiments/setup/user_fault.h"
#include "nodes/twin_parts.h"

namespace weir::experiments::running {

namespace {

std::string sizes_of(const hw::Twin& twin) {
    std::string text;
    for (const auto& [name, value] : twin.parameters) {
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
    }
    return text;
}

std::string reason_of(const hw::Fault& fault) {
    return fault.key.empty()
               ? fault.found
               : fmt::format("{}: {}; covered: {}", fault.key, fault.found, fault.accepted);
}

records::PartPrice price_of_part(const nodes::TwinPart& part,
                                 const std::filesystem::path& liberty) {
    records::PartPrice price{.kind = part.kind, .name = part.name, .count = part.count};
    if (const auto* const fault = std::get_if<hw::Fault>(&part.twin)) {
        price.no_twin = reason_of(*fault);
        return price;
    }
    const auto& twin = std::get<hw::Twin>(part.twin);
    const SynthesizedPart synthesized = synthesize(twin, liberty);
    price.sizes = sizes_of(twin);
    price.nand2_equivalents = synthesized.nand2_equivalents;
    price.gates = synthesized.gates;
    price.flip_flops = synthesized.flip_flops;
    price.longest_path_levels = synthesized.longest_path_levels;
    return price;
}

// Traffic without a machine has no parts but routers.
std::vector<nodes::TwinPart> parts_of(kinds::Setup& setup) {
    if (setup.kind != nullptr) {
        const std::vector<hw::ParameterGroup*> groups = setup.groups();
        if (std::find(groups.begin(), groups.end(), &setup.machine.controller) == groups.end()) {
            return {nodes::router_parts(setup.machine.network)};
        }
    }
    return nodes::twin_parts(setup.machine);
}

}  // namespace

std::vector<records::MachinePrice> prices_of(const std::filesystem::path& path,
                                             const std::filesystem::path& presets,
                                             std::span<const std::string> settings,
                                             const std::filesystem::path& liberty) {
    if (setup::read_study(path)) {
        throw setup::UserFault({path.string()}, "a study, whose parts have machines of their own",
                               "one of its parts");
    }
    const auto file = setup::ExperimentFile::read(path, presets, settings);
    std::vector<records::MachinePrice> prices;
    for (std::size_t point = 0; point < file.points().size(); ++point) {
        const setup::SelectedRun run(point);
        const auto setup =
            file.names_kernel(run) ? kinds::make_setup(file, run) : kinds::make_machine(file, run);
        records::MachinePrice price;
        for (const nodes::TwinPart& part : parts_of(*setup)) {
            price.parts.push_back(price_of_part(part, liberty));
        }
        price.nodes = setup->machine.node_count();
        price.library = liberty.string();
        price.title = file.title().empty() ? path.stem().string() : file.title();
        if (file.points().size() > 1) {
            price.title += ": " + file.points()[point].label;
        }
        const auto is_equal = [&price](const records::MachinePrice& other) {
            return other.parts == price.parts;
        };
        if (std::none_of(prices.begin(), prices.end(), is_equal)) {
            prices.push_back(std::move(price));
        }
    }
    return prices;
}

void add_prices(std::span<const std::string> names, kinds::Setup& setup, const setup::Place& place,
                GatePrices computed,
                std::vector<std::pair<std::string, hw::ParameterValue>>& prices) {
    const std::vector<nodes::TwinPart> parts = parts_of(setup);
    for (const std::string& name : names) {
        const auto is_added = [&name](const auto& price) { return price.first == name; };
        if (!name.starts_with(kPricePrefix) ||
            std::any_of(prices.begin(), prices.end(), is_added)) {
            continue;
        }
        double sum = 0.0;
        bool is_known = false;
        std::vector<std::string> known;
        for (const nodes::TwinPart& part : parts) {
            const std::string price = kPricePrefix + part.kind;
            if (std::holds_alternative<hw::Twin>(part.twin) &&
                std::find(known.begin(), known.end(), price) == known.end()) {
                known.push_back(price);
            }
            if (price != name) {
                continue;
            }
            if (const auto* const fault = std::get_if<hw::Fault>(&part.twin)) {
                throw setup::UserFault(place,
                                       fmt::format("{} has no price: {}", name, reason_of(*fault)),
                                       "prices of parts for which `weir price` shows gates");
            }
            is_known = true;
            if (computed == GatePrices::kSynthesized) {
                sum += static_cast<double>(part.count) *
                       synthesize(std::get<hw::Twin>(part.twin), {}).nand2_equivalents;
            }
        }
        if (!is_known) {
            throw setup::unknown_name(place, "price of this machine", name, known);
        }
        prices.emplace_back(name, sum);
    }
}

}  // namespace weir::experiments::running
