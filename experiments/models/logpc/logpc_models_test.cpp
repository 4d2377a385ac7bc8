#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "experiments/models/testing/asked.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

using ::testing::HasSubstr;

// LoGPC (2001): Table 2; the 4 x 8 mesh with 4 hops between random nodes.
const Settings kNetwork = {
    {"dimensions", 2.0}, {"mean_distance_per_dimension", 2.0}, {"gap_cycles_per_byte", 0.5}};
const Settings kLongMessage = {{"send_overhead_cycles", 25.0}, {"latency_cycles", 8.0}};
// Table 1, two arguments, 16 bytes with their header.
const Settings kShort = Settings{{"latency_cycles", 21.0},
                                 {"send_overhead_cycles", 15.0},
                                 {"receive_overhead_cycles", 122.0},
                                 {"message_bytes", 16.0}} +
                        kNetwork;
const Settings kDag = kLongMessage + Settings{{"extents", std::vector<double>{8, 4}},
                                              {"tasks_per_side", 1024.0},
                                              {"blocks", 64.0},
                                              {"task_cycles", 100.0},
                                              {"message_bytes", 320000.0},
                                              {"header_bytes", 8.0},
                                              {"gap_cycles_per_byte", 0.5}};

// Table 2: o_sl = 15 + 10, o_rl = 119 + 10, the DMA's set-up being 10.
TEST(LoggpLongMessageModel, AddsDmaSetUpToBothOverheads) {
    Asked split("loggp-long-message", {{"send_overhead_cycles", 15.0},
                                       {"receive_overhead_cycles", 119.0},
                                       {"dma_setup_cycles", 10.0},
                                       {"latency_cycles", 8.0},
                                       {"gap_cycles_per_byte", 0.5},
                                       {"memory_gap_cycles_per_byte", 0.37},
                                       {"header_bytes", 8.0},
                                       {"message_bytes", 1100.0}});
    EXPECT_EQ(split["long_send_overhead_cycles"], 25.0);
    EXPECT_EQ(split["long_receive_overhead_cycles"], 129.0);
    EXPECT_EQ(split["end_to_end_cycles"], 582.5);
    EXPECT_EQ(split["network_limited_cycles"], 582.5);
    EXPECT_EQ(split["asymptotic_bytes_per_cycle"], 2.0);
    EXPECT_NEAR(split["crossover_bytes"], 1026.9, 0.1);
    EXPECT_EQ(split.cell("by_length", 0, "message_bytes"), 16.0);
    EXPECT_DOUBLE_EQ(split.cell("by_length", 0, "end_to_end_cycles"),
                     25.0 + 8.0 + 129.0 + 8.0 * 0.5 + 16.0 * 0.37);
}

// 266 bytes arrive during o_rl; Alewife's queue holds 256 (section 2).
TEST(LoggpLongMessageModel, SaysWhenTheInputQueueFills) {
    Asked asked("loggp-long-message", kLongMessage + Settings{{"receive_overhead_cycles", 129.0},
                                                              {"gap_cycles_per_byte", 0.5},
                                                              {"memory_gap_cycles_per_byte", 0.37},
                                                              {"header_bytes", 8.0},
                                                              {"message_bytes", 1000.0}});
    EXPECT_EQ(asked["queued_bytes"], 266.0);
    EXPECT_TRUE(asked.model().notes().empty());
    asked.set("input_queue_bytes", 256.0);
    EXPECT_EQ(asked["queued_bytes"], 256.0);
    ASSERT_EQ(asked.model().notes().size(), 1U);
    EXPECT_THAT(asked.model().notes().front(), HasSubstr("266 bytes would have arrived"));
    // With both DMA engines running, memory is slower than the network at any message length.
    asked.set("dma_slowdown", 1.45);
    asked.model().solve();
    EXPECT_FALSE(asked.model().find_output("crossover_bytes")->value().has_value());
}

