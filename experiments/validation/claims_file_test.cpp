#include "experiments/validation/claims_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::validation {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using weir::testing::Names;

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
    // Fault of a row with status "reproduced" and this text as `ours`.
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
    EXPECT_THAT(sources_of(*claim.ours),
                ElementsAre("ping.toml", Names("weir", "model", "logp-broadcast")));
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
    EXPECT_THAT(fault_of(std::string(kSendOverhead) + "status = \"differs\"\n"),
                Names("claims.toml:1:8", "\"it\"", "differs", "because"));
    EXPECT_THAT(fault_of("what = \"a\"\nsource = \"b\"\nstatus = \"not testable\"\n"),
                Names("claims.toml:1:8", "\"it\"", "testable", "because"));
    EXPECT_THAT(fault_of(std::string(kSendOverhead) + "status = \"reproducd\"\n"),
                Names("claims.toml:7:10", "\"reproducd\"", "\"reproduced\"", "\"differs\"",
                      "testable", "\"reproduced\""));
    EXPECT_THAT(fault_of(kSendOverhead), Names("\"it\"", "status"));
    EXPECT_THAT(fault_of("source = \"b\"\nstatus = \"reproduced\"\n"), Names("\"it\"", "what ="));
    EXPECT_THAT(fault_of("what = \"b\"\nstatus = \"reproduced\"\n"), Names("\"it\"", "source ="));
}

TEST_F(ClaimsFileTest, ARowSaysWhatIsPublishedAndHowNear) {
    const std::string row = "what = \"a\"\nsource = \"b\"\nstatus = \"reproduced\"\n";
    const std::string ours = "ours = { experiment = \"ping.toml\", metric = \"latency_cycles\" }\n";
    EXPECT_THAT(fault_of(row + ours), Names("published", "at_least", "at_most"));
    EXPECT_THAT(fault_of(row + ours + "published = 1\nat_most = 2\n"),
                Names("published", "at_least", "at_most"));
    EXPECT_THAT(fault_of(row + ours + "published = 1\n"),
                Names("tolerance", "within", "tolerance", "within"));
    EXPECT_THAT(fault_of(row + ours + "at_most = 1\nwithin = 1\n"),
                Names("bound", "tolerance", "bound"));
    EXPECT_THAT(fault_of(row + ours + "at_most = 1\nat_least = 2\n"),
                HasSubstr("has at_least above at_most"));
    EXPECT_THAT(fault_of(row + "published = 1\nwithin = 0\n"), Names("ours"));
    for (const char* number : {"nan", "inf", "-inf"}) {
        EXPECT_THAT(fault_of(row + "published = " + number + "\nwithin = 0\n"),
                    Names("published", "finite"));
        EXPECT_THAT(fault_of(row + "published = 1\nwithin = " + number + "\n"),
                    Names("within", "finite"));
    }
    EXPECT_THAT(fault_of(row + "published = 1\nwithin = -1\n"),
                Names("claims.toml:6:10", "within", "-1", "0"));
    EXPECT_THAT(fault_of(row + "publishd = 1\n"),
                Names("claims.toml:5:1", "\"publishd\"", "\"published\""));
    EXPECT_THAT(fault_of("what = \"a\"\nsource = \"b\"\nstatus = \"not testable\"\n"
                         "because = \"c\"\n" +
                         ours),
                Names("testable", "ours", "published", "because"));
}

TEST_F(ClaimsFileTest, OnlyAListedPredictionIsClosedOrLacksAMechanism) {
    const std::string row = std::string(kSendOverhead) + "status = \"reproduced\"\n";
    const std::string listed = row + "listed = 1\nkind = \"predicted\"\nof = \"hardware\"\n";
    const Claim closed = claim_of(listed + "closed = \"a\"\nprints_no_number = true\n");
    EXPECT_EQ(closed.closed, "a");
    EXPECT_TRUE(closed.prints_no_number);
    EXPECT_FALSE(closed.is_decidable());
    EXPECT_TRUE(claim_of(listed + "missing = \"a\"\n").is_decidable());
    EXPECT_FALSE(claim_of(row + "listed = 1\nkind = \"calibrated\"\n").is_decidable());
    EXPECT_THAT(fault_of(row + "closed = \"a\"\n"), Names("\"it\"", "closed", "listed"));
    EXPECT_THAT(fault_of(row + "kind = \"given\"\nlisted = 1\nclosed = \"a\"\n"),
                Names("\"it\"", "closed", "\"predicted\""));
    EXPECT_THAT(fault_of(listed + "prints_no_number = true\n"), Names("\"it\"", "closed"));
    EXPECT_THAT(fault_of(listed + "prints_no_number = 1\nclosed = \"a\"\n"), Names("true"));
    EXPECT_THAT(fault_of(listed + "closed = \"a\"\nmissing = \"b\"\n"),
                Names("\"it\"", "missing", "closed"));
    EXPECT_THAT(fault_of(listed + "although = \"a\"\n"), Names("\"it\"", "without"));
    EXPECT_THAT(fault_of(listed + "without = { controller.load_cycles = 0 }\n"),
                Names("\"it\"", "although"));
    EXPECT_THAT(fault_of(row + "listed = 1\nkind = \"predicted\"\nof = \"model\"\n"),
                Names("listed", "\"hardware\"", "\"calibrated\""));
}

TEST_F(ClaimsFileTest, OursIsComputed) {
    EXPECT_THAT(fault_of_ours("9"), Names("claims.toml:6:8", "ours", "number"));
    EXPECT_THAT(fault_of_ours("{ sum = [4, 5] }"), Names("ours", "number"));
    EXPECT_THAT(fault_of_ours("{ product = [9, { experiment = \"ping.toml\", metric = "
                              "\"latency_cycles\" }] }"),
                Names("published", "experiments"));
    EXPECT_THAT(fault_of_ours("{ ratio = [{ experiment = \"ping.toml\", metric = "
                              "\"latency_cycles\" }] }"),
                Names("ratio", "1", "two"));
    EXPECT_THAT(fault_of_ours("{ ration = [1, 2] }"),
                Names("claims.toml:6:10", "\"ration\"", "\"ratio\""));
    EXPECT_THAT(fault_of_ours("{ experiment = \"pong.toml\", metric = \"latency_cycles\" }"),
                Names("claims.toml:6:23", "pong.toml"));
    EXPECT_THAT(fault_of_ours("{ experiment = \"ping.toml\" }"), Names("experiment", "metric"));
    EXPECT_THAT(fault_of_ours("{ experiment = \"ping.toml\", metrc = \"a\" }"),
                Names("\"metrc\"", "\"metric\""));
    EXPECT_THAT(fault_of_ours("{ experiment = \"ping.toml\", metric = \"a\", points = [\"x\", "
                              "\"y\"] }"),
                Names("points", "point"));
    EXPECT_THAT(fault_of_ours("{ model = \"logp-broadcast\" }"),
                Names("model", "output = \"NAME\"", "table", "column", "row"));
    EXPECT_THAT(fault_of_ours("{ model = \"logp-broadcast\", table = \"a\", row = 1 }"),
                Names("model", "output = \"NAME\"", "table", "column", "row"));
}

}  // namespace
}  // namespace weir::experiments::validation
