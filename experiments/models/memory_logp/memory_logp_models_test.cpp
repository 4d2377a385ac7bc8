#include "experiments/models/memory_logp/memory_logp_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "experiments/models/catalogue/catalogue.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

using Given = std::vector<std::pair<const char*, InputValue>>;

std::unique_ptr<Model> model_named(const std::string& name) {
    Models models = all_models();
    const auto found = std::find_if(models.begin(), models.end(),
                                    [&](const auto& model) { return model->name() == name; });
    return found == models.end() ? nullptr : std::move(*found);
}

void give(Model& model, const Given& values) {
    for (const auto& [input, value] : values) {
        ASSERT_NE(model.find_input(input), nullptr) << input;
        model.find_input(input)->set(value);
    }
}

std::unique_ptr<Model> solved(const char* name, const Given& values) {
    auto model = model_named(name);
    give(*model, values);
    model->solve();
    return model;
}

double answer(const Model& model, const char* output) {
    return model.find_output(output)->value().value();
}

std::string model_refusal(const char* name, const Given& values) {
    try {
        (void)solved(name, values);
    } catch (const ModelError& error) {
        return error.what();
    }
    return "taken";
}

InputValue text(const char* value) { return std::string(value); }
InputValue list(std::vector<double> values) { return values; }

const Given kTransfer = {{"transfer", text("unpack")},
                         {"element_bytes", 8.0},
                         {"stride_bytes", 32.0},
                         {"elements", 65536.0}};

Given transfer_and(const Given& more) {
    Given values = kTransfer;
    values.insert(values.end(), more.begin(), more.end());
    return values;
}