TEST(MeanDistanceModel, HasThePapersDistances) {
    Asked asked("logpc-mean-distance", {{"extents", std::vector<double>{8, 4}}});
    EXPECT_DOUBLE_EQ(asked["mean_hops"], 3.875);
    EXPECT_DOUBLE_EQ(asked["mean_distance_per_dimension"], 1.9375);
    EXPECT_EQ(asked["processors"], 32.0);
    asked.set("destinations", std::string("random_others"));
    EXPECT_DOUBLE_EQ(asked["mean_hops"], 4.0);
    asked.set("destinations", std::string("numbered_neighbours"));
    EXPECT_EQ(asked["mean_hops"], 1.875);
    asked.set("numbering_ends", std::string("end_around"));
    EXPECT_EQ(asked["mean_hops"], 1.9375);
    asked.set("numbering_ends", std::string("none"));
    EXPECT_DOUBLE_EQ(asked["mean_hops"], 52.0 / 31.0);
    asked = Asked("logpc-mean-distance", {{"extents", std::vector<double>{8, 4}}});
    asked.set("destinations", std::string("within_span")).set("span", 7.0);
    EXPECT_NEAR(asked["mean_hops"], 4.0, 1e-12);
    asked = Asked("logpc-mean-distance", {{"extents", std::vector<double>{8, 4}}});
    asked.set("topology", std::string("torus"));
    EXPECT_EQ(asked["mean_hops"], 3.0);
    asked.set("channels", std::string("unidirectional"));
    EXPECT_EQ(asked["mean_hops"], 5.0);
    asked.set("extents", std::vector<double>{8, 4, 2});
    EXPECT_DOUBLE_EQ(asked["mean_distance_per_dimension"], (3.5 + 1.5 + 0.5) / 3.0);
    asked.set("extents", std::vector<double>{2.5});
    EXPECT_THAT(model_refusal(asked), Names("extents (k)", "2.5", "accepted", "whole"));
}

TEST(MeanDistanceModel, DoesNotCountAnExtentOfOne) {
    for (const char* destinations :
         {"random", "random_others", "within_span", "numbered_neighbours"}) {
        Asked line("logpc-mean-distance", {{"extents", std::vector<double>{8}}});
        line.set("destinations", std::string(destinations));
        Asked flat("logpc-mean-distance", {{"extents", std::vector<double>{8, 1}}});
        flat.set("destinations", std::string(destinations));
        EXPECT_EQ(flat["mean_distance_per_dimension"], line["mean_distance_per_dimension"]);
        EXPECT_EQ(flat["mean_hops"], line["mean_hops"]);
        EXPECT_EQ(flat["processors"], 8.0);
    }
    Asked flat("logpc-mean-distance", {{"extents", std::vector<double>{8, 1}}});
    EXPECT_EQ(flat["mean_distance_per_dimension"], 2.625);
}

TEST(MeanDistanceModel, RefusesWhatHasNoEffect) {
    Asked asked("logpc-mean-distance", {{"extents", std::vector<double>{8, 4}}, {"span", 7.0}});
    EXPECT_THAT(model_refusal(asked), Names("span (l)", "7", "effect", "\"random\"", "accepted",
                                            "\"within_span\"", "\"numbered_neighbours\""));
    asked.set("destinations", std::string("within_span"));
    EXPECT_EQ(model_refusal(asked), "solved");
    asked.set("numbering_ends", std::string("none"));
    EXPECT_THAT(model_refusal(asked), Names("numbering_ends", "effect"));
}

TEST(MeanDistanceModel, SpeaksOfThePapersMeshOnlyThere) {
    Asked asked("logpc-mean-distance", {{"extents", std::vector<double>{8, 4}},
                                        {"destinations", std::string("numbered_neighbours")}});
    asked.model().solve();
    EXPECT_EQ(asked.model().notes().size(), 1U);
    asked.set("extents", std::vector<double>{4, 4});
    asked.model().solve();
    EXPECT_TRUE(asked.model().notes().empty());
}

TEST(ShortMessagesModel, RefusesContentionThatIsGivenButComputed) {
    Asked asked("logpc-short-messages", kShort + Settings{{"given_contention_cycles", 23.0}});
    EXPECT_THAT(model_refusal(asked), Names("given_contention_cycles (C_n)", "23", "effect"));
}

TEST(OpenNetworkModel, IsTheClosedOneAtTheRateThatFinds) {
    for (const char* form : {"as_printed", "cycles"}) {
        const Settings network =
            kNetwork + Settings{{"message_bytes", 44.0}, {"channel_occupancy", std::string(form)}};
        Asked closed("logpc-closed-network",
                     network + Settings{{"contention_free_intermessage_cycles", 158.0}});
        Asked open("agarwal-open-network",
                   network + Settings{{"messages_per_cycle_per_node",
                                       closed["messages_per_cycle_per_node"]}});
        const double waiting = closed["network_contention_cycles"];
        EXPECT_NEAR(open["network_contention_cycles"], waiting, 1e-12 * waiting) << form;
        EXPECT_DOUBLE_EQ(open["channel_utilization"], closed["channel_utilization"]) << form;
        EXPECT_DOUBLE_EQ(closed["inflation"], 1.0 + waiting / 158.0);
    }
}

