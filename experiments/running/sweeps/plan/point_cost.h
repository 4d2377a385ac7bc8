#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/setup/expressions/expression_of_parameters.h"
#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::running {

/// A part of what a point costs:
///
///     [cost]
///     network = "channel_bits_per_cycle * copies"      # in whatever unit the user counts
///     queues = "(input_queue_bytes + output_queue_bytes) / 8"
///
/// The cost is the sum of the parts.
struct Price {
    std::string name;
    setup::Expression expression;
};

/// Reads [cost]. Throws setup::UserFault for what is no expression, and for a comparison.
[[nodiscard]] std::vector<Price> read_prices(const setup::TomlEntry& cost);

/// What a point costs whose parameters have these values: puts "cost.network" and the other parts
/// behind them, and last their sum, "cost"; nothing without prices. Throws setup::UserFault.
void add_costs(std::span<const Price> prices, setup::NamedValues& values);

/// As a database keeps them, and back. Throws nlohmann::json::exception or setup::UserFault where
/// the text, of the database `source`, is none of these.
[[nodiscard]] std::string prices_text(std::span<const Price> prices);
[[nodiscard]] std::vector<Price> prices_from(const std::string& text, const std::string& source);

}  // namespace weir::experiments::running
