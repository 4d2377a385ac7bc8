#include "experiments/models/logpc/logpc_network.h"

#include <cmath>
#include <optional>
#include <string>

#include "experiments/models/logpc/logpc_network_inputs.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

void check(const LogpcNetworkInputs& inputs) {
    require_count("dimensions (n)", inputs.dimensions, 1, "dimensions");
    require_quantity("mean_distance_per_dimension (k_d)", inputs.mean_distance_per_dimension, 1.0,
                     "hops (below 1 the LoGPC network model does not apply)");
    require_quantity("message_bytes (B)", inputs.message_bytes, 1.0);
    require_quantity("channel_cycles_per_byte", inputs.channel_cycles_per_byte, 1e-9);
    require_count("channels_per_dimension", inputs.channels_per_dimension, 1, "channels");
}

/// Cycles for which a message holds each channel of its route: the B of (3) to (7).
double message_channel_cycles(const LogpcNetworkInputs& inputs) {
    return inputs.message_bytes * inputs.channel_cycles_per_byte;
}

/// Cycles of channel time that a message uses on its route, by (4). rho is this over the
/// intermessage time.
double channel_cycles(const LogpcNetworkInputs& inputs) {
    return message_channel_cycles(inputs) * inputs.mean_distance_per_dimension /
           inputs.channels_per_dimension;
}

/// The numerator of C_n in (9) without its m, in square cycles: C_n = this / (1/m -
/// channel_cycles). By (3), (4) and (6) it is B (n + 1) (k_d - 1)/k_d times channel_cycles.
double waiting_square_cycles(const LogpcNetworkInputs& inputs) {
    const double held = message_channel_cycles(inputs);
    return (inputs.dimensions + 1.0) * (inputs.mean_distance_per_dimension - 1.0) * held * held /
           inputs.channels_per_dimension;
}

double total_hops(const LogpcNetworkInputs& inputs) {
    return inputs.dimensions * inputs.mean_distance_per_dimension;
}

}  // namespace

LogpcNetworkSolution solve_logpc_network(const LogpcNetworkInputs& inputs,
                                         double contention_free_intermessage_cycles,
                                         double waits_per_message) {
    check(inputs);
    const double intermessage = contention_free_intermessage_cycles;
    require_quantity("contention_free_intermessage_cycles (T)", intermessage);
    require_quantity("waits_per_message", waits_per_message, 1.0, "times C_n");

    const double waiting = waiting_square_cycles(inputs);
    const double slack = intermessage - channel_cycles(inputs);
    if (waiting == 0.0 && slack <= 0.0) {
        throw ModelError(
            "contention_free_intermessage_cycles (T) is " + shortest_text(intermessage),
            "more than " + shortest_text(channel_cycles(inputs)) +
                " cycles with k_d = 1, where channels saturate");
    }
    // (6) in (7) is the quadratic C_n (s C_n + slack) = waiting, with s = waits_per_message. Its
    // positive root has two forms; the one without cancellation is taken.
    const double root = std::sqrt(slack * slack + 4.0 * waits_per_message * waiting);
    const double contention =
        slack > 0.0 ? 2.0 * waiting / (slack + root) : (root - slack) / (2.0 * waits_per_message);
    const double intermessage_with_contention = intermessage + waits_per_message * contention;
    return {
        .contention_cycles = contention,
        .contention_per_hop_cycles = contention / total_hops(inputs),       // (6)
        .messages_per_cycle_per_node = 1.0 / intermessage_with_contention,  // (7)
        .intermessage_cycles = intermessage_with_contention,
        .channel_utilization = channel_cycles(inputs) / intermessage_with_contention,  // (4)
    };
}

