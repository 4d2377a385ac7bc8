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
///     x = "input_queue_bytes"                 # an axis
///     series = ["entry_cycles"]               # axes that distinguish curves or bars
///     where = "input_queue_bytes >= 128"      # filter of points
///     x_scale = "logarithmic"                 # or "linear"; also y_scale
///     against = { topology = "mesh" }         # changes in %, against the points with that value
///     title = "..."
///     caption = "..."
///
/// Lines need a numeric axis; bars take any axis. The parts of stacked bars are the metrics. Only
/// `kind` is required. The default metric is the kernel's main metric; default x and series
/// follow from the axes. With `against`, lines and bars show changes of each point against the
/// point that has the given value and is otherwise equal.
struct FigureChoice {
    enum class Kind : std::uint8_t { kLines, kBars, kStacked, kTornado };

    Kind kind = Kind::kLines;
    std::vector<std::string> metrics;
    std::string x;                    ///< column of the database, "label", or empty
    std::vector<std::string> series;  ///< columns of the database
    std::string where;
    std::string against_column;  ///< empty: values, not changes
    std::string against_value;   ///< in the format of value_text()
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
