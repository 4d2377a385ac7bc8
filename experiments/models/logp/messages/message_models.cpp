#include "experiments/models/logp/messages/message_models.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/models/logp/machine_inputs.h"
#include "experiments/models/logp/messages/long_message.h"
#include "experiments/models/logp/messages/point_to_point.h"
#include "experiments/models/logp/messages/unloaded_time.h"
#include "experiments/models/model_error.h"
#include "network/topology/network_distance.h"

namespace weir::experiments::models {
namespace {

class PointToPointModel final : public Model {
  public:
    PointToPointModel()
        : Model("logp-point-to-point", "One message, a remote read, prefetches and capacity",
                kLogpPaper + "sections 3 and 3.2") {}

  private:
    void evaluate() override {
        const LogpPointToPointInputs inputs = {
            .message = {.latency_cycles = latency_cycles_.value(),
                        .send_overhead_cycles = send_overhead_cycles_.value(),
                        .receive_overhead_cycles = receive_overhead_cycles_.value()},
            .gap_cycles = gap_cycles_.value()};
        const LogpPointToPoint answer = solve_logp_point_to_point(inputs);
        message_cycles_ = answer.message_cycles;
        remote_read_cycles_ = answer.remote_read_cycles;
        iteration_cycles_ = logp_round_trip_cycles(inputs.message, work_cycles_.value());
        asynchronous_iteration_cycles_ = logp_asynchronous_iteration_cycles(inputs.message);
        prefetch_overhead_cycles_ = answer.prefetch_overhead_cycles;
        prefetch_interval_cycles_ = answer.prefetch_interval_cycles;
        if (answer.capacity_messages) {
            capacity_messages_ = *answer.capacity_messages;
            multithreading_limit_ = *answer.multithreading_limit;
        } else {
            note("Without a gap (g = 0) nothing limits the messages on their way.");
        }
    }

    QuantityInput latency_cycles_{*this, "latency_cycles", "L", "A message in the network"};
    QuantityInput send_overhead_cycles_{*this, "send_overhead_cycles", "o_s",
                                        "The processor's part of sending"};
    QuantityInput receive_overhead_cycles_{*this, "receive_overhead_cycles", "o_r",
                                           "The processor's part of receiving"};
    QuantityInput gap_cycles_{*this, "gap_cycles", "g",
                              "Between two sends, or two receptions, of a processor"};
    QuantityInput work_cycles_{*this, "work_cycles", "W", "Work before each remote read", {}, 0.0};
    Output message_cycles_{*this, "message_cycles", "",
                           "From the start of the send to the end of the reception",
                           "Section 5: o + L + o"};
    Output remote_read_cycles_{*this, "remote_read_cycles", "", "Request and reply",
                               "Section 3.2: 2L + 4o"};
    Output iteration_cycles_{*this, "iteration_cycles", "R", "Work and a remote read",
                             "W + 2L + 4o"};
    Output asynchronous_iteration_cycles_{
        *this, "asynchronous_iteration_cycles", "",
        "A turn of a node that sends, receives and waits for nothing", "o_s + o_r"};
    Output prefetch_overhead_cycles_{*this, "prefetch_overhead_cycles", "",
                                     "The processor's time a prefetch takes", "Section 3.2: 2o"};
    Output prefetch_interval_cycles_{*this, "prefetch_interval_cycles", "",
                                     "Between two prefetches, or the processor's time if longer",
                                     "Section 3.2: max(g, 2o)"};
    Output capacity_messages_{*this, "capacity_messages", "",
                              "On their way from or to a processor, at most",
                              "Section 3: ceil(L/g)"};
    Output multithreading_limit_{*this, "multithreading_limit", "",
                                 "Virtual processors of a processor whose waiting pays",
                                 "Section 3.2: L/g"};
};

class LongMessageModel final : public Model {
  public:
    LongMessageModel()
        : Model("logp-long-message", "A message of many small ones, and work meanwhile",
                kLogpPaper + "sections 3.1, 5.2 and 5.4") {}

