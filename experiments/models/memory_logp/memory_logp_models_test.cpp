#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "experiments/models/testing/asked.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

InputValue text(const char* value) { return std::string(value); }
InputValue list(std::vector<double> values) { return values; }

const Settings kTransfer = {{"transfer", text("unpack")},
                            {"element_bytes", 8.0},
                            {"stride_bytes", 32.0},
                            {"elements", 65536.0}};

Settings transfer_and(const Settings& more) { return kTransfer + more; }

TEST(MemoryLogpModels, AnswerEverythingTheyDeclare) {
    const std::vector<std::pair<std::string, Settings>> askable = {
        {"memory-logp",
         {{"memory_overhead_cycles_per_byte", 0.5},
          {"memory_latency_cycles_per_byte", 1.5},
          {"word_bytes", 4.0},
          {"data_bytes", 1024.0},
          {"clock_megahertz", 933.0}}},
        {"memory-logp-measured",
         {{"contiguous_seconds", 0.0083},
          {"strided_seconds", 0.062},
          {"data_bytes", 8388608.0},
          {"clock_megahertz", 933.0}}},
        {"memory-logp-message",
         {{"memory_overhead_cycles_per_byte", 0.5},
          {"memory_latency_cycles_per_byte", 1.5},
          {"word_bytes", 4.0},
          {"message_bytes", 1000.0},
          {"network_packet_bytes", 64.0},
          {"latency_cycles", 160.0},
          {"overhead_cycles", 20.0},
          {"gap_cycles", 30.0}}},
        {"memory-logp-curve-fit", transfer_and({{"memory_overhead_cycles_per_byte", 1.0}})},
        {"memory-logp-stack-distance", transfer_and({{"pipeline_cycles_per_element", 4.0}})},
    };
    for (const auto& [name, values] : askable) {
        Asked asked(name, values);
        const Model* model = &asked.solved();
        for (const Output* output : model->outputs()) {
            EXPECT_TRUE(output->value().has_value()) << name << " " << output->name();
        }
        for (const OutputTable* table : model->tables()) {
            EXPECT_FALSE(table->rows().empty()) << name << " " << table->name();
        }
        EXPECT_FALSE(model->notes().empty()) << name;
    }
}

TEST(MemoryLogpModels, ConvertToTimeOnlyWhereTheClockIsGiven) {
    const Settings values = {{"memory_overhead_cycles_per_byte", 0.5},
                             {"memory_latency_cycles_per_byte", 1.5},
                             {"word_bytes", 4.0},
                             {"data_bytes", 933.0 * 4.0}};
    Asked model("memory-logp", values);
    EXPECT_EQ(model["transfer_cycles"], 933.0 * 8.0);
    EXPECT_EQ(model["cycles_per_word"], 8.0);
    EXPECT_FALSE(model.has("transfer_microseconds"));
    model.set("clock_megahertz", 933.0);
    EXPECT_EQ(model["transfer_microseconds"], 8.0);
}

TEST(MemoryLogpModels, HaveNoBandwidthWhereNothingTakesTime) {
    Asked model("memory-logp", {{"memory_overhead_cycles_per_byte", 0.0},
                                {"memory_latency_cycles_per_byte", 0.0},
                                {"word_bytes", 4.0},
                                {"data_bytes", 4.0}});
    EXPECT_FALSE(model.has("bytes_per_cycle"));
    EXPECT_EQ(model["transfer_cycles"], 0.0);
}

TEST(MemoryLogpModels, SendAMessageThroughMemoryNetworkAndMemory) {
    Asked model("memory-logp-message", {{"memory_overhead_cycles_per_byte", 0.5},
                                        {"memory_latency_cycles_per_byte", 1.5},
                                        {"word_bytes", 4.0},
                                        {"message_bytes", 1000.0},
                                        {"network_packet_bytes", 64.0},
                                        {"latency_cycles", 160.0},
                                        {"overhead_cycles", 20.0},
                                        {"gap_cycles", 30.0},
                                        {"extra_copies", 2.0}});
    EXPECT_EQ(model["packets"], 16.0);
    EXPECT_EQ(model["logp_packet_cycles"], 200.0);
    EXPECT_EQ(model["logp_message_cycles"], 680.0);
    EXPECT_EQ(model["memory_cycles_per_byte"], 5.0);
    EXPECT_EQ(model["cycles_per_byte"], 7.5);
    EXPECT_EQ(model["message_cycles"], 7500.0);
    EXPECT_EQ(model["memory_overhead_cycles"], 128.0);
    EXPECT_EQ(model["logp_with_memory_overhead_cycles"], 2464.0);
}

