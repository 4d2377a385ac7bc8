#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace weir::experiments::kinds {

struct Setup;

/// A part of an elaborated machine, or several equal parts side by side: "node_0" to "node_31".
struct TreePart {
    std::string name;  ///< name of the part, or of the first of several
    std::string last;  ///< name of the last of several parts; equal to `name` for a single part
    std::size_t count = 1;
    std::vector<TreePart> parts;
};

/// Tree of the SystemC modules made in this process. Modules with numbered names and the same parts
/// are merged into one.
[[nodiscard]] std::vector<TreePart> elaborated_parts();

/// Main parameters of a part in the syntax of --set: "queue_bytes=256, notify_cycles=10". Parts are
/// found by their names without numbers; empty for a part without parameters of its own.
[[nodiscard]] std::string main_parameters(Setup& setup, const TreePart& part);

[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<TreePart>& parts);
[[nodiscard]] std::vector<TreePart> tree_parts_from(const nlohmann::ordered_json& document);

}  // namespace weir::experiments::kinds
