#include "experiments/bench/plain_network.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "experiments/bench/emulated_network.h"

namespace weir::experiments::bench {
namespace {

struct Case {
    std::vector<std::int64_t> dimensions;
    double load;
    std::int32_t packet_flits;
    std::int64_t buffer_flits;
    std::int64_t hop_cycles;
};

void PrintTo(const Case& given, std::ostream* out) {
    *out << given.load << " flits/node/cycle, packets of " << given.packet_flits << ", buffers of "
         << given.buffer_flits << ", hops of " << given.hop_cycles;
}

class SameDeliveries : public ::testing::TestWithParam<Case> {};

/// Compares the deliveries of both networks in 20 480 cycles of equal traffic.
void expect_same(const Case& given, std::int32_t plain_buffer_flits, bool same) {
    network::NetworkParameters parameters;
    ASSERT_TRUE(parameters.dimensions.set(given.dimensions));
    ASSERT_TRUE(parameters.buffer_flits.set(given.buffer_flits));
    ASSERT_TRUE(parameters.hop_cycles.set(given.hop_cycles));
    const auto nodes = static_cast<std::int32_t>(parameters.node_count());
    UniformTraffic for_weir(nodes, given.load, given.packet_flits, 1);
    UniformTraffic for_plain(nodes, given.load, given.packet_flits, 1);
    EmulatedNetwork emulated("emulated", parameters, for_weir);
    PlainNetwork plain(network::Mesh(parameters.extents()),
                       {.hop_cycles = given.hop_cycles, .buffer_flits = plain_buffer_flits},
                       for_plain);
    constexpr std::int64_t kLast = 20'480;
    emulated.run_through(kLast);
    plain.run_through(kLast);
    EXPECT_EQ(emulated.deliveries().same_until(kLast, plain.deliveries()), same);
    EXPECT_EQ(emulated.flit_hops() == plain.flit_hops(), same);
    EXPECT_GT(plain.deliveries().count(), 200);
    EXPECT_GT(plain.active_router_cycles(), 0);
}

TEST_P(SameDeliveries, InTheSameCyclesAsTheRoutersOfTheMachine) {
    expect_same(GetParam(), static_cast<std::int32_t>(GetParam().buffer_flits), true);
}

INSTANTIATE_TEST_SUITE_P(Loads, SameDeliveries,
                         ::testing::Values(Case{{8, 8}, 0.02, 8, 4, 1}, Case{{8, 8}, 0.3, 8, 4, 1},
                                           Case{{8, 8}, 0.45, 8, 4, 1}, Case{{8, 4}, 0.2, 5, 2, 1},
                                           Case{{5, 3, 2}, 0.3, 8, 1, 1},
                                           Case{{4, 4}, 0.2, 17, 3, 3},
                                           Case{{16, 16}, 0.1, 8, 4, 1}),
                         [](const auto& test_case) {
                             return "Case" + std::to_string(test_case.index);
                         });

TEST(PlainNetwork, ADifferentBufferIsNoticed) { expect_same({{8, 8}, 0.3, 8, 4, 1}, 3, false); }

}  // namespace
}  // namespace weir::experiments::bench
