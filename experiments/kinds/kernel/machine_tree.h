#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/kinds/setup.h"

namespace weir::experiments::kinds {

/// A part of an elaborated machine, or several alike beside each other: "node_0" to "node_31".
struct TreePart {
    std::string name;  ///< of the first
    std::string last;  ///< the last one's name; the same where there is one
    std::size_t count = 1;
    std::vector<TreePart> parts;
};

/// The SystemC modules that have been made in this process, those with numbered names and the same
/// parts in them as one.
[[nodiscard]] std::vector<TreePart> elaborated_parts();

/// "queue_bytes=256, notify_cycles=10", as after --set: the parameters a reader first asks of a
/// part, by its name without its number; empty for a part that has none of its own.
[[nodiscard]] std::string main_parameters(Setup& setup, const TreePart& part);

[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<TreePart>& parts);
[[nodiscard]] std::vector<TreePart> tree_parts_from(const nlohmann::ordered_json& document);

}  // namespace weir::experiments::kinds
