#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "experiments/models/logp/testing/abstract_machine.h"
#include "experiments/models/testing/asked.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

LogpMachine fft_machine(double latency, double overhead, double gap, int processors) {
    return {.latency_cycles = latency,
            .overhead_cycles = overhead,
            .gap_cycles = gap,
            .processors = processors};
}

Asked fft_on(const LogpMachine& machine, std::int64_t points) {
    return {"logp-fft",
            {{"latency_cycles", machine.latency_cycles},
             {"overhead_cycles", machine.overhead_cycles},
             {"gap_cycles", machine.gap_cycles},
             {"processors", static_cast<double>(machine.processors)},
             {"points", static_cast<double>(points)},
             {"message_bytes", 16.0}}};
}

Asked fft_of(double latency, double overhead, double gap, int processors, std::int64_t points) {
    return fft_on(fft_machine(latency, overhead, gap, processors), points);
}

// LogP (1993), section 4.1.4: the CM-5 in microseconds; 10 operations at 2.2 Mflops a butterfly.
Asked cm5(std::int64_t points) {
    Asked fft = fft_of(6.0, 2.0, 4.0, 128, points);
    return std::move(fft.set("butterfly_cycles", 4.5).set("point_cycles", 1.0));
}

/// Remote operands that a processor needs in each column, counted on the butterfly's graph. Node
/// (r, c + 1) needs row r and the row that differs from r in the (c + 1)-th most significant bit.
template <typename OwnerOf>
std::vector<int> remote_operands(int points, int columns, int processor, const OwnerOf& owner_of) {
    std::vector<int> remote(static_cast<std::size_t>(columns), 0);
    for (int column = 0; column < columns; ++column) {
        for (int row = 0; row < points; ++row) {
            const int partner = row ^ (1 << (columns - 1 - column));
            if (owner_of(row) == processor && owner_of(partner) != processor) {
                ++remote[static_cast<std::size_t>(column)];
            }
        }
    }
    return remote;
}

TEST(LogpFft, LayoutsNeedTheRemoteOperandsTheButterflyHas) {
    constexpr int kPoints = 64;
    constexpr int kColumns = 6;
    constexpr int kProcessors = 4;
    constexpr int kRows = kPoints / kProcessors;
    const auto cyclic = [](int row) { return row % kProcessors; };
    const auto blocked = [](int row) { return row / kRows; };
    for (int processor = 0; processor < kProcessors; ++processor) {
        // Section 4.1.1: the cyclic layout is remote in the last log P columns, the blocked one in
        // the first log P, with n/P operands each.
        EXPECT_EQ(remote_operands(kPoints, kColumns, processor, cyclic),
                  (std::vector<int>{0, 0, 0, 0, kRows, kRows}));
        EXPECT_EQ(remote_operands(kPoints, kColumns, processor, blocked),
                  (std::vector<int>{kRows, kRows, 0, 0, 0, 0}));
        int moved = 0;
        for (int row = 0; row < kPoints; ++row) {
            moved += cyclic(row) == processor && blocked(row) != processor ? 1 : 0;
        }
        EXPECT_EQ(moved, fft_of(6.0, 2.0, 4.0, kProcessors, kPoints)["messages_per_processor"]);
    }
}

// Section 4.1.1: communication and total time of all three layouts.
TEST(LogpFft, TakesTheTimesOfSection411) {
    const Asked fft = fft_of(6.0, 2.0, 4.0, 8, 1024);
    EXPECT_EQ(fft["computation_cycles"], 128.0 * 10.0);
    EXPECT_EQ(fft["single_layout_communication_cycles"], (4.0 * 128.0 + 6.0) * 3.0);
    EXPECT_EQ(fft["single_layout_total_cycles"], 1280.0 + 1554.0);
    ASSERT_TRUE(fft.has("hybrid_total_cycles"));
    EXPECT_EQ(fft["hybrid_communication_cycles"], 4.0 * (128.0 - 16.0) + 6.0);
    EXPECT_EQ(fft["hybrid_total_cycles"], 1280.0 + 454.0);
    EXPECT_EQ(fft["optimality_factor"], 1.4);
}

