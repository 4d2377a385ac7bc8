#include "experiments/models/logp/algorithms/lu.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

void check(const LuInputs& inputs) {
    require_logp_machine(inputs.machine);
    if (inputs.rows < 2 || inputs.rows > kLuMostRows) {
        throw ModelError("rows (n) is " + std::to_string(inputs.rows),
                         "2 to " + std::to_string(kLuMostRows));
    }
}

/// sqrt(P) if it is a whole number that divides n.
std::optional<std::int64_t> grid_side(const LuInputs& inputs) {
    const auto side = std::llround(std::sqrt(static_cast<double>(inputs.machine.processors)));
    if (side * side != inputs.machine.processors || inputs.rows % side != 0) {
        return std::nullopt;
    }
    return side;
}

/// Grid of processors at step k.
struct Grid {
    std::int64_t side;
    std::int64_t rows_each;
    std::int64_t rows_left;  // n - k: rows that are left at step k
};

Grid grid_at(const LuInputs& inputs, std::int64_t step) {
    check(inputs);
    const auto side = grid_side(inputs);
    if (!side) {
        throw ModelError(
            "processors (P) is " + std::to_string(inputs.machine.processors),
            "a square whose root divides rows (n), which is " + std::to_string(inputs.rows));
    }
    if (step < 1 || step >= inputs.rows) {
        throw ModelError("step (k) is " + std::to_string(step),
                         "1 to rows - 1, " + std::to_string(inputs.rows - 1));
    }
    return {*side, inputs.rows / *side, inputs.rows - step};
}

/// Updates of a square of rows x rows elements, two operations each.
double update_cycles(std::int64_t rows) {
    return 2.0 * static_cast<double>(rows) * static_cast<double>(rows);
}

/// 1 + 2 + ... + last.
double sum_of(std::int64_t last) {
    const auto m = static_cast<double>(last);
    return m * (m + 1.0) / 2.0;
}

/// 1 + 4 + ... + last^2.
double sum_of_squares(std::int64_t last) {
    const auto m = static_cast<double>(last);
    return m * (m + 1.0) * (2.0 * m + 1.0) / 6.0;
}

/// Costs of one or more steps, from the sums of (n - k) and (n - k)^2 over these steps.
LuLayouts layouts_of(const LuInputs& inputs, double steps, double rows_left, double squares_left) {
    const double gap = logp_exchange_interval_cycles(inputs.machine);
    const double latency = steps * inputs.machine.latency_cycles;
    const double computation = 2.0 * squares_left / static_cast<double>(inputs.machine.processors);
    LuLayouts layouts{
        .bad = {2.0 * rows_left * gap + latency, computation},
        .column = {rows_left * gap + latency, computation},
        .grid = std::nullopt,
    };
    if (const auto side = grid_side(inputs)) {
        layouts.grid = {2.0 * rows_left / static_cast<double>(*side) * gap + latency, computation};
    }
    return layouts;
}

/// A step is a multiplication or a subtraction; updates are spread evenly.
std::int64_t pram_steps(const LuInputs& inputs) {
    std::int64_t steps = 0;
    for (std::int64_t left = 1; left < inputs.rows; ++left) {
        steps += 2 * quotient_rounded_up(left * left, inputs.machine.processors);
    }
    return steps;
}

/// Cost of n supersteps. Each superstep makes one step's updates with values sent in the superstep
/// before, and sends the `values_a_row_left` (n - k) values of the next step.
double bsp_cycles(const LuInputs& inputs, const BspMachine& bsp, double values_a_row_left) {
    double cycles = 0.0;
    for (std::int64_t step = 0; step < inputs.rows; ++step) {
        const std::int64_t left = inputs.rows - step;
        const double updates =
            step == 0 ? 0.0 : update_cycles(left) / static_cast<double>(inputs.machine.processors);
        cycles +=
            bsp_superstep_cycles(bsp, updates, values_a_row_left * static_cast<double>(left - 1));
    }
    return cycles;
}

}  // namespace

