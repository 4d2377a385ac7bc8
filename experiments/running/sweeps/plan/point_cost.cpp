#include "experiments/running/sweeps/plan/point_cost.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/records/json_input.h"
#include "experiments/records/sweep_result.h"
#include "experiments/running/sweeps/plan/toml_fields.h"

namespace weir::experiments::running {

namespace {

using setup::Expression;
using setup::UserFault;

Price price_of(const std::string& name, const std::string& text, const setup::Place& place) {
    Expression expression = Expression::parse(text, place);
    if (expression.is_comparison()) {
        throw UserFault(place, "a price that is true or false: \"" + text + "\"",
                        "one that is a number, such as \"channel_bits_per_cycle * copies\"");
    }
    return {name, std::move(expression)};
}

}  // namespace

std::vector<Price> read_prices(const setup::TomlEntry& cost) {
    const setup::TomlTable* table = cost.as_table();
    if (table == nullptr || table->entries.empty()) {
        throw UserFault(cost.place, "cost is " + setup::described(cost),
                        "a table [cost] of prices: network = \"channel_bits_per_cycle * copies\"");
    }
    std::vector<Price> prices;
    for (const setup::TomlEntry& entry : table->entries) {
        prices.push_back(price_of(entry.key, text_in(entry), entry.place));
    }
    return prices;
}

void add_costs(std::span<const Price> prices, setup::NamedValues& values) {
    double sum = 0.0;
    std::vector<std::pair<std::string, hw::ParameterValue>> costs;
    for (const Price& price : prices) {
        const double cost = setup::value_of(price.expression, values);
        sum += cost;
        costs.emplace_back(fmt::format("{}.{}", records::kCost, price.name), cost);
    }
    values.values.insert(values.values.end(), costs.begin(), costs.end());
    if (!prices.empty()) {
        values.values.emplace_back(records::kCost, sum);
    }
}

std::string prices_text(std::span<const Price> prices) {
    nlohmann::ordered_json all = nlohmann::ordered_json::object();
    for (const Price& price : prices) {
        all[price.name] = price.expression.text();
    }
    return all.dump();
}

std::vector<Price> prices_from(const std::string& text, const std::string& source) {
    std::vector<Price> prices;
    if (text.empty()) {
        return prices;
    }
    const nlohmann::ordered_json all = records::parse_json(text);
    for (const auto& [name, price] : all.items()) {
        prices.push_back(price_of(name, price.get<std::string>(), {source}));
    }
    return prices;
}

}  // namespace weir::experiments::running
