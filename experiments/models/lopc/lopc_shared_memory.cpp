#include "experiments/models/lopc/lopc_shared_memory.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

// Nodes of the general model: first all homes' controllers, whose threads make requests. All
// processors follow, then all channels out of a node.
struct Places {
    std::size_t nodes;

    [[nodiscard]] std::size_t processor_of(std::size_t home) const { return nodes + home; }
    [[nodiscard]] std::size_t channel_of(std::size_t home) const { return 2 * nodes + home; }
    [[nodiscard]] std::size_t all() const { return 3 * nodes; }
};

void check(const LopcSharedMemoryInputs& inputs) {
    require_quantity("trapped_share (m)", inputs.trapped_share, 0.0, "of the requests");
    if (inputs.trapped_share > 1.0) {
        throw ModelError("trapped_share (m) is " + shortest_text(inputs.trapped_share),
                         "0 to 1 of the requests");
    }
    require_quantity("directory_cycles (S_o)", inputs.directory_cycles);
    require_quantity("fill_cycles (S_y)", inputs.fill_cycles);
    require_quantity("trap_cycles (T_s)", inputs.trap_cycles);
    require_quantity("trap_after_reply_cycles (T_x)", inputs.trap_after_reply_cycles);
    require_quantity("reply_channel_cycles (S_n)", inputs.reply_channel_cycles);
    if (inputs.trap_after_reply_cycles > inputs.trap_cycles) {
        throw ModelError(
            "trap_after_reply_cycles (T_x) is " + shortest_text(inputs.trap_after_reply_cycles),
            "at most trap_cycles (T_s), " + shortest_text(inputs.trap_cycles));
    }
}

// A request makes one trip to its home's directory. Later visits are in the home, without a trip.
LopcGeneralInputs general_inputs(const LopcSharedMemoryInputs& inputs, const Places& places) {
    LopcGeneralInputs general;
    general.visits = LopcVisits(places.all());
    general.work_cycles.assign(places.all(), inputs.work_cycles);
    general.network_cycles = inputs.network_cycles;
    general.handler_cycles = inputs.fill_cycles;
    general.handler_squared_cv = inputs.handler_squared_cv;
    general.stations.resize(places.all());
    for (std::size_t home = 0; home < places.nodes; ++home) {
        for (std::size_t thread = 0; thread < places.nodes; ++thread) {
            const double chance = inputs.visits.row(thread)[home];
            double* const row = general.visits.row(thread);
            row[home] = chance;
            row[places.processor_of(home)] = inputs.trapped_share * chance;
            row[places.channel_of(home)] = chance;
        }
        general.stations[home] = {.request_cycles = inputs.directory_cycles};
        general.stations[places.processor_of(home)] = {
            .request_cycles = inputs.trap_cycles,
            .after_reply_cycles = inputs.trap_after_reply_cycles,
            .trips = 0.0,
            .interrupts = home};
        general.stations[places.channel_of(home)] = {
            .request_cycles = inputs.reply_channel_cycles,
            // S_l already includes the reply's own time in the channel.
            .after_reply_cycles = inputs.reply_channel_cycles,
            .trips = 0.0};
    }
    return general;
}

// Accumulates means over all requests to all homes.
class Means {
  public:
    Means(const LopcSharedMemoryInputs& inputs, const Places& places,
          const LopcGeneralSolution& general)
        : inputs_(inputs), places_(places), general_(general) {}

    [[nodiscard]] LopcSharedMemorySolution solution() const {
        LopcSharedMemorySolution means;
        means.response_cycles = general_.response_cycles;
        means.contention_free_cycles = general_.contention_free_cycles;
        means.requests_per_cycle = general_.requests_per_cycle;
        means.iterations = general_.iterations;
        for (std::size_t i = 0; i < places_.nodes; ++i) {
            const LopcNode& node = general_.nodes[i];
            const LopcNode& processor = general_.nodes[places_.processor_of(i)];
            const LopcNode& channel = general_.nodes[places_.channel_of(i)];
            const double asked = node.requests_per_cycle / general_.requests_per_cycle;
            const double served = node.arrivals_per_cycle / general_.requests_per_cycle;
            means.thread_response_cycles += asked * node.thread_response_cycles;
            means.fill_waiting_cycles +=
                node.asks ? asked * (node.reply_response_cycles - inputs_.fill_cycles) : 0.0;
            means.directory_waiting_cycles +=
                served * (node.request_response_cycles - inputs_.directory_cycles);
            means.trap_waiting_cycles +=
                served * (processor.request_response_cycles - inputs_.trap_cycles);
            means.channel_waiting_cycles +=
                served * (channel.request_response_cycles - inputs_.reply_channel_cycles);
            means.directory_utilization = std::max(
                means.directory_utilization, node.request_utilization + node.reply_utilization);
            means.processor_utilization =
                std::max(means.processor_utilization, processor.request_utilization);
            means.channel_utilization =
                std::max(means.channel_utilization, channel.request_utilization);
        }
        const double trap =
            inputs_.trap_cycles - inputs_.trap_after_reply_cycles + means.trap_waiting_cycles;
        means.hardware_response_cycles = means.response_cycles - inputs_.trapped_share * trap;
        means.trapped_response_cycles = means.hardware_response_cycles + trap;
        return means;
    }

  private:
    const LopcSharedMemoryInputs& inputs_;
    const Places& places_;
    const LopcGeneralSolution& general_;
};

}  // namespace

