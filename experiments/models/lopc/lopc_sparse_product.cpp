#include <memory>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/lopc/lopc_all_to_any.h"

/// LoPC of a sparse matrix-vector product y = A x, rows of A and elements of x and y dealt out to
/// the nodes in turn.
///
/// Each node multiplies and adds once for each of its non-zeros, and gets the element of x from
/// another node in all but a P-th of them, waiting for the reply: communication from all to any.
///
/// Source: Frank, Agarwal and Vernon, "LoPC: Modeling Contention in Parallel Algorithms" (1997),
/// sections 3.1.1 and 4.5. Non-zeros lie evenly.
namespace weir::experiments::models {
namespace {

class SparseProduct final : public Model {
  public:
    SparseProduct()
        : Model("lopc-sparse-product", "A sparse matrix-vector product with remote reads",
                "LoPC (1997), sections 3.1.1 and 4.5") {
        input(WEIR_NAMED(get_, processors), "P", "Nodes", {2.0, 1e9});
        input(nonzeros_, "nonzeros", "b", "Non-zeros of the whole matrix", {1.0, kLargestQuantity});
        input(multiply_add_cycles_, "multiply_add_cycles", "", "One multiply-add on an element");
        input(WEIR_NAMED(get_, network_cycles), "S_l", "One way through the network, LogP's L");
        input(WEIR_NAMED(get_, handler_cycles), "S_o",
              "One message handler, its interrupt included");
        input(WEIR_NAMED(get_, handler_squared_cv), "C_o^2",
              "Handlers' variation: 0 constant, 1 exponential");

        output([this] { return nonzeros_ / get_.processors; }, "multiply_adds_per_node", "m",
               "Multiply-adds of a node", "Section 3.1.1");
        output(gets_per_node_, "gets_per_node", "n", "Elements a node gets from others",
               "Section 3.1.1");
        output(WEIR_NAMED(get_, work_cycles), "W", "A thread's work between two gets",
               "Section 3.1.1");
        output(WEIR_NAMED(turn_, response_cycles), "R", "A turn: work and one get", "(1)");
        output([this] { return turn_.contention.total_cycles(); }, "contention_cycles", "C",
               "What contention adds to a turn", "(1)");
        output([this] { return gets_per_node_ * turn_.response_cycles; }, "runtime_cycles", "n R",
               "The whole product", "Section 3.2");
        output(
            [this] {
                return gets_per_node_ * (turn_.response_cycles - turn_.contention.total_cycles());
            },
            "contention_free_runtime_cycles", "", "The whole product by LogP", "Section 4.4");
        output([this] { return (get_.processors - 1.0) / get_.processors * turn_.response_cycles; },
               "cycles_per_nonzero", "n R/m", "Run time for each non-zero that a node holds",
               "Figure 8");
    }

  private:
    void evaluate() override {
        const double processors = get_.processors;
        gets_per_node_ = nonzeros_ / processors * (processors - 1.0) / processors;
        get_.work_cycles = processors / (processors - 1.0) * multiply_add_cycles_;
        turn_ = solve_lopc_all_to_any(get_);
        note(
            "Figure 8's measured times are not in the text: its errors, 14% and 9%, can't be had.");
    }

    LopcInputs get_{.handler_squared_cv = 0.0};
    double nonzeros_ = kNotGiven;
    double multiply_add_cycles_ = kNotGiven;
    double gets_per_node_ = 0.0;
    LopcSolution turn_;
};

}  // namespace

std::unique_ptr<Model> lopc_sparse_product_model() { return std::make_unique<SparseProduct>(); }

}  // namespace weir::experiments::models