TEST(OpenNetworkModel, NamesTheLoadAndTheSaturation) {
    Asked asked("agarwal-open-network", kNetwork + Settings{{"message_bytes", 50.0},
                                                            {"messages_per_cycle_per_node", 0.03}});
    EXPECT_THAT(model_refusal(asked),
                Names("messages_per_cycle_per_node (m)", "0.03", "accepted", "0.02", "saturate"));
    // Channels that carry two bytes per cycle double the capacity.
    asked.set("channel_occupancy", std::string("cycles"));
    EXPECT_EQ(asked["saturation_messages_per_cycle"], 0.04);
    EXPECT_DOUBLE_EQ(asked["channel_utilization"], 0.75);
    const auto& rows = asked.model().tables().front()->rows();
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(std::get<std::string>(rows[0][1]), "no solution");
    EXPECT_DOUBLE_EQ(std::get<double>(rows[1][2]), 0.75);
    // Unidirectional channels halve the capacity.
    asked.set("channels", std::string("unidirectional"));
    EXPECT_THAT(model_refusal(asked),
                Names("messages_per_cycle_per_node (m)", "0.03", "accepted", "0.02", "saturate"));
}

// As m tends to 0, (10) tends to (1).
TEST(LongMessageModel, IsLoggpsWhereMessagesAreRare) {
    Asked asked("logpc-long-message", kLongMessage + kNetwork +
                                          Settings{{"message_bytes", 1000.0},
                                                   {"contention_free_intermessage_cycles", 1e15}});
    EXPECT_EQ(asked["contention_free_cycles"], 532.5);
    EXPECT_NEAR(asked["end_to_end_cycles"], 532.5, 1e-8);
    asked.set("contention_free_intermessage_cycles", 1000.0);
    EXPECT_DOUBLE_EQ(asked["end_to_end_cycles"], 532.5 + asked["network_contention_cycles"]);
    EXPECT_LT(asked.cell("forms", 1, "end_to_end_cycles"),
              asked.cell("forms", 0, "end_to_end_cycles"));
}

// Table 4, synchronous, and section 5.1.1: 316 and 453 cycles, and 499 with the printed C_n of 23.
// C_r = 137 is 28 % of the measured 486; 499 is 3 % above 486.
TEST(ShortMessagesModel, HasTable4sSynchronousRow) {
    Asked asked("logpc-short-messages", kShort + Settings{{"contention", std::string("given")},
                                                          {"given_contention_cycles", 23.0}});
    EXPECT_EQ(asked["logp_iteration_cycles"], 316.0);
    EXPECT_EQ(asked["lopc_iteration_cycles"], 453.0);
    EXPECT_EQ(asked["iteration_cycles"], 499.0);
    EXPECT_EQ(asked["processor_contention_cycles"], 137.0);
    EXPECT_EQ(2.0 * asked["network_contention_cycles"], 46.0);
    EXPECT_EQ(asked["message_cycles"], 181.0);
    EXPECT_NEAR(asked["processor_contention_cycles"] / 486.0, 0.28, 0.005);
    EXPECT_NEAR(asked["iteration_cycles"] / 486.0, 1.03, 0.005);
}

// C_n by the equations for a message of 16 bytes, with both readings of the channels' occupancy.
TEST(ShortMessagesModel, ContentionOf16BytesIsBelow4Cycles) {
    Asked asked("logpc-short-messages", kShort);
    EXPECT_NEAR(asked["computed_contention_cycles"], 2.7, 0.05);
    EXPECT_DOUBLE_EQ(asked["iteration_cycles"], 453.0 + 2.0 * asked["network_contention_cycles"]);
    EXPECT_NEAR(asked.cell("forms", 1, "computed_contention_cycles"), 0.6, 0.05);
    asked.set("style", std::string("asynchronous"));
    EXPECT_NEAR(asked["computed_contention_cycles"], 3.1, 0.05);
}

// Table 4, asynchronous, and section 5.1.2: 137 cycles for every model. The measured 151 are 10 %
// more; 5 cycles are about a third of the difference.
TEST(ShortMessagesModel, HasTable4sAsynchronousRow) {
    Asked asked("logpc-short-messages", kShort + Settings{{"style", std::string("asynchronous")}});
    EXPECT_EQ(asked["iteration_cycles"], 137.0);
    EXPECT_EQ(asked["logp_iteration_cycles"], 137.0);
    EXPECT_EQ(asked["lopc_iteration_cycles"], 137.0);
    EXPECT_NEAR(151.0 / asked["iteration_cycles"], 1.10, 0.005);
    EXPECT_NEAR(5.0 / (151.0 - asked["iteration_cycles"]), 1.0 / 3.0, 0.05);
    asked.set("work_cycles", 100.0);
    EXPECT_EQ(asked["iteration_cycles"], 237.0);
}

