#include "experiments/validation/hypotheses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/setup/text/wrapped_text.h"
#include "hw/testing/names.h"

/// Figures of a machine under a file of hypotheses.
namespace weir::experiments::validation {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using weir::testing::Names;

/// A ping between two nodes with a latency of 18 cycles and overheads of 9 and 117 cycles.
class HypothesesTest : public ProgramTest {
  protected:
    HypothesesTest() {
        write("ping.toml",
              "extends = \"alewife\"\n[machine]\nnodes = 2\n[network]\ndimensions = [2]\n"
              "[workload]\nkernel = \"ping\"\n[[point]]\nlabel = \"one\"\n[[point]]\n"
              "label = \"two\"\nrun.seeds = [2]\n");
        write("claims.toml",
              "hypotheses = [\"open.toml\"]\n" + row("latency", "25", "latency_cycles", "one") +
                  row("other-latency", "25", "latency_cycles", "two") +
                  row("overhead", "9", "send_overhead_cycles_0", "one") +
                  "[claim.formula]\nwhat = \"f\"\nsource = \"b\"\npublished = 8\nwithin = 0\n"
                  "status = \"reproduced\"\nours = { model = \"logp-point-to-point\", inputs = { "
                  "latency_cycles = 80, send_overhead_cycles = 4, receive_overhead_cycles = 4, "
                  "gap_cycles = 10 }, output = \"capacity_messages\" }\n");
    }

    static std::string row(const std::string& name, const std::string& published,
                           const std::string& metric, const std::string& point) {
        const bool holds = published == "9";
        return "[claim." + name + "]\nwhat = \"" + name +
               "\"\nsource = \"a\"\npublished = " + published +
               "\nwithin = 0\nours = { experiment = \"ping.toml\", point = \"" + point +
               "\", metric = \"" + metric + "\" }\nstatus = \"" +
               (holds ? "reproduced\"\n" : "differs\"\nbecause = \"of it\"\n");
    }
    static std::string hypothesis(const std::string& name, const std::string& rest) {
        return "[[hypothesis]]\nname = \"" + name + "\"\nwhat = \"w\"\nsource = \"s\"\n" + rest +
               "\n";
    }
    void write_open(const std::string& hypotheses) const {
        write("open.toml",
              "title = \"What is open\"\nrows = [\"latency\", \"other-latency\"]\n"
              "keeps = [\"over*\"]\n" +
                  hypotheses);
    }
    [[nodiscard]] json validated() const {
        return json::parse(output_of({"validate", "claims.toml", "--json"})).at("claims").at(0);
    }
};

const std::string kSlower = "set = { controller.notify_cycles = 20 }";
const std::string kFaster = "set = { controller.notify_cycles = 6 }";
const std::string kDearer = "set = { controller.store_cycles = 5, controller.notify_cycles = 90 }";

TEST_F(HypothesesTest, BandsAreOfWhatIsAdmissible) {
    write_open(hypothesis("slower", kSlower) + hypothesis("faster", kFaster) +
               hypothesis("dearer", kDearer));
    const json claims = validated();
    const json row = claims.at("rows").at(0);
    const double latency = row.at("ours");
    EXPECT_EQ(row.at("band").at("low"), latency - 4);
    EXPECT_EQ(row.at("band").at("high"), latency + 10);
    EXPECT_EQ(row.at("band").at("hypotheses"), 2);
    EXPECT_EQ(row.at("band").at("inside"), true);
    EXPECT_FALSE(claims.at("rows").at(2).contains("band"));
    EXPECT_FALSE(claims.at("rows").at(3).contains("band"));
    const json study = claims.at("hypotheses").at(0).at("hypotheses");
    EXPECT_EQ(study.at(0).at("values").at("latency"), latency + 10);
    EXPECT_EQ(study.at(0).at("admissible"), true);
    EXPECT_EQ(study.at(2).at("admissible"), false);
    EXPECT_EQ(study.at(2).at("turns"), json::array({"overhead"}));
}

TEST_F(HypothesesTest, ACombinationIsAllOfItsParts) {
    write_open(hypothesis("slower", kSlower) +
               hypothesis("farther", "set = { network.injection_cycles = 5 }") +
               "[[combination]]\nof = [\"slower\", \"farther\"]\n");
    const json claims = validated();
    const double latency = claims.at("rows").at(0).at("ours");
    const json both = claims.at("hypotheses").at(0).at("hypotheses").at(2);
    EXPECT_EQ(both.at("name"), "slower + farther");
    EXPECT_EQ(both.at("values").at("latency"), latency + 10 + 3);
}

TEST_F(HypothesesTest, PointsThatAreNotMeantStayAsTheyAre) {
    write_open(hypothesis("slower", kSlower + "\npoints = [\"o*\"]"));
    const json claims = validated();
    EXPECT_EQ(claims.at("rows").at(0).at("band").at("hypotheses"), 1);
    EXPECT_EQ(claims.at("rows").at(1).at("band").at("hypotheses"), 0);
    EXPECT_THAT(output_of({"validate", "claims.toml"}), Names("band", "admissible"));
}

// o_s of a message without arguments, in place of its latency.
TEST_F(HypothesesTest, AHypothesisMayBeAboutWhatWasMeasured) {
    write_open(hypothesis("other quantity",
                          kDearer + "\nmetrics = { latency_cycles = \"send_overhead_cycles_0\" }"
                                    "\npoints = [\"one\"]"));
    const json claims = validated();
    const json values = claims.at("hypotheses").at(0).at("hypotheses").at(0).at("values");
    // Two stores of 5 cycles and the launch. The claim of the overhead itself keeps its outcome.
    EXPECT_EQ(values.at("latency"), 2 * 5 + 3);
    EXPECT_FALSE(values.contains("other-latency"));
    EXPECT_EQ(claims.at("rows").at(0).at("band").at("low"), 2 * 5 + 3);
}

TEST_F(HypothesesTest, ThePageHasATableOfHypothesesByFigures) {
    write_open(hypothesis("slower", "set = { controller.notify_cycles = 17 }") +
               hypothesis("dearer", kDearer));
    const std::string page = output_of({"validate", "claims.toml"});
    EXPECT_THAT(page, HasSubstr("What is"));
    EXPECT_THAT(page, Names("H2", "dearer", "admissible", "overhead"));
    EXPECT_THAT(page, Names("published", "inside"));
    EXPECT_THAT(page, ::testing::ContainsRegex("latency +25 +18 +25\\* +98"));
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(setup::width_of(line), setup::kPageColumns) << line;
    }
}

