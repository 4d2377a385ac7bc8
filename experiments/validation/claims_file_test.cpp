#include "experiments/validation/claims_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments::validation {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kSendOverhead = R"(what = "o_s, no arguments"
source = "LoGPC Table 1"
published = 9
within = 0
ours = { experiment = "ping.toml", metric = "send_overhead_cycles_0" }
)";

class ClaimsFileTest : public ProgramTest {
  protected:
    void SetUp() override { write("ping.toml", "extends = \"alewife\"\n"); }

    [[nodiscard]] ClaimsFile claims_of(const std::string& text) const {
        write("claims.toml", text);
        return read_claims(file("claims.toml")).value();
    }
    [[nodiscard]] Claim claim_of(const std::string& text) const {
        return claims_of("[claim.it]\n" + text).claims.at(0);
    }
    [[nodiscard]] std::string fault_of(const std::string& text) const {
        try {
            static_cast<void>(claim_of(text));
        } catch (const setup::UserFault& fault) {
            const std::string message = fault.what();
            const std::string folder_text = folder().string() + "/";
            return message.starts_with(folder_text) ? message.substr(folder_text.size()) : message;
        }
        return "none";
    }
    // A row that is reproduced, with that as ours.
    [[nodiscard]] std::string fault_of_ours(const std::string& ours) const {
        return fault_of("what = \"a\"\nsource = \"b\"\npublished = 9\nwithin = 0\nours = " + ours +
                        "\nstatus = \"reproduced\"\n");
    }
};

TEST_F(ClaimsFileTest, AFileWithoutClaimsIsNone) { EXPECT_FALSE(read_claims(file("ping.toml"))); }

TEST_F(ClaimsFileTest, AMetricOfAnExperiment) {
    const Claim claim = claim_of(R"(what = "o_s, no arguments"
source = "LoGPC Table 1"
published = 9
tolerance = 0.03
ours.experiment = "ping.toml"
ours.point = "a"
ours.set.run.seeds = [1, 2]
ours.set.machine.nodes = 2
ours.metric = "send_overhead_cycles_0"
status = "differs"
because = "of something"
)");
    EXPECT_EQ(claim.name, "it");
    EXPECT_EQ(claim.status, ClaimStatus::kDiffers);
    EXPECT_EQ(claim.published, 9.0);
    EXPECT_EQ(claim.tolerance, 0.03);
    const auto& metric = std::get<MetricOfRun>(claim.ours.value().from);
    EXPECT_EQ(metric.file, file("ping.toml"));
    EXPECT_EQ(metric.point, "a");
    EXPECT_THAT(metric.settings, ElementsAre("run.seeds=[1, 2]", "machine.nodes=2"));
    EXPECT_EQ(metric.metric, "send_overhead_cycles_0");
}

TEST_F(ClaimsFileTest, ARelationOfPointsAModelAndANumber) {
    const Claim claim = claim_of(R"(what = "a"
source = "b"
at_least = 1
at_most = 2
ours.largest = [
    { experiment = "ping.toml", points = ["a", "b"], metric = "latency_cycles" },
    { model = "logp-broadcast", inputs = { processors = 8 }, table = "processors", column = "informed_cycle", row = 3 },
    7,
]
status = "reproduced"
)");
    const auto& largest = std::get<Relation>(claim.ours.value().from);
    EXPECT_EQ(largest.kind, Relation::Kind::kLargest);
    ASSERT_EQ(largest.operands.size(), 4U);
    EXPECT_EQ(std::get<MetricOfRun>(largest.operands[1].from).point, "b");
    EXPECT_EQ(std::get<AnswerOfModel>(largest.operands[2].from).row, 3U);
    EXPECT_EQ(std::get<double>(largest.operands[3].from), 7.0);
    EXPECT_THAT(sources_of(*claim.ours), ElementsAre("ping.toml", "weir model logp-broadcast"));
}

TEST_F(ClaimsFileTest, RowsAreChosenByNameTextSourceAndWhatComputesThem) {
    const ClaimsFile file = claims_of(
        "[claim.a-first]\nwhat = \"one\"\nsource = \"Table 4\"\nstatus = \"not testable\"\n"
        "because = \"x\"\n[claim.b-second]\n" +
        std::string(kSendOverhead) + "status = \"reproduced\"\n");
    const auto names = [&file](const std::vector<std::string>& patterns) {
        std::vector<std::string> chosen;
        for (const Claim& claim : chosen_claims(file, patterns)) {
            chosen.push_back(claim.name);
        }
        return chosen;
    };
    EXPECT_THAT(names({}), ElementsAre("a-first", "b-second"));
    EXPECT_THAT(names({"b-sec"}), ElementsAre("b-second"));
    EXPECT_THAT(names({"table 4"}), ElementsAre("a-first"));
    EXPECT_THAT(names({"no arg*"}), ElementsAre("b-second"));
    EXPECT_THAT(names({"ping.toml"}), ElementsAre("b-second"));
    EXPECT_THAT(names({"ping.toml", "one"}), ElementsAre("a-first", "b-second"));
    EXPECT_THROW(static_cast<void>(names({"first", "tird"})), setup::UserFault);
}

