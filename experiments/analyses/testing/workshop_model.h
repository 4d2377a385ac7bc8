#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::analyses {

/// A model for tests that has an input of every kind: customers with W cycles of work between two
/// visits to a workshop of S_o cycles. From 1000 cycles of work it has no solution.
class WorkshopModel final : public models::Model {
  public:
    WorkshopModel()
        : Model("workshop", "Customers of a workshop", "Nobody, \"Workshops\" (1999), section 2") {}

    models::CountInput customers{*this, "customers", "N", "Customers", {1.0, 100.0}};
    models::QuantityInput work_cycles{*this, "work_cycles", "W", "Work between two visits"};
    models::QuantityInput handler_cycles{*this, "handler_cycles", "S_o", "One visit"};
    models::QuantityInput handler_squared_cv{
        *this, "handler_squared_cv", "C_o^2", "Variation of a visit's time.", {0.0, 10.0}, 0.0};
    models::QuantityInput gap_cycles_per_byte{*this, "gap_cycles_per_byte", "G", "Gap", {}, 0.5};
    models::FlagInput beside{*this, "beside", "Visits beside the work"};
    models::ChoiceInput order{*this, "order", "Who is next", {"first_come", "random"}};
    models::ListInput shares{*this, "shares", "s", "Shares", {0.0, 1.0}, std::vector<double>{1.0}};

    models::Output turn_cycles{*this, "turn_cycles", "R", "One turn", "(1)"};
    models::Output visit_cycles{*this, "visit_cycles", "R_o", "One visit", "(2)"};
    models::Output utilization{*this, "utilization", "U", "Share of time in use", "(3)"};
    models::Output spare_cycles{*this, "spare_cycles", "", "What is left, where anything is"};
    models::OutputTable parts{*this,
                              "parts",
                              "Where a turn goes",
                              {{"part", "which"}, {"cycles", "how long"}, {"remark", "why"}},
                              "Figure 1"};

  private:
    void evaluate() override {
        if (work_cycles.value() >= 1000.0) {
            throw models::ModelError(
                "work_cycles (W) is " + models::shortest_text(work_cycles.value()),
                "below 1000 cycles");
        }
        const double turn = work_cycles.value() + handler_cycles.value();
        turn_cycles = turn;
        visit_cycles = handler_cycles.value();
        utilization = turn > 0.0 ? handler_cycles.value() / turn : 0.0;
        if (work_cycles.value() > 500.0) {
            spare_cycles = work_cycles.value() - 500.0;
            note("above 500 cycles there is time to spare");
        }
        parts.add_row({std::string("work"), work_cycles.value(), std::string("own")});
        parts.add_row({std::string("wait"), std::string("none"), std::string("never")});
        parts.add_row({std::string("visit"), handler_cycles.value() / 3.0,
                       std::string("a third of what a visit takes")});
    }
};

/// A model with a matrix.
class RoutingModel final : public models::Model {
  public:
    RoutingModel() : Model("routing", "Visits by a matrix", "Nobody (1999), section 3") {}

    models::MatrixInput visits{*this, "visits", "V", "Visits of each to each", {0.0, 1.0}};
    models::Output rows{*this, "rows", "", "Rows of V"};

  private:
    void evaluate() override { rows = static_cast<double>(visits.value().size()); }
};

}  // namespace weir::experiments::analyses
