#pragma once

#include <string>
#include <vector>

#include "experiments/records/sweep_result.h"
#include "experiments/running/sweeps/plan/figure_choice.h"
#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::running {

/// Parameter that an axis sets.
struct SweptKey {
    std::string table;
    std::string key;
    setup::Place place;
    /// Values of the parameter. The numbers of a range have the position of the range.
    std::vector<setup::TomlEntry> values;
    bool is_range = false;  ///< a range, whose numbers are rounded for a whole-number parameter

    /// Key of the parameter, for example "network.hop_cycles".
    [[nodiscard]] std::string full_name() const { return table + "." + key; }
};

/// Axis: parameters that change together, with the same number of values.
struct SweptAxis {
    setup::Place place;
    std::string name;            ///< name on pages; empty if the file gives none
    std::vector<SweptKey> keys;  ///< keys that the axis sets, at least one

    [[nodiscard]] std::size_t size() const { return keys.front().values.size(); }
    /// True if the values are seeds, which are runs of one point.
    [[nodiscard]] bool is_of_seeds() const;
};

using records::design_name;
using records::SweepDesign;

/// Condition that points have to meet.
struct FilterText {
    std::string text;
    setup::Place place;
};

/// Contents of [sweep] in an experiment file:
///
///     [sweep]
///     filter = "input_queue_bytes >= 128 or entry_cycles = 60"
///
///     [[sweep.axis]]                                   # a list
///     controller.input_queue_bytes = [64, 128, 256]
///
///     [[sweep.axis]]                                   # a range, both ends included
///     firmware.entry_cycles = { from = 30, to = 120, step = 30 }
///     # or { from = 1, to = 1000, factor = 10 }, { from = 0, to = 1, count = 5 },
///     #    { from = 1, to = 1000, count = 7, scale = "logarithmic" }
///
///     [[sweep.axis]]                                   # zipped: the first of both, the second ...
///     machine.nodes = [8, 16, 32]
///     network.dimensions = [[4, 2], [4, 4], [8, 4]]
///
///     [[sweep.axis]]                                   # several seeds of a point
///     run.seeds = { from = 1, to = 10, step = 1 }
///
/// With design = "one-at-a-time" axes are not crossed, except that of seeds. The key `name` of an
/// axis, such as name = "interrupt cost", is its name on pages.
struct SweptAxes {
    SweepDesign design = SweepDesign::kCrossed;
    std::vector<SweptAxis> axes;  ///< the last axis varies fastest
    std::vector<FilterText> filters;
    std::vector<FigureChoice> figures;  ///< entries of [[sweep.figure]]
};

/// Reads [sweep]. Parameters and their values are checked later. Throws setup::UserFault for
/// unknown entries, for an axis without values or with duplicate ones, and for a key of two axes.
/// Also throws it for zipped lists of different lengths.
[[nodiscard]] SweptAxes read_axes(const setup::TomlEntry& sweep);

}  // namespace weir::experiments::running
