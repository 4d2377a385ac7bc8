#include "experiments/analyses/fits/transfer_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hw/testing/names.h"

namespace weir::experiments::analyses {
namespace {

using records::FittedValue;
using records::ModelFit;
using weir::testing::Names;

constexpr std::int64_t kElement = 4;

TimedTransfer transfer(std::int64_t bytes, std::int64_t stride, double cycles,
                       const std::string& kind = "memcpy") {
    return {{kind, kElement, stride, bytes}, cycles};
}

const FittedValue& value_of(const ModelFit& fit, const std::string& name, std::int64_t bytes = 0,
                            std::int64_t stride = 0) {
    const auto found = std::ranges::find_if(fit.values, [&](const FittedValue& value) {
        return value.name == name && value.transfer->bytes == bytes &&
               value.transfer->stride_bytes == stride;
    });
    EXPECT_NE(found, fit.values.end()) << name << ' ' << bytes << ' ' << stride;
    return *found;
}

TEST(TransferFitTest, OIsTheTimeOfContiguousDataAndLTheRest) {
    const std::vector<TimedTransfer> transfers{
        transfer(1'000, kElement, 2'000), transfer(4'000, kElement, 8'000),
        transfer(1'000, 32, 5'500), transfer(4'000, 32, 30'000),
        transfer(4'000, 32, 10'000, "pack")};
    const ModelFit fit = fit_memory_logp(transfers);
    EXPECT_DOUBLE_EQ(*value_of(fit, "overhead_cycles_per_byte").value, 2.0);
    EXPECT_DOUBLE_EQ(*value_of(fit, "latency_cycles_per_byte", 1'000, 32).value, 3.5);
    EXPECT_DOUBLE_EQ(*value_of(fit, "latency_cycles_per_byte", 4'000, 32).value, 5.5);
    EXPECT_DOUBLE_EQ(*fit.values.back().value, 0.5);
    EXPECT_EQ(fit.values.back().transfer->kind, "pack");
    EXPECT_DOUBLE_EQ(fit.mean_absolute_residual, 0.0);
    EXPECT_TRUE(fit.warnings.empty());
}

// The clock counts whole cycles: a time of 1,000 bytes is known to 0.8 cycles in 19 of 20 cases.
TEST(TransferFitTest, TheIntervalOfASingleTimeIsTheClocksRounding) {
    const std::vector<TimedTransfer> transfers{transfer(1'000, kElement, 2'000),
                                               transfer(1'000, 8, 3'000)};
    const ModelFit fit = fit_memory_logp(transfers);
    EXPECT_NEAR(*value_of(fit, "overhead_cycles_per_byte").half_width, 0.0008, 1e-5);
    EXPECT_NEAR(*value_of(fit, "latency_cycles_per_byte", 1'000, 8).half_width, 0.00113, 1e-5);
    ASSERT_EQ(fit.warnings.size(), 1U);
    EXPECT_THAT(fit.warnings.front().reason, Names("size"));
}

TEST(TransferFitTest, TheIntervalOfOIncludesItsDifferencesBetweenSizes) {
    const std::vector<TimedTransfer> transfers{
        transfer(1'000, kElement, 1'900), transfer(2'000, kElement, 4'000),
        transfer(4'000, kElement, 8'400), transfer(4'000, 64, 12'000)};
    const ModelFit fit = fit_memory_logp(transfers);
    // 1.9, 2.0 and 2.1 cycles: Student's t of two degrees of freedom is 4.303.
    EXPECT_NEAR(*value_of(fit, "overhead_cycles_per_byte").half_width, 4.303 * 0.1 / 1.732, 1e-3);
    EXPECT_GT(*value_of(fit, "latency_cycles_per_byte", 4'000, 64).half_width, 0.24);
    EXPECT_THAT(fit.summary, Names("memory_logp", "0.067", "0.100"));
}

TEST(TransferFitTest, TransfersOfTwoMachinesAreWarnedOf) {
    const std::vector<TimedTransfer> transfers{
        transfer(1'000, kElement, 2'000), transfer(2'000, kElement, 4'000),
        transfer(2'000, 32, 5'000), transfer(2'000, 32, 10'000)};
    const ModelFit fit = fit_memory_logp(transfers);
    ASSERT_EQ(fit.warnings.size(), 1U);
    EXPECT_THAT(fit.warnings.front().reason, Names("100", "point"));
}

std::string refusal_of(const std::vector<TimedTransfer>& transfers) {
    try {
        static_cast<void>(fit_memory_logp(transfers));
    } catch (const models::ModelError& fault) {
        return fault.what();
    }
    return "no fault";
}

TEST(TransferFitFaultsTest, WithoutContiguousTransfersThereIsNoO) {
    EXPECT_THAT(refusal_of({transfer(1'000, 32, 5'000)}),
                Names("overhead_cycles_per_byte", "4", "figure5.toml"));
    EXPECT_THAT(refusal_of({}), Names("figure5.toml"));
}

}  // namespace
}  // namespace weir::experiments::analyses
