#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments::running {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// `weir compare` as a user types it.
class CompareMachinesTest : public ProgramTest {
  protected:
    CompareMachinesTest() {
        write("a.toml", std::string(kSmallRemap) + "[run]\nseeds = [1, 2, 3]\n");
        write("b.toml", "extends = \"a.toml\"\n[network]\nhop_cycles = 5\n");
    }
    // Of `weir run` with one seed.
    [[nodiscard]] double cycles_of(const std::string& name, int seed) const {
        return result_of(name, {"--set", "run.seeds=[" + std::to_string(seed) + "]"})
            .at("measured")
            .at("cycles_per_iteration")
            .get<double>();
    }
    /// The words of a page that follow these, as a number.
    [[nodiscard]] static double number_after(const std::string& words, const std::string& what) {
        const std::size_t at = words.find(what);
        return at == std::string::npos ? 0.0 : std::stod(words.substr(at + what.size()));
    }
};

TEST_F(CompareMachinesTest, ChangesArePairedAndTheirPartsSumToTheWhole) {
    const std::string words = words_of(output_of({"compare", "a.toml", "b.toml"}));
    double change = 0.0;
    for (int seed = 1; seed <= 3; ++seed) {
        change += (cycles_of("b.toml", seed) - cycles_of("a.toml", seed)) / 3;
    }
    EXPECT_GT(change, 5.0);
    EXPECT_NEAR(number_after(words, " with b: +"), change, 0.05) << words;
    EXPECT_NEAR(number_after(words, " Where the cycles go, +"), change, 0.05) << words;
    EXPECT_THAT(words, AllOf(HasSubstr(" network.hop_cycles 1 5 "), HasSubstr(" b against a "),
                             HasSubstr(" seeds 3, paired "), HasSubstr("network")));
}

TEST_F(CompareMachinesTest, TheChangesAreThereForPrograms) {
    const auto compared =
        nlohmann::json::parse(output_of({"compare", "a.toml", "b.toml", "--json"}));
    EXPECT_EQ(compared.at("first").at("file"), "a.toml");
    const nlohmann::json& point = compared.at("points").at(0);
    EXPECT_EQ(point.at("seeds"), nlohmann::json({1, 2, 3}));
    const nlohmann::json& cycles = point.at("metrics").at("cycles_per_iteration");
    EXPECT_NEAR(cycles.at("second").get<double>() - cycles.at("first").get<double>(),
                cycles.at("change").get<double>(), 1e-9);
    EXPECT_GT(cycles.at("half_width").get<double>(), 0.0);
    double sum = 0.0;
    for (const auto& [name, part] : point.at("round_trip").items()) {
        sum += part.at("change").get<double>();
    }
    EXPECT_NEAR(sum, cycles.at("change").get<double>(), 0.05);
    const auto one_seed = nlohmann::json::parse(
        output_of({"compare", "a.toml", "b.toml", "--json", "--set", "run.seeds=[1]"}));
    EXPECT_TRUE(one_seed["points"][0]["metrics"]["cycles_per_iteration"]["half_width"].is_null());
}

// Pairs of the same machine do not differ, however much seeds do.
TEST_F(CompareMachinesTest, TheSameMachineHasNoChange) {
    write("b.toml", "extends = \"a.toml\"\n");
    EXPECT_THAT(words_of(output_of({"compare", "a.toml", "b.toml"})),
                AllOf(HasSubstr(" with b: 0 ± 0 (+0.0 %), which the seeds do not tell from 0. "),
                      HasSubstr(" no part differs by more than the seeds do. ")));
}

TEST_F(CompareMachinesTest, WritesAPageWithBothMachinesParts) {
    static_cast<void>(output_of({"compare", "a.toml", "b.toml", "--html", "page.html"}));
    EXPECT_THAT(read("page.html"), AllOf(HasSubstr("b against a"), HasSubstr("<svg")));
}

TEST_F(CompareMachinesTest, WhatCannotBePairedIsRefused) {
    const auto refusal = [this](const std::string& second) {
        write("b.toml", "extends = \"a.toml\"\n" + second);
        return refused({"compare", "a.toml", "b.toml"});
    };
    EXPECT_THAT(refusal("[run]\nseeds = [1, 2]\n"),
                HasSubstr("weir: b.toml: its seeds are others than those of the first"));
    EXPECT_THAT(refusal("[workload]\niterations = 41\n"),
                HasSubstr("its program is another one: workload.iterations = 41, and the first has "
                          "workload.iterations = 40"));
    EXPECT_THAT(refusal("[[point]]\nlabel = \"x\"\n[[point]]\nlabel = \"y\"\n"),
                HasSubstr("it has 2 points, and the first has 1"));
    EXPECT_THAT(refusal("[run]\nrelative_precision = 0.01\n"), HasSubstr("can't be paired"));
}

}  // namespace
}  // namespace weir::experiments::running
