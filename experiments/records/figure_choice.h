#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::records {

/// Figure that a study requests from `weir report`:
///
///     [[sweep.figure]]
///     kind = "lines"                          # or "bars", "stacked", "tornado"
///     metric = "cycles_per_iteration"         # or a list; "lopc.cycles_per_iteration"
///     x = "input_queue_bytes"                 # an axis of the sweep
///     series = ["entry_cycles"]               # axes that distinguish curves or bars
///     where = "input_queue_bytes >= 128"      # condition for a point to be drawn
///     x_scale = "logarithmic"                 # or "linear"; also y_scale
///     against = { topology = "mesh" }         # changes in %, against the points with that value
///     title = "..."
///     caption = "..."
///
/// Lines need a numeric axis; bars take any axis. In stacked bars, each metric is one part. Only
/// the key `kind` is required. The default metric is the kernel's main metric; default x and series
/// follow from the axes. With `against`, lines and bars show changes of each point against the
/// point that has the given value and is otherwise equal.
struct FigureChoice {
    enum class Kind : std::uint8_t { kLines, kBars, kStacked, kTornado };

    Kind kind = Kind::kLines;
    std::vector<std::string> metrics;
    /// X axis: column of the database, "label", or empty for the default.
    std::string x;
    std::vector<std::string> series;  ///< columns of the database that distinguish curves or bars
    std::string where;
    /// Column of the reference value; empty: values are drawn, not changes.
    std::string against_column;
    std::string against_value;  ///< reference value in that column, in the format of value_text()
    std::optional<bool> x_is_logarithmic;
    bool y_is_logarithmic = false;
    std::string title;
    std::string caption;
    /// Selected points, as indices into SweepResult::points. Known after a sweep has been read.
    std::vector<std::size_t> points;
    setup::Place place;  ///< position of the table in the file; not kept in a database
    setup::Place where_place;
};

}  // namespace weir::experiments::records
