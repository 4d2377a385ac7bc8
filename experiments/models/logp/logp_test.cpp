#include "experiments/models/logp/logp.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "experiments/models/model_error.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

// LoGPC (2001), Table 1: short messages on Alewife.
constexpr LogpInputs kNullMessage = {21.0, 9.0, 117.0};
constexpr LogpInputs kOneArgument = {21.0, 12.0, 119.0};
constexpr LogpInputs kTwoArguments = {21.0, 15.0, 122.0};

// Sums of whole numbers below 2^53 are exact in a double, so the tests use no tolerance.

TEST(Logp, OneMessageTakesSendLatencyAndReceive) {
    EXPECT_EQ(logp_message_cycles(kNullMessage), 147.0);
    EXPECT_EQ(logp_message_cycles(kOneArgument), 152.0);
    EXPECT_EQ(logp_message_cycles(kTwoArguments), 158.0);
}

// LoGPC, Table 4, column LogP.
TEST(Logp, ReproducesTable4OfLogpc) {
    EXPECT_EQ(logp_round_trip_cycles(kTwoArguments, 0.0), 316.0);
    EXPECT_EQ(logp_asynchronous_iteration_cycles(kTwoArguments), 137.0);
}

// LogP (1993), section 3: reading a remote word takes 2L + 4o. CM-5 (4.1.4) in microseconds: L = 6,
// o = 2.
TEST(Logp, ReadsARemoteWordInTwoLatenciesAndFourOverheads) {
    EXPECT_EQ(logp_round_trip_cycles({6.0, 2.0, 2.0}, 0.0), 2 * 6.0 + 4 * 2.0);
}

TEST(Logp, WorkAddsToTheRoundTripAsItIs) {
    EXPECT_EQ(logp_round_trip_cycles(kTwoArguments, 1000.0), 1316.0);
}

TEST(Logp, RefusesEachInputByNameAndSaysWhatIsAccepted) {
    const double infinity = std::numeric_limits<double>::infinity();
    const auto refusal = [](const LogpInputs& inputs, double work) -> std::string {
        try {
            logp_round_trip_cycles(inputs, work);
        } catch (const ModelError& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(refusal({-1.5, 9.0, 117.0}, 0.0),
              "latency_cycles (L) is -1.5; accepted: 0 to 1e+15 cycles");
    EXPECT_THAT(refusal({.latency_cycles = 21.0, .receive_overhead_cycles = 117.0}, 0.0),
                Names("send_overhead_cycles (o_s)", "given", "accepted", "0", "1e+15"));
    EXPECT_THAT(refusal({21.0, 9.0, infinity}, 0.0),
                Names("receive_overhead_cycles (o_r)", "inf", "accepted", "0", "1e+15"));
    EXPECT_EQ(refusal(kNullMessage, 1.1e15),
              "work_cycles (W) is 1.1e+15; accepted: 0 to 1e+15 cycles");
    EXPECT_THROW(logp_message_cycles({}), ModelError);
    EXPECT_THROW(logp_asynchronous_iteration_cycles({}), ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
