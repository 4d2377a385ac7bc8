#include "experiments/kinds/kernel/machine_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>
#include <systemc>

#include "experiments/kinds/setup.h"
#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::kinds {

namespace {

std::string without_number(const std::string& name) {
    return name.substr(0, name.find_last_not_of("0123456789") + 1);
}

// Whether two parts differ only in their numbers.
bool are_alike(const TreePart& a, const TreePart& b) {
    return a.count == b.count && without_number(a.name) == without_number(b.name) &&
           std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), are_alike);
}

std::vector<TreePart> parts_of(const std::vector<sc_core::sc_object*>& objects) {
    std::vector<TreePart> parts;
    for (const sc_core::sc_object* object : objects) {
        if (dynamic_cast<const sc_core::sc_module*>(object) == nullptr) {
            continue;
        }
        TreePart part{object->basename(), object->basename(), 1,
                      parts_of(object->get_child_objects())};
        const bool has_number = without_number(part.name) != part.name;
        const auto before = std::find_if(parts.begin(), parts.end(), [&](const TreePart& other) {
            return has_number && without_number(other.name) == without_number(part.name) &&
                   std::equal(other.parts.begin(), other.parts.end(), part.parts.begin(),
                              part.parts.end(), are_alike);
        });
        if (before == parts.end()) {
            parts.push_back(std::move(part));
        } else {
            before->last = part.name;
            ++before->count;
        }
    }
    return parts;
}

struct PartParameters {
    std::string_view part;
    std::string_view table;
    std::initializer_list<std::string_view> names;
};

const std::array<PartParameters, 15>& shown_parameters() {
    static const std::array<PartParameters, 15> shown{{
        {"clock", "clock", {"processor_mhz"}},
        {"network",
         "network",
         {"model", "topology", "dimensions", "flit_bytes", "hop_cycles", "buffer_flits"}},
        {"router", "network", {"virtual_channels"}},
        {"interface", "network", {"injection_cycles", "ejection_cycles"}},
        {"barrier", "network", {"barrier_cycles"}},
        {"controller", "controller", {"output_queue_bytes", "input_queue_bytes", "notify_cycles"}},
        {"core", "core", {"kind", "receive_mode"}},
        {"memory", "memory", {"bytes"}},
        {"memory_port", "memory_port", {"beat_bytes", "beat_cycles"}},
        {"caches", "memory", {"caches"}},
        {"l1", "l1", {"bytes", "line_bytes", "ways", "miss_cycles"}},
        {"l2", "l2", {"bytes", "line_bytes", "ways", "miss_cycles"}},
        {"coherence", "coherence", {"protocol", "pointers", "home"}},
        {"send_dma", "dma", {"burst_bytes"}},
        {"receive_dma", "dma", {"burst_bytes"}},
    }};
    return shown;
}

}  // namespace

std::vector<TreePart> elaborated_parts() { return parts_of(sc_core::sc_get_top_level_objects()); }

std::string main_parameters(Setup& setup, const TreePart& part) {
    std::string stem = without_number(part.name);
    if (stem.ends_with('_')) {
        stem.pop_back();
    }
    std::string text;
    for (const PartParameters& shown : shown_parameters()) {
        if (shown.part != stem && shown.part != part.name) {
            continue;
        }
        for (const hw::ParameterGroup* group : setup.groups()) {
            if (group->table() != shown.table) {
                continue;
            }
            for (const std::string_view name : shown.names) {
                if (const hw::ParameterBase* parameter = group->find(name)) {
                    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name,
                                        setup::toml_text(parameter->value_as_variant()));
                }
            }
        }
    }
    return text;
}

nlohmann::ordered_json to_json(const std::vector<TreePart>& parts) {
    nlohmann::ordered_json document = nlohmann::ordered_json::array();
    for (const TreePart& part : parts) {
        document.push_back({{"name", part.name},
                            {"last", part.last},
                            {"count", part.count},
                            {"parts", to_json(part.parts)}});
    }
    return document;
}

std::vector<TreePart> tree_parts_from(const nlohmann::ordered_json& document) {
    std::vector<TreePart> parts;
    for (const auto& entry : document) {
        parts.push_back({entry.at("name"), entry.at("last"), entry.at("count"),
                         tree_parts_from(entry.at("parts"))});
    }
    return parts;
}

}  // namespace weir::experiments::kinds
