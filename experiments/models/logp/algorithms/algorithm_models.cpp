#include "experiments/models/logp/algorithms/algorithm_models.h"

#include <memory>
#include <string>

#include "experiments/models/logp/algorithms/fft.h"
#include "experiments/models/logp/algorithms/lu.h"
#include "experiments/models/logp/algorithms/number_row.h"
#include "experiments/models/logp/machine_inputs.h"

namespace weir::experiments::models {
namespace {

constexpr const char* kOverheadForGap =
    "2o is longer than g: wherever an equation shown has g, 2o stands for it.";

bool overhead_takes_the_gaps_place(const LogpMachine& machine) {
    return 2.0 * machine.overhead_cycles > machine.gap_cycles;
}

class FftModel final : public Model {
  public:
    FftModel()
        : Model("logp-fft", "The FFT in cyclic, blocked and hybrid layout",
                kLogpPaper + "section 4.1") {}

  private:
    void evaluate() override {
        FftInputs inputs;
        inputs.machine = machine_.machine();
        inputs.points = points_.value();
        inputs.butterfly_cycles = butterfly_cycles_.value();
        inputs.point_cycles = point_cycles_.value();
        inputs.message_bytes = message_bytes_.value();
        inputs.bsp_barrier = barrier_.barrier();
        const FftSolution answer = solve_logp_fft(inputs);
        if (overhead_takes_the_gaps_place(inputs.machine)) {
            note(kOverheadForGap);
        }
        computation_cycles_ = answer.computation_cycles;
        single_layout_communication_cycles_ = answer.single_layout_communication_cycles;
        single_layout_total_cycles_ = answer.single_layout_total_cycles;
        pram_steps_ = static_cast<double>(answer.pram_steps);
        bsp_single_layout_cycles_ = answer.bsp_single_layout_cycles;
        if (!answer.hybrid) {
            note("A hybrid layout needs P^2 points or more; its outputs are empty.");
            return;
        }
        fill(*answer.hybrid);
        bsp_hybrid_cycles_ = *answer.bsp_hybrid_cycles;
        note(
            "The paper gives no equation for the naive remap, only its order of sends. Between "
            "the two outputs lies what the machine's arbitration decides.");
        note(
            "Section 4.1.3 prints the CM-5's staggered remap as \"1/3 th\" of the computation, "
            "the caption of Figure 6 an order of magnitude below 1.5: measured, not derived.");
        note("Section 4.1.4 prints the CM-5's g = 4 us as 0.44 cycles; it is 0.89 of 4.5 us.");
    }

    void fill(const FftRemap& hybrid) {
        hybrid_communication_cycles_ = hybrid.communication_cycles;
        hybrid_total_cycles_ = hybrid.total_cycles;
        total_over_computation_ = hybrid.total_over_computation;
        optimality_factor_ = hybrid.paper_bound;
        messages_per_processor_ = hybrid.messages_per_processor;
        staggered_remap_cycles_ = hybrid.staggered_cycles;
        staggered_bytes_per_cycle_ = hybrid.staggered_bytes_per_cycle;
        asymptotic_bytes_per_cycle_ = hybrid.asymptotic_bytes_per_cycle;
        naive_remap_in_turn_cycles_ = hybrid.naive_in_turn_cycles;
        naive_remap_least_cycles_ = hybrid.naive_least_cycles;
        idle_cycles_per_message_ = hybrid.idle_cycles_per_message;
        overlapped_least_cycles_ = hybrid.overlapped_least_cycles;
    }

