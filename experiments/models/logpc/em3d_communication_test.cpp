#include "experiments/models/logpc/em3d_communication.h"

#include <gtest/gtest.h>

#include <vector>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

// LoGPC (2001), section 5.3.1: 3,200 nodes, degree 32, 100 % non-local edges, 100 iterations,
// blocks of 10 values. The overheads are those of Table 1 with two arguments: those of 10 values
// are not printed.
Em3dInputs em3d_paper() {
    return {.processors = 32,
            .graph_nodes = 3200.0,
            .degree = 32.0,
            .nonlocal_share = 1.0,
            .values_per_message = 10.0,
            .iterations = 100,
            .send_overhead_cycles = 15.0,
            .receive_overhead_cycles = 122.0};
}

// 3,200 x 32 values in an iteration, 3,200 a processor, 320 messages of 137 cycles.
TEST(Em3dCommunication, CostsSendAndReceiveOverheadForEachBlock) {
    const Em3dCommunication em3d = solve_em3d_communication(em3d_paper());
    EXPECT_EQ(em3d.values_per_iteration, 3200.0);
    EXPECT_EQ(em3d.messages_per_iteration, 320.0);
    EXPECT_EQ(em3d.communication_cycles, 320.0 * 137.0);
    EXPECT_EQ(em3d.runtime_cycles, 100.0 * 320.0 * 137.0);
    EXPECT_EQ(em3d.communication_share, 1.0);
}

// The second way: a bipartite graph whose edges are dealt out, counted edge by edge. Processor p's
// nodes have their neighbours on the next `destinations` processors in turn.
TEST(Em3dCommunication, CountsTheMessagesOfAGraph) {
    for (const int destinations : {1, 3, 8, 31}) {
        Em3dInputs inputs = em3d_paper();
        inputs.destinations = destinations;
        const int values_in_a_half = 1600;  // of one processor
        std::vector<int> values(static_cast<std::size_t>(destinations), 0);
        for (int value = 0; value < values_in_a_half; ++value) {
            ++values[static_cast<std::size_t>(value % destinations)];
        }
        int messages = 0;
        for (const int for_one : values) {
            messages += 2 * ((for_one + 9) / 10);
        }
        EXPECT_EQ(solve_em3d_communication(inputs).messages_per_iteration, messages)
            << destinations;
    }
}

TEST(Em3dCommunication, LocalEdgesCostNothing) {
    Em3dInputs inputs = em3d_paper();
    inputs.nonlocal_share = 0.25;
    EXPECT_EQ(solve_em3d_communication(inputs).messages_per_iteration, 80.0);
    inputs.nonlocal_share = 0.0;
    const Em3dCommunication local = solve_em3d_communication(inputs);
    EXPECT_EQ(local.runtime_cycles, 0.0);
    EXPECT_EQ(local.communication_share, 0.0);
}

TEST(Em3dCommunication, AddsTheProcessorsWork) {
    Em3dInputs inputs = em3d_paper();
    inputs.work_cycles = 320.0 * 137.0;
    const Em3dCommunication em3d = solve_em3d_communication(inputs);
    EXPECT_EQ(em3d.iteration_cycles, 2.0 * 320.0 * 137.0);
    EXPECT_EQ(em3d.communication_share, 0.5);
}

TEST(Em3dCommunication, RefusesEachInputByName) {
    EXPECT_THROW(solve_em3d_communication({}), ModelError);
    Em3dInputs inputs = em3d_paper();
    inputs.nonlocal_share = 1.5;
    EXPECT_THROW(solve_em3d_communication(inputs), ModelError);
    inputs = em3d_paper();
    inputs.destinations = 32;
    try {
        solve_em3d_communication(inputs);
        FAIL() << "sent to itself";
    } catch (const ModelError& error) {
        EXPECT_STREQ(error.what(), "destinations is 32; accepted: 1 to 31 processors, the others");
    }
    inputs = em3d_paper();
    inputs.values_per_message = 0.0;
    EXPECT_THROW(solve_em3d_communication(inputs), ModelError);
    inputs = em3d_paper();
    inputs.receive_overhead_cycles = kNotGiven;
    EXPECT_THROW(solve_em3d_communication(inputs), ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
