#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::experiments::records {

/// Price in gates of one kind of part, computed from its twin in SystemVerilog.
struct PartPrice {
    std::string kind;  ///< "router"
    std::string name;  ///< name on pages: "wormhole router, 5 ports"
    std::int64_t count = 0;
    std::string sizes;               ///< the twin's parameters: "BUFFER_FLITS = 4, ..."
    std::string no_twin;             ///< reason why the part has no twin, and so no price
    double nand2_equivalents = 0.0;  ///< area, flip-flops included
    std::int64_t gates = 0;          ///< combinational
    std::int64_t flip_flops = 0;
    std::int64_t longest_path_levels = 0;  ///< gates on the longest path between flip-flops

    [[nodiscard]] bool has_twin() const { return no_twin.empty(); }
    bool operator==(const PartPrice&) const = default;
};

/// Price of a machine, and of its parts.
struct MachinePrice {
    std::string title;
    std::int64_t nodes = 0;
    std::string library;  ///< liberty file with the cells; empty: generic gates
    std::vector<PartPrice> parts;
};

}  // namespace weir::experiments::records
