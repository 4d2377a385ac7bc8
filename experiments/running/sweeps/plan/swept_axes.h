#pragma once

#include <string>
#include <vector>

#include "experiments/records/sweep_result.h"
#include "experiments/running/sweeps/plan/figure_choice.h"
#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::running {

/// A parameter that an axis sets.
struct SweptKey {
    std::string table;
    std::string key;
    setup::Place place;
    /// What it goes through; a range's numbers stand where the range does.
    std::vector<setup::TomlEntry> values;
    bool is_range = false;  ///< its numbers are rounded where the parameter takes whole ones

    /// "network.hop_cycles"
    [[nodiscard]] std::string full_name() const { return table + "." + key; }
};

/// Parameters that go through their values together, each as many.
struct SweptAxis {
    setup::Place place;
    std::string name;            ///< what pages call it; empty where the file gives none
    std::vector<SweptKey> keys;  ///< at least one

    [[nodiscard]] std::size_t size() const { return keys.front().values.size(); }
    /// Its values are runs of one point.
    [[nodiscard]] bool is_of_seeds() const;
};

using records::design_name;
using records::SweepDesign;

/// A condition that a point has to meet.
struct FilterText {
    std::string text;
    setup::Place place;
};

/// What [sweep] of an experiment file says:
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
/// With design = "one-at-a-time" the axes are not crossed (but for that of the seeds, which is one
/// of runs); name = "interrupt cost" in an axis is what pages call it.
struct SweptAxes {
    SweepDesign design = SweepDesign::kCrossed;
    std::vector<SweptAxis> axes;  ///< the last one varies fastest
    std::vector<FilterText> filters;
    std::vector<FigureChoice> figures;  ///< what [[sweep.figure]] asks for
};

/// Reads [sweep]. Whether there are such parameters and what they take is not known here. Throws
/// setup::UserFault: for what is none of the above, an axis without values or with a value twice,
/// zipped lists of different lengths, and a key that is set twice.
[[nodiscard]] SweptAxes read_axes(const setup::TomlEntry& sweep);

}  // namespace weir::experiments::running
