#pragma once

#include <string>
#include <vector>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/logpc/logpc_network.h"
#include "experiments/models/model_error.h"

/// Inputs, outputs and a table that LoGPC's models share.
namespace weir::experiments::models {

constexpr Limits kGapLimits = {1e-9, kLargestQuantity};
constexpr Limits kLengthLimits = {1.0, kLargestQuantity};
constexpr Limits kWholeLimits = {1.0, 1e9};

/// Two readings of the network's equations: a message of B bytes holds a channel for B cycles, or
/// for G B. Tables and choices refer to them by index.
inline const std::vector<std::string> kChannelOccupancies = {"as_printed", "cycles"};

/// Inputs that decide how long a message holds a channel.
struct ChannelInputs {
    double gap_cycles_per_byte = kNotGiven;
    std::size_t channel_occupancy = 0;
    bool unidirectional = false;

    void declare(Model& model);
    /// Sets the channels of `network` by these inputs; `occupancy` indexes kChannelOccupancies.
    void apply(LogpcNetworkInputs& network, std::size_t occupancy) const;
};

/// The inputs of LoGPC's network: n, k_d, B and the channels.
struct NetworkInputs {
    LogpcNetworkInputs network;
    ChannelInputs channels;

    void declare(Model& model);
    [[nodiscard]] LogpcNetworkInputs chosen() const { return read_as(channels.channel_occupancy); }
    [[nodiscard]] LogpcNetworkInputs read_as(std::size_t occupancy) const;
};

/// Declares the output rho of the network's equations.
void declare_channel_utilization(Model& model, const double& utilization);

/// Table with a row for each of kChannelOccupancies: its name, then the given columns.
OutputTable forms_table(Model& model, std::vector<OutputTable::Column> columns,
                        std::string equation);
/// Fills a table of forms_table(). `answer` returns a row's numbers; a ModelError gives "no
/// solution".
template <typename Answer>
void fill_forms(OutputTable& table, const NetworkInputs& network, const Answer& answer) {
    for (std::size_t form = 0; form < kChannelOccupancies.size(); ++form) {
        std::vector<OutputTable::Cell> row{kChannelOccupancies[form]};
        try {
            for (const double number : answer(network.read_as(form))) {
                row.emplace_back(number);
            }
        } catch (const ModelError&) {
            row.resize(table.columns().size(), std::string("no solution"));
        }
        table.add_row(std::move(row));
    }
}

/// The 4 x 8 mesh of the paper, x first.
inline const std::vector<int> kPaperMesh = {8, 4};

/// Converts extents to node counts; a fraction is a ModelError. Extents of 1 are left out, unless
/// all extents are 1.
std::vector<int> whole_extents(const std::vector<double>& extents);

}  // namespace weir::experiments::models
