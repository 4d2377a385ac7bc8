#include "experiments/models/lopc/lopc_models.h"
#include "experiments/models/lopc/lopc_shared_memory.h"

namespace weir::experiments::models {
namespace {

class SharedMemory final : public Model {
  public:
    SharedMemory()
        : Model("lopc-shared-memory",
                "Remote reads of shared memory: homes in hardware, some with software",
                "LoPC (1997), sections 4.1 and 4.2; its section 7 expects it to hold") {}

  private:
    CountInput processors_{*this, "processors", "P", "Nodes", {2.0, 512.0}};
    CountInput homes_{*this,        "homes",
                      "H",          "Nodes that have all lines; 0: all. A single one only serves",
                      {0.0, 512.0}, 0};
    QuantityInput work_cycles_{*this, "work_cycles", "W",
                               "A thread's own time between two requests"};
    QuantityInput network_cycles_{*this, "network_cycles", "S_l",
                                  "One way through the network, the mean of both ways"};
    QuantityInput directory_cycles_{*this, "directory_cycles", "S_o",
                                    "Directory and memory of the home, for a request"};
    QuantityInput fill_cycles_{
        *this, "fill_cycles", "S_y", "A reply at the controller of who asked", {}, 0.0};
    QuantityInput handler_squared_cv_{*this,   "handler_squared_cv",
                                      "C_o^2", "Variation of directory and software: 0 constant",
                                      {},      0.0};
    QuantityInput trapped_share_{
        *this, "trapped_share", "m", "Requests that the home's software serves", {0.0, 1.0}, 0.0};
    QuantityInput trap_cycles_{*this, "trap_cycles",
                               "T_s", "Software of such a request, on the home's processor",
                               {},    0.0};
    QuantityInput trap_after_reply_cycles_{
        *this, "trap_after_reply_cycles", "T_x", "Of it, when the reply has left", {}, 0.0};
    QuantityInput reply_channel_cycles_{
        *this, "reply_channel_cycles",
        "S_n", "A reply in the channel out of its home; 0 in the paper",
        {},    0.0};

    Output response_cycles_{*this, "response_cycles", "R", "A turn, the mean over all requests",
                            "(28)"};
    Output contention_free_cycles_{*this, "contention_free_cycles", "",
                                   "The same if nothing contended: LogP's time", "(28)"};
    Output contention_cycles_{*this, "contention_cycles", "C", "What contention adds to a turn",
                              "(28)"};
    Output hardware_response_cycles_{*this, "hardware_response_cycles", "R",
                                     "A turn whose request hardware serves", "(28)"};
    Output trapped_response_cycles_{*this, "trapped_response_cycles", "R",
                                    "A turn whose request traps", "(28)"};
    Output thread_response_cycles_{*this, "thread_response_cycles", "R_w",
                                   "Work, with the software that interrupts it", "(27)"};
    Output directory_waiting_cycles_{*this, "directory_waiting_cycles", "R_q - S_o",
                                     "A request waits for its home's directory", "(25)"};
    Output trap_waiting_cycles_{*this, "trap_waiting_cycles", "R_q - T_s",
                                "A trapped request waits for its home's processor", "(25)"};
    Output channel_waiting_cycles_{*this, "channel_waiting_cycles", "R_q - S_n",
                                   "A reply waits for the channel out of its home", "(25)"};
    Output directory_utilization_{*this, "directory_utilization", "U_q + U_y",
                                  "Of the busiest home's directory", "(21), (22)"};
    Output processor_utilization_{*this, "processor_utilization", "U_q",
                                  "By software, of the busiest home's processor", "(21)"};
    Output channel_utilization_{*this, "channel_utilization", "U_q",
                                "By replies, of the busiest home's channel", "(21)"};
    Output requests_per_cycle_{*this, "requests_per_cycle", "X",
                               "Throughput of all threads together", "(19)"};

    void evaluate() override {
        const auto processors = static_cast<int>(processors_.value());
        const auto homes = static_cast<int>(homes_.value());
        const LopcSharedMemorySolution solution = solve_lopc_shared_memory(
            {.visits = lopc_visits_of_homes(processors, homes == 0 ? processors : homes),
             .work_cycles = work_cycles_.value(),
             .network_cycles = network_cycles_.value(),
             .directory_cycles = directory_cycles_.value(),
             .fill_cycles = fill_cycles_.value(),
             .handler_squared_cv = handler_squared_cv_.value(),
             .trapped_share = trapped_share_.value(),
             .trap_cycles = trap_cycles_.value(),
             .trap_after_reply_cycles = trap_after_reply_cycles_.value(),
             .reply_channel_cycles = reply_channel_cycles_.value()});
        response_cycles_ = solution.response_cycles;
        contention_free_cycles_ = solution.contention_free_cycles;
        contention_cycles_ = solution.response_cycles - solution.contention_free_cycles;
        hardware_response_cycles_ = solution.hardware_response_cycles;
        if (trapped_share_.value() > 0.0) {
            trapped_response_cycles_ = solution.trapped_response_cycles;
            trap_waiting_cycles_ = solution.trap_waiting_cycles;
        }
        thread_response_cycles_ = solution.thread_response_cycles;
        directory_waiting_cycles_ = solution.directory_waiting_cycles;
        channel_waiting_cycles_ = solution.channel_waiting_cycles;
        directory_utilization_ = solution.directory_utilization;
        processor_utilization_ = solution.processor_utilization;
        channel_utilization_ = solution.channel_utilization;
        requests_per_cycle_ = solution.requests_per_cycle;
        note("The paper has each class alone; both at once, T_x and S_n are added here.");
    }
};

}  // namespace

Models lopc_shared_memory_models() {
    Models models;
    models.push_back(std::make_unique<SharedMemory>());
    return models;
}

}  // namespace weir::experiments::models
