#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "experiments/setup/expressions/expression_of_parameters.h"
#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::running {

/// What `weir search` looks for among the points that the axes span:
///
///     [search]
///     minimise = "cycles_per_iteration"                # or maximise; as weir sweep show --metric
///     constraints = ["channel_bits_per_cycle * copies <= 64", "cost <= 200"]
///     budget = 200                                     # runs at most
///     seed = 1                                         # which points, where the budget has no
///                                                      # room for all
///
/// In constraints `cost` is the sum of [cost], and `cost.network` a part of it.
struct SearchGoal {
    std::string metric;
    setup::Place metric_place;
    bool is_maximised = false;
    std::vector<setup::Expression> constraints;  ///< all of which a point has to meet
    std::size_t budget = 0;
    setup::Place budget_place;
    std::uint64_t seed = 1;
};

/// Reads [search]. Throws setup::UserFault: for a metric that nothing measures, a constraint that
/// is no comparison, and a search without an end.
[[nodiscard]] SearchGoal read_search(const setup::TomlEntry& search);

}  // namespace weir::experiments::running
