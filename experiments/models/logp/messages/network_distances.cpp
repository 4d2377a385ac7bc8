#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/logp/logp_machine.h"
#include "network/topology/network_distance.h"

namespace weir::experiments::models {
namespace {

std::vector<std::string> network_names() {
    std::vector<std::string> all;
    all.reserve(network::kNetworkTopologies.size());
    for (const network::NetworkTopology topology : network::kNetworkTopologies) {
        all.emplace_back(network::network_name(topology));
    }
    return all;
}

/// Source: Culler et al. (1993), section 5.1.
class NetworkDistanceModel final : public Model {
  public:
    NetworkDistanceModel()
        : Model("logp-network-distance", "Distances between processors of seven networks, in hops",
                kLogpPaper + "section 5.1") {
        using Exact = network::ExactNetworkDistance;
        input(processors_, "processors", "P", "Processors", {2.0, 1e12});
        choice(network_, "network", "Network that the outputs describe", network_names());
        output([this] { return network::asymptotic_network_distance(chosen(), processors_); },
               "asymptotic_mean_hops", "", "Mean number of hops by the paper's formula for large P",
               "Section 5.1");
        output(exact_, &Exact::mean, "mean_hops", "",
               "Exact mean number of hops over all pairs, including a processor and itself");
        output(exact_, &Exact::mean_to_others, "mean_hops_to_others", "",
               "Exact mean number of hops over pairs of different processors");
        output(exact_, &Exact::largest, "largest_hops", "H",
               "Number of hops between the two most distant processors");
    }

  private:
    [[nodiscard]] network::NetworkTopology chosen() const {
        return network::kNetworkTopologies.at(network_);
    }

    void evaluate() override {
        for (const network::NetworkTopology topology : network::kNetworkTopologies) {
            const auto exact = network::exact_network_distance(topology, processors_);
            const auto cell = [&](double value) {
                return exact ? OutputTable::Cell(value) : OutputTable::Cell("not applicable");
            };
            networks_.add_row({std::string(network::network_name(topology)),
                               network::asymptotic_network_distance(topology, processors_),
                               cell(exact ? exact->mean : 0.0),
                               cell(exact ? exact->mean_to_others : 0.0),
                               cell(exact ? static_cast<double>(exact->largest) : 0.0)});
        }
        exact_ = network::exact_network_distance(chosen(), processors_);
        if (!exact_) {
            note("For " + std::to_string(processors_) + " processors the outputs are empty: a " +
                 std::string(network::network_name(chosen())) + " takes " +
                 std::string(network::network_sizes(chosen())) + ".");
        }
        note("The paper prints 4 log4 P - 2/3 for the fat tree, but its 9.33 is 2 log4 P - 2/3.");
        note("Printed for P = 1024: 5, 10, 9.33, 7.5, 10, 16, 21; the 3-D ones for a side of 10.");
    }

    std::int64_t processors_ = 0;
    std::size_t network_ = 0;
    std::optional<network::ExactNetworkDistance> exact_;
    OutputTable networks_{
        *this,
        "networks",
        "Distances in all seven networks",
        {{"network", "topology"},
         {"asymptotic_mean_hops", "mean number of hops by the paper's formula for large P"},
         {"mean_hops",
          "exact mean number of hops over all pairs, including a processor and itself"},
         {"mean_hops_to_others", "exact mean number of hops over pairs of different processors"},
         {"largest_hops", "number of hops between the two most distant processors"}},
        "Section 5.1"};
};

}  // namespace

std::unique_ptr<Model> logp_network_distance_model() {
    return std::make_unique<NetworkDistanceModel>();
}

}  // namespace weir::experiments::models
