#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "experiments/setup/expressions/expression_of_parameters.h"
#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::running {

/// Goal of `weir search` among the points that the axes span:
///
///     [search]
///     minimise = "cycles_per_iteration"                # or maximise; as weir sweep show --metric
///     constraints = ["channel_bits_per_cycle * copies <= 64", "cost <= 200"]
///     budget = 200                                     # largest number of runs
///     seed = 1                                         # chooses the points to try if the budget
///                                                      # does not allow all
///
/// In constraints `cost` is the sum of [cost], and `cost.network` a part of it.
struct SearchGoal {
    std::string metric;
    setup::Place metric_place;
    bool is_maximised = false;
    std::vector<setup::Expression> constraints;  ///< conditions, all of which a point has to meet
    std::size_t budget = 0;
    setup::Place budget_place;
    std::uint64_t seed = 1;
};

/// Reads [search]. Throws setup::UserFault for a metric that is never measured, a constraint that
/// is not a comparison, and a missing budget.
[[nodiscard]] SearchGoal read_search(const setup::TomlEntry& search);

}  // namespace weir::experiments::running