    LogpMachineInputs machine_{*this};
    CountInput points_{*this, "points", "n", "A power of two, P or more", {2.0, 0x1p40}};
    QuantityInput butterfly_cycles_{*this,
                                    "butterfly_cycles",
                                    "",
                                    "A node of the butterfly; 1 if that is the cycle",
                                    {1e-9, kLargestQuantity},
                                    1.0};
    QuantityInput point_cycles_{
        *this, "point_cycles", "", "To load and store a point that moves", {}, 0.0};
    QuantityInput message_bytes_{*this, "message_bytes", "B", "Data of a message, one point"};
    BspBarrierInput barrier_{*this};
    Output computation_cycles_{*this, "computation_cycles", "", "Of each processor, in any layout",
                               "Section 4.1.1: (n/P) log n"};
    Output single_layout_communication_cycles_{*this, "single_layout_communication_cycles", "",
                                               "Cyclic or blocked alone",
                                               "Section 4.1.1: (g n/P + L) log P"};
    Output single_layout_total_cycles_{*this, "single_layout_total_cycles", "",
                                       "Cyclic or blocked alone, with the computation"};
    Output hybrid_communication_cycles_{*this, "hybrid_communication_cycles", "",
                                        "The hybrid's one remap",
                                        "Section 4.1.1: g(n/P - n/P^2) + L"};
    Output hybrid_total_cycles_{*this, "hybrid_total_cycles", "", "Hybrid, with the computation"};
    Output total_over_computation_{*this, "total_over_computation", "",
                                   "Hybrid total over what no layout can avoid"};
    Output optimality_factor_{*this, "optimality_factor", "", "The paper's bound of that",
                              "Section 4.1.1: 1 + g/log n"};
    Output messages_per_processor_{*this, "messages_per_processor", "", "That the remap sends",
                                   "Section 4.1.1: n/P - n/P^2"};
    Output staggered_remap_cycles_{*this, "staggered_remap_cycles", "",
                                   "The remap, nobody contending",
                                   "Section 4.1.4: (n/P) max(point + 2o, g) + L"};
    Output staggered_bytes_per_cycle_{*this, "staggered_bytes_per_cycle", "",
                                      "A processor's rate in it; MB/s if times are us",
                                      "Section 4.1.4"};
    Output asymptotic_bytes_per_cycle_{*this, "asymptotic_bytes_per_cycle", "",
                                       "The same for n without limit",
                                       "Section 4.1.4: B/max(point + 2o, g)"};
    Output naive_remap_in_turn_cycles_{*this, "naive_remap_in_turn_cycles", "",
                                       "All send to 0 first, then to 1, ...; in turn",
                                       "derived: g (n/2)(1 - 1/P) + L"};
    Output naive_remap_least_cycles_{*this, "naive_remap_least_cycles", "",
                                     "The least that order can take",
                                     "derived: g (2P - 3) n/P^2 + L"};
    Output idle_cycles_per_message_{*this, "idle_cycles_per_message", "",
                                    "Between two sends of the remap alone",
                                    "Section 4.1.5: g - 2o"};
    Output overlapped_least_cycles_{*this, "overlapped_least_cycles", "",
                                    "A bound if the remap is merged into the computation",
                                    "after section 4.1.5"};
    Output pram_steps_{*this, "pram_steps", "", "A PRAM's, whatever the layout",
                       "Section 6.1: ceil(n/P) log n"};
    Output bsp_single_layout_cycles_{*this, "bsp_single_layout_cycles", "",
                                     "BSP's, cyclic or blocked alone", kBspEquation};
    Output bsp_hybrid_cycles_{*this, "bsp_hybrid_cycles", "", "BSP's, hybrid", kBspEquation};
};

class LuModel final : public Model {
  public:
    LuModel()
        : Model("logp-lu", "LU decomposition in bad, column and grid layouts",
                kLogpPaper + "section 4.2") {}

  private:
    void evaluate() override {
        LuInputs inputs;
        inputs.machine = machine_.machine();
        inputs.rows = rows_.value();
        inputs.bsp_barrier = barrier_.barrier();
        const LuTotals totals = solve_logp_lu(inputs);
        if (overhead_takes_the_gaps_place(inputs.machine)) {
            note(kOverheadForGap);
        }
        const LuLayouts step = logp_lu_step(inputs, step_.value());
        computation_cycles_ = totals.layouts.bad.computation_cycles;
        step_computation_cycles_ = step.bad.computation_cycles;
        pram_steps_ = static_cast<double>(totals.pram_steps);
        add_layout("bad", step.bad, totals.layouts.bad, totals.bsp_bad_cycles);
        add_layout("column", step.column, totals.layouts.column, totals.bsp_column_cycles);
        bad_total_cycles_ = totals.layouts.bad.total_cycles();
        column_total_cycles_ = totals.layouts.column.total_cycles();
        bsp_column_cycles_ = totals.bsp_column_cycles;
        note("Pivoting and scaling are left out, and no communication overlaps the updates.");
        if (!totals.layouts.grid) {
            note("A grid needs a square P whose root divides n; its outputs are empty.");
            return;
        }
        add_layout("grid", *step.grid, *totals.layouts.grid, *totals.bsp_grid_cycles);
        grid_total_cycles_ = totals.layouts.grid->total_cycles();
        bsp_grid_cycles_ = *totals.bsp_grid_cycles;
        blocked_grid_computation_cycles_ = *totals.blocked_grid_computation_cycles;
        scattered_grid_computation_cycles_ = *totals.scattered_grid_computation_cycles;
        fill_load(inputs);
    }