  private:
    void evaluate() override {
        const LogpMachine machine = {.latency_cycles = latency_cycles_.value(),
                                     .overhead_cycles = overhead_cycles_.value(),
                                     .gap_cycles = gap_cycles_.value(),
                                     .processors = 2};
        const LogpLongMessage answer =
            solve_logp_long_message(machine, small_messages_.value(), work_cycles_.value());
        message_cycles_ = answer.message_cycles;
        synchronous_send_cycles_ = answer.synchronous_send_cycles;
        processor_busy_cycles_ = answer.processor_busy_cycles;
        one_processor_cycles_ = answer.one_processor_cycles;
        two_processors_cycles_ = answer.two_processors_cycles;
        overhead_as_gap_cycles_ = answer.overhead_as_gap_cycles;
        note("The paper says in words that each small message pays o; the sum is the pipeline's.");
        note("Hardware for long messages is a second processor to LogP: at best twice as fast.");
    }

    QuantityInput latency_cycles_{*this, "latency_cycles", "L", "A small message in the network"};
    QuantityInput overhead_cycles_{*this, "overhead_cycles", "o",
                                   "The processor's part of a small message"};
    QuantityInput gap_cycles_{*this, "gap_cycles", "g", "Between two small messages"};
    CountInput small_messages_{
        *this, "small_messages", "k", "What the network carries as one", {1.0, 1e12}};
    QuantityInput work_cycles_{*this, "work_cycles", "W", "Work of the sending node meanwhile", {},
                               0.0};
    Output message_cycles_{*this, "message_cycles", "",
                           "From the first send to the end of the last reception",
                           "Section 5.4: o + (k-1) max(g, o) + L + o"};
    Output synchronous_send_cycles_{*this, "synchronous_send_cycles", "",
                                    "With the CM-5's pair of messages before the data",
                                    "Section 5.2: 3(L + 2o) + ng"};
    Output processor_busy_cycles_{*this, "processor_busy_cycles", "",
                                  "The sending processor's time", "k o"};
    Output one_processor_cycles_{*this, "one_processor_cycles", "",
                                 "Work and sending, the work in the gaps",
                                 "max(W + k o, (k-1) max(g, o) + o)"};
    Output two_processors_cycles_{*this, "two_processors_cycles", "",
                                  "With a second processor for the sending",
                                  "Section 5.4: max(W, (k-1) max(g, o) + o)"};
    Output overhead_as_gap_cycles_{*this, "overhead_as_gap_cycles", "",
                                   "Work and sending if o is raised to g",
                                   "Section 3.1: W + k max(g, o)"};
};

std::vector<std::string> machine_names() {
    std::vector<std::string> names{"custom"};
    for (const PublishedMachine& machine : kPublishedMachines) {
        names.emplace_back(machine.name);
    }
    return names;
}

class UnloadedTimeModel final : public Model {
  public:
    UnloadedTimeModel()
        : Model("logp-unloaded-time", "A message through an idle network, and L, o and g of it",
                kLogpPaper + "section 5.2 and Table 1") {}