AgarwalNetworkSolution solve_agarwal_network(const LogpcNetworkInputs& inputs,
                                             double messages_per_cycle_per_node) {
    check(inputs);
    const double rate = messages_per_cycle_per_node;
    require_quantity("messages_per_cycle_per_node (m)", rate, 0.0, "messages per cycle");
    const double utilization = rate * channel_cycles(inputs);  // (4)
    if (utilization >= 1.0) {
        throw ModelError("messages_per_cycle_per_node (m) is " + shortest_text(rate),
                         "below " + shortest_text(1.0 / channel_cycles(inputs)) +
                             " messages per cycle, where channels saturate");
    }
    const double contention = rate * waiting_square_cycles(inputs) / (1.0 - utilization);
    return {
        .contention_cycles = contention,                               // (5), (6)
        .contention_per_hop_cycles = contention / total_hops(inputs),  // (6)
        .channel_utilization = utilization,
    };
}

double logpc_saturation_rate(const LogpcNetworkInputs& inputs) {
    check(inputs);
    return 1.0 / channel_cycles(inputs);
}

LogpcMaximalInjection max_injection_inflation(LogpcNetworkInputs network,
                                              double gap_cycles_per_byte) {
    require_quantity("gap_cycles_per_byte (G)", gap_cycles_per_byte, 1e-9);
    // B cancels from (13), so F is the solution for one byte.
    network.message_bytes = 1.0;
    const double contention_free = 2.0 * gap_cycles_per_byte;
    const double cycles_per_byte =
        solve_logpc_network(network, contention_free).intermessage_cycles;  // (13)
    return {.cycles_per_byte = cycles_per_byte,
            .inflation = cycles_per_byte / contention_free};  // (14)
}

void ChannelInputs::declare(Model& model) {
    model.input(gap_cycles_per_byte, "gap_cycles_per_byte", "G", "Time per byte in the network",
                kGapLimits);
    model.choice(
        channel_occupancy, "channel_occupancy",
        "Time that a message holds a channel: B cycles, as the paper prints, or G B cycles",
        kChannelOccupancies);
    model.choice(unidirectional, "channels",
                 "Channels between neighbours: one in each direction, or one in a single direction",
                 {"bidirectional", "unidirectional"});
}

void ChannelInputs::apply(LogpcNetworkInputs& network, std::size_t occupancy) const {
    network.channel_cycles_per_byte = occupancy == 0 ? 1.0 : gap_cycles_per_byte;
    network.channels_per_dimension = unidirectional ? 1 : 2;
}

void NetworkInputs::declare(Model& model) {
    model.input(WEIR_NAMED(network, dimensions), "n", "Number of dimensions of the network",
                {1.0, 1e6});
    model.input(WEIR_NAMED(network, mean_distance_per_dimension), "k_d",
                "Mean number of hops of a message per dimension, at least 1",
                {1.0, kLargestQuantity});
    model.input(WEIR_NAMED(network, message_bytes), "B", "Length of a message", kLengthLimits);
    channels.declare(model);
}

LogpcNetworkInputs NetworkInputs::read_as(std::size_t occupancy) const {
    LogpcNetworkInputs read = network;
    channels.apply(read, occupancy);
    return read;
}

void declare_channel_utilization(Model& model, const double& utilization) {
    model.output(utilization, "channel_utilization", "rho",
                 "Share of the time in which a channel is busy", "(4)");
}

OutputTable forms_table(Model& model, std::vector<OutputTable::Column> columns,
                        std::string equation) {
    columns.insert(columns.begin(),
                   {"channel_occupancy",
                    "Time that a message holds a channel: B cycles (as_printed) or G B cycles"});
    return {model, "forms", "Results for both readings of the time that a message holds a channel",
            std::move(columns), std::move(equation)};
}

