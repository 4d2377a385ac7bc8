#include "experiments/models/logpc/logpc_models.h"

#include <cmath>
#include <utility>

#include "experiments/models/logpc/logpc_model_groups.h"

namespace weir::experiments::models {

ChannelInputs::ChannelInputs(Model& model, double smallest_gap_cycles_per_byte)
    : gap_cycles_per_byte(model, "gap_cycles_per_byte", "G", "Time the network takes for a byte",
                          {smallest_gap_cycles_per_byte, kLargestQuantity}),
      channel_occupancy(model, "channel_occupancy",
                        "A message holds a channel for B cycles as printed, or for G B",
                        {"as_printed", "cycles"}),
      channels(model, "channels", "Two channels between neighbours, or one",
               {"bidirectional", "unidirectional"}) {}

void ChannelInputs::apply(LogpcNetworkInputs& network, const std::string& form) const {
    network.channel_cycles_per_byte = form == "cycles" ? gap_cycles_per_byte.value() : 1.0;
    network.channels_per_dimension = channels.value() == "unidirectional" ? 1 : 2;
}

NetworkInputs::NetworkInputs(Model& model)
    : dimensions(model, "dimensions", "n", "Dimensions of the network", kDimensionLimits),
      mean_distance_per_dimension(model, "mean_distance_per_dimension", "k_d",
                                  "Mean hops a dimension; below 1, contention would save time",
                                  {1.0, kLargestQuantity}),
      message_bytes(model, "message_bytes", "B", "Length of a message", kLengthLimits),
      channels(model) {}

LogpcNetworkInputs NetworkInputs::in_form(const std::string& form) const {
    LogpcNetworkInputs network{
        .dimensions = static_cast<int>(dimensions.value()),
        .mean_distance_per_dimension = mean_distance_per_dimension.value(),
        .message_bytes = message_bytes.value(),
    };
    channels.apply(network, form);
    return network;
}

Output channel_utilization_of(Model& model) {
    return {model, "channel_utilization", "rho", "Share of time a channel is busy", "(4)"};
}

OutputTable forms_table(Model& model, std::vector<OutputTable::Column> columns,
                        std::string equation) {
    columns.insert(columns.begin(), {"channel_occupancy", "As printed B cycles, or G B cycles"});
    return {model, "forms", "Both readings of how long a message holds a channel",
            std::move(columns), std::move(equation)};
}

std::vector<int> whole_extents(const ListInput& extents) {
    std::vector<int> whole;
    for (const double extent : extents.value()) {
        if (std::trunc(extent) != extent) {
            throw ModelError(extents.title() + " has " + shortest_text(extent),
                             "whole numbers of nodes");
        }
        if (extent > 1.0) {
            whole.push_back(static_cast<int>(extent));
        }
    }
    if (whole.empty()) {
        whole.push_back(1);
    }
    return whole;
}

Models logpc_models() {
    Models models;
    add_logpc_message_models(models);
    add_logpc_network_models(models);
    add_logpc_application_models(models);
    return models;
}

}  // namespace weir::experiments::models