  private:
    void evaluate() override {
        const UnloadedMessage answer =
            solve_unloaded_message(chosen_hardware(), message_bits_.value());
        message_cycles_ = answer.message_cycles;
        message_nanoseconds_ = answer.message_nanoseconds;
        overhead_cycles_ = answer.overhead_cycles;
        latency_cycles_ = answer.latency_cycles;
        overhead_share_ = answer.overhead_share;
        if (bisection_bits_per_cycle_.value() > 0.0) {
            gap_cycles_ =
                bisection_gap_cycles(message_bits_.value(), bisection_bits_per_cycle_.value());
        } else {
            note("Without bisection_bits_per_cycle there is no g; Table 1 has none.");
        }
        for (const PublishedMachine& machine : kPublishedMachines) {
            const MessageHardware& hardware = machine.hardware;
            table_1_.add_row(
                {std::string(machine.name), std::string(machine.network),
                 hardware.cycle_nanoseconds, hardware.channel_bits, hardware.both_overheads_cycles,
                 hardware.hop_cycles, hardware.hops,
                 solve_unloaded_message(hardware, message_bits_.value()).message_cycles});
        }
        note("Table 1 cuts fractions off: Dash's 53.6 is printed 53.");
        note("LogP's L is an upper bound: for it, give the hops of the longest route.");
        note(
            "Table 1's mean hops of Dash (6.8) and J-Machine (12.1) are as printed: the formulas "
            "of section 5.1 give 7.56 for a 3-D torus, 16 for a 2-D one, 10.08 for the mesh.");
    }

    [[nodiscard]] MessageHardware chosen_hardware() const {
        const auto* published = std::find_if(
            kPublishedMachines.begin(), kPublishedMachines.end(),
            [&](const PublishedMachine& machine) { return machine.name == machine_.value(); });
        const MessageHardware given = {
            .cycle_nanoseconds = cycle_nanoseconds_.value(),
            .channel_bits = channel_bits_.value(),
            .both_overheads_cycles = both_overheads_cycles_.value(),
            .hop_cycles = hop_cycles_.value(),
            .hops = hops_.value(),
        };
        if (published == kPublishedMachines.end()) {
            return given;
        }
        if (given != kNeutral) {
            throw ModelError("machine is \"" + machine_.value() + "\"",
                             "\"custom\", where cycle_nanoseconds, channel_bits, "
                             "both_overheads_cycles, hop_cycles or hops are given");
        }
        return published->hardware;
    }

    static constexpr MessageHardware kNeutral = {1.0, 1.0, 0.0, 0.0, 0.0};

    CountInput message_bits_{*this, "message_bits", "M", "The message", {1.0, 1e12}};
    ChoiceInput machine_{*this, "machine", "A row of Table 1, or the numbers below",
                         machine_names()};
    QuantityInput cycle_nanoseconds_{*this, "cycle_nanoseconds",       "", "A cycle of the network",
                                     {},    kNeutral.cycle_nanoseconds};
    QuantityInput channel_bits_{*this,       "channel_bits",
                                "w",         "A channel takes these in a cycle",
                                {1e-3, 1e6}, kNeutral.channel_bits};
    QuantityInput both_overheads_cycles_{
        *this, "both_overheads_cycles",       "T_snd + T_rcv", "Send and receive overhead together",
        {},    kNeutral.both_overheads_cycles};
    QuantityInput hop_cycles_{*this, "hop_cycles", "r", "Through a node", {}, kNeutral.hop_cycles};
    QuantityInput hops_{*this, "hops", "H", "Nodes on the route", {}, kNeutral.hops};
    QuantityInput bisection_bits_per_cycle_{
        *this, "bisection_bits_per_cycle",
        "",    "Bisection bandwidth of a processor; 0: not known",
        {},    0.0};
    Output message_cycles_{*this, "message_cycles", "T(M,H)", "The message, with both overheads",
                           "Section 5.2: T_snd + ceil(M/w) + Hr + T_rcv"};
    Output message_nanoseconds_{*this, "message_nanoseconds", "", "The same in time"};
    Output overhead_cycles_{*this, "overhead_cycles", "o", "LogP's overhead",
                            "Section 5.2: (T_snd + T_rcv)/2"};
    Output latency_cycles_{*this, "latency_cycles", "L", "LogP's latency",
                           "Section 5.2: Hr + ceil(M/w)"};
    Output gap_cycles_{*this, "gap_cycles", "g", "LogP's gap", "Section 5.2: M over the bisection"};
    Output overhead_share_{*this, "overhead_share", "", "Of the time that is overhead"};
    OutputTable table_1_{*this,
                         "table_1",
                         "The machines of Table 1 with this message",
                         {{"machine", "AM: the active message layer"},
                          {"network", "topology"},
                          {"cycle_nanoseconds", "a cycle of the network"},
                          {"channel_bits", "w"},
                          {"both_overheads_cycles", "T_snd + T_rcv"},
                          {"hop_cycles", "r"},
                          {"hops", "mean H of 1024 processors"},
                          {"message_cycles", "T(M, H)"}},
                         "Table 1"};
};

class NetworkDistanceModel final : public Model {
  public:
    NetworkDistanceModel()
        : Model("logp-network-distance", "Links a message crosses in seven networks",
                kLogpPaper + "section 5.1") {}

