#pragma once

#include <string>
#include <vector>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::analyses {

/// Test model with an input of every kind: customers work W cycles between two visits to a
/// workshop, which take S_o cycles. From 1000 cycles of work on it has no solution.
class WorkshopModel final : public models::Model {
  public:
    WorkshopModel()
        : Model("workshop", "Customers of a workshop", "Nobody, \"Workshops\" (1999), section 2") {
        input(customers, "customers", "N", "Customers", {1.0, 100.0});
        input(work_cycles, "work_cycles", "W", "Work between two visits");
        input(handler_cycles, "handler_cycles", "S_o", "One visit");
        input(handler_squared_cv, "handler_squared_cv", "C_o^2", "Variation of a visit's time.",
              {0.0, 10.0});
        input(gap_cycles_per_byte, "gap_cycles_per_byte", "G", "Gap");
        flag(beside, "beside", "Visits beside the work");
        choice(order, "order", "Who is next", {"first_come", "random"});
        input(shares, "shares", "s", "Shares", {0.0, 1.0});
        output([this] { return turn(); }, "turn_cycles", "R", "One turn", "(1)");
        output(handler_cycles, "visit_cycles", "R_o", "One visit", "(2)");
        output([this] { return turn() > 0.0 ? handler_cycles / turn() : 0.0; }, "utilization", "U",
               "Share of time in use", "(3)");
        output(spare_cycles_, "spare_cycles", "", "What is left, where anything is");
    }

    int customers = 0;
    double work_cycles = models::kNotGiven;
    double handler_cycles = models::kNotGiven;
    double handler_squared_cv = 0.0;
    double gap_cycles_per_byte = 0.5;
    bool beside = false;
    std::string order;
    std::vector<double> shares{1.0};
    models::OutputTable parts{*this,
                              "parts",
                              "Where an iteration goes",
                              {{"part", "which"}, {"cycles", "how long"}, {"remark", "why"}},
                              "Figure 1"};

  private:
    [[nodiscard]] double turn() const { return work_cycles + handler_cycles; }

    void evaluate() override {
        if (work_cycles >= 1000.0) {
            throw models::ModelError("work_cycles (W) is " + models::shortest_text(work_cycles),
                                     "below 1000 cycles");
        }
        spare_cycles_.reset();
        if (work_cycles > 500.0) {
            spare_cycles_ = work_cycles - 500.0;
            note("above 500 cycles there is time to spare");
        }
        parts.add_row({std::string("work"), work_cycles, std::string("own")});
        parts.add_row({std::string("wait"), std::string("none"), std::string("never")});
        parts.add_row({std::string("visit"), handler_cycles / 3.0,
                       std::string("a third of what a visit takes")});
    }

    std::optional<double> spare_cycles_;
};

/// Test model with a matrix.
class RoutingModel final : public models::Model {
  public:
    RoutingModel() : Model("routing", "Visits by a matrix", "Nobody (1999), section 3") {
        input(visits, "visits", "V", "Visits of each to each", {0.0, 1.0});
        output([this] { return visits.size(); }, "rows", "", "Rows of V");
    }

    std::vector<std::vector<double>> visits;

  private:
    void evaluate() override {}
};

}  // namespace weir::experiments::analyses