LuLayouts logp_lu_step(const LuInputs& inputs, std::int64_t step) {
    check(inputs);
    if (step < 1 || step >= inputs.rows) {
        throw ModelError("step (k) is " + std::to_string(step),
                         "1 to rows - 1, " + std::to_string(inputs.rows - 1));
    }
    const auto left = static_cast<double>(inputs.rows - step);
    return layouts_of(inputs, 1.0, left, left * left);
}

LuLoad lu_blocked_grid_load(const LuInputs& inputs, std::int64_t step) {
    const Grid grid = grid_at(inputs, step);
    const std::int64_t active_side = quotient_rounded_up(grid.rows_left, grid.rows_each);
    return {active_side * active_side, update_cycles(std::min(grid.rows_each, grid.rows_left))};
}

LuLoad lu_scattered_grid_load(const LuInputs& inputs, std::int64_t step) {
    const Grid grid = grid_at(inputs, step);
    const std::int64_t active_side = std::min(grid.side, grid.rows_left);
    return {active_side * active_side,
            update_cycles(quotient_rounded_up(grid.rows_left, grid.side))};
}

LuTotals solve_logp_lu(const LuInputs& inputs) {
    check(inputs);
    const std::int64_t n = inputs.rows;
    const BspMachine bsp = bsp_machine_of(inputs.machine, inputs.bsp_barrier);
    LuTotals totals{
        .layouts =
            layouts_of(inputs, static_cast<double>(n - 1), sum_of(n - 1), sum_of_squares(n - 1)),
        .blocked_grid_computation_cycles = std::nullopt,
        .scattered_grid_computation_cycles = std::nullopt,
        .pram_steps = pram_steps(inputs),
        .bsp_bad_cycles = bsp_cycles(inputs, bsp, 2.0),
        .bsp_column_cycles = bsp_cycles(inputs, bsp, 1.0),
        .bsp_grid_cycles = std::nullopt,
    };
    if (const auto side = grid_side(inputs)) {
        const std::int64_t each = n / *side;
        // n - each steps update a full block; the remaining steps finish the last block.
        totals.blocked_grid_computation_cycles =
            static_cast<double>(n - each) * update_cycles(each) + 2.0 * sum_of_squares(each - 1);
        // A processor has each number of rows left for sqrt(P) steps, the largest for one less.
        totals.scattered_grid_computation_cycles =
            static_cast<double>(*side) * 2.0 * sum_of_squares(each) - update_cycles(each);
        totals.bsp_grid_cycles = bsp_cycles(inputs, bsp, 2.0 / static_cast<double>(*side));
    }
    return totals;
}

namespace {

class LuModel final : public Model {
  public:
    LuModel()
        : Model("logp-lu", "LU decomposition in the paper's bad, column and grid layouts",
                kLogpPaper + "section 4.2") {
        declare_logp_machine(*this, in_.machine);
        input(WEIR_NAMED(in_, rows), "n", "Number of rows, and of columns, of the matrix",
              {2.0, kLuMostRows});
        input(step_, "step", "k",
              "Step of the decomposition that outputs for \"step k\" describe, 1 to n - 1",
              {1.0, kLuMostRows});
        declare_bsp_barrier(*this, in_.bsp_barrier);
        output(in_step_.bad.computation_cycles, "step_computation_cycles", "",
               "Computation time of a processor in step k if the work is evenly spread",
               "Section 4.2: 2(n-k)^2/P");
        output(WEIR_NAMED(out_.layouts.bad, computation_cycles), "",
               "Computation time of a processor in all steps if the work is evenly spread",
               "sum over k: (n-1)n(2n-1)/(3P)");
        output([this] { return out_.layouts.bad.total_cycles(); }, "bad_total_cycles", "",
               "Time of computation and communication in all steps, in the bad layout",
               "Section 4.2: 2(n-k)g + L per step");
        output([this] { return out_.layouts.column.total_cycles(); }, "column_total_cycles", "",
               "Time of computation and communication in all steps, in the column layout",
               "Section 4.2: (n-k)g + L per step");
        output(
            [this] {
                const std::optional<LuCost>& grid = out_.layouts.grid;
                return grid ? std::optional(grid->total_cycles()) : std::nullopt;
            },
            "grid_total_cycles", "",
            "Time of computation and communication in all steps, in the grid layout",
            "Section 4.2: 2(n-k)g/sqrt(P) + L per step");
        output(WEIR_NAMED(out_, blocked_grid_computation_cycles), "",
               "Computation time of each step's busiest processor, summed; each processor has "
               "adjacent rows",
               "after section 4.2");
        output(WEIR_NAMED(out_, scattered_grid_computation_cycles), "",
               "Computation time of each step's busiest processor, summed; each processor has "
               "scattered rows",
               "after section 4.2");
        output(WEIR_NAMED(out_, pram_steps), "",
               "Number of steps of the decomposition on a PRAM, in any layout",
               "Section 6.1: 2 ceil((n-k)^2/P) per step");
        output(WEIR_NAMED(out_, bsp_column_cycles), "",
               "Time of all steps in the BSP model, in the column layout", kBspEquation);
        output(WEIR_NAMED(out_, bsp_grid_cycles), "",
               "Time of all steps in the BSP model, in the grid layout", kBspEquation);
    }

