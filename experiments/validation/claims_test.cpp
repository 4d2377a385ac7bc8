#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/validation/claim_values.h"
#include "experiments/validation/claims_report.h"
#include "hw/testing/names.h"

/// Tests of experiments/claims.toml and of `weir validate` with it.
namespace weir::experiments::validation {
namespace {

namespace fs = std::filesystem;

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using weir::testing::Names;

const fs::path kClaims = fs::path(WEIR_EXPERIMENTS) / "claims.toml";

ClaimsFile all_claims() { return read_claims(kClaims).value(); }

// Computes the rows that need only models.
std::vector<CheckedClaim> rows_of_models() {
    std::vector<Claim> of_models;
    for (const Claim& claim : all_claims().claims) {
        bool is_of_models = claim.ours.has_value();
        for (const std::string& source :
             claim.ours ? sources_of(*claim.ours) : std::vector<std::string>{}) {
            is_of_models = is_of_models && source.starts_with("weir model ");
        }
        if (is_of_models) {
            of_models.push_back(claim);
        }
    }
    const ClaimValues values(of_models, running::default_run_options());
    EXPECT_EQ(values.experiments().size(), 0U);
    std::vector<CheckedClaim> checked;
    for (const Claim& claim : of_models) {
        checked.push_back({claim, values.value_of(*claim.ours)});
    }
    return checked;
}

std::vector<std::string> turned(const std::vector<CheckedClaim>& rows) {
    std::vector<std::string> names;
    for (const CheckedClaim& row : rows) {
        if (!row.holds()) {
            names.push_back(row.claim.name);
        }
    }
    return names;
}

// All experiments, points, metrics, models and inputs exist; nothing is run.
TEST(ClaimsTest, EveryRowCanBeComputed) {
    const std::vector<Claim> claims = all_claims().claims;
    EXPECT_GT(claims.size(), 100U);
    const ClaimValues values(claims, running::default_run_options());
    EXPECT_GT(values.experiments().size(), 20U);
}

TEST(ClaimsTest, EveryRowOfAModelIsWhatTheFileSays) {
    const std::vector<CheckedClaim> rows = rows_of_models();
    EXPECT_GT(rows.size(), 40U);
    EXPECT_THAT(turned(rows), IsEmpty());
}

// The 30 rows that are always counted, each once.
TEST(ClaimsTest, TheListHasThirtyRows) {
    std::vector<int> listed;
    for (const Claim& claim : all_claims().claims) {
        if (claim.listed) {
            listed.push_back(*claim.listed);
        }
    }
    std::sort(listed.begin(), listed.end());
    std::vector<int> all(30);
    std::iota(all.begin(), all.end(), 1);
    EXPECT_EQ(listed, all);
}

// Without a calibrated row, two given ones, and one for which no number is printed, 26 are left.
TEST(ClaimsTest, EachListedRowIsDecided) {
    std::vector<CheckedClaim> rows;
    for (const Claim& claim : all_claims().claims) {
        rows.push_back({claim});
    }
    EXPECT_EQ(nearness_of(rows, CountedRows::kListed).rows, 30);
    EXPECT_EQ(nearness_of(rows, CountedRows::kPredicted).rows, 26);
    const Nearness decidable = nearness_of(rows, CountedRows::kDecidable);
    EXPECT_EQ(decidable.closed, 0);
    EXPECT_EQ(decidable.rows + nearness_of(rows, CountedRows::kPredicted).closed, 26);
}

// Planted fault: another published value changes the status of its row, and of no other.
TEST(ClaimsTest, APublishedValueThatIsAlteredTurnsItsRowAndNoOther) {
    std::vector<CheckedClaim> rows = rows_of_models();
    int altered = 0;
    for (CheckedClaim& row : rows) {
        if (row.claim.status != ClaimStatus::kReproduced || !row.claim.published) {
            continue;
        }
        const Claim claim = row.claim;
        const double allowed =
            claim.within ? *claim.within : *claim.tolerance * std::abs(*claim.published);
        row.claim.published = *row.ours + 2.01 * allowed + 0.001;
        EXPECT_THAT(turned(rows), ElementsAre(claim.name));
        row.claim = claim;
        ++altered;
    }
    EXPECT_GT(altered, 30);
}

class ClaimsCommandTest : public ProgramTest {
  protected:
    // Writes claims.toml, with one text replaced, beside the experiments.
    void write_altered(const std::string& from, const std::string& to) const {
        for (const char* name : {"logp", "logpc", "lopc", "memory-logp", "networks",
                                 "shared-memory", "sparcle", "hypotheses"}) {
            fs::create_directory_symlink(fs::path(WEIR_EXPERIMENTS) / name, file(name));
        }
        std::ifstream in(kClaims);
        std::ostringstream text;
        text << in.rdbuf();
        std::string altered = text.str();
        const std::size_t at = altered.find(from);
        ASSERT_NE(at, std::string::npos);
        ASSERT_EQ(altered.find(from, at + 1), std::string::npos);
        write("claims.toml", altered.replace(at, from.size(), to));
    }

