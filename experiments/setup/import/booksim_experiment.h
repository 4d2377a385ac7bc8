#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/setup/import/booksim_configuration.h"
#include "experiments/setup/import/booksim_network.h"

namespace weir::experiments::setup {

/// An experiment file made from a BookSim configuration. Each value has a comment with its setting
/// in BookSim, and each difference in meaning a comment above it.
struct BooksimExperiment {
    std::string toml;
    /// For topology = anynet: cycles of the channels, for booksim_network_as_dot().
    std::optional<BooksimChannelCycles> any_network;
};

/// `accepts` says whether a parameter, such as "network.routing", has this value in this program.
/// `graph_file` becomes network.graph_file for topology = anynet. Throws UserFault for a
/// topology, routing, traffic pattern or injection process without counterpart in Weir, and for
/// numbers that BookSim or Weir refuses.
[[nodiscard]] BooksimExperiment booksim_experiment(
    const BooksimConfiguration& configuration, const std::string& graph_file,
    const std::function<bool(std::string_view key, std::string_view value)>& accepts);

}  // namespace weir::experiments::setup