  private:
    void evaluate() override {
        out_ = solve_logp_lu(in_);
        if (overhead_takes_the_gaps_place(in_.machine)) {
            note(kOverheadForGap);
        }
        in_step_ = logp_lu_step(in_, step_);
        add_layout("bad", in_step_.bad, out_.layouts.bad, out_.bsp_bad_cycles);
        add_layout("column", in_step_.column, out_.layouts.column, out_.bsp_column_cycles);
        note("Pivoting and scaling are left out, and no communication overlaps the updates.");
        if (!out_.layouts.grid) {
            note("A grid needs a square P whose root divides n; its outputs are empty.");
            return;
        }
        add_layout("grid", *in_step_.grid, *out_.layouts.grid, *out_.bsp_grid_cycles);
        fill_load();
    }

    void add_layout(const std::string& name, const LuCost& step, const LuCost& all, double bsp) {
        layouts_.add_row({name, step.communication_cycles, step.total_cycles(),
                          all.communication_cycles, all.total_cycles(), bsp});
    }

    /// Adds a row for the first step of each of 16 equal parts of the run, and one for the last
    /// step.
    void fill_load() {
        constexpr std::int64_t kParts = 16;
        const std::int64_t steps = in_.rows - 1;
        std::int64_t last = 0;
        for (std::int64_t part = 0; part <= kParts; ++part) {
            const std::int64_t step = part == kParts ? steps : 1 + part * steps / kParts;
            if (step == last) {
                continue;
            }
            last = step;
            const LuLoad blocked = lu_blocked_grid_load(in_, step);
            const LuLoad scattered = lu_scattered_grid_load(in_, step);
            load_.add_numbers(step, blocked.active_processors, scattered.active_processors,
                              blocked.busiest_cycles, scattered.busiest_cycles);
        }
    }

    LuInputs in_;
    std::int64_t step_ = 1;
    LuTotals out_{};
    LuLayouts in_step_{};
    OutputTable layouts_{*this,
                         "layouts",
                         "Times of step k and of all steps in each layout",
                         {{"layout", "assignment of matrix elements to processors"},
                          {"step_communication_cycles", "communication time in step k"},
                          {"step_total_cycles", "time of communication and updates in step k"},
                          {"communication_cycles", "communication time in all steps"},
                          {"total_cycles", "time of communication and updates in all steps"},
                          {"bsp_cycles", "time of all steps in the BSP model"}},
                         "Section 4.2"};
    OutputTable load_{
        *this,
        "load",
        "Load of the grid layouts: active processors and the busiest one, by step",
        {{"step", "number k of the step"},
         {"blocked_active_processors", "processors with updates left, if each has adjacent rows"},
         {"scattered_active_processors",
          "processors with updates left, if each has scattered rows"},
         {"blocked_busiest_cycles",
          "update time of the busiest processor, if each has adjacent rows"},
         {"scattered_busiest_cycles",
          "update time of the busiest processor, if each has scattered rows"}},
        "Section 4.2"};
};

}  // namespace

std::unique_ptr<Model> logp_lu_model() { return std::make_unique<LuModel>(); }

}  // namespace weir::experiments::models