// Section 4.1.1: the hybrid layout is within a factor 1 + g/log n of the n log n / P that every
// layout takes. The bound leaves L out. The rows that stay make up for L if g n/P^2 >= L.
TEST(LogpFft, HybridIsWithinItsBoundOfOptimal) {
    for (const double gap : {4.0, 16.0, 100.0}) {
        for (const int processors : {2, 8, 64}) {
            for (std::int64_t points = std::int64_t{16} * processors * processors;
                 points <= 1 << 20; points *= 4) {
                const Asked fft = fft_of(6.0, 2.0, gap, processors, points);
                EXPECT_LE(fft["total_over_computation"], fft["optimality_factor"]);
            }
        }
    }
    // For large n the bound tends to 1, and so does the ratio.
    const Asked large = fft_of(6.0, 2.0, 4.0, 2, std::int64_t{1} << 40);
    EXPECT_NEAR(large["total_over_computation"], 1.0 + 4.0 * 0.5 / 40.0, 1e-9);
}

TEST(LogpFft, HybridCommunicatesLogPTimesLess) {
    const Asked fft = fft_of(6.0, 2.0, 4.0, 64, 1 << 20);
    // 1/64 of the rows stay on their processor.
    EXPECT_NEAR(fft["single_layout_communication_cycles"] / fft["hybrid_communication_cycles"],
                6.0 * 64.0 / 63.0, 0.01);
}

// Section 4.1.4: the rate tends to 3.2 MB/s; 16 bytes every max(1 + 2 x 2, 4) microseconds.
TEST(LogpFft, ReproducesTheCm5sRemapRate) {
    const Asked fft = cm5(1 << 20);
    EXPECT_DOUBLE_EQ(fft["asymptotic_bytes_per_cycle"], 3.2);
    EXPECT_EQ(fft["staggered_remap_cycles"], 8192.0 * 5.0 + 6.0);
    EXPECT_NEAR(fft["staggered_bytes_per_cycle"], 3.2, 0.001);
    // Section 4.1.4: the processors do not idle between two sends.
    EXPECT_EQ(fft["idle_cycles_per_message"], 0.0);
    // The network alone takes 16 bytes in g = 4 us. The observed 2 MB/s are half of this rate.
    const Asked network_alone = fft_of(6.0, 0.0, 4.0, 128, 1 << 20);
    EXPECT_DOUBLE_EQ(network_alone["asymptotic_bytes_per_cycle"], 4.0);
    // Smallest problem with a hybrid layout: 128 points on each processor; L is 1 % of the time.
    EXPECT_NEAR(cm5(std::int64_t{128} * 128)["staggered_bytes_per_cycle"], 3.17, 0.005);
}

// Section 4.1.4: ten operations are a butterfly of two points. At 2.2 Mflops a processor does
// 10 (n/2) log n / P operations.
TEST(LogpFft, AButterflyComputesTwoPoints) {
    const double operations = 10.0 * 512.0 * 16.0 / 2.0;
    Asked fft = cm5(1 << 16);
    EXPECT_NEAR(fft["computation_cycles"], operations / 2.2, 0.02 * operations / 2.2);
    fft.set("butterfly_cycles", 2.0);
    EXPECT_EQ(fft["computation_cycles"], 512.0 * 16.0);
}

// Section 4.1.4: overhead and the loop limit the rate. Using both networks of the CM-5 (g halved)
// changes nothing in the prediction. The paper measured 15 % more.
TEST(LogpFft, BothNetworksOfTheCm5DoNotHelpInTheModel) {
    Asked both = cm5(1 << 20);
    both.set("gap_cycles", 2.0);
    EXPECT_EQ(both["staggered_remap_cycles"], cm5(1 << 20)["staggered_remap_cycles"]);
}

// Section 4.1.4: g is 20 bytes at 5 MB/s. In butterflies of 4.5 us, the paper's o, L and 1 us are
// 0.44, 1.3 and 0.22, as printed. g = 4 us is 0.89 butterflies, where the text prints 0.44.
TEST(LogpFft, TheCm5sParametersInButterflies) {
    EXPECT_EQ((16.0 + 4.0) / 5.0, 4.0);
    EXPECT_NEAR(10.0 / 2.2, 4.5, 0.05);
    EXPECT_NEAR(2.0 / 4.5, 0.44, 0.005);
    EXPECT_NEAR(6.0 / 4.5, 1.3, 0.05);
    EXPECT_NEAR(1.0 / 4.5, 0.22, 0.005);
    EXPECT_NEAR(4.0 / 4.5, 0.89, 0.005);
    // The same machine in units of butterflies has the same ratios.
    Asked in_butterflies = fft_of(6.0 / 4.5, 2.0 / 4.5, 4.0 / 4.5, 128, 1 << 20);
    in_butterflies.set("butterfly_cycles", 1.0);
    in_butterflies.set("point_cycles", 1.0 / 4.5);
    EXPECT_NEAR(in_butterflies["total_over_computation"], cm5(1 << 20)["total_over_computation"],
                1e-12);
}