// Section 2's loop, with section 8's +80% and -60%: 1.8 and 0.4 times the measurement.
TEST(MemoryLogpModels, PredictByTheFittedCurveWithThePublishedBounds) {
    Asked model("memory-logp-curve-fit", transfer_and({{"memory_overhead_cycles_per_byte", 1.0}}));
    const double l = 0.75 * 77.0 / 8.0;
    EXPECT_EQ(model["memory_latency_cycles_per_byte"], l);
    EXPECT_EQ(model["memory_latency_cycles_per_element"], 8.0 * l);
    EXPECT_EQ(model["cycles_per_byte"], 1.0 + l);
    EXPECT_DOUBLE_EQ(model["least_cycles_per_byte"] * 1.8, 1.0 + l);
    EXPECT_DOUBLE_EQ(model["most_cycles_per_byte"] * 0.4, 1.0 + l);
    EXPECT_EQ(model.table().rows().size(), 2U);
}

TEST(MemoryLogpModels, PredictByStackDistancesWithTheTlbAsARow) {
    Asked model("memory-logp-stack-distance", transfer_and({{"pipeline_cycles_per_element", 4.0}}));
    const double contiguous_pages = 16.0 / 4096.0;
    const double pages = 40.0 / 4096.0;
    const double o = (4.0 + 0.5 * 77.0 + contiguous_pages * 14.0) / 8.0;
    const double total = (4.0 + 1.25 * 77.0 + pages * 14.0) / 8.0;
    EXPECT_DOUBLE_EQ(model["memory_overhead_cycles_per_byte"], o);
    EXPECT_DOUBLE_EQ(model["cycles_per_byte"], total);
    EXPECT_DOUBLE_EQ(model["memory_latency_cycles_per_byte"], total - o);
    EXPECT_DOUBLE_EQ(model["first_repetition_cycles_per_byte"], total);
    const auto& rows = model.table().rows();
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(std::get<std::string>(rows[0][0]), "L1");
    EXPECT_EQ(std::get<double>(rows[0][1]), 2.0);
    EXPECT_EQ(std::get<double>(rows[0][3]), 1.25);
    EXPECT_EQ(std::get<double>(rows[1][1]), 1.25);
    EXPECT_EQ(std::get<std::string>(rows[2][0]), "TLB");
    EXPECT_EQ(std::get<double>(rows[2][3]), pages);
}

TEST(MemoryLogpModels, TakeACustomHierarchyOfTheSameShapeForTheSameMachine) {
    const Settings common = transfer_and({{"pipeline_cycles_per_element", 4.0}});
    Settings custom = common;
    custom.insert(custom.end(), {{"hierarchy", text("custom")},
                                 {"level_bytes", list({16384, 262144})},
                                 {"level_line_bytes", list({32, 32})},
                                 {"level_ways", list({4, 8})},
                                 {"level_miss_cycles", list({7, 70})},
                                 {"tlb_entries", 64.0},
                                 {"tlb_ways", 4.0},
                                 {"page_bytes", 4096.0},
                                 {"tlb_walk_cycles", 14.0}});
    Asked given("memory-logp-stack-distance", custom);
    Asked preset("memory-logp-stack-distance", common);
    EXPECT_EQ(given.table().rows(), preset.table().rows());
    EXPECT_THAT(preset.notes(), Contains(HasSubstr("pentium3: 4 and 8 ways")));
    EXPECT_THAT(given.notes(), Not(Contains(HasSubstr("assumptions"))));
}

TEST(MemoryLogpModels, ReplaceWhatIsGivenOfAMachine) {
    const Settings r10000 = transfer_and({{"pipeline_cycles_per_element", 0.0},
                                          {"hierarchy", text("r10000")},
                                          {"elements", 131072.0}});
    const auto latency = [&](const Settings& more) {
        Settings values = r10000;
        values.insert(values.end(), more.begin(), more.end());
        return Asked("memory-logp-stack-distance", values)["memory_latency_cycles_per_element"];
    };
    // 1 MB loaded and 4 MB stored, in 2 ways of 2 MB. Half of the sets hold two stored lines, which
    // fit. The other half also have a loaded line, and nothing fits: 1/4 + 1/2 misses per element.
    // Contiguous data, 1 MB and 1 MB, fit.
    const double pages = 24.0 / 4096.0;
    const double levels = 0.75 * 12.0 + 0.75 * 90.0;
    EXPECT_DOUBLE_EQ(latency({}), levels + pages * 70.0);
    EXPECT_DOUBLE_EQ(latency({{"page_bytes", 8192.0}}), levels + pages / 2.0 * 70.0);
    EXPECT_DOUBLE_EQ(latency({{"tlb_walk_cycles", 0.0}}), levels);
    EXPECT_DOUBLE_EQ(latency({{"tlb_entries", 0.0}}), levels);
    EXPECT_DOUBLE_EQ(latency({{"tlb_entries", 0.0}, {"level_miss_cycles", list({1, 2})}}),
                     0.75 * 1.0 + 0.75 * 2.0);
    EXPECT_DOUBLE_EQ(latency({{"tlb_entries", 0.0}, {"level_ways", list({2, 0})}}),
                     0.75 * 12.0 + 1.25 * 90.0);
    EXPECT_DOUBLE_EQ(latency({{"tlb_entries", 0.0}, {"level_bytes", list({32768, 16777216})}}),
                     0.75 * 12.0);
}