namespace {

class OpenNetwork final : public Model {
  public:
    OpenNetwork()
        : Model("agarwal-open-network",
                "Waiting time of messages in a k-ary n-cube at a given injection rate",
                "Agarwal (1991), as in LoGPC (2001), section 3") {
        network_.declare(*this);
        input(rate_, "messages_per_cycle_per_node", "m",
              "Injection rate of a node, independent of contention");
        output(out_.contention_cycles, "network_contention_cycles", "C_n",
               "Time that a message waits in the network", "(5), (6)");
        output(WEIR_NAMED(out_, contention_per_hop_cycles), "w_b",
               "Time that a message waits at each router of its route", "(3), (5)");
        declare_channel_utilization(*this, out_.channel_utilization);
        output([this] { return logpc_saturation_rate(network_.chosen()); },
               "saturation_messages_per_cycle", "", "Injection rate of a node at which rho is 1",
               "(4)");
    }

  private:
    void evaluate() override {
        out_ = solve_agarwal_network(network_.chosen(), rate_);
        fill_forms(forms_, network_, [&](const LogpcNetworkInputs& inputs) {
            const AgarwalNetworkSolution s = solve_agarwal_network(inputs, rate_);
            return std::vector<double>{s.contention_cycles, s.channel_utilization};
        });
    }

    NetworkInputs network_;
    double rate_ = kNotGiven;
    AgarwalNetworkSolution out_;
    OutputTable forms_ =
        forms_table(*this, {{"network_contention_cycles", "C_n"}, {"channel_utilization", "rho"}},
                    "(3) to (6)");
};

class ClosedNetwork final : public Model {
  public:
    ClosedNetwork()
        : Model("logpc-closed-network",
                "Waiting time of messages in a k-ary n-cube whose injection rates fall under "
                "contention",
                "LoGPC (2001), section 3") {
        network_.declare(*this);
        input(intermessage_cycles_, "contention_free_intermessage_cycles", "T",
              "Time from a node's message to its next, without contention");
        input(waits_per_message_, "waits_per_message", "",
              "Number of times that C_n delays a node's next message", {1.0, 1e6});
        output(out_.contention_cycles, "network_contention_cycles", "C_n",
               "Time that a message waits in the network", "(6), (7)");
        output(WEIR_NAMED(out_, contention_per_hop_cycles), "w_b",
               "Time that a message waits at each router of its route", "(3), (6)");
        output(WEIR_NAMED(out_, intermessage_cycles), "T_c",
               "Time from a node's message to its next, with contention", "(7)");
        output(WEIR_NAMED(out_, messages_per_cycle_per_node), "m_c",
               "Injection rate of a node, contention included", "(7)");
        output(
            [this] {
                return intermessage_cycles_ < 1e-9
                           ? std::nullopt
                           : std::optional(out_.intermessage_cycles / intermessage_cycles_);
            },
            "inflation", "T_c/T", "T_c divided by T: slowdown by contention", "(14)");
        declare_channel_utilization(*this, out_.channel_utilization);
    }

  private:
    void evaluate() override {
        const auto solve_in = [&](const LogpcNetworkInputs& inputs) {
            return solve_logpc_network(inputs, intermessage_cycles_, waits_per_message_);
        };
        out_ = solve_in(network_.chosen());
        fill_forms(forms_, network_, [&](const LogpcNetworkInputs& inputs) {
            const LogpcNetworkSolution s = solve_in(inputs);
            return std::vector<double>{s.contention_cycles, s.intermessage_cycles,
                                       s.channel_utilization};
        });
    }

    NetworkInputs network_;
    double intermessage_cycles_ = kNotGiven;
    double waits_per_message_ = 1.0;
    LogpcNetworkSolution out_;
    OutputTable forms_ = forms_table(*this,
                                     {{"network_contention_cycles", "C_n"},
                                      {"intermessage_cycles", "T_c"},
                                      {"channel_utilization", "rho"}},
                                     "(3) to (7)");
};

}  // namespace

std::unique_ptr<Model> agarwal_open_network_model() { return std::make_unique<OpenNetwork>(); }

std::unique_ptr<Model> logpc_closed_network_model() { return std::make_unique<ClosedNetwork>(); }

}  // namespace weir::experiments::models