// Section 4.1.3 prints a measured staggered remap of "1/3 th" of the computation. Figure 6's
// caption has the staggered remap an order of magnitude below the naive remap's 1.5. By the
// equations the staggered remap is 1/9 of the computation at n = 2^20. The naive remap takes 2 to
// 64 times as long as the staggered one.
TEST(LogpFft, RemapsOfTheCm5BesideItsComputation) {
    const Asked fft = cm5(1 << 20);
    EXPECT_NEAR(fft["staggered_remap_cycles"] / fft["computation_cycles"], 5.0 / (2.25 * 20.0),
                1e-4);
    const double contention_free = fft["hybrid_communication_cycles"];
    EXPECT_NEAR(fft["naive_remap_least_cycles"] / contention_free, 2.0, 0.01);
    EXPECT_NEAR(fft["naive_remap_in_turn_cycles"] / contention_free, 64.0, 0.1);
    // The measured naive remap, "more than 1.5 times" the computation, lies between both outputs.
    EXPECT_LT(fft["naive_remap_least_cycles"] / fft["computation_cycles"], 1.5);
    EXPECT_GT(fft["naive_remap_in_turn_cycles"] / fft["computation_cycles"], 1.5);
}

std::vector<std::vector<int>> remap_sends(int processors, int run, bool staggered) {
    std::vector<std::vector<int>> rows(static_cast<std::size_t>(processors));
    for (int from = 0; from < processors; ++from) {
        for (int i = 0; i < processors; ++i) {
            const int to = staggered ? (from + i) % processors : i;
            if (to != from) {
                rows[static_cast<std::size_t>(from)].insert(
                    rows[static_cast<std::size_t>(from)].end(), static_cast<std::size_t>(run), to);
            }
        }
    }
    return rows;
}

// The staggered remap on the abstract machine: the last message leaves after all gaps but one and
// is received L + 2o later. Section 4.1.1's g(n/P - n/P^2) + L has g in the place of that 2o.
TEST(LogpFft, StaggeredRemapRunsWithoutContentionOnTheAbstractMachine) {
    for (const int processors : {2, 4, 8}) {
        for (const int run : {1, 4, 16}) {
            const LogpMachine machine = fft_machine(4.0, 2.0, 4.0, processors);
            const Asked remap = fft_on(machine, std::int64_t{run} * processors * processors);
            const auto took = static_cast<double>(run_sends(
                machine, remap_sends(processors, run, true), Arbitration::kLongestWaiting));
            EXPECT_EQ(took, 4.0 * (remap["messages_per_processor"] - 1.0) + 4.0 + 2.0 * 2.0)
                << "P " << processors << " run " << run;
            EXPECT_EQ(took, remap["hybrid_communication_cycles"]);
        }
    }
}

TEST(LogpFft, NaiveRemapOnTheAbstractMachineLiesBetweenItsTwoBounds) {
    for (const int processors : {4, 8, 16}) {
        const int run = 32;
        const LogpMachine machine = fft_machine(6.0, 0.0, 4.0, processors);
        const Asked remap = fft_on(machine, std::int64_t{run} * processors * processors);
        const auto rows = remap_sends(processors, run, false);
        const auto in_turn =
            static_cast<double>(run_sends(machine, rows, Arbitration::kLongestWaiting));
        const auto lowest =
            static_cast<double>(run_sends(machine, rows, Arbitration::kLowestNumber));
        // The formula also counts a gap after the last message; with o = 0 that is the only slack.
        EXPECT_LE(lowest, remap["naive_remap_least_cycles"]);
        EXPECT_GT(lowest, remap["naive_remap_least_cycles"] - machine.gap_cycles);
        // Taking turns keeps waiting processors nearly together; a processor that finds its
        // destination free moves ahead.
        EXPECT_LE(in_turn, remap["naive_remap_in_turn_cycles"]);
        EXPECT_GT(in_turn, 0.75 * remap["naive_remap_in_turn_cycles"]);
    }
}