  private:
    void evaluate() override {
        const std::int64_t processors = processors_.value();
        for (const network::NetworkTopology topology : network::kNetworkTopologies) {
            const double formula = network::asymptotic_network_distance(topology, processors);
            const auto exact = network::exact_network_distance(topology, processors);
            networks_.add_row(
                {std::string(network::network_name(topology)), formula,
                 cell(exact ? std::optional(exact->mean) : std::nullopt),
                 cell(exact ? std::optional(exact->mean_to_others) : std::nullopt),
                 cell(exact ? std::optional(static_cast<double>(exact->largest)) : std::nullopt)});
            if (network::network_name(topology) != network_.value()) {
                continue;
            }
            asymptotic_mean_hops_ = formula;
            if (exact) {
                mean_hops_ = exact->mean;
                mean_hops_to_others_ = exact->mean_to_others;
                largest_hops_ = static_cast<double>(exact->largest);
            } else {
                note("Of " + std::to_string(processors) + " processors there is no " +
                     network_.value() + ": it takes " +
                     std::string(network::network_sizes(topology)) + ".");
            }
        }
        note("The fat tree is printed as 4 log4 P - 2/3, but its 9.33 is 2 log4 P - 2/3.");
        note("Printed for P = 1024: 5, 10, 9.33, 7.5, 10, 16, 21; the 3-D ones for a side of 10.");
    }

    static OutputTable::Cell cell(const std::optional<double>& value) {
        return value ? OutputTable::Cell(*value) : OutputTable::Cell("not applicable");
    }

    static std::vector<std::string> names() {
        std::vector<std::string> all;
        all.reserve(network::kNetworkTopologies.size());
        for (const network::NetworkTopology topology : network::kNetworkTopologies) {
            all.emplace_back(network::network_name(topology));
        }
        return all;
    }

    CountInput processors_{*this, "processors", "P", "Processors", {2.0, 1e12}};
    ChoiceInput network_{*this, "network", "The network the outputs are of", names()};
    Output asymptotic_mean_hops_{*this, "asymptotic_mean_hops", "", "The paper's formula",
                                 "Section 5.1"};
    Output mean_hops_{*this, "mean_hops", "", "Exact, over all pairs, a processor and itself too"};
    Output mean_hops_to_others_{*this, "mean_hops_to_others", "",
                                "Exact, over pairs of different processors"};
    Output largest_hops_{*this, "largest_hops", "H", "The longest of the shortest routes"};
    OutputTable networks_{*this,
                          "networks",
                          "All seven networks",
                          {{"network", "topology"},
                           {"asymptotic_mean_hops", "the paper's formula"},
                           {"mean_hops", "exact, over all pairs"},
                           {"mean_hops_to_others", "exact, without a processor and itself"},
                           {"largest_hops", "the longest of the shortest routes"}},
                          "Section 5.1"};
};

}  // namespace

Models logp_message_models() {
    Models models;
    models.push_back(std::make_unique<PointToPointModel>());
    models.push_back(std::make_unique<LongMessageModel>());
    models.push_back(std::make_unique<UnloadedTimeModel>());
    models.push_back(std::make_unique<NetworkDistanceModel>());
    return models;
}

}  // namespace weir::experiments::models
