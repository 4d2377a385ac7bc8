#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/testing/parameter_lines.h"
#include "network/traffic/traffic_parameters.h"

namespace weir::network {
namespace {

using hw::testing::parameter_lines;
using ::testing::ElementsAre;

// What each parameter is where nobody says otherwise, and what it can be told. Whoever changes one
// changes what experiments mean that do not name it.
TEST(TrafficParameterLinesTest, Traffic) {
    EXPECT_THAT(
        parameter_lines(TrafficParameters()),
        ElementsAre(
            "pattern = uniform; one of \"uniform\", \"transpose\", \"bit_complement\", "
            "\"bit_reverse\", \"shuffle\", \"tornado\", \"neighbour\", \"hot_spot\", \"locality\", "
            "\"trace\", \"one_at_a_time\"",
            "load = 0.1; a number from 1e-06 to 16; with traffic.pattern other than \"trace\" or "
            "\"one_at_a_time\"",
            "packet_flits = 8; a whole number from 1 to 65535; with traffic.pattern other than "
            "\"trace\"",
            "source = bernoulli; one of \"bernoulli\", \"bursty\"; with traffic.pattern other than "
            "\"trace\" or \"one_at_a_time\"",
            "burst_cycles = 100; a whole number from 1 to 1000000000; with traffic.pattern other "
            "than \"trace\" or \"one_at_a_time\" and traffic.source = \"bursty\"",
            "burst_load = 1; a number from 1e-06 to 16; with traffic.pattern other than \"trace\" "
            "or \"one_at_a_time\" and traffic.source = \"bursty\"",
            "interleave_packets = true; true or false; with traffic.pattern other than "
            "\"one_at_a_time\"",
            "await_tail_credit = false; true or false; with traffic.pattern other than "
            "\"one_at_a_time\"",
            "hot_spot_share = 0.1; a number from 0 to 1; with traffic.pattern = \"hot_spot\"",
            "hot_spot_nodes = 0; a list, each entry a whole number from 0 to 16383; with "
            "traffic.pattern = \"hot_spot\"",
            "hot_spot_rates = 1; a list, each entry a whole number from 1 to 1000000; with "
            "traffic.pattern = \"hot_spot\"",
            "locality_hops = 1; a whole number from 1 to 16383; with traffic.pattern = "
            "\"locality\"",
            "trace_file = ; a file's path; with traffic.pattern = \"trace\"",
            "warm_up_cycles = 5000; a whole number from 0 to 1000000000000; with traffic.pattern "
            "other than \"one_at_a_time\"",
            "measurement_cycles = 10000; a whole number from 1 to 1000000000000; with "
            "traffic.pattern other than \"one_at_a_time\"",
            "drain_cycles = 2000; a whole number from 1 to 1000000000000; with traffic.pattern "
            "other than \"one_at_a_time\""));
}

}  // namespace
}  // namespace weir::network
