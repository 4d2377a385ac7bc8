#pragma once

#include <cstdint>
#include <optional>

#include "experiments/models/logp/algorithms/bulk_synchronous.h"
#include "experiments/models/logp/logp_machine.h"

/// LU decomposition of an n x n matrix by Gaussian elimination under LogP. Gives the costs of each
/// of the n - 1 steps and of all steps in three layouts. The model also gives the number of
/// processors that a step keeps busy.
///
/// Source: Culler et al. (1993), section 4.2. Step k = 1, ..., n - 1 updates the (n - k) x (n - k)
/// submatrix at the lower right, two operations for each element. In the bad layout each processor
/// needs the whole pivot row and the whole multiplier column, 2(n - k) values. A column layout
/// needs the n - k multipliers, a grid 2(n - k)/sqrt(P) values. The values come evenly from all
/// processors by an efficient all-to-all broadcast (footnote 6). Like the paper, this model leaves
/// out pivoting and scaling.
///
/// A grid gives each processor n/sqrt(P) rows and columns: adjacent ones (blocked) or every
/// sqrt(P)-th one (scattered). The grid layout exists where P is a square whose root divides n.
///
/// The paper assumes no overhead here (o = 0) or g >= 2o; where 2o is longer, it replaces g.
/// Totals are sums over k in closed form. Times are cycles. Bad parameters are a ModelError.
namespace weir::experiments::models {

inline constexpr std::int64_t kLuMostRows = 100'000;

struct LuInputs {
    LogpMachine machine;
    std::int64_t rows = 0;                           ///< n: rows of the matrix, 2 to 100000
    BspBarrier bsp_barrier = BspBarrier::kMessages;  ///< used for BSP's costs only
};

/// Time of one processor in one step, or in all steps.
struct LuCost {
    double communication_cycles;
    double computation_cycles;  ///< time of updates, spread evenly over the processors
    [[nodiscard]] double total_cycles() const { return communication_cycles + computation_cycles; }
};

/// Load of a grid of processors at one step.
struct LuLoad {
    std::int64_t active_processors;  ///< processors that still have elements to update
    double busiest_cycles;           ///< updates of the processor with the most elements
};

struct LuLayouts {
    LuCost bad;
    LuCost column;
    /// Costs in the grid layout; absent unless P has a whole root that divides n.
    std::optional<LuCost> grid;
};

struct LuTotals {
    LuLayouts layouts;
    /// Update time of each step's busiest processor, summed; adjacent rows.
    std::optional<double> blocked_grid_computation_cycles;
    /// Update time of each step's busiest processor, summed; scattered rows.
    std::optional<double> scattered_grid_computation_cycles;
    std::int64_t pram_steps;
    double bsp_bad_cycles;     ///< n supersteps of max(w, g_b h, l), with h = 2(n - k)
    double bsp_column_cycles;  ///< n supersteps, with h = n - k
    std::optional<double> bsp_grid_cycles;
};

LuTotals solve_logp_lu(const LuInputs& inputs);

/// Costs of step k, 1 to n - 1.
LuLayouts logp_lu_step(const LuInputs& inputs, std::int64_t step);
/// Loads of a grid's processors at step k. Throws ModelError if P and n allow no grid.
LuLoad lu_blocked_grid_load(const LuInputs& inputs, std::int64_t step);
LuLoad lu_scattered_grid_load(const LuInputs& inputs, std::int64_t step);

}  // namespace weir::experiments::models
