#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "experiments/models/testing/asked.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

// LoGPC (2001), section 5.3.1: 3,200 nodes, degree 32, 100 % non-local edges, 100 iterations,
// blocks of 10 values. The overheads are those of two arguments in Table 1; the paper does not
// print those of 10 values.
Asked em3d_paper() {
    return {"logpc-em3d",
            {{"processors", 32.0},
             {"graph_nodes", 3200.0},
             {"degree", 32.0},
             {"nonlocal_share", 1.0},
             {"values_per_message", 10.0},
             {"iterations", 100.0},
             {"send_overhead_cycles", 15.0},
             {"receive_overhead_cycles", 122.0}}};
}

// An iteration moves 3,200 x 32 values, 3,200 from each processor, in 320 messages of 137 cycles.
TEST(Em3dCommunication, CostsSendAndReceiveOverheadForEachBlock) {
    const Asked em3d = em3d_paper();
    EXPECT_EQ(em3d["values_per_iteration"], 3200.0);
    EXPECT_EQ(em3d["messages_per_iteration"], 320.0);
    EXPECT_EQ(em3d["communication_cycles"], 320.0 * 137.0);
    EXPECT_EQ(em3d["runtime_cycles"], 100.0 * 320.0 * 137.0);
    EXPECT_EQ(em3d["communication_share"], 1.0);
}

// Independent count: a bipartite graph, counted edge by edge. The neighbours of processor p's nodes
// are on the next `destinations` processors, one after the other.
TEST(Em3dCommunication, CountsTheMessagesOfAGraph) {
    for (const int destinations : {1, 3, 8, 31}) {
        Asked em3d = em3d_paper();
        em3d.set("destinations", static_cast<double>(destinations));
        const int values_in_a_half = 1600;  // values that one processor sends
        std::vector<int> values(static_cast<std::size_t>(destinations), 0);
        for (int value = 0; value < values_in_a_half; ++value) {
            ++values[static_cast<std::size_t>(value % destinations)];
        }
        int messages = 0;
        for (const int for_one : values) {
            messages += 2 * ((for_one + 9) / 10);
        }
        EXPECT_EQ(em3d["messages_per_iteration"], messages) << destinations;
    }
}

TEST(Em3dCommunication, LocalEdgesCostNothing) {
    Asked em3d = em3d_paper();
    em3d.set("nonlocal_share", 0.25);
    EXPECT_EQ(em3d["messages_per_iteration"], 80.0);
    em3d.set("nonlocal_share", 0.0);
    EXPECT_EQ(em3d["runtime_cycles"], 0.0);
    EXPECT_EQ(em3d["communication_share"], 0.0);
}

TEST(Em3dCommunication, AddsTheProcessorsWork) {
    Asked em3d = em3d_paper();
    em3d.set("work_cycles", 320.0 * 137.0);
    EXPECT_EQ(em3d["iteration_cycles"], 2.0 * 320.0 * 137.0);
    EXPECT_EQ(em3d["communication_share"], 0.5);
}

TEST(Em3dCommunication, RefusesToSendToItself) {
    Asked em3d = em3d_paper();
    EXPECT_EQ(model_refusal(em3d.set("destinations", 31.0)), "solved");
    EXPECT_THAT(model_refusal(em3d.set("destinations", 32.0)),
                Names("destinations", "32", "1", "31"));
}

}  // namespace
}  // namespace weir::experiments::models
