#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/setup/expressions/expression_of_parameters.h"
#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::running {

/// Part of a point's cost:
///
///     [cost]
///     network = "channel_bits_per_cycle * copies"      # in any unit
///     queues = "(input_queue_bytes + output_queue_bytes) / 8"
///
/// The cost of a point is the sum of its parts.
struct Price {
    std::string name;
    setup::Expression expression;
};

/// Reads [cost]. Throws setup::UserFault for an invalid expression, and for a comparison.
[[nodiscard]] std::vector<Price> read_prices(const setup::TomlEntry& cost);

/// Computes the costs of a point with these parameter values. Appends "cost.network" and the other
/// parts, and then their sum, "cost". Appends nothing without prices. Throws setup::UserFault for a
/// price without a value.
void add_costs(std::span<const Price> prices, setup::NamedValues& values);

/// Text of prices for a database, and back. Throws nlohmann::json::exception or setup::UserFault
/// for an invalid text of the database `source`.
[[nodiscard]] std::string prices_text(std::span<const Price> prices);
[[nodiscard]] std::vector<Price> prices_from(const std::string& text, const std::string& source);

}  // namespace weir::experiments::running
