#pragma once

#include <cstdint>
#include <optional>

#include "experiments/models/logp/algorithms/bulk_synchronous.h"
#include "experiments/models/logp/logp_machine.h"

/// LU decomposition of an n x n matrix by Gaussian elimination under LogP: what each of the n - 1
/// steps and all of them cost in three layouts, and how many processors a step keeps busy.
///
/// Source: Culler et al. (1993), section 4.2. Step k = 1, ..., n - 1 updates the (n - k) x (n - k)
/// submatrix at the lower right, two operations an element. With a bad layout each processor needs
/// the whole pivot row and the whole multiplier column, 2(n - k) values; with columns only the
/// multipliers, n - k; with a grid 2(n - k)/sqrt(P). The values come evenly from all processors by
/// an efficient all-to-all broadcast (footnote 6). Pivoting and scaling are left out, as there.
///
/// A grid gives each processor n/sqrt(P) rows and columns: adjacent ones (blocked) or every
/// sqrt(P)-th (scattered). It exists where P is a square whose root divides n.
///
/// The paper takes no overhead here (o = 0) or g >= 2o; where 2o is longer it takes g's place.
/// Totals are sums over k in closed form. Times are cycles. Bad parameters are a ModelError.
namespace weir::experiments::models {

inline constexpr std::int64_t kLuMostRows = 100'000;

struct LuInputs {
    LogpMachine machine;
    std::int64_t rows = 0;                           ///< n, 2 to 100000
    BspBarrier bsp_barrier = BspBarrier::kMessages;  ///< for BSP's costs
};

/// What a step, or all of them, costs a processor.
struct LuCost {
    double communication_cycles;
    double computation_cycles;  ///< updates spread evenly
    [[nodiscard]] double total_cycles() const { return communication_cycles + computation_cycles; }
};

/// How the updates lie on a grid at one step.
struct LuLoad {
    std::int64_t active_processors;  ///< that still have elements to update
    double busiest_cycles;           ///< updates of the processor that has most
};

struct LuLayouts {
    LuCost bad;
    LuCost column;
    std::optional<LuCost> grid;  ///< absent where P has no whole root that divides n
};

struct LuTotals {
    LuLayouts layouts;
    std::optional<double> blocked_grid_computation_cycles;  ///< the busiest processor of each step
    std::optional<double>
        scattered_grid_computation_cycles;  ///< the busiest processor of each step
    std::int64_t pram_steps;
    double bsp_bad_cycles;     ///< n supersteps of max(w, g_b h, l): updates, and the next values
    double bsp_column_cycles;  ///< h = n - k
    std::optional<double> bsp_grid_cycles;
};

LuTotals solve_logp_lu(const LuInputs& inputs);

/// Step k, 1 to n - 1.
LuLayouts logp_lu_step(const LuInputs& inputs, std::int64_t step);
/// ModelError where there is no grid.
LuLoad lu_blocked_grid_load(const LuInputs& inputs, std::int64_t step);
LuLoad lu_scattered_grid_load(const LuInputs& inputs, std::int64_t step);

}  // namespace weir::experiments::models