TEST_F(ClaimsFileTest, ARowHasAReasonAndAKnownStatus) {
    EXPECT_EQ(fault_of(std::string(kSendOverhead) + "status = \"differs\"\n"),
              "claims.toml:1:8: claim \"it\" differs without a reason; accepted: because = "
              "\"...\"");
    EXPECT_EQ(fault_of("what = \"a\"\nsource = \"b\"\nstatus = \"not testable\"\n"),
              "claims.toml:1:8: claim \"it\" is not testable without a reason; accepted: because = "
              "\"...\"");
    EXPECT_EQ(fault_of(std::string(kSendOverhead) + "status = \"reproducd\"\n"),
              "claims.toml:7:10: no status \"reproducd\"; accepted: \"reproduced\", \"differs\", "
              "\"not testable\"; did you mean \"reproduced\"?");
    EXPECT_THAT(fault_of(kSendOverhead), HasSubstr("claim \"it\" has no status"));
    EXPECT_THAT(fault_of("source = \"b\"\nstatus = \"reproduced\"\n"), HasSubstr("has no what"));
    EXPECT_THAT(fault_of("what = \"b\"\nstatus = \"reproduced\"\n"), HasSubstr("has no source"));
}

TEST_F(ClaimsFileTest, ARowSaysWhatIsPublishedAndHowNear) {
    const std::string row = "what = \"a\"\nsource = \"b\"\nstatus = \"reproduced\"\n";
    const std::string ours = "ours = { experiment = \"ping.toml\", metric = \"latency_cycles\" }\n";
    EXPECT_THAT(fault_of(row + ours), HasSubstr("needs either published or a bound"));
    EXPECT_THAT(fault_of(row + ours + "published = 1\nat_most = 2\n"),
                HasSubstr("needs either published or a bound"));
    EXPECT_THAT(fault_of(row + ours + "published = 1\n"),
                HasSubstr("needs either tolerance or within"));
    EXPECT_THAT(fault_of(row + ours + "at_most = 1\nwithin = 1\n"),
                HasSubstr("is a bound with a tolerance"));
    EXPECT_THAT(fault_of(row + ours + "at_most = 1\nat_least = 2\n"),
                HasSubstr("has at_least above at_most"));
    EXPECT_THAT(fault_of(row + "published = 1\nwithin = 0\n"),
                HasSubstr("does not say what is ours"));
    for (const char* number : {"nan", "inf", "-inf"}) {
        EXPECT_THAT(fault_of(row + "published = " + number + "\nwithin = 0\n"),
                    HasSubstr("a finite number"));
        EXPECT_THAT(fault_of(row + "published = 1\nwithin = " + number + "\n"),
                    HasSubstr("a finite number"));
    }
    EXPECT_THAT(fault_of(row + "published = 1\nwithin = -1\n"),
                HasSubstr("claims.toml:6:10: within is the whole number -1; accepted: a number"));
    EXPECT_THAT(fault_of(row + "publishd = 1\n"),
                HasSubstr("claims.toml:5:1: a claim has no key \"publishd\""));
    EXPECT_THAT(fault_of("what = \"a\"\nsource = \"b\"\nstatus = \"not testable\"\n"
                         "because = \"c\"\n" +
                         ours),
                HasSubstr("is not testable, and says what is ours"));
}

TEST_F(ClaimsFileTest, OursIsComputed) {
    EXPECT_THAT(fault_of_ours("9"), HasSubstr("claims.toml:6:8: what is ours is a number"));
    EXPECT_THAT(fault_of_ours("{ sum = [4, 5] }"), HasSubstr("what is ours is a number"));
    EXPECT_THAT(fault_of_ours("{ product = [9, { experiment = \"ping.toml\", metric = "
                              "\"latency_cycles\" }] }"),
                HasSubstr("the published value is part of what it is compared with"));
    EXPECT_THAT(fault_of_ours("{ ratio = [{ experiment = \"ping.toml\", metric = "
                              "\"latency_cycles\" }] }"),
                HasSubstr("ratio of 1 values; accepted: two"));
    EXPECT_THAT(fault_of_ours("{ ration = [1, 2] }"),
                HasSubstr("claims.toml:6:10: no relation \"ration\""));
    EXPECT_THAT(fault_of_ours("{ experiment = \"pong.toml\", metric = \"latency_cycles\" }"),
                HasSubstr("claims.toml:6:23: no file "));
    EXPECT_THAT(fault_of_ours("{ experiment = \"ping.toml\" }"),
                HasSubstr("a value of an experiment without metric"));
    EXPECT_THAT(fault_of_ours("{ experiment = \"ping.toml\", metrc = \"a\" }"),
                HasSubstr("did you mean \"metric\"?"));
    EXPECT_THAT(fault_of_ours("{ experiment = \"ping.toml\", metric = \"a\", points = [\"x\", "
                              "\"y\"] }"),
                HasSubstr("points gives several values"));
    EXPECT_THAT(fault_of_ours("{ model = \"logp-broadcast\" }"),
                HasSubstr("a value of a model has an output, or a cell of a table"));
    EXPECT_THAT(fault_of_ours("{ model = \"logp-broadcast\", table = \"a\", row = 1 }"),
                HasSubstr("a value of a model has an output, or a cell of a table"));
}

}  // namespace
}  // namespace weir::experiments::validation
