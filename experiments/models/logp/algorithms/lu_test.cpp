#include "experiments/models/logp/algorithms/lu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "experiments/models/model_error.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

LuInputs lu_inputs(int processors, std::int64_t rows, double latency = 6.0, double gap = 4.0) {
    return {.machine = {.latency_cycles = latency,
                        .overhead_cycles = 0.0,
                        .gap_cycles = gap,
                        .processors = processors},
            .rows = rows};
}

// LogP (1993), section 4.2: 2(n - k)g + L and 2(n - k)^2/P.
TEST(LogpLu, AStepTakesTheTimesOfSection42) {
    const LuLayouts step = logp_lu_step(lu_inputs(16, 64), 24);  // n - k = 40
    EXPECT_EQ(step.bad.communication_cycles, 2.0 * 40.0 * 4.0 + 6.0);
    EXPECT_EQ(step.bad.computation_cycles, 2.0 * 40.0 * 40.0 / 16.0);
    // The column layout has half of the communication, the grid 1/sqrt(P) = 1/4 of it.
    EXPECT_EQ(step.column.communication_cycles, 40.0 * 4.0 + 6.0);
    EXPECT_EQ(step.grid->communication_cycles, 2.0 * 40.0 / 4.0 * 4.0 + 6.0);
    EXPECT_EQ(step.column.computation_cycles, step.bad.computation_cycles);
    EXPECT_EQ(step.grid->total_cycles(), 86.0 + 200.0);
}

/// Distinct elements of pivot row and multiplier column that a processor's updates need at a step.
template <typename OwnerOf>
std::size_t needed_values(int rows, int step, int processor, const OwnerOf& owner_of) {
    std::set<int> multipliers;
    std::set<int> pivots;
    for (int i = step; i < rows; ++i) {
        for (int j = step; j < rows; ++j) {
            if (owner_of(i, j) == processor) {
                multipliers.insert(i);
                pivots.insert(j);
            }
        }
    }
    return multipliers.size() + pivots.size();
}

TEST(LogpLu, LayoutsNeedTheValuesTheirUpdatesUse) {
    constexpr int kRows = 64;
    constexpr int kStep = 24;  // rows and columns 24 to 63 are left, counted from 0
    constexpr int kLeft = kRows - kStep;
    const auto bad = [](int i, int j) { return (7 * i + 3 * j) % 16; };
    const auto columns = [](int, int j) { return j % 16; };
    const auto grid = [](int i, int j) { return (i % 4) * 4 + j % 4; };
    // With g = 1 and L = 0, the communication time is the number of values.
    const LuLayouts step = logp_lu_step(lu_inputs(16, kRows, 0.0, 1.0), kStep);
    EXPECT_EQ(needed_values(kRows, kStep, 5, bad), step.bad.communication_cycles);
    EXPECT_EQ(needed_values(kRows, kStep, 5, grid), step.grid->communication_cycles);
    // In the column layout a processor already has the pivots of its own columns.
    int own = 0;
    for (int j = kStep; j < kRows; ++j) {
        own += j % 16 == 5 ? 1 : 0;
    }
    EXPECT_EQ(needed_values(kRows, kStep, 5, columns) - static_cast<std::size_t>(own), kLeft);
    EXPECT_EQ(step.column.communication_cycles, kLeft);
}

TEST(LogpLu, TotalsAreTheSumsOverTheSteps) {
    for (const int processors : {1, 4, 16, 64}) {
        for (const std::int64_t rows : {8, 64, 200}) {
            const LuInputs inputs = lu_inputs(processors, rows);
            const LuTotals totals = solve_logp_lu(inputs);
            double bad = 0.0;
            double column = 0.0;
            double grid = 0.0;
            double computation = 0.0;
            double blocked = 0.0;
            double scattered = 0.0;
            for (std::int64_t step = 1; step < rows; ++step) {
                const LuLayouts at = logp_lu_step(inputs, step);
                bad += at.bad.communication_cycles;
                column += at.column.communication_cycles;
                grid += at.grid->communication_cycles;
                computation += at.bad.computation_cycles;
                blocked += lu_blocked_grid_load(inputs, step).busiest_cycles;
                scattered += lu_scattered_grid_load(inputs, step).busiest_cycles;
            }
            EXPECT_DOUBLE_EQ(totals.layouts.bad.communication_cycles, bad);
            EXPECT_DOUBLE_EQ(totals.layouts.column.communication_cycles, column);
            EXPECT_DOUBLE_EQ(totals.layouts.grid->communication_cycles, grid);
            EXPECT_DOUBLE_EQ(totals.layouts.bad.computation_cycles, computation);
            EXPECT_DOUBLE_EQ(*totals.blocked_grid_computation_cycles, blocked);
            EXPECT_DOUBLE_EQ(*totals.scattered_grid_computation_cycles, scattered);
        }
    }
}

struct CountedLoad {
    std::int64_t active = 0;
    double busiest = 0.0;
};

/// Counts the load of a step element by element.
template <typename OwnerOf>
CountedLoad count_load(int rows, std::int64_t step, int processors, const OwnerOf& owner_of) {
    std::vector<double> updates(static_cast<std::size_t>(processors), 0.0);
    for (int i = static_cast<int>(step); i < rows; ++i) {
        for (int j = static_cast<int>(step); j < rows; ++j) {
            updates[static_cast<std::size_t>(owner_of(i, j))] += 2.0;
        }
    }
    CountedLoad load;
    for (const double cycles : updates) {
        load.active += cycles > 0.0 ? 1 : 0;
        load.busiest = std::max(load.busiest, cycles);
    }
    return load;
}

