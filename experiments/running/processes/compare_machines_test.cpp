#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <sstream>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/testing/small_experiments.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using weir::testing::Names;

// Runs `weir compare` as a user does.
class CompareMachinesTest : public ProgramTest {
  protected:
    CompareMachinesTest() {
        write("a.toml", std::string(kSmallRemap) + "[run]\nseeds = [1, 2, 3]\n");
        write("b.toml", "extends = \"a.toml\"\n[network]\nhop_cycles = 5\n");
    }
    // Cycles of `weir run` for one seed.
    [[nodiscard]] double cycles_of(const std::string& name, int seed) const {
        return result_of(name, {"--set", "run.seeds=[" + std::to_string(seed) + "]"})
            .at("measured")
            .at("cycles_per_iteration")
            .get<double>();
    }
    /// First number after the text `what` in a page's words.
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

// Paired runs of one machine do not differ, although seeds do.
TEST_F(CompareMachinesTest, TheSameMachineHasNoChange) {
    write("b.toml", "extends = \"a.toml\"\n");
    EXPECT_THAT(
        words_of(output_of({"compare", "a.toml", "b.toml"})),
        AllOf(HasSubstr(" with b: 0.0 ± 0.0 (+0.0 %), the same. "), Names("part", "differs")));
}

TEST_F(CompareMachinesTest, WritesAPageWithBothMachinesParts) {
    static_cast<void>(output_of({"compare", "a.toml", "b.toml", "--html", "page.html"}));
    EXPECT_THAT(read("page.html"), AllOf(HasSubstr("b against a"), HasSubstr("<svg")));
}

/// Signed numbers of a sentence in order: total, parts, rest. Each number is in units of its last
/// decimal; all have equally many decimals.
std::vector<std::int64_t> signed_units(const std::string& sentence) {
    std::vector<std::int64_t> units;
    std::istringstream words(sentence);
    for (std::string word; words >> word;) {
        if (word.find_first_not_of("+-.0123456789,;") == std::string::npos && word != "-") {
            const bool is_interval =
                sentence.find("± " + word) != std::string::npos && word.front() != '+';
            std::erase_if(word,
                          [](char c) { return c == '+' || c == '.' || c == ',' || c == ';'; });
            if (!is_interval && !word.empty()) {
                units.push_back(std::stoll(word));
            }
        }
    }
    return units;
}

// For every kernel, parts, their sum and the sentences agree in one metric, to the last digit.
TEST_F(CompareMachinesTest, OfEveryKernelThePartsSumToTheHeadline) {
    std::set<std::string> compared;
    for (const SmallFile& small : small_files()) {
        write(small.name, small.text);
    }
    for (const SmallExperiment& small : small_experiments()) {
        const std::size_t at = small.text.find("kernel = \"");
        const std::string kernel =
            at == std::string::npos
                ? ""
                : small.text.substr(at + 10, small.text.find('"', at + 10) - at - 10);
        if (kernel.empty() || small.may_fault || small.text.find("{images}") != std::string::npos ||
            compared.count(kernel) != 0) {
            continue;
        }
        write("a.toml", small.text);
        write("b.toml", "extends = \"a.toml\"\n[network]\nhop_cycles = 7\n");
        const ProgramEnd end = weir({"compare", "a.toml", "b.toml", "--json"});
        if (end.status != 0) {
            continue;  // a machine without hops, or an experiment that fails on purpose
        }
        compared.insert(kernel);
        const auto json = nlohmann::json::parse(end.output);
        for (const nlohmann::json& point : json.at("points")) {
            const std::string whole = point.at("round_trip_of");
            if (whole.empty()) {
                EXPECT_TRUE(point.at("round_trip").empty()) << kernel;
                continue;
            }
            for (const char* number : {"first", "second", "change"}) {
                double sum = 0.0;
                for (const auto& [name, part] : point.at("round_trip").items()) {
                    sum += part.at(number).get<double>();
                }
                const double stated = point.at("metrics").at(whole).at(number).get<double>();
                const double size = point.at("metrics").at(whole).at("first").get<double>();
                EXPECT_NEAR(sum, stated, 1e-9 * std::abs(size)) << kernel << ": " << whole;
            }
            // Only a sparse product's round trips are a part of its main metric.
            EXPECT_EQ(point.at("round_trip").contains("outside_of_these_parts"),
                      whole == "cycles_per_nonzero" && kernel == "spmv")
                << kernel;
        }
        if (json.at("points").size() == 1) {
            const std::string words = words_of(output_of({"compare", "a.toml", "b.toml"}));
            const std::size_t begin = words.find("Where the cycles go, ");
            if (begin != std::string::npos) {
                std::vector<std::int64_t> units =
                    signed_units(words.substr(begin, words.find(". ", begin) - begin));
                ASSERT_GE(units.size(), 3U) << words;
                const std::int64_t stated = units.front();
                EXPECT_EQ(std::accumulate(units.begin() + 1, units.end(), std::int64_t{0}), stated)
                    << words;
            }
        }
    }
    EXPECT_GE(compared.size(), 20U) << "few kernels have been compared";
}

// Infinite queues never block, so only the other machine has that part.
TEST_F(CompareMachinesTest, APartThatOneMachineLacksIsNoCycles) {
    write("a.toml",
          "extends = \"alewife\"\nmachine.nodes = 16\nnetwork.dimensions = [4, 4]\n"
          "[workload]\nkernel = \"fft\"\n");
    write("b.toml", "extends = \"a.toml\"\n[network]\nmodel = \"delay\"\n");
    const auto json = nlohmann::json::parse(output_of({"compare", "a.toml", "b.toml", "--json"}));
    const nlohmann::json& point = json.at("points").at(0);
    EXPECT_EQ(point.at("round_trip_of"), "makespan_cycles");
    const nlohmann::json& blocked = point.at("round_trip").at("blocked");
    EXPECT_GT(blocked.at("first").get<double>(), 0.0);
    EXPECT_EQ(blocked.at("second").get<double>(), 0.0);
}

TEST_F(CompareMachinesTest, WhatCannotBePairedIsRefused) {
    const auto refusal = [this](const std::string& second) {
        write("b.toml", "extends = \"a.toml\"\n" + second);
        return refused({"compare", "a.toml", "b.toml"});
    };
    EXPECT_THAT(refusal("[run]\nseeds = [1, 2]\n"),
                Names("weir", "b.toml", "run.seeds", "--set run.seeds=[1, 2, 3]"));
    EXPECT_THAT(refusal("[workload]\niterations = 41\n"),
                Names("workload.iterations = 41", "workload.iterations = 40"));
    EXPECT_THAT(refusal("[[point]]\nlabel = \"x\"\n[[point]]\nlabel = \"y\"\n"),
                Names("2 points", "1"));
    EXPECT_THAT(refusal("[run]\nrelative_precision = 0.01\n"),
                Names("b.toml", "run.relative_precision = 0", "run.seeds"));
}

}  // namespace
}  // namespace weir::experiments::running