// Section 4.1.5: a processor idles for g - 2o between two sends of the remap.
TEST(LogpFft, OverlappedRemapKeepsProcessorsBusyUnlessTheGapIsVeryLarge) {
    const Asked small_gap = fft_of(6.0, 1.0, 4.0, 8, 1024);
    EXPECT_EQ(small_gap["idle_cycles_per_message"], 2.0);
    EXPECT_EQ(small_gap["overlapped_least_cycles"], 1280.0 + 2.0 * 112.0);
    EXPECT_LT(small_gap["overlapped_least_cycles"], small_gap["hybrid_total_cycles"]);
    const Asked large_gap = fft_of(6.0, 1.0, 100.0, 8, 1024);
    EXPECT_EQ(large_gap["overlapped_least_cycles"], 111.0 * 100.0 + 8.0);
    // Without a gap, overlapping gains nothing.
    const Asked none = fft_of(0.0, 2.0, 4.0, 8, 1024);
    EXPECT_EQ(none["idle_cycles_per_message"], 0.0);
    EXPECT_EQ(none["overlapped_least_cycles"], none["hybrid_total_cycles"]);
}

TEST(LogpFft, HasNoHybridLayoutBelowPSquaredPoints) {
    EXPECT_FALSE(fft_of(6.0, 2.0, 4.0, 16, 128).has("hybrid_total_cycles"));
    EXPECT_FALSE(fft_of(6.0, 2.0, 4.0, 16, 128).has("bsp_hybrid_cycles"));
    EXPECT_TRUE(fft_of(6.0, 2.0, 4.0, 16, 256).has("hybrid_total_cycles"));
}

TEST(LogpFft, OneProcessorOnlyComputes) {
    const Asked fft = fft_of(0.0, 2.0, 4.0, 1, 256);
    EXPECT_EQ(fft["single_layout_total_cycles"], 256.0 * 8.0);
    EXPECT_EQ(fft["hybrid_total_cycles"], 256.0 * 8.0);
    EXPECT_EQ(fft["naive_remap_in_turn_cycles"], 0.0);
    EXPECT_EQ(fft["naive_remap_least_cycles"], 0.0);
    EXPECT_EQ(fft["bsp_single_layout_cycles"], 256.0 * 8.0);
    EXPECT_EQ(fft["bsp_hybrid_cycles"], 256.0 * 8.0);
    EXPECT_EQ(fft["pram_steps"], 256 * 8);
}

// Section 6.1: the PRAM is LogP with L, o and g equal to 0; it charges the computation only.
TEST(LogpFft, PramSeesNoDifferenceBetweenLayouts) {
    const Asked fft = fft_of(6.0, 2.0, 4.0, 8, 1024);
    EXPECT_EQ(fft["pram_steps"], fft["computation_cycles"]);
    EXPECT_EQ(fft_of(0.0, 0.0, 1e-9, 8, 1024)["single_layout_total_cycles"],
              1280.0 + 3.0 * 128.0 * 1e-9);
}

// Section 6.3: supersteps of max(w, g_b h, l), with g_b = 4 and, by Figure 3, l = 10 + 2 x 24.
TEST(LogpFft, BspChargesSupersteps) {
    const Asked fft = fft_of(6.0, 2.0, 4.0, 8, 1024);
    EXPECT_EQ(fft["bsp_single_layout_cycles"], 896.0 + 2.0 * 512.0 + 128.0);
    EXPECT_EQ(fft["bsp_hybrid_cycles"], 896.0 + 384.0);
    // On small problems the synchronisation dominates: 64 points on 8 processors.
    EXPECT_EQ(fft_of(6.0, 2.0, 4.0, 8, 64)["bsp_hybrid_cycles"], 58.0 + 58.0);
}

TEST(LogpFft, RefusesWhatIsNoButterfly) {
    EXPECT_THAT(model_refusal(fft_of(6.0, 2.0, 4.0, 8, 1000)),
                Names("points (n)", "1000", "accepted", "power", "2", "1099511627776"));
    EXPECT_THAT(model_refusal(fft_of(6.0, 2.0, 4.0, 6, 1024)),
                Names("processors (P)", "6", "accepted", "power", "1", "points (n)", "1024"));
    EXPECT_THAT(
        model_refusal(fft_of(6.0, 0.0, 0.0, 8, 1024)),
        Names("gap_cycles (g)", "overhead_cycles (o)", "point_cycles", "0", "accepted", "1e-9"));
}

}  // namespace
}  // namespace weir::experiments::models