    void write_claims(const std::string& rows) const {
        write("ping.toml",
              "extends = \"alewife\"\n[machine]\nnodes = 2\n[network]\ndimensions = [2]\n"
              "[workload]\nkernel = \"ping\"\n");
        write("claims.toml", rows);
    }

    // A row computed by a ping between two nodes.
    static std::string row(const std::string& name, const std::string& published,
                           const std::string& ours, const std::string& status) {
        return "[claim." + name + "]\nwhat = \"" + name +
               "\"\nsource = \"a\"\npublished = " + published + "\nwithin = 0\nours = " + ours +
               "\nstatus = \"" + status + "\"\n";
    }
    static std::string metric(const std::string& name) {
        return "{ experiment = \"ping.toml\", metric = \"" + name + "\" }";
    }
};

// The errors of the run's models are split by assumption, and the parts sum to them.
TEST_F(ClaimsCommandTest, AnExplainedRowHasTheErrorsOfItsModels) {
    write("remap.toml", std::string(kSmallRemap) + "[models]\ncompare = [\"logp\", \"lopc\"]\n");
    const std::string ours = "{ experiment = \"remap.toml\", metric = \"cycles_per_iteration\" }";
    write("claims.toml",
          row("a", "1", ours, "differs") + "because = \"it is planted\"\nexplain = true\n");
    const auto result = nlohmann::json::parse(output_of({"validate", "claims.toml", "--json"}));
    const nlohmann::json& checked = result.at("claims").at(0).at("rows").at(0);
    ASSERT_EQ(checked.at("explained").size(), 2U);
    for (const nlohmann::json& explanation : checked.at("explained")) {
        EXPECT_EQ(explanation.at("measured_cycles"), checked.at("ours"));
        double sum = explanation.at("unexplained_cycles").get<double>();
        for (const nlohmann::json& part : explanation.at("parts")) {
            sum += part.at("cycles").get<double>();
        }
        EXPECT_NEAR(sum,
                    explanation.at("predicted_cycles").get<double>() -
                        explanation.at("measured_cycles").get<double>(),
                    1e-6);
    }
    EXPECT_THAT(output_of({"validate", "claims.toml"}), HasSubstr("lopc is"));
    write("claims.toml", row("a", "1", "{ model = \"logp-message\", output = \"x\" }", "differs") +
                             "because = \"no\"\nexplain = true\n");
    EXPECT_THAT(refused({"validate", "claims.toml"}), Names("\"a\"", "explain", "ours.metric"));
}

// Rows with short runs or models only; all other rows together take minutes.
TEST_F(ClaimsCommandTest, TheCheapRowsOfThePapersAreWhatTheFileSays) {
    const std::string page =
        output_of({"validate", kClaims.string(),     "-j",     "2",
                   "--only",   "LogP Figure",        "--only", "LogP Section 3",
                   "--only",   "LogP Section 4.1.1", "--only", "LogP Section 5",
                   "--only",   "LogP Table 1",       "--only", "LoGPC Table 1",
                   "--only",   "LoGPC Table 2",      "--only", "LoGPC Figure 5",
                   "--only",   "LoGPC equations",    "--only", "LoGPC Section 2"});
    EXPECT_THAT(page, HasSubstr("LogP Figure 3\n"));
    EXPECT_THAT(page, ContainsRegex("\n  o_s, [a-z ]+ 9 +9"));
    EXPECT_THAT(page, HasSubstr(" differ, "));
}

TEST_F(ClaimsCommandTest, AnAlteredValueOfTheFileTurnsItsRow) {
    const std::string given = "source = \"LogP Figure 3\"\nkind = \"given\"\n";
    write_altered(given + "published = 24\nwithin = 0\nours.experiment",
                  given + "published = 25\nwithin = 0\nours.experiment");
    const ProgramEnd end = weir({"validate", "claims.toml", "--json", "--only", "LogP Figure"});
    EXPECT_EQ(end.status, running::kToleranceMissed) << end.error;
    const auto rows = nlohmann::json::parse(end.output).at("claims").at(0).at("rows");
    EXPECT_EQ(rows.size(), 10U);
    for (const auto& row : rows) {
        EXPECT_EQ(row.at("holds"), row.at("name") != "logp-broadcast") << row;
    }
}

// Planted: a machine that was built to its table's distance.
TEST_F(ClaimsCommandTest, AReshapedMachinePredictsNothing) {
    write_altered("kind = \"given\"\nlisted = 24\n",
                  "kind = \"predicted\"\nof = \"hardware\"\nlisted = 24\n");
    const ProgramEnd end = weir({"validate", "claims.toml", "--only", "logp-table1-dash-emulated"});
    EXPECT_EQ(end.status, running::kBadInput);
    EXPECT_THAT(end.error, Names("\"logp-table1-dash-emulated\"", "dash.toml", "distance",
                                 "kind = \"given\""));
}

// Planted: a row that its own table calibrates.
TEST_F(ClaimsCommandTest, ATunedRowIsNoPrediction) {
    write_altered("kind = \"calibrated\"\nlisted = 22\n",
                  "kind = \"predicted\"\nof = \"hardware\"\nlisted = 22\n");
    const ProgramEnd end = weir({"validate", "claims.toml", "--only", "logpc-t1-os2-compiled"});
    EXPECT_EQ(end.status, running::kBadInput);
    EXPECT_THAT(end.error,
                Names("\"logpc-t1-os2-compiled\"", "LoGPC Table 1", "kind = \"calibrated\""));
}

TEST_F(ClaimsCommandTest, RowsOfOneExperimentRunItOnce) {
    write_claims(row("a", "9", metric("send_overhead_cycles_0"), "reproduced") +
                 row("b", "117", metric("receive_overhead_cycles_0"), "reproduced") +
                 row("c", "0.5",
                     "{ ratio = [" + metric("send_overhead_cycles_0") +
                         ", { experiment = \"ping.toml\", set.run.seeds = [2], metric = "
                         "\"send_overhead_cycles_0\" }] }",
                     "differs") +
                 "because = \"1\"\n");
    const std::string page = output_of({"validate", "claims.toml"});
    EXPECT_THAT(page, Names("3 claims", "2", "1", "0"));
    EXPECT_THAT(names_in("runs/claims-001"), ElementsAre("ping", "ping-2"));
    EXPECT_EQ(page, output_of({"validate", "claims.toml", "-j", "2"}));
}

TEST_F(ClaimsCommandTest, ARowIsCheckedBothWays) {
    write_claims(row("now-differs", "10", metric("send_overhead_cycles_0"), "reproduced") +
                 row("now-holds", "9", metric("send_overhead_cycles_0"), "differs") +
                 "because = \"of something\"\n");
    const ProgramEnd end = weir({"validate", "claims.toml"});
    EXPECT_EQ(end.status, running::kToleranceMissed);
    EXPECT_THAT(end.output, Names("claims.toml:1:8", "now-differs", "\"reproduced\"", "9", "10"));
    EXPECT_THAT(end.output, Names("now-holds", "\"differs\"", "9"));
}

TEST_F(ClaimsCommandTest, WhatARowAsksForIsCheckedBeforeAnythingRuns) {
    const auto error_of = [&](const std::string& ours) {
        write_claims(row("it", "9", ours, "reproduced"));
        const std::vector<std::string> before = everything();
        const ProgramEnd end = weir({"validate", "claims.toml"});
        EXPECT_EQ(end.status, running::kBadInput) << ours;
        EXPECT_EQ(end.output, "");
        EXPECT_EQ(everything(), before);
        EXPECT_THAT(end.error, StartsWith("weir: claims.toml:6:8: "));
        return end.error;
    };
    EXPECT_THAT(error_of(metric("send_overhed_cycles_0")),
                Names("\"send_overhed_cycles_0\"", "\"measured\"", "\"compared\"", "weir", "run",
                      "--json", "\"send_overhead_cycles_0\""));
    EXPECT_THAT(error_of("{ experiment = \"ping.toml\", point = \"a\", metric = "
                         "\"latency_cycles\" }"),
                Names("point", "\"a\""));
    EXPECT_THAT(error_of("{ experiment = \"ping.toml\", set.machine.node = 2, metric = "
                         "\"latency_cycles\" }"),
                Names("[machine]", "\"node\"", "\"nodes\""));
    EXPECT_THAT(error_of("{ model = \"logp-brodcast\", output = \"a\" }"),
                Names("\"logp-brodcast\"", "\"logp-broadcast\""));
    EXPECT_THAT(error_of("{ model = \"logp-broadcast\", output = \"finish_cycles\" }"),
                Names("input", "latency_cycles"));
    const std::string asked =
        "{ model = \"logp-broadcast\", inputs = { latency_cycles = 6, overhead_cycles = 2, "
        "gap_cycles = 4, processors = 8 }, ";
    EXPECT_THAT(error_of(asked + "output = \"finish\" }"),
                Names("\"finish\"", "\"finish_cycles\""));
    EXPECT_THAT(error_of(asked + "table = \"sends\", column = \"form\", row = 0 }"),
                Names("\"form\"", "\"from\""));
    EXPECT_THAT(error_of(asked + "table = \"sends\", column = \"from\", row = 7 }"),
                Names("sends", "7", "0 to 6"));
}

TEST_F(ClaimsCommandTest, AMetricThatTheRunDidNotGiveIsNamed) {
    write_claims(row("it", "9", metric("makespan_cycles"), "reproduced"));
    const ProgramEnd end = weir({"validate", "claims.toml"});
    EXPECT_EQ(end.status, running::kBadInput);
    EXPECT_THAT(end.error, Names("claims.toml:6:8", "ping.toml", "makespan_cycles",
                                 "\"send_overhead_cycles_0\""));
}

TEST_F(ClaimsCommandTest, OnlyIsForClaims) {
    write("remap.toml", kSmallRemap);
    const ProgramEnd end = weir({"validate", "remap.toml", "--only", "x"});
    EXPECT_EQ(end.status, running::kBadInput);
    EXPECT_THAT(end.error, Names("remap.toml", "--only"));
}

TEST_F(ClaimsCommandTest, ExperimentsHaveADocumentToo) {
    write("remap.toml", std::string(kSmallRemap) +
                            "[models]\ncompare = [\"logp\"]\n[published.cycles_per_iteration]\n"
                            "value = 486\nsource = \"LoGPC Table 4\"\nwithin = 1\n");
    const ProgramEnd end = weir({"validate", "remap.toml", "--json"});
    EXPECT_EQ(end.status, running::kToleranceMissed);
    const auto check = nlohmann::json::parse(end.output).at("experiments").at(0).at("checks").at(0);
    EXPECT_EQ(check.at("metric"), "cycles_per_iteration");
    EXPECT_EQ(check.at("published"), 486);
    EXPECT_EQ(check.at("missed"), true);
    EXPECT_GT(check.at("measured"), 100);
    EXPECT_GT(check.at("predicted").at("logp"), 100);
}

}  // namespace
}  // namespace weir::experiments::validation
