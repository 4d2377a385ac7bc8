#include "experiments/validation/evidence.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/processes/default_run_options.h"
#include "hw/testing/names.h"

/// Kinds of evidence are determined, and planted wrong kinds are refused.
namespace weir::experiments::validation {
namespace {

using weir::testing::Names;

class EvidenceTest : public ProgramTest {
  protected:
    EvidenceTest() {
        write("ping.toml",
              "extends = \"alewife\"\n[machine]\nnodes = 2\n[network]\ndimensions = [2]\n"
              "[workload]\nkernel = \"ping\"\n[controller]\nnotify_cycles = 17\n");
    }

    static std::string row(const std::string& name, const std::string& source,
                           const std::string& rest) {
        return fmt::format(
            "[claim.{}]\nwhat = \"a\"\nsource = \"{}\"\n{}\nstatus = \"reproduced\"\n", name,
            source, rest);
    }
    static std::string ping(const std::string& published, const std::string& more = "") {
        return fmt::format(
            "published = {}\nwithin = 0\n{}ours = {{ experiment = \"ping.toml\", metric = "
            "\"latency_cycles\" }}",
            published, more);
    }
    static std::string predicted(const std::string& published, const std::string& more = "") {
        return ping(published, "kind = \"predicted\"\nof = \"hardware\"\n" + more);
    }
    [[nodiscard]] std::vector<Claim> settled(const std::string& rows) const {
        write("claims.toml", rows);
        std::vector<Claim> claims = read_claims(file("claims.toml")).value().claims;
        settle_evidence(claims, claims, running::default_run_options());
        return claims;
    }
    [[nodiscard]] Evidence kind_of(const std::string& rows) const {
        return settled(rows).front().evidence.value();
    }
    [[nodiscard]] std::string fault_of(const std::string& rows) const {
        try {
            static_cast<void>(settled(rows));
        } catch (const setup::UserFault& fault) {
            return fault.what();
        }
        return "none";
    }
};

constexpr const char* kModel =
    "ours = { model = \"logp-point-to-point\", inputs = { latency_cycles = 80, "
    "send_overhead_cycles = 4, receive_overhead_cycles = 4, gap_cycles = 10 }, output = "
    "\"capacity_messages\" }";
const std::string kFormula = std::string("published = 8\nwithin = 0\n") + kModel;

TEST_F(EvidenceTest, ARowWithoutAnExperimentIsAFormula) {
    EXPECT_EQ(kind_of(row("a", "LogP Section 3", kFormula)), Evidence::kFormula);
    EXPECT_EQ(kind_of(row("a", "LogP Section 3", std::string("at_most = 8\n") + kModel)),
              Evidence::kFormula);
}

TEST_F(EvidenceTest, AFormulaThatIsCalledPredictedIsRefused) {
    EXPECT_THAT(
        fault_of(row("planted", "LogP Section 3",
                     "kind = \"predicted\"\nof = \"hardware\"\n" + kFormula)),
        Names("claims.toml:1:8", "\"planted\"", "kind = \"predicted\"", "kind = \"formula\""));
}

TEST_F(EvidenceTest, ABoundIsOne) {
    const std::string bound =
        "at_least = 1\nours = { experiment = \"ping.toml\", metric = \"latency_cycles\" }";
    EXPECT_EQ(kind_of(row("a", "a paper", bound)), Evidence::kBound);
    EXPECT_THAT(fault_of(row("a", "a paper", "kind = \"predicted\"\nof = \"hardware\"\n" + bound)),
                Names("bound", "kind = \"predicted\"", "kind = \"bound\""));
    EXPECT_EQ(kind_of(row("a", "a paper",
                          "kind = \"predicted\"\nof = \"hardware\"\nlisted = 1\n" + bound)),
              Evidence::kPredicted);
    EXPECT_THAT(fault_of(row("a", "a paper", ping("18", "kind = \"bound\"\n"))),
                Names("kind = \"bound\"", "at_least", "at_most"));
}

// An interrupt comes 17 cycles after its message, and no other parameter is 17.
TEST_F(EvidenceTest, APublishedValueThatIsAnInputIsGiven) {
    EXPECT_EQ(kind_of(row("a", "a paper", ping("17"))), Evidence::kGiven);
    EXPECT_EQ(kind_of(row("a", "a paper", ping("18"))), Evidence::kPredicted);
    EXPECT_THAT(fault_of(row("tuned", "a paper", predicted("17"))),
                Names("\"tuned\"", "kind = \"predicted\"", "controller.notify_cycles", "ping.toml",
                      "17", "kind = \"given\"", "although"));
}

TEST_F(EvidenceTest, SoIsOneWithAnotherFigureOfItsTable) {
    const std::string other = row("other", "A Table 3", ping("17"));
    EXPECT_THAT(fault_of(row("tuned", "A Table 3, second part", predicted("18")) + other),
                Names("17", "\"other\"", "table"));
    EXPECT_EQ(fault_of(row("it", "A Table 30", predicted("18")) + other), "none");
    EXPECT_EQ(fault_of(row("it", "A Table 3",
                           predicted("18",
                                     "although = \"it is chance\"\nwithout = { "
                                     "controller.notify_cycles = 34 }\n")) +
                       other),
              "none");
}

// A reason alone excuses no input. Its other value must be far from the one in force.
TEST_F(EvidenceTest, ATunedRowIsRefusedWhateverItsReason) {
    const auto tuned = [](const std::string& more) {
        return row("tuned", "LoGPC Table 1", predicted("19", more));
    };
    EXPECT_THAT(fault_of(tuned("although = \"so it is\"\n")), Names("\"tuned\"", "without"));
    EXPECT_THAT(fault_of(tuned("although = \"so it is\"\nwithout = { controller.store_cycles = 0 "
                               "}\n")),
                Names("\"tuned\"", "LoGPC Table 1", "kind = \"calibrated\""));
    EXPECT_THAT(fault_of(row("tuned", "a paper",
                             predicted("17",
                                       "although = \"so it is\"\nwithout = { "
                                       "controller.notify_cycles = 18 }\n"))),
                Names("\"tuned\"", "controller.notify_cycles", "kind = \"given\"", "far from"));
    EXPECT_EQ(fault_of(tuned("listed = 1\nclosed = \"it cannot be decided\"\n")), "none");
}

// A mesh of 4 x 4 nodes has a mean distance of 2.5 hops, or 4.5 with a node's own two channels.
TEST_F(EvidenceTest, AMachineOfThePublishedDistanceIsRefusedWhateverTheReason) {
    write("shaped.toml",
          "extends = \"alewife\"\n[machine]\nnodes = 16\n[network]\ndimensions = [4, 4]\n"
          "[workload]\nkernel = \"open-loop\"\n[traffic]\npattern = \"one_at_a_time\"\n");
    const auto fault_at = [this](const std::string& distance, const std::string& more = "") {
        return fault_of(
            row("planted", "A Table 3",
                "kind = \"predicted\"\nof = \"hardware\"\n" + more +
                    "published = 31\nwithin = 0\nours = { experiment = \"shaped.toml\", metric = "
                    "\"network_latency_cycles\" }") +
            row("distance", "A Table 3",
                "kind = \"given\"\npublished = " + distance +
                    "\nwithin = 0\nours = { experiment = \"shaped.toml\", metric = "
                    "\"mean_distance_hops\" }"));
    };
    EXPECT_THAT(fault_at("2.55"), Names("\"planted\"", "shaped.toml", "distance", "\"distance\"",
                                        "2.55", "kind = \"given\""));
    EXPECT_THAT(fault_at("4.4"), Names("\"planted\"", "distance"));
    EXPECT_EQ(fault_at("3.3"), "none");
    EXPECT_THAT(fault_at("2.55",
                         "although = \"the paper has it\"\nwithout = { network.hop_cycles = "
                         "8 }\n"),
                Names("\"planted\"", "kind = \"given\""));
}

TEST_F(EvidenceTest, AFigureIsTheSameUnderAnotherSectionAndInAList) {
    const std::string other = row("other", "A B Section 2, Figures 6 and 7", ping("17"));
    EXPECT_THAT(fault_of(row("tuned", "A B Section 5.1, Figure 7", predicted("18")) + other),
                Names("\"other\"", "table"));
    EXPECT_EQ(fault_of(row("it", "A B Figure 5", predicted("18")) + other), "none");
    EXPECT_EQ(fault_of(row("it", "A Figure 7", predicted("18")) + other), "none");
    EXPECT_EQ(fault_of(row("it", "A B Table 7", predicted("18")) + other), "none");
}

TEST_F(EvidenceTest, TwoRowsHaveNotOneNumberOfTheList) {
    const std::string first = row("first", "a paper", predicted("18", "listed = 1\n"));
    EXPECT_THAT(fault_of(first + row("second", "a paper", predicted("18", "listed = 1\n"))),
                Names("\"first\"", "\"second\"", "listed = 1"));
    EXPECT_EQ(fault_of(first + row("second", "a paper", predicted("18", "listed = 2\n"))), "none");
}

TEST_F(EvidenceTest, ANumberOfOneDigitIsNoSign) {
    EXPECT_EQ(kind_of(row("a", "a paper", ping("2"))),
              Evidence::kPredicted);  // the machine has 2 nodes, but 2 has one digit
    EXPECT_EQ(kind_of(row("a", "a paper", ping("20"))),
              Evidence::kPredicted);  // the clock has 20 MHz, but 20 has one significant digit
}

TEST_F(EvidenceTest, ATableThatAParameterHasItsValueFromCalibrates) {
    EXPECT_EQ(kind_of(row("a", "LoGPC Table 1", ping("19"))), Evidence::kCalibrated);
    EXPECT_THAT(fault_of(row("tuned", "LoGPC Table 1", predicted("19"))),
                Names("ping.toml", "LoGPC Table 1", "kind = \"calibrated\"", "although"));
}

TEST_F(EvidenceTest, WhatIsPredictedSaysOfWhat) {
    EXPECT_THAT(fault_of(row("a", "a paper", ping("18", "kind = \"predicted\"\n"))),
                Names("predicted", "kind = \"predicted\"", "of = \"hardware\"", "\"simulator\"",
                      "\"model\""));
    EXPECT_THAT(fault_of(row("a", "a paper", ping("18", "of = \"hardware\"\n"))),
                Names("predicted", "kind = \"predicted\"", "of = \"hardware\"", "\"simulator\"",
                      "\"model\""));
    EXPECT_THAT(fault_of(row("a", "a paper",
                             ping("18", "kind = \"predicted\"\nof = \"simulator\"\nlisted = 1\n"))),
                Names("listed", "kind = \"predicted\"", "of = \"hardware\""));
}

TEST_F(EvidenceTest, WhatIsPublishedMayFollowFromPrintedNumbers) {
    const std::string ratio =
        std::string("published.ratio = [{ ") + (kModel + std::string("ours = { ").size()) +
        ", 2]\nwithin = 0\nours = { experiment = \"ping.toml\", metric = \"latency_cycles\" }";
    EXPECT_EQ(settled(row("a", "a paper", ratio)).front().published, 4.0);
    EXPECT_THAT(fault_of(row("a", "a paper",
                             "published.ratio = [{ experiment = \"ping.toml\", metric = "
                             "\"latency_cycles\" }, 2]\nwithin = 0\n" +
                                 std::string(kModel))),
                Names("published", "experiment"));
}

}  // namespace
}  // namespace weir::experiments::validation