LopcSharedMemorySolution solve_lopc_shared_memory(const LopcSharedMemoryInputs& inputs) {
    check(inputs);
    const Places places{inputs.visits.processors()};
    const LopcGeneralSolution general = solve_lopc_general(general_inputs(inputs, places));
    return Means(inputs, places, general).solution();
}

LopcVisits lopc_visits_of_homes(int processors, int homes) {
    require_count("processors (P)", processors, 2, "nodes");
    if (homes < 1 || homes > processors) {
        throw ModelError("homes (H) is " + std::to_string(homes),
                         "1 to " + std::to_string(processors) + " nodes");
    }
    LopcVisits visits(processors);
    for (std::size_t i = 0; i < visits.processors(); ++i) {
        const bool is_home = i < static_cast<std::size_t>(homes);
        const int others = homes - (is_home ? 1 : 0);
        for (std::size_t k = 0; k < static_cast<std::size_t>(homes) && others > 0; ++k) {
            visits.row(i)[k] = k == i ? 0.0 : 1.0 / others;
        }
    }
    return visits;
}

namespace {

class SharedMemory final : public Model {
  public:
    SharedMemory()
        : Model("lopc-shared-memory",
                "Remote reads of shared memory, served by hardware with software traps",
                "LoPC (1997), sections 4.1 and 4.2, an application that section 7 expects") {
        input(processors_, "processors", "P", "Number of nodes", {2.0, 512.0});
        input(homes_, "homes", "H",
              "Number of home nodes, which hold all lines; 0: all nodes are homes; 1: one server",
              {0.0, 512.0});
        input(WEIR_NAMED(in_, work_cycles), "W", "Work of a thread between two requests");
        input(WEIR_NAMED(in_, network_cycles), "S_l",
              "Network latency of a message, mean of request and reply");
        input(WEIR_NAMED(in_, directory_cycles), "S_o",
              "Time of the home's directory and memory for a request");
        input(WEIR_NAMED(in_, fill_cycles), "S_y",
              "Time of a reply at the requesting node's controller");
        input(
            WEIR_NAMED(in_, handler_squared_cv), "C_o^2",
            "Squared coefficient of variation of the times of directory and software; 0: constant");
        input(WEIR_NAMED(in_, trapped_share), "m",
              "Share of requests that trap to the home's software", {0.0, 1.0});
        input(WEIR_NAMED(in_, trap_cycles), "T_s",
              "Processor time of the home's software for a trapped request");
        input(WEIR_NAMED(in_, trap_after_reply_cycles), "T_x",
              "Part of trap_cycles after the reply has left");
        input(WEIR_NAMED(in_, reply_channel_cycles), "S_n",
              "Time of a reply in the channel from its home into the network; 0 in the paper");

        output(WEIR_NAMED(out_, response_cycles), "R",
               "Time of a round trip, mean over all requests", "(28)");
        output(WEIR_NAMED(out_, contention_free_cycles), "",
               "Time of a round trip without contention (LogP), mean over all requests", "(28)");
        output([this] { return out_.response_cycles - out_.contention_free_cycles; },
               "contention_cycles", "C", "Time of a round trip that is contention", "(28)");
        output(WEIR_NAMED(out_, hardware_response_cycles), "R",
               "Time of a round trip whose request hardware serves", "(28)");
        output([this] { return where_some_trap(out_.trapped_response_cycles); },
               "trapped_response_cycles", "R",
               "Time of a round trip whose request traps to software", "(28)");
        output(WEIR_NAMED(out_, thread_response_cycles), "R_w",
               "Work between two requests, including traps that interrupt it", "(27)");
        output(WEIR_NAMED(out_, directory_waiting_cycles), "R_q - S_o",
               "Time that a request waits for its home's directory", "(25)");
        output([this] { return where_some_trap(out_.trap_waiting_cycles); }, "trap_waiting_cycles",
               "R_q - T_s", "Time that a trapped request waits for its home's processor", "(25)");
        output(WEIR_NAMED(out_, channel_waiting_cycles), "R_q - S_n",
               "Time that a reply waits for the channel from its home into the network", "(25)");
        output(WEIR_NAMED(out_, directory_utilization), "U_q + U_y",
               "Utilization of the busiest home's directory", "(21), (22)");
        output(WEIR_NAMED(out_, processor_utilization), "U_q",
               "Utilization of the busiest home's processor by traps", "(21)");
        output(WEIR_NAMED(out_, channel_utilization), "U_q",
               "Utilization of the busiest home's outgoing channel by replies", "(21)");
        output(WEIR_NAMED(out_, requests_per_cycle), "X",
               "Throughput of all threads together in requests per cycle", "(19)");
    }

  private:
    [[nodiscard]] std::optional<double> where_some_trap(double cycles) const {
        return in_.trapped_share > 0.0 ? std::optional(cycles) : std::nullopt;
    }

    void evaluate() override {
        in_.visits = lopc_visits_of_homes(processors_, homes_ == 0 ? processors_ : homes_);
        out_ = solve_lopc_shared_memory(in_);
        note(
            "The paper analyses each class of requests alone; this model adds both at once, T_x "
            "and S_n.");
    }

    int processors_ = 0;
    int homes_ = 0;
    LopcSharedMemoryInputs in_{.fill_cycles = 0.0};
    LopcSharedMemorySolution out_;
};

}  // namespace

std::unique_ptr<Model> lopc_shared_memory_model() { return std::make_unique<SharedMemory>(); }

}  // namespace weir::experiments::models