TEST(MemoryLogpModels, AreInTheCatalogueAndAnswerEverythingTheyDeclare) {
    const std::vector<std::pair<const char*, Given>> askable = {
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
    EXPECT_EQ(memory_logp_models().size(), askable.size());
    for (const auto& [name, values] : askable) {
        const auto model = solved(name, values);
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
    const Given values = {{"memory_overhead_cycles_per_byte", 0.5},
                          {"memory_latency_cycles_per_byte", 1.5},
                          {"word_bytes", 4.0},
                          {"data_bytes", 933.0 * 4.0}};
    auto model = solved("memory-logp", values);
    EXPECT_EQ(answer(*model, "transfer_cycles"), 933.0 * 8.0);
    EXPECT_EQ(answer(*model, "cycles_per_word"), 8.0);
    EXPECT_FALSE(model->find_output("transfer_microseconds")->value().has_value());
    model->find_input("clock_megahertz")->set(933.0);
    model->solve();
    EXPECT_EQ(answer(*model, "transfer_microseconds"), 8.0);
}

TEST(MemoryLogpModels, HaveNoBandwidthWhereNothingTakesTime) {
    const auto model = solved("memory-logp", {{"memory_overhead_cycles_per_byte", 0.0},
                                              {"memory_latency_cycles_per_byte", 0.0},
                                              {"word_bytes", 4.0},
                                              {"data_bytes", 4.0}});
    EXPECT_FALSE(model->find_output("bytes_per_cycle")->value().has_value());
    EXPECT_EQ(answer(*model, "transfer_cycles"), 0.0);
}

TEST(MemoryLogpModels, SendAMessageThroughMemoryNetworkAndMemory) {
    const auto model = solved("memory-logp-message", {{"memory_overhead_cycles_per_byte", 0.5},
                                                      {"memory_latency_cycles_per_byte", 1.5},
                                                      {"word_bytes", 4.0},
                                                      {"message_bytes", 1000.0},
                                                      {"network_packet_bytes", 64.0},
                                                      {"latency_cycles", 160.0},
                                                      {"overhead_cycles", 20.0},
                                                      {"gap_cycles", 30.0},
                                                      {"extra_copies", 2.0}});
    EXPECT_EQ(answer(*model, "packets"), 16.0);
    EXPECT_EQ(answer(*model, "logp_packet_cycles"), 200.0);
    EXPECT_EQ(answer(*model, "logp_message_cycles"), 680.0);
    EXPECT_EQ(answer(*model, "memory_cycles_per_byte"), 5.0);
    EXPECT_EQ(answer(*model, "cycles_per_byte"), 7.5);
    EXPECT_EQ(answer(*model, "message_cycles"), 7500.0);
    EXPECT_EQ(answer(*model, "memory_overhead_cycles"), 128.0);
    EXPECT_EQ(answer(*model, "logp_with_memory_overhead_cycles"), 2464.0);
}

// Section 2's loop, and section 8's +80% and -60%: 1.8 and 0.4 times what is measured.
TEST(MemoryLogpModels, PredictByTheFittedCurveWithThePublishedBounds) {
    const auto model =
        solved("memory-logp-curve-fit", transfer_and({{"memory_overhead_cycles_per_byte", 1.0}}));
    const double l = 0.75 * 77.0 / 8.0;
    EXPECT_EQ(answer(*model, "memory_latency_cycles_per_byte"), l);
    EXPECT_EQ(answer(*model, "memory_latency_cycles_per_element"), 8.0 * l);
    EXPECT_EQ(answer(*model, "cycles_per_byte"), 1.0 + l);
    EXPECT_DOUBLE_EQ(answer(*model, "least_cycles_per_byte") * 1.8, 1.0 + l);
    EXPECT_DOUBLE_EQ(answer(*model, "most_cycles_per_byte") * 0.4, 1.0 + l);
    EXPECT_EQ(model->tables().front()->rows().size(), 2U);
}

TEST(MemoryLogpModels, PredictByStackDistancesWithTheTlbAsARow) {
    const auto model =
        solved("memory-logp-stack-distance", transfer_and({{"pipeline_cycles_per_element", 4.0}}));
    const double contiguous_pages = 16.0 / 4096.0;
    const double pages = 40.0 / 4096.0;
    const double o = (4.0 + 0.5 * 77.0 + contiguous_pages * 14.0) / 8.0;
    const double total = (4.0 + 1.25 * 77.0 + pages * 14.0) / 8.0;
    EXPECT_DOUBLE_EQ(answer(*model, "memory_overhead_cycles_per_byte"), o);
    EXPECT_DOUBLE_EQ(answer(*model, "cycles_per_byte"), total);
    EXPECT_DOUBLE_EQ(answer(*model, "memory_latency_cycles_per_byte"), total - o);
    EXPECT_DOUBLE_EQ(answer(*model, "first_repetition_cycles_per_byte"), total);
    const auto& rows = model->tables().front()->rows();
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(std::get<std::string>(rows[0][0]), "L1");
    EXPECT_EQ(std::get<double>(rows[0][1]), 2.0);
    EXPECT_EQ(std::get<double>(rows[0][3]), 1.25);
    EXPECT_EQ(std::get<double>(rows[1][1]), 1.25);
    EXPECT_EQ(std::get<std::string>(rows[2][0]), "TLB");
    EXPECT_EQ(std::get<double>(rows[2][3]), pages);
}

TEST(MemoryLogpModels, TakeACustomHierarchyOfTheSameShapeForTheSameMachine) {
    const Given common = transfer_and({{"pipeline_cycles_per_element", 4.0}});
    Given custom = common;
    custom.insert(custom.end(), {{"hierarchy", text("custom")},
                                 {"level_bytes", list({16384, 262144})},
                                 {"level_line_bytes", list({32, 32})},
                                 {"level_ways", list({4, 8})},
                                 {"level_miss_cycles", list({7, 70})},
                                 {"tlb_entries", 64.0},
                                 {"tlb_ways", 4.0},
                                 {"page_bytes", 4096.0},
                                 {"tlb_walk_cycles", 14.0}});
    const auto given = solved("memory-logp-stack-distance", custom);
    const auto preset = solved("memory-logp-stack-distance", common);
    EXPECT_EQ(given->tables().front()->rows(), preset->tables().front()->rows());
    EXPECT_THAT(preset->notes(), Contains(HasSubstr("pentium3: 4 and 8 ways")));
    EXPECT_THAT(given->notes(), Not(Contains(HasSubstr("assumed"))));
}

TEST(MemoryLogpModels, ReplaceWhatIsGivenOfAMachine) {
    const Given r10000 = transfer_and({{"pipeline_cycles_per_element", 0.0},
                                       {"hierarchy", text("r10000")},
                                       {"elements", 131072.0}});
    const auto latency = [&](const Given& more) {
        Given values = r10000;
        values.insert(values.end(), more.begin(), more.end());
        return answer(*solved("memory-logp-stack-distance", values),
                      "memory_latency_cycles_per_element");
    };
    // Of 1 MB loaded and 4 MB stored over 2 ways of 2 MB, half the sets hold two stored lines and
    // keep them, half have a loaded line besides and keep none: 1/4 + 1/2 misses an element.
    // Contiguous, 1 MB and 1 MB are kept.
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
    const Given values = {{"transfer", text("copy")},
                          {"element_bytes", 4.0},
                          {"stride_bytes", 4096.0},
                          {"elements", 64.0},
                          {"pipeline_cycles_per_element", 0.0}};
    const auto at = [&](double destination_address) {
        Given explicitly = values;
        explicitly.emplace_back("destination_address", destination_address);
        return solved("memory-logp-stack-distance", explicitly);
    };
    const auto own = solved("memory-logp-stack-distance", values);
    EXPECT_EQ(own->tables().front()->rows(), at(64.0 * 4096.0)->tables().front()->rows());
    EXPECT_EQ(answer(*own, "memory_latency_cycles_per_element"), 2.0 * (7.0 + 70.0 + 14.0));
    // Half a page further on the second level keeps both: 8 lines in each of 16 sets of 8.
    EXPECT_EQ(answer(*at(64.0 * 4096.0 + 2048.0), "memory_latency_cycles_per_element"),
              2.0 * (7.0 + 14.0));
}

TEST(MemoryLogpModels, SayWhenTheLastRepetitionMayNotBeTheSteadyState) {
    const Given values = transfer_and({{"pipeline_cycles_per_element", 4.0}});
    EXPECT_THAT(solved("memory-logp-stack-distance", values)->notes(),
                Not(Contains(HasSubstr("steady"))));
    Given twice = values;
    twice.emplace_back("repetitions", 2.0);
    EXPECT_THAT(solved("memory-logp-stack-distance", twice)->notes(),
                Contains(HasSubstr("2 levels repeat themselves from repetition 3 on")));
}

TEST(MemoryLogpModels, RefuseWhatHasNoEffect) {
    const auto with = [](const Given& more) {
        Given values = transfer_and({{"pipeline_cycles_per_element", 4.0}});
        values.insert(values.end(), more.begin(), more.end());
        return model_refusal("memory-logp-stack-distance", values);
    };
    EXPECT_EQ(with({{"transfer", text("read")}, {"destination_address", 64.0}}),
              "destination_address is 64 and has no effect, for transfer is \"read\"; accepted: "
              "with a transfer that stores");
    EXPECT_EQ(with({{"tlb_entries", 0.0}, {"tlb_ways", 4.0}}),
              "tlb_ways is 4 and has no effect, for there is no TLB (tlb_entries); accepted: with "
              "tlb_entries of 1 or more");
    EXPECT_THAT(with({{"tlb_entries", 0.0}, {"tlb_walk_cycles", 4.0}}), HasSubstr("no effect"));
    EXPECT_THAT(with({{"tlb_entries", 0.0}, {"transfer", text("read")}, {"page_bytes", 8192.0}}),
                HasSubstr("page_bytes is 8192 and has no effect"));
    // Without a TLB the destination still lies on the page after the source.
    EXPECT_EQ(with({{"tlb_entries", 0.0}, {"page_bytes", 8192.0}}), "taken");
}

TEST(MemoryLogpModels, RefuseAHierarchyThatIsNotWhole) {
    const Given common = transfer_and({{"pipeline_cycles_per_element", 4.0}});
    const auto with = [&](const Given& more) {
        Given values = common;
        values.insert(values.end(), more.begin(), more.end());
        return model_refusal("memory-logp-stack-distance", values);
    };
    EXPECT_EQ(with({{"hierarchy", text("custom")}}),
              "level_bytes (S_j) is not given; accepted: a list, each entry a number from 1 to "
              "1e+15, where hierarchy is \"custom\"");
    const Given custom = {{"hierarchy", text("custom")},
                          {"level_bytes", list({1024})},
                          {"level_line_bytes", list({32})},
                          {"level_miss_cycles", list({10})}};
    EXPECT_THAT(with(custom), HasSubstr("level_ways is not given"));
    Given with_tlb = custom;
    with_tlb.insert(with_tlb.end(), {{"level_ways", list({2})}, {"tlb_entries", 16.0}});
    EXPECT_THAT(with(with_tlb), HasSubstr("tlb_walk_cycles is not given"));
    EXPECT_EQ(with({{"level_ways", list({4})}}),
              "level_ways is [4]; accepted: one number a level, 2");
    EXPECT_EQ(with({{"level_ways", list({4, 2.5})}}),
              "level_ways is [4, 2.5]; accepted: whole numbers");
    EXPECT_THAT(with({{"level_ways", list({5, 8})}}),
                HasSubstr("level_ways of level 1 is 5; accepted: 0 (fully associative)"));
    EXPECT_THAT(with({{"tlb_walk_cycles", -0.5}}), HasSubstr("tlb_walk_cycles is -0.5"));
    EXPECT_THAT(with({{"stride_bytes", 4.0}}), HasSubstr("stride_bytes (d) is 4"));
    EXPECT_THAT(with({{"elements", 1e12}}), HasSubstr("elements is 1000000000000"));
}

}  // namespace
}  // namespace weir::experiments::models