TEST(LogpLu, LoadsAreThoseOfTheMatrixCountedElementByElement) {
    constexpr int kRows = 24;
    constexpr int kProcessors = 16;
    const auto blocked = [](int i, int j) { return i / 6 * 4 + j / 6; };
    const auto scattered = [](int i, int j) { return i % 4 * 4 + j % 4; };
    const LuInputs inputs = lu_inputs(kProcessors, kRows);
    for (std::int64_t step = 1; step < kRows; ++step) {
        const CountedLoad in_blocks = count_load(kRows, step, kProcessors, blocked);
        EXPECT_EQ(lu_blocked_grid_load(inputs, step).active_processors, in_blocks.active);
        EXPECT_EQ(lu_blocked_grid_load(inputs, step).busiest_cycles, in_blocks.busiest);
        const CountedLoad spread = count_load(kRows, step, kProcessors, scattered);
        EXPECT_EQ(lu_scattered_grid_load(inputs, step).active_processors, spread.active);
        EXPECT_EQ(lu_scattered_grid_load(inputs, step).busiest_cycles, spread.busiest);
    }
}

// Section 4.2: after n/sqrt(P) steps, 2 sqrt(P) processors are idle: a row and a column of the
// grid, 2 sqrt(P) - 1 to be exact. A single processor is active for the last n/sqrt(P) steps.
TEST(LogpLu, BlockedGridLosesItsProcessors) {
    const LuInputs inputs = lu_inputs(64, 256);  // 8 x 8 processors with 32 rows each
    EXPECT_EQ(lu_blocked_grid_load(inputs, 31).active_processors, 64);
    EXPECT_EQ(lu_blocked_grid_load(inputs, 32).active_processors, 64 - (2 * 8 - 1));
    EXPECT_EQ(lu_blocked_grid_load(inputs, 256 - 33).active_processors, 4);
    for (std::int64_t step = 256 - 32; step < 256; ++step) {
        EXPECT_EQ(lu_blocked_grid_load(inputs, step).active_processors, 1);
    }
}

// Section 4.2: with scattered rows, all P processors stay active until the last sqrt(P) steps.
TEST(LogpLu, ScatteredGridKeepsItsProcessorsToTheEnd) {
    const LuInputs inputs = lu_inputs(64, 256);
    for (std::int64_t step = 1; step <= 256 - 8; ++step) {
        EXPECT_EQ(lu_scattered_grid_load(inputs, step).active_processors, 64);
    }
    EXPECT_EQ(lu_scattered_grid_load(inputs, 256 - 7).active_processors, 49);
    EXPECT_EQ(lu_scattered_grid_load(inputs, 255).active_processors, 1);
}

// For large n and P, (n - b) b^2 over n^3/(3P) tends to 3 for blocks, and to 1 for scattered rows.
TEST(LogpLu, BlocksTakeThreeTimesTheEvenComputationScatteringHardlyMore) {
    const LuTotals totals = solve_logp_lu(lu_inputs(65536, 65536));
    const double even = totals.layouts.grid->computation_cycles;
    EXPECT_NEAR(*totals.blocked_grid_computation_cycles / even, 3.0, 0.02);
    EXPECT_NEAR(*totals.scattered_grid_computation_cycles / even, 1.0, 0.01);
}

TEST(LogpLu, HasAGridOnlyWhereTheMatrixFitsIt) {
    EXPECT_FALSE(solve_logp_lu(lu_inputs(8, 64)).layouts.grid);
    EXPECT_FALSE(solve_logp_lu(lu_inputs(16, 66)).blocked_grid_computation_cycles);
    EXPECT_FALSE(solve_logp_lu(lu_inputs(16, 66)).bsp_grid_cycles);
    EXPECT_THROW(lu_blocked_grid_load(lu_inputs(8, 64), 1), ModelError);
}

TEST(LogpLu, PramAndBspSeeItTheirWay) {
    // Steps on a PRAM with 4 processors for n = 4: 2 (ceil(9/4) + ceil(4/4) + ceil(1/4)).
    const LuTotals small = solve_logp_lu(lu_inputs(4, 4));
    EXPECT_EQ(small.pram_steps, 2 * (3 + 1 + 1));
    // Every superstep pays a synchronisation: L and two broadcasts. For P = 4, L = 6, g = 4 and o =
    // 0 a broadcast ends at 12. So l = 6 + 24 = 30, which exceeds 2 x 3 x 4 = 24.
    EXPECT_EQ(small.bsp_bad_cycles, 4.0 * 30.0);
    // On a large matrix BSP overlaps communication and computation: the longer counts, not the sum.
    const LuTotals large = solve_logp_lu(lu_inputs(4, 2000));
    EXPECT_LT(large.bsp_bad_cycles, large.layouts.bad.total_cycles());
    EXPECT_GE(large.bsp_bad_cycles, large.layouts.bad.computation_cycles);
    EXPECT_LE(*large.bsp_grid_cycles, large.bsp_bad_cycles);
}

TEST(LogpLu, RefusesStepsAndSizesThatDoNotExist) {
    const auto refusal = [](const LuInputs& inputs, std::int64_t step) -> std::string {
        try {
            logp_lu_step(inputs, step);
        } catch (const ModelError& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_THAT(refusal(lu_inputs(16, 64), 0), Names("step (k)", "0", "accepted", "1", "1", "63"));
    EXPECT_THAT(refusal(lu_inputs(16, 64), 64),
                Names("step (k)", "64", "accepted", "1", "1", "63"));
    EXPECT_EQ(refusal(lu_inputs(16, 1), 1), "rows (n) is 1; accepted: 2 to 100000");
    EXPECT_THROW(solve_logp_lu({}), ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
