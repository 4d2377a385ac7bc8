#include <memory>

#include "experiments/models/logpc/logpc_model_groups.h"
#include "experiments/models/logpc/mean_distance.h"

namespace weir::experiments::models {
namespace {

class MeanDistance final : public Model {
  public:
    MeanDistance()
        : Model("logpc-mean-distance", "How far messages go in a mesh or k-ary n-cube",
                "LoGPC (2001), sections 3.3 and 4") {}

    ListInput extents{*this, "extents", "k", "Nodes along each dimension, x first",
                      Limits{1.0, 1e6}};
    ChoiceInput topology{*this, "topology", "Whether ends are joined", {"mesh", "torus"}};
    ChoiceInput channels{*this,
                         "channels",
                         "Two channels between neighbours, or one",
                         {"bidirectional", "unidirectional"}};
    ChoiceInput destinations{*this,
                             "destinations",
                             "Where messages go: anywhere, within a span, or to the next numbers",
                             {"random", "random_others", "within_span", "numbered_neighbours"}};
    CountInput span{*this,      "span",
                    "l",        "Hops a dimension within_span; numbers away for neighbours",
                    {1.0, 1e6}, 1};
    ChoiceInput numbering_ends{*this,
                               "numbering_ends",
                               "After the last number: a further row, node 0, or nothing",
                               {"go_on", "end_around", "none"}};

    Output mean_hops_out{*this, "mean_hops", "n k_d", "Mean hops of a message", "(11), (12)"};
    Output mean_distance_per_dimension{*this, "mean_distance_per_dimension", "k_d",
                                       "The same by the number of dimensions", "(11), (12)"};
    Output processors{*this, "processors", "P", "Nodes of the network"};

  private:
    [[nodiscard]] double hops(const NetworkShape& shape) const {
        const int length = static_cast<int>(span.value());
        if (destinations.value() == "random_others") {
            return mean_hops_to_others(shape);
        }
        if (destinations.value() == "within_span") {
            return mean_hops_within_span(shape, length, false);
        }
        if (destinations.value() == "numbered_neighbours") {
            const std::string& ends = numbering_ends.value();
            return mean_hops_to_numbered_neighbours(shape, length,
                                                    ends == "go_on" ? NumberingEnds::kGoOn
                                                    : ends == "end_around"
                                                        ? NumberingEnds::kEndAround
                                                        : NumberingEnds::kNone);
        }
        return mean_hops(shape);
    }

    void refuse_what_is_not_read() const {
        const std::string chosen = "destinations is \"" + destinations.value() + "\"";
        const bool numbered = destinations.value() == "numbered_neighbours";
        if (!numbered && destinations.value() != "within_span") {
            refuse_if_given(span, chosen,
                            R"(with destinations "within_span" or "numbered_neighbours")");
        }
        if (!numbered) {
            refuse_if_given(numbering_ends, chosen, R"(with destinations "numbered_neighbours")");
        }
    }

    void evaluate() override {
        refuse_what_is_not_read();
        const NetworkShape shape{.extents = whole_extents(extents),
                                 .end_around = topology.value() == "torus",
                                 .unidirectional = channels.value() == "unidirectional"};
        const double mean = hops(shape);
        double nodes = 1.0;
        for (const double extent : shape.extents) {
            nodes *= extent;
        }
        mean_hops_out = mean;
        mean_distance_per_dimension = mean / static_cast<double>(shape.extents.size());
        processors = nodes;
        if (destinations.value() == "numbered_neighbours" && shape.extents == kPaperMesh &&
            !shape.end_around && span.value() == 1) {
            note(
                "For i + 1 and i - 1 on 4 x 8 the paper prints 1.875 hops. That counts 8 hops "
                "after "
                "the last node (go_on); its way to node 0 has 10, and gives 1.9375 (end_around).");
        }
        if (destinations.value() == "within_span") {
            note(
                "A node chooses among the others at most span hops away in each dimension. The "
                "paper does not say whether the span is a box; this one is, cut off at the edges.");
        }
    }
};

class OpenNetwork final : public Model {
  public:
    OpenNetwork()
        : Model("agarwal-open-network", "Waiting in a k-ary n-cube at a given injection rate",
                "Agarwal (1991), as LoGPC (2001), section 3, has it") {}

