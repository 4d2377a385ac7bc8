#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::records {

/// A figure that a study asks `weir report` for:
///
///     [[sweep.figure]]
///     kind = "lines"                          # or "bars", "stacked", "tornado"
///     metric = "cycles_per_iteration"         # or a list; "lopc.cycles_per_iteration"
///     x = "input_queue_bytes"                 # an axis
///     series = ["entry_cycles"]               # axes that tell curves or bars apart
///     where = "input_queue_bytes >= 128"      # which points, in the words of a filter
///     x_scale = "logarithmic"                 # or "linear"; y_scale likewise
///     against = { topology = "mesh" }         # changes in %, against the points with that value
///     title = "..."
///     caption = "..."
///
/// Lines go over a number, bars stand over any axis; stacked bars have the metrics as parts. All
/// but the kind can be left out: the metric is then what the kernel is about, x and series what the
/// axes suggest. Lines and bars show changes where `against` says what from: of each point against
/// the one that has that value of the axis, and all else alike.
struct FigureChoice {
    enum class Kind : std::uint8_t { kLines, kBars, kStacked, kTornado };

    Kind kind = Kind::kLines;
    std::vector<std::string> metrics;
    std::string x;                    ///< a column of the database, "label", or empty
    std::vector<std::string> series;  ///< the same
    std::string where;
    std::string against_column;  ///< empty: values themselves, and no changes
    std::string against_value;   ///< as value_text() has it
    std::optional<bool> x_is_logarithmic;
    bool y_is_logarithmic = false;
    std::string title;
    std::string caption;
    /// Which points `where` lets through, by their index in SweepResult::points; of a read sweep.
    std::vector<std::size_t> points;
    setup::Place place;  ///< of the table; not kept in a database
    setup::Place where_place;
};

}  // namespace weir::experiments::records