// All-to-all remap of long messages: LoGPC, sections 3.4 and 5.1.3.
TEST(LongRemapModel, ShowsBothFormsOfTheBound) {
    Asked asked("logpc-long-remap", kNetwork + Settings{{"send_overhead_cycles", 25.0},
                                                        {"header_bytes", 8.0},
                                                        {"message_bytes", 10000.0}});
    EXPECT_NEAR(asked["intermessage_cycles"], 22200.0, 50.0);
    EXPECT_NEAR(asked["cycles_per_byte"], 2.22, 0.005);
    EXPECT_EQ(asked["contention_free_intermessage_cycles"], 10000.0);
    EXPECT_NEAR(asked["inflation"], 2.2, 0.05);
    EXPECT_NEAR(asked["contention_share"], 0.55, 0.005);
    EXPECT_NEAR(asked.cell("forms", 0, "inflation"), 2.22, 0.005);
    EXPECT_NEAR(asked.cell("forms", 1, "inflation"), 1.41, 0.005);
    asked.set("mean_distance_per_dimension", 1.9375);
    EXPECT_NEAR(asked["inflation"], 2.17, 0.005);
    asked.set("channel_occupancy", std::string("cycles"));
    EXPECT_EQ(asked["inflation"], asked.cell("forms", 1, "inflation"));
}

// Section 5.2.2 at 320,000 bytes: the slowdowns that the model's note gives for the mappings.
TEST(DiamondDagModel, ShowsEveryMappingInBothForms) {
    Asked asked("logpc-diamond-dag", kDag);
    const std::vector<double> slowdowns = {2.39, 1.50, 1.0, 1.0, 1.0, 1.0, 2.02, 1.34};
    for (std::size_t row = 0; row < slowdowns.size(); ++row) {
        EXPECT_NEAR(asked.cell("mappings", row, "slowdown"), slowdowns[row], 0.005) << row;
    }
    EXPECT_EQ(asked["processors"], 32.0);
    EXPECT_NEAR(asked["slowdown"], 2.39, 0.005);
    EXPECT_DOUBLE_EQ(asked["mean_hops"], 4.0);
    asked.set("mapping", std::string("default"));
    EXPECT_EQ(asked["slowdown"], 1.0);
    EXPECT_EQ(asked["mean_hops"], 1.875);
    asked.set("mapping", std::string("perfect"));
    EXPECT_EQ(asked["mean_hops"], 1.0);
    asked.set("message_bytes", 16000.0);
    EXPECT_EQ(asked["contention_free_makespan_cycles"], 6121492.5);
    asked.set("message_bytes", 32000.0);
    EXPECT_EQ(asked["communication_to_computation"], 0.625);
    EXPECT_EQ(asked["block_cycles"], 51200.0);
    ASSERT_EQ(asked.model().notes().size(), 4U);
    EXPECT_THAT(asked.model().notes()[0], HasSubstr("best_blocks is at its limit"));
    EXPECT_THAT(asked.model().notes()[3], HasSubstr("50 % and 34 %"));
    asked.set("extents", std::vector<double>{4, 4});
    asked.model().solve();
    EXPECT_EQ(asked.model().notes().size(), 2U);
}

TEST(DiamondDagModel, RefusesMeshesOfOneNodeOrMoreThanAMillion) {
    Asked asked("logpc-diamond-dag", kDag);
    asked.set("extents", std::vector<double>{1, 1});
    EXPECT_THAT(model_refusal(asked), Names("extents", "1", "accepted", "2", "1e+06"));
    asked.set("extents", std::vector<double>{1e6, 1e6});
    EXPECT_THAT(model_refusal(asked), Names("extents", "1e+12"));
}

// EM3D on Alewife: LoGPC, section 5.3.1.
TEST(Em3dModel, CountsThePapersMessages) {
    Asked asked("logpc-em3d", {{"processors", 32.0},
                               {"graph_nodes", 3200.0},
                               {"degree", 32.0},
                               {"nonlocal_share", 1.0},
                               {"values_per_message", 10.0},
                               {"iterations", 100.0},
                               {"send_overhead_cycles", 15.0},
                               {"receive_overhead_cycles", 122.0}});
    EXPECT_EQ(asked["messages_per_iteration"], 320.0);
    EXPECT_EQ(asked["communication_cycles"], 320.0 * 137.0);
    EXPECT_EQ(asked["runtime_cycles"], 100.0 * 320.0 * 137.0);
}

}  // namespace
}  // namespace weir::experiments::models