    NetworkInputs network{*this};
    QuantityInput messages_per_cycle_per_node{*this, "messages_per_cycle_per_node", "m",
                                              "Messages a node injects, come what may"};

    Output network_contention_cycles{*this, "network_contention_cycles", "C_n",
                                     "A message's waiting on its way", "(5), (6)"};
    Output contention_per_hop_cycles{*this, "contention_per_hop_cycles", "w_b",
                                     "Waiting at each switch", "(3), (5)"};
    Output channel_utilization = channel_utilization_of(*this);
    Output saturation_messages_per_cycle{*this, "saturation_messages_per_cycle", "",
                                         "Injection rate of a node at which rho is 1", "(4)"};
    OutputTable forms =
        forms_table(*this, {{"network_contention_cycles", "C_n"}, {"channel_utilization", "rho"}},
                    "(3) to (6)");

  private:
    void evaluate() override {
        const double rate = messages_per_cycle_per_node.value();
        const LogpcNetworkInputs chosen = network.chosen();
        const AgarwalNetworkSolution solution = solve_agarwal_network(chosen, rate);
        network_contention_cycles = solution.contention_cycles;
        contention_per_hop_cycles = solution.contention_per_hop_cycles;
        channel_utilization = solution.channel_utilization;
        saturation_messages_per_cycle = logpc_saturation_rate(chosen);
        fill_forms(forms, network, [&](const LogpcNetworkInputs& in_form) {
            const AgarwalNetworkSolution s = solve_agarwal_network(in_form, rate);
            return std::vector<double>{s.contention_cycles, s.channel_utilization};
        });
    }
};

class ClosedNetwork final : public Model {
  public:
    ClosedNetwork()
        : Model("logpc-closed-network", "Waiting in a k-ary n-cube whose nodes wait with it",
                "LoGPC (2001), section 3") {}

    NetworkInputs network{*this};
    QuantityInput contention_free_intermessage_cycles{
        *this, "contention_free_intermessage_cycles", "T",
        "From a node's message to its next, were there no contention"};
    QuantityInput waits_per_message{
        *this, "waits_per_message", "", "Times C_n delays a node's next message", {1.0, 1e6}, 1.0};

    Output network_contention_cycles{*this, "network_contention_cycles", "C_n",
                                     "A message's waiting on its way", "(6), (7)"};
    Output contention_per_hop_cycles{*this, "contention_per_hop_cycles", "w_b",
                                     "Waiting at each switch", "(3), (6)"};
    Output intermessage_cycles{*this, "intermessage_cycles", "T_c", "T with its contention", "(7)"};
    Output messages_per_cycle_per_node{*this, "messages_per_cycle_per_node", "m_c",
                                       "Messages a node injects", "(7)"};
    Output inflation{*this, "inflation", "T_c/T", "What contention makes of T", "(14)"};
    Output channel_utilization = channel_utilization_of(*this);
    OutputTable forms = forms_table(*this,
                                    {{"network_contention_cycles", "C_n"},
                                     {"intermessage_cycles", "T_c"},
                                     {"channel_utilization", "rho"}},
                                    "(3) to (7)");

  private:
    void evaluate() override {
        const double intermessage = contention_free_intermessage_cycles.value();
        const auto solve_in = [&](const LogpcNetworkInputs& inputs) {
            return solve_logpc_network(inputs, intermessage, waits_per_message.value());
        };
        const LogpcNetworkSolution solution = solve_in(network.chosen());
        network_contention_cycles = solution.contention_cycles;
        contention_per_hop_cycles = solution.contention_per_hop_cycles;
        intermessage_cycles = solution.intermessage_cycles;
        messages_per_cycle_per_node = solution.messages_per_cycle_per_node;
        if (intermessage >= 1e-9) {
            inflation = solution.intermessage_cycles / intermessage;
        }
        channel_utilization = solution.channel_utilization;
        fill_forms(forms, network, [&](const LogpcNetworkInputs& in_form) {
            const LogpcNetworkSolution s = solve_in(in_form);
            return std::vector<double>{s.contention_cycles, s.intermessage_cycles,
                                       s.channel_utilization};
        });
    }
};

}  // namespace

void add_logpc_network_models(Models& models) {
    models.push_back(std::make_unique<MeanDistance>());
    models.push_back(std::make_unique<OpenNetwork>());
    models.push_back(std::make_unique<ClosedNetwork>());
}

}  // namespace weir::experiments::models
