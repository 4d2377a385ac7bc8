#include "experiments/running/prices/machine_price.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiments/kinds/setup.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

using weir::testing::Names;
using Prices = std::vector<std::pair<std::string, hw::ParameterValue>>;

// Prices without synthesis, for the names of a cost.
Prices checked(kinds::Setup& setup, const std::vector<std::string>& names) {
    Prices prices;
    add_prices(names, setup, {"study.toml", 7, 3}, GatePrices::kChecked, prices);
    return prices;
}

std::string fault_of(kinds::Setup& setup, const std::vector<std::string>& names) {
    try {
        static_cast<void>(checked(setup, names));
        return "no fault";
    } catch (const setup::UserFault& fault) {
        return fault.what();
    }
}

TEST(MachinePriceTest, NamesWithoutAPriceAreLeftToTheKeys) {
    const std::unique_ptr<kinds::Setup> setup = kinds::default_setup("remap");
    const Prices prices = checked(*setup, {"price.router", "copies", "price.router"});
    ASSERT_EQ(prices.size(), 1U);
    EXPECT_EQ(prices.front().first, "price.router");
}

TEST(MachinePriceTest, AnUnknownKindOfPartIsNamedWithTheNearest) {
    const std::unique_ptr<kinds::Setup> setup = kinds::default_setup("remap");
    EXPECT_THAT(fault_of(*setup, {"price.ruoter"}),
                Names("study.toml", "price.ruoter", "price.router"));
}

TEST(MachinePriceTest, APartWithoutATwinHasNoPrice) {
    const std::unique_ptr<kinds::Setup> setup = kinds::default_setup("remap");
    ASSERT_TRUE(setup->machine.network.find("arbitration")->set(std::string("oldest")));
    EXPECT_THAT(fault_of(*setup, {"price.router"}),
                Names("study.toml", "price.router", "network.arbitration"));
    EXPECT_EQ(checked(*setup, {"price.queue"}).size(), 1U);
}

}  // namespace
}  // namespace weir::experiments::running
