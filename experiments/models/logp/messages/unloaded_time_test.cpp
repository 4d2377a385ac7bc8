#include "experiments/models/logp/messages/unloaded_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "experiments/models/logp/logp.h"
#include "experiments/models/model_error.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

// LogP (1993), Table 1, last column: T(M = 160) with 1024 processors. The table rounds down: Dash's
// time is 53.6.
TEST(UnloadedTime, ReproducesTable1) {
    const std::map<std::string_view, double> printed = {
        {"nCUBE/2", 6760.0}, {"CM-5", 3714.0},         {"Dash", 53.0},       {"J-Machine", 60.0},
        {"Monsoon", 30.0},   {"nCUBE/2 (AM)", 1360.0}, {"CM-5 (AM)", 246.0},
    };
    ASSERT_EQ(printed.size(), kPublishedMachines.size());
    for (const PublishedMachine& machine : kPublishedMachines) {
        EXPECT_EQ(std::floor(solve_unloaded_message(machine.hardware, 160).message_cycles),
                  printed.at(machine.name))
            << machine.name;
    }
    EXPECT_NEAR(solve_unloaded_message(kPublishedMachines[2].hardware, 160).message_cycles, 53.6,
                1e-9);
}

// Section 5.2: overheads are most of the time on the commercial machines, and a considerable part
// on the research machines.
TEST(UnloadedTime, OverheadsDominateAsSection52Says) {
    for (const PublishedMachine& machine : kPublishedMachines) {
        const double share = solve_unloaded_message(machine.hardware, 160).overhead_share;
        EXPECT_GT(share, machine.hardware.both_overheads_cycles > 100.0 ? 0.5 : 0.25)
            << machine.name;
    }
}

// Section 5.2: the LogP parameters add up to the message's time again: o + L + o = T.
TEST(UnloadedTime, LogpParametersGiveTheSameMessage) {
    for (const PublishedMachine& machine : kPublishedMachines) {
        const UnloadedMessage message = solve_unloaded_message(machine.hardware, 160);
        EXPECT_DOUBLE_EQ(logp_message_cycles({message.latency_cycles, message.overhead_cycles,
                                              message.overhead_cycles}),
                         message.message_cycles);
    }
    const UnloadedMessage cm5 = solve_unloaded_message(kPublishedMachines[6].hardware, 160);
    EXPECT_EQ(cm5.overhead_cycles, 66.0);
    EXPECT_NEAR(cm5.latency_cycles, 40.0 + 74.4, 1e-9);
}

// Section 4.1.4: 5 MB/s for each processor and 20 bytes per message make g = 4 us. At 25 ns per
// cycle that is 1 bit per cycle. Table 1's active message overhead, 66 cycles, is 1.65 us; section
// 4.1.4 has 2.
TEST(UnloadedTime, GapIsTheMessageOverTheBisection) {
    const double bits_per_cycle = 5e6 * 8.0 * 25e-9;
    EXPECT_NEAR(bisection_gap_cycles(160, bits_per_cycle) * 25e-3, 4.0, 1e-12);
    EXPECT_NEAR(66.0 * 25e-3, 1.65, 1e-12);
}

TEST(UnloadedTime, APartOfAChannelWordTakesAWholeCycle) {
    const MessageHardware hardware = {10.0, 16.0, 0.0, 0.0, 0.0};
    EXPECT_EQ(solve_unloaded_message(hardware, 1).message_cycles, 1.0);
    EXPECT_EQ(solve_unloaded_message(hardware, 16).message_cycles, 1.0);
    EXPECT_EQ(solve_unloaded_message(hardware, 17).message_cycles, 2.0);
    EXPECT_EQ(solve_unloaded_message(hardware, 17).message_nanoseconds, 20.0);
}

TEST(UnloadedTime, RefusesWhatIsNoHardware) {
    const auto refusal = [](const MessageHardware& hardware, std::int64_t bits) -> std::string {
        try {
            solve_unloaded_message(hardware, bits);
        } catch (const ModelError& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_THAT(refusal({10.0, 0.0, 0.0, 0.0, 0.0}, 160),
                Names("channel_bits (w)", "0", "accepted", "0.001", "1e+15"));
    EXPECT_EQ(refusal({10.0, 16.0, 0.0, 0.0, 0.0}, 0),
              "message_bits (M) is 0; accepted: 1 to 1099511627776");
    EXPECT_EQ(refusal({10.0, 16.0, 0.0, 0.0, -1.0}, 160),
              "hops (H) is -1; accepted: 0 to 1e+15 hops");
    EXPECT_THROW(bisection_gap_cycles(160, 0.0), ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
