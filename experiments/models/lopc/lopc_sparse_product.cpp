#include <memory>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/lopc/lopc_all_to_any.h"

/// LoPC of a sparse matrix-vector product y = A x. Rows of A and elements of x and y are dealt out
/// to the nodes in turn.
///
/// Each node does a multiply-add for each of its non-zeros. All but 1/P of these need an element of
/// x of another node, for whose reply the thread waits: all-to-any communication.
///
/// Source: Frank, Agarwal and Vernon, "LoPC: Modeling Contention in Parallel Algorithms" (1997),
/// sections 3.1.1 and 4.5. Non-zeros are spread evenly.
namespace weir::experiments::models {
namespace {

class SparseProduct final : public Model {
  public:
    SparseProduct()
        : Model("lopc-sparse-product", "Sparse matrix-vector product with remote reads",
                "LoPC (1997), sections 3.1.1 and 4.5") {
        input(WEIR_NAMED(get_, processors), "P", "Number of nodes", {2.0, 1e9});
        input(nonzeros_, "nonzeros", "b", "Number of non-zeros of the whole matrix",
              {1.0, kLargestQuantity});
        input(multiply_add_cycles_, "multiply_add_cycles", "", "Time of one multiply-add");
        input(WEIR_NAMED(get_, network_cycles), "S_l", "Network latency of a message, LogP's L");
        input(WEIR_NAMED(get_, handler_cycles), "S_o",
              "Time of a message handler, its interrupt included");
        input(WEIR_NAMED(get_, handler_squared_cv), "C_o^2",
              "Squared coefficient of variation of handler times: 0: constant; 1: exponential");

        output([this] { return nonzeros_ / get_.processors; }, "multiply_adds_per_node", "m",
               "Number of multiply-adds of each node", "Section 3.1.1");
        output(gets_per_node_, "gets_per_node", "n",
               "Number of elements that each node gets from others", "Section 3.1.1");
        output(WEIR_NAMED(get_, work_cycles), "W", "Work of a thread between two gets",
               "Section 3.1.1");
        output(WEIR_NAMED(turn_, response_cycles), "R", "Time of a round trip: work and one get",
               "(1)");
        output([this] { return turn_.contention.total_cycles(); }, "contention_cycles", "C",
               "Time of a round trip that is contention", "(1)");
        output([this] { return gets_per_node_ * turn_.response_cycles; }, "runtime_cycles", "n R",
               "Run time of the whole product", "Section 3.2");
        output(
            [this] {
                return gets_per_node_ * (turn_.response_cycles - turn_.contention.total_cycles());
            },
            "contention_free_runtime_cycles", "",
            "Run time of the whole product without contention (LogP)", "Section 4.4");
        output([this] { return (get_.processors - 1.0) / get_.processors * turn_.response_cycles; },
               "cycles_per_nonzero", "n R/m", "Run time per non-zero of a node", "Figure 8");
    }

  private:
    void evaluate() override {
        const double processors = get_.processors;
        gets_per_node_ = nonzeros_ / processors * (processors - 1.0) / processors;
        get_.work_cycles = processors / (processors - 1.0) * multiply_add_cycles_;
        turn_ = solve_lopc_all_to_any(get_);
        note(
            "Figure 8's measured times are not in the text, so its errors (14% and 9%) cannot be "
            "recomputed.");
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