TEST(MemoryLogpModels, PutTheDestinationOnThePageAfterTheSource) {
    const Settings values = {{"transfer", text("copy")},
                             {"element_bytes", 4.0},
                             {"stride_bytes", 4096.0},
                             {"elements", 64.0},
                             {"pipeline_cycles_per_element", 0.0}};
    const auto at = [&](double destination_address) {
        Settings explicitly = values;
        explicitly.emplace_back("destination_address", destination_address);
        return Asked("memory-logp-stack-distance", explicitly);
    };
    Asked own("memory-logp-stack-distance", values);
    EXPECT_EQ(own.table().rows(), at(64.0 * 4096.0).table().rows());
    EXPECT_EQ(own["memory_latency_cycles_per_element"], 2.0 * (7.0 + 70.0 + 14.0));
    // Half a page further, the second level holds both arrays: 8 lines in each of 16 sets of 8
    // ways.
    EXPECT_EQ(at(64.0 * 4096.0 + 2048.0)["memory_latency_cycles_per_element"], 2.0 * (7.0 + 14.0));
}

TEST(MemoryLogpModels, SayWhenTheLastRepetitionMayNotBeTheSteadyState) {
    const Settings values = transfer_and({{"pipeline_cycles_per_element", 4.0}});
    EXPECT_THAT(Asked("memory-logp-stack-distance", values).notes(),
                Not(Contains(HasSubstr("steady"))));
    Settings twice = values;
    twice.emplace_back("repetitions", 2.0);
    EXPECT_THAT(Asked("memory-logp-stack-distance", twice).notes(), Contains(Names("2", "3")));
}

TEST(MemoryLogpModels, RefuseWhatHasNoEffect) {
    const auto with = [](const Settings& more) {
        Settings values = transfer_and({{"pipeline_cycles_per_element", 4.0}});
        values.insert(values.end(), more.begin(), more.end());
        return model_refusal("memory-logp-stack-distance", values);
    };
    EXPECT_THAT(with({{"transfer", text("read")}, {"destination_address", 64.0}}),
                Names("destination_address", "64", "effect", "\"read\"", "accepted"));
    EXPECT_THAT(with({{"tlb_entries", 0.0}, {"tlb_ways", 4.0}}),
                Names("tlb_ways", "4", "effect", "tlb_entries", "accepted", "tlb_entries", "1"));
    EXPECT_THAT(with({{"tlb_entries", 0.0}, {"tlb_walk_cycles", 4.0}}), HasSubstr("no effect"));
    EXPECT_THAT(with({{"tlb_entries", 0.0}, {"transfer", text("read")}, {"page_bytes", 8192.0}}),
                Names("page_bytes", "8192", "effect"));
    // Without a TLB the destination still lies on the page after the source.
    EXPECT_EQ(with({{"tlb_entries", 0.0}, {"page_bytes", 8192.0}}), "solved");
}

TEST(MemoryLogpModels, RefuseAHierarchyThatIsNotWhole) {
    const Settings common = transfer_and({{"pipeline_cycles_per_element", 4.0}});
    const auto with = [&](const Settings& more) {
        Settings values = common;
        values.insert(values.end(), more.begin(), more.end());
        return model_refusal("memory-logp-stack-distance", values);
    };
    EXPECT_THAT(with({{"hierarchy", text("custom")}}),
                Names("level_bytes (S_j)", "given", "accepted", "1", "1e+15", "\"custom\""));
    const Settings custom = {{"hierarchy", text("custom")},
                             {"level_bytes", list({1024})},
                             {"level_line_bytes", list({32})},
                             {"level_miss_cycles", list({10})}};
    EXPECT_THAT(with(custom), Names("level_ways", "given"));
    Settings with_tlb = custom;
    with_tlb.insert(with_tlb.end(), {{"level_ways", list({2})}, {"tlb_entries", 16.0}});
    EXPECT_THAT(with(with_tlb), Names("tlb_walk_cycles", "given"));
    EXPECT_THAT(with({{"level_ways", list({4})}}), Names("level_ways", "[4]", "accepted", "2"));
    EXPECT_THAT(with({{"level_ways", list({4, 2.5})}}),
                Names("level_ways", "[4, 2.5]", "accepted", "whole"));
    EXPECT_THAT(with({{"level_ways", list({5, 8})}}),
                Names("level_ways", "1", "5", "accepted", "0", "associative"));
    EXPECT_THAT(with({{"tlb_walk_cycles", -0.5}}), HasSubstr("tlb_walk_cycles is -0.5"));
    EXPECT_THAT(with({{"stride_bytes", 4.0}}), HasSubstr("stride_bytes (d) is 4"));
    EXPECT_THAT(with({{"elements", 1e12}}), Names("elements", "1000000000000"));
}

}  // namespace
}  // namespace weir::experiments::models
