#include "experiments/models/queueing/queueing_models.h"

#include "experiments/models/queueing/md1_all_to_any.h"

namespace weir::experiments::models {
namespace {

class Md1AllToAny final : public Model {
  public:
    Md1AllToAny()
        : Model("md1-all-to-any",
                "A turn of work, request and reply where every node is an M/D/1 queue",
                "Kleinrock, Queueing Systems, Volume 1 (1975), Chapter 5") {}

  private:
    QuantityInput work_cycles_{*this, "work_cycles", "W", "A thread's work between two requests"};
    QuantityInput network_cycles_{*this, "network_cycles", "S_l",
                                  "One way through the network, LogP's L"};
    QuantityInput handler_cycles_{*this, "handler_cycles", "S_o",
                                  "One message handler, its interrupt included"};
    FlagInput protocol_processor_{*this, "protocol_processor", "Handlers run beside the thread"};

    Output response_cycles_{*this, "response_cycles", "R", "A turn: work, request and reply"};
    Output contention_free_cycles_{*this, "contention_free_cycles", "",
                                   "A turn by LogP: nothing contends"};
    Output contention_cycles_{*this, "contention_cycles", "C", "What contention adds to a turn"};
    Output waiting_cycles_{*this, "waiting_cycles", "W_q",
                           "A request or a reply waits for requests there", "Pollaczek-Khinchine"};
    Output interference_cycles_{*this, "interference_cycles", "R_w - W",
                                "Requests interrupt the thread", "LoPC (7)"};
    Output utilization_{*this, "utilization", "rho", "Share of a processor that runs requests"};
    Output requests_at_node_{*this, "requests_at_node", "",
                             "Requests at a node, waiting or in service"};

    void evaluate() override {
        const Md1Solution solution =
            solve_md1_all_to_any({.work_cycles = work_cycles_.value(),
                                  .network_cycles = network_cycles_.value(),
                                  .handler_cycles = handler_cycles_.value(),
                                  .protocol_processor = protocol_processor_.value()});
        response_cycles_ = solution.response_cycles;
        contention_free_cycles_ = solution.contention_free_cycles;
        contention_cycles_ = solution.contention.total_cycles();
        waiting_cycles_ = solution.contention.request_queueing_cycles;
        interference_cycles_ = solution.contention.interference_cycles;
        utilization_ = solution.utilization;
        requests_at_node_ = solution.requests_at_node;
        note("No request waits for a reply's handler, which LoPC's do: lopc-all-to-any.");
    }
};

}  // namespace

Models queueing_models() {
    Models models;
    models.push_back(std::make_unique<Md1AllToAny>());
    return models;
}

}  // namespace weir::experiments::models
