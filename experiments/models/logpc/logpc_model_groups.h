#pragma once

#include <string>
#include <vector>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/logpc/logpc_network.h"
#include "experiments/models/model_error.h"

/// What logpc_models() puts together, and the inputs its models share.
namespace weir::experiments::models {

void add_logpc_network_models(Models& models);
void add_logpc_message_models(Models& models);
void add_logpc_application_models(Models& models);

constexpr Limits kGapLimits = {1e-9, kLargestQuantity};
constexpr Limits kLengthLimits = {1.0, kLargestQuantity};
constexpr Limits kDimensionLimits = {1.0, 1e6};
/// The 4 x 8 mesh of the paper, x first.
inline const std::vector<int> kPaperMesh = {8, 4};

constexpr Limits kProcessorLimits = {2.0, 1e9};

/// How long a message of B bytes holds a channel: the two readings of the network's equations.
class ChannelInputs {
  public:
    ChannelInputs(Model& model, double smallest_gap_cycles_per_byte = kGapLimits.smallest);

    QuantityInput gap_cycles_per_byte;
    ChoiceInput channel_occupancy;
    ChoiceInput channels;

    /// Sets what these inputs say about the channels, in the form that is chosen.
    void apply(LogpcNetworkInputs& network) const { apply(network, channel_occupancy.value()); }
    /// The same in the given form, one of channel_occupancy.names().
    void apply(LogpcNetworkInputs& network, const std::string& form) const;
};

/// The inputs of LoGPC's network: n, k_d, B and the channels.
class NetworkInputs {
  public:
    explicit NetworkInputs(Model& model);

    CountInput dimensions;
    QuantityInput mean_distance_per_dimension;
    QuantityInput message_bytes;
    ChannelInputs channels;

    [[nodiscard]] LogpcNetworkInputs chosen() const {
        return in_form(channels.channel_occupancy.value());
    }
    [[nodiscard]] LogpcNetworkInputs in_form(const std::string& form) const;
    [[nodiscard]] const std::vector<std::string>& forms() const {
        return channels.channel_occupancy.names();
    }
};

/// The node counts of a list of extents; one that is not whole is a ModelError. An extent of 1 is
/// no dimension and is left out, unless there is no other.
std::vector<int> whole_extents(const ListInput& extents);

/// rho of the network's equations.
Output channel_utilization_of(Model& model);

/// A table with a row for each form of the channels' occupancy: its name, then the given columns.
OutputTable forms_table(Model& model, std::vector<OutputTable::Column> columns,
                        std::string equation);
/// `answer` gives a form's numbers; where it has none (ModelError) the row says "no solution".
template <typename Answer>
void fill_forms(OutputTable& table, const NetworkInputs& network, const Answer& answer) {
    for (const std::string& form : network.forms()) {
        std::vector<OutputTable::Cell> row{form};
        try {
            for (const double number : answer(network.in_form(form))) {
                row.emplace_back(number);
            }
        } catch (const ModelError&) {
            row.resize(table.columns().size(), std::string("no solution"));
        }
        table.add_row(std::move(row));
    }
}

}  // namespace weir::experiments::models