TEST_F(HypothesesTest, WithOnlySomeClaimsTheyAreTriedWhereAskedFor) {
    write_open(hypothesis("slower", kSlower));
    const auto rows = [this](const Arguments& more) {
        Arguments arguments{"validate", "claims.toml", "--json", "--only", "latency"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return json::parse(output_of(arguments)).at("claims").at(0);
    };
    EXPECT_THAT(rows({}).at("hypotheses"), IsEmpty());
    EXPECT_EQ(rows({"--hypotheses"}).at("rows").at(0).at("band").at("hypotheses"), 1);
}

// Rows to keep are computed even if --only does not choose them.
TEST_F(HypothesesTest, WithOnlySomeClaimsTheSameAreAdmissible) {
    write_open(hypothesis("slower", kSlower) + hypothesis("dearer", kDearer) +
               hypothesis("second", kSlower + "\npoints = [\"two\"]"));
    const json claims = json::parse(output_of({"validate", "claims.toml", "--json", "--only",
                                               "latency", "--hypotheses"}))
                            .at("claims")
                            .at(0);
    EXPECT_EQ(claims.at("rows").size(), 2U);
    EXPECT_EQ(claims.at("rows").at(0).at("band").at("hypotheses"), 1);
    EXPECT_EQ(claims.at("hypotheses").at(0).at("hypotheses").at(1).at("admissible"), false);
    EXPECT_EQ(json::parse(output_of({"validate", "claims.toml", "--json", "--only", "formula",
                                     "--hypotheses"}))
                  .at("claims")
                  .at(0)
                  .at("rows")
                  .size(),
              1U);
}

TEST_F(HypothesesTest, WhatIsNotUnderstoodIsRefusedBeforeAnythingRuns) {
    const auto error_of = [this](const std::string& text) {
        write("open.toml", text);
        return refused({"validate", "claims.toml"});
    };
    const std::string rows = "rows = [\"latency\"]\n";
    EXPECT_THAT(error_of("rows = [\"latncy\"]\n" + hypothesis("a", kSlower)),
                Names("\"latncy\"", "\"latency\""));
    EXPECT_THAT(error_of(rows), Names("rows =", "[[hypothesis]]"));
    EXPECT_THAT(error_of(rows + hypothesis("a", "set = {}")),
                Names("open.toml:2:1", "name", "what", "source", "set"));
    EXPECT_THAT(error_of(rows + hypothesis("a", "sets = 1")), Names("\"sets\"", "\"set\""));
    EXPECT_THAT(error_of(rows + hypothesis("a", "set = { controller.notfy_cycles = 2 }")),
                Names("\"a\"", "notfy_cycles"));
    EXPECT_THAT(error_of(rows + hypothesis("a", kSlower + "\npoints = [\"three\"]")),
                Names("\"a\"", "points"));
    EXPECT_THAT(error_of(rows + hypothesis("a", kSlower) + "[[combination]]\nof = [\"b\"]\n"),
                Names("\"b\""));
}

}  // namespace
}  // namespace weir::experiments::validation
