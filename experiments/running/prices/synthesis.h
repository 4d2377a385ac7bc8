#pragma once

#include <cstdint>
#include <filesystem>

#include "hw/twin.h"

namespace weir::experiments::running {

/// Gates of a synthesized module.
struct SynthesizedPart {
    /// Area of all cells, flip-flops included, in areas of a NAND gate with two inputs.
    double nand2_equivalents = 0.0;
    std::int64_t gates = 0;  ///< combinational
    std::int64_t flip_flops = 0;
    std::int64_t longest_path_levels = 0;  ///< gates on the longest path between flip-flops
};

/// Synthesizes a part's twin with yosys. A result is kept in the cache folder "prices" under a hash
/// of everything that it depends on, and read from there at later calls.
///
/// Without a `liberty` file, cells are yosys's generic gates, weighted by the areas of the NanGate
/// 45 nm Open Cell Library. With such a file, cells are those of the file. The longest path always
/// consists of generic gates. Throws RunFailure if yosys is missing or fails, setup::UserFault for
/// a liberty file that can't be read.
[[nodiscard]] SynthesizedPart synthesize(const hw::Twin& twin,
                                         const std::filesystem::path& liberty);

}  // namespace weir::experiments::running