    void add_layout(const std::string& name, const LuCost& step, const LuCost& all, double bsp) {
        layouts_.add_row({name, step.communication_cycles, step.total_cycles(),
                          all.communication_cycles, all.total_cycles(), bsp});
    }

    /// The first step of each of 16 equal parts of the run, and the last step.
    void fill_load(const LuInputs& inputs) {
        constexpr std::int64_t kParts = 16;
        const std::int64_t steps = inputs.rows - 1;
        std::int64_t last = 0;
        for (std::int64_t part = 0; part <= kParts; ++part) {
            const std::int64_t step = part == kParts ? steps : 1 + part * steps / kParts;
            if (step == last) {
                continue;
            }
            last = step;
            const LuLoad blocked = lu_blocked_grid_load(inputs, step);
            const LuLoad scattered = lu_scattered_grid_load(inputs, step);
            load_.add_row(number_row({static_cast<double>(step),
                                      static_cast<double>(blocked.active_processors),
                                      static_cast<double>(scattered.active_processors),
                                      blocked.busiest_cycles, scattered.busiest_cycles}));
        }
    }

    LogpMachineInputs machine_{*this};
    CountInput rows_{*this, "rows", "n", "Rows and columns of the matrix", {2.0, 1e5}};
    CountInput step_{*this, "step", "k", "The step shown, 1 to n - 1", {1.0, 1e5}, 1};
    BspBarrierInput barrier_{*this};
    Output step_computation_cycles_{*this, "step_computation_cycles", "",
                                    "Of a processor in step k, evenly spread",
                                    "Section 4.2: 2(n-k)^2/P"};
    Output computation_cycles_{*this, "computation_cycles", "", "In all steps, evenly spread",
                               "sum over k: (n-1)n(2n-1)/(3P)"};
    Output bad_total_cycles_{*this, "bad_total_cycles", "",
                             "Computation and communication, bad layout",
                             "Section 4.2: 2(n-k)g + L a step"};
    Output column_total_cycles_{*this, "column_total_cycles", "", "The same, column layout",
                                "Section 4.2: (n-k)g + L a step"};
    Output grid_total_cycles_{*this, "grid_total_cycles", "", "The same, grid layout",
                              "Section 4.2: 2(n-k)g/sqrt(P) + L a step"};
    Output blocked_grid_computation_cycles_{*this, "blocked_grid_computation_cycles", "",
                                            "Of the busiest of each step, adjacent rows",
                                            "after section 4.2"};
    Output scattered_grid_computation_cycles_{*this, "scattered_grid_computation_cycles", "",
                                              "Of the busiest of each step, scattered rows",
                                              "after section 4.2"};
    Output pram_steps_{*this, "pram_steps", "", "A PRAM's, whatever the layout",
                       "Section 6.1: 2 ceil((n-k)^2/P) a step"};
    Output bsp_column_cycles_{*this, "bsp_column_cycles", "", "BSP's, column layout", kBspEquation};
    Output bsp_grid_cycles_{*this, "bsp_grid_cycles", "", "BSP's, grid layout", kBspEquation};
    OutputTable layouts_{*this,
                         "layouts",
                         "Step k and all steps in each layout",
                         {{"layout", "who updates what"},
                          {"step_communication_cycles", "in step k"},
                          {"step_total_cycles", "with the updates"},
                          {"communication_cycles", "in all steps"},
                          {"total_cycles", "with the updates"},
                          {"bsp_cycles", "BSP's, all steps"}},
                         "Section 4.2"};
    OutputTable load_{*this,
                      "load",
                      "How a grid's rows lie: processors with updates left, and the busiest",
                      {{"step", "k"},
                       {"blocked_active_processors", "adjacent rows"},
                       {"scattered_active_processors", "scattered rows"},
                       {"blocked_busiest_cycles", "updates of the busiest, adjacent rows"},
                       {"scattered_busiest_cycles", "updates of the busiest, scattered rows"}},
                      "Section 4.2"};
};

}  // namespace

Models logp_algorithm_models() {
    Models models;
    models.push_back(std::make_unique<FftModel>());
    models.push_back(std::make_unique<LuModel>());
    return models;
}

}  // namespace weir::experiments::models
