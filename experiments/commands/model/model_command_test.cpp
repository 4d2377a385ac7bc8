#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "experiments/pages/testing/page_width.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::commands {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using weir::testing::Names;

// Runs `weir model` of the built program, as a user does.
class ModelCommandTest : public ProgramTest {
  protected:
    ModelCommandTest() {
        write("inputs.toml",
              "processors = 32\nnetwork_cycles = 10\nhandler_cycles = 200\nwork_cycles = 1000\n");
    }

    /// `weir model lopc-all-to-any --from inputs.toml OPTIONS`
    [[nodiscard]] static Arguments asked(const Arguments& options) {
        Arguments arguments = {"model", "lopc-all-to-any", "--from", "inputs.toml"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    }
    /// Status 2, one line on standard error, nothing on standard output, no file.
    [[nodiscard]] std::string refused(const Arguments& arguments) const {
        const ProgramEnd end = weir(arguments);
        EXPECT_EQ(end.status, 2);
        EXPECT_EQ(end.output, "");
        EXPECT_EQ(pages::lines_of(end.error), 1U) << end.error;
        EXPECT_THAT(everything(), ElementsAre("inputs.toml"));
        return end.error;
    }
};

TEST_F(ModelCommandTest, ListsTheModels) {
    const std::string page = output_of({"model"});
    EXPECT_THAT(page, HasSubstr("\n  lopc-all-to-any "));
    pages::expect_fits_the_page(page);
    const auto catalogue = nlohmann::json::parse(output_of({"model", "--json"})).at("models");
    EXPECT_TRUE(std::any_of(catalogue.begin(), catalogue.end(), [](const auto& model) {
        return model.at("name") == "lopc-all-to-any";
    }));
}

TEST_F(ModelCommandTest, HelpExplainsTheCommandAndEverySymbolOfEveryModel) {
    const std::string page = output_of({"model", "--help"});
    pages::expect_fits_the_page(page);
    for (const char* option : {"--set", "--from", "--sweep", "--show", "--plot", "--json", "--csv",
                               "work_cycles=0:4000:100", "TABLES, ", "Exit status: "}) {
        EXPECT_THAT(page, HasSubstr(option));
    }
    const auto catalogue = nlohmann::json::parse(output_of({"model", "--json"}));
    for (const auto& model : catalogue.at("models")) {
        EXPECT_THAT(page, HasSubstr("\n" + model.at("name").get<std::string>() + ": "));
        for (const char* kind : {"inputs", "outputs"}) {
            for (const auto& quantity : model.at(kind)) {
                const auto symbol = quantity.at("symbol").get<std::string>();
                EXPECT_THAT(page, HasSubstr("\n  " + quantity.at("name").get<std::string>() +
                                            (symbol.empty() ? "" : " (" + symbol + ")")));
            }
        }
    }
}

TEST_F(ModelCommandTest, HelpOfAModelIsItsReference) {
    const std::string page = output_of({"model", "lopc-all-to-any", "--help"});
    EXPECT_THAT(page, StartsWith("lopc-all-to-any: "));
    EXPECT_THAT(page, HasSubstr("\n  handler_cycles (S_o), cycles "));
    EXPECT_THAT(page, HasSubstr("\n  response_cycles (R), cycles "));
    EXPECT_EQ(output_of({"model", "-h", "lopc-all-to-any"}), page);
    EXPECT_THAT(page, Names("weir", "model", "--help"));
}

TEST_F(ModelCommandTest, SolvesFromTheCommandLine) {
    const std::string page =
        output_of({"model", "lopc-all-to-any", "--set", "processors=32", "--set",
                   "work_cycles=1000", "--set", "network_cycles=10", "--set=handler_cycles=200"});
    pages::expect_fits_the_page(page);
    EXPECT_THAT(page, HasSubstr("\noutputs\n  response_cycles "));
    EXPECT_THAT(page, HasSubstr(" 1637.11  cycles "));
    EXPECT_THAT(page, HasSubstr("  default\n"));
}

TEST_F(ModelCommandTest, SetOverridesTheFile) {
    const auto of_file = nlohmann::json::parse(output_of(asked({"--json"})));
    EXPECT_EQ(of_file.at("inputs").at("work_cycles"), 1000.0);
    const auto longer =
        nlohmann::json::parse(output_of(asked({"--set", "work_cycles=2000", "--json"})));
    EXPECT_EQ(longer.at("inputs").at("work_cycles"), 2000.0);
    // Contention falls as the work grows, so 1000 more cycles of work add less than 1000 cycles to
    // the response time.
    const double more = longer.at("outputs").at("response_cycles").at("value").get<double>() -
                        of_file.at("outputs").at("response_cycles").at("value").get<double>();
    EXPECT_GT(more, 950.0);
    EXPECT_LT(more, 1000.0);
    EXPECT_EQ(longer.at("outputs").at("response_cycles").at("unit"), "cycles");
}

TEST_F(ModelCommandTest, SweepsGiveTheSameNumbersAsSinglePoints) {
    const auto sweep =
        nlohmann::json::parse(output_of(asked({"--sweep", "work_cycles=0:1000:500", "--json"})));
    ASSERT_EQ(sweep.at("points").size(), 3U);
    const auto& last = sweep.at("points").at(2);
    EXPECT_EQ(last.at("inputs").at("work_cycles"), 1000.0);
    const auto single = nlohmann::json::parse(output_of(asked({"--json"})));
    EXPECT_EQ(last.at("outputs"), single.at("outputs"));
    const std::string csv =
        output_of(asked({"--sweep", "work_cycles=1000", "--csv", "--show", "response_cycles"}));
    EXPECT_THAT(csv, StartsWith("work_cycles,response_cycles,error\n1000,"));
    EXPECT_EQ(std::stod(csv.substr(csv.find("\n1000,") + 6)),
              single.at("outputs").at("response_cycles").at("value").get<double>());
}

TEST_F(ModelCommandTest, SweepsAreCrossed) {
    const std::string csv =
        output_of(asked({"--sweep", "work_cycles=0,100", "--sweep", "handler_squared_cv=0,1",
                         "--csv", "--show", "response_cycles"}));
    EXPECT_THAT(csv, AllOf(StartsWith("work_cycles,handler_squared_cv,response_cycles,error\n0,0,"),
                           HasSubstr("\n0,1,"), HasSubstr("\n100,0,"), HasSubstr("\n100,1,")));
    EXPECT_EQ(pages::lines_of(csv), 5U);
}

TEST_F(ModelCommandTest, CsvOfOnePointHasItsOutputs) {
    EXPECT_THAT(output_of(asked({"--csv", "--show", "response_cycles"})),
                StartsWith("response_cycles\n1637.11"));
}

TEST_F(ModelCommandTest, ShowsOnlyWhatIsNamed) {
    const Arguments broadcast = {"model", "logp-broadcast",    "--set", "processors=65536",
                                 "--set", "latency_cycles=6",  "--set", "gap_cycles=4",
                                 "--set", "overhead_cycles=2", "--show"};
    Arguments output = broadcast;
    output.emplace_back("finish_cycles");
    EXPECT_LT(pages::lines_of(output_of(output)), 30U);
    Arguments table = broadcast;
    table.emplace_back("sends");
    const std::string page = output_of(table);
    EXPECT_LT(pages::lines_of(page), 80U);
    EXPECT_THAT(page, AllOf(HasSubstr("\nsends: "), Not(HasSubstr("\noutputs\n")),
                            Names("65495", "--json", "--show sends --csv")));
    table.emplace_back("--csv");
    // One line with the columns' names, and one line for each of the 65535 sends.
    EXPECT_EQ(pages::lines_of(output_of(table)), 65536U);
    EXPECT_THAT(
        refused({"model", "logp-broadcast", "--sweep", "processors=1,2", "--show", "sends"}),
        Names("weir", "--show sends", "sends", "table"));
}

TEST_F(ModelCommandTest, SweepsAListInputAsASingleNumber) {
    const auto asked_pattern = [](const Arguments& options) {
        Arguments arguments = {"model", "lopc-pattern",      "--set", "processors=4",
                               "--set", "network_cycles=10", "--set", "handler_cycles=200",
                               "--json"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    };
    const auto sweep =
        nlohmann::json::parse(output_of(asked_pattern({"--sweep", "work_cycles=0,1000"})));
    const auto single =
        nlohmann::json::parse(output_of(asked_pattern({"--set", "work_cycles=1000"})));
    EXPECT_EQ(sweep.at("points").at(1).at("outputs"), single.at("outputs"));
    EXPECT_NE(sweep.at("points").at(0).at("outputs"), single.at("outputs"));
}

TEST_F(ModelCommandTest, PlotsASweep) {
    const std::string page = output_of(asked(
        {"--sweep", "work_cycles=0:4000:500", "--show", "response_cycles", "--plot", "a.svg"}));
    EXPECT_THAT(page, EndsWith("\na.svg shows response_cycles\n"));
    EXPECT_THAT(read("a.svg"), HasSubstr("response_cycles (R), cycles"));
    EXPECT_THAT(everything(), ElementsAre("a.svg", "inputs.toml"));
}

TEST_F(ModelCommandTest, ASweepSucceedsWhenSomePointIsSolved) {
    const Arguments no_time = {"--set", "handler_cycles=0", "--set", "network_cycles=0"};
    Arguments some = asked(no_time);
    some.insert(some.end(), {"--sweep", "work_cycles=0,1", "--show", "response_cycles"});
    const std::string page = output_of(some);
    EXPECT_THAT(page, HasSubstr("\n            0             none\n"));
    EXPECT_THAT(page, Names("solution", "work_cycles = 0"));

    some.emplace_back("--csv");
    EXPECT_THAT(output_of(some), AllOf(StartsWith("work_cycles,response_cycles,error\n0,,"),
                                       EndsWith("\n1,1,\n"), Not(HasSubstr("\n0,,\n"))));
    some.back() = "--json";
    const auto points = nlohmann::json::parse(output_of(some)).at("points");
    EXPECT_TRUE(points.at(0).contains("error"));
    EXPECT_FALSE(points.at(0).contains("outputs"));
    EXPECT_FALSE(points.at(1).contains("error"));

    Arguments none = asked(no_time);
    none.insert(none.end(), {"--sweep", "work_cycles=0", "--plot", "a.png"});
    const ProgramEnd end = weir(none);
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.output, Names("solution", "work_cycles = 0"));
    EXPECT_THAT(end.error, Names("weir", "lopc-all-to-any", "sweep"));
    EXPECT_THAT(everything(), ElementsAre("inputs.toml"));
}

TEST_F(ModelCommandTest, APointWithoutSolutionIsBadInput) {
    EXPECT_THAT(refused(asked({"--set", "handler_cycles=0", "--set", "network_cycles=0", "--set",
                               "work_cycles=0"})),
                StartsWith("weir: lopc-all-to-any: "));
    EXPECT_THAT(refused(asked({"--set", "handler_cycles=0", "--set", "network_cycles=0", "--set",
                               "work_cycles=0", "--csv"})),
                StartsWith("weir: lopc-all-to-any: "));
}

TEST_F(ModelCommandTest, BadInputIsOneLine) {
    EXPECT_THAT(refused({"model", "lopc-all-to-an"}),
                Names("weir", "\"lopc-all-to-an\"", "\"lopc-all-to-any\""));
    EXPECT_THAT(refused({"model", "lopc-al"}), Names("lopc-al", "\"lopc-all-to-any\""));
    EXPECT_THAT(refused(asked({"--set", "handler_us=200"})),
                Names("handler_us", "cycles", "\"processors\"", "\"handler_cycles\""));
    EXPECT_THAT(refused(asked({"--set", "handler_cycles=200us"})),
                Names("handler_cycles=200us", "unit"));
    EXPECT_THAT(refused({"model", "lopc-all-to-any", "--set", "work_cycles=3"}),
                Names("weir", "lopc-all-to-any", "3", "processors (P)", "network_cycles (S_l)",
                      "handler_cycles (S_o)", "--set NAME=VALUE", "--from FILE"));
    EXPECT_THAT(refused(asked({"--sweep", "protocol_processor=false,true"})),
                Names("protocol_processor", "number"));
    EXPECT_THAT(refused(asked({"--sweep", "work_cycles=0:10"})),
                Names("work_cycles=0:10:", "sweep"));
    EXPECT_THAT(refused(asked({"--sweep", "work_cycles=0:2:1", "--sweep", "work_cycles=0:2:1"})),
                Names("work_cycles (W)", "twice"));
    EXPECT_THAT(refused(asked({"--show", "respons_cycles"})),
                Names("respons_cycles", "\"response_cycles\""));
    EXPECT_THAT(refused(asked({"--plot", "a.svg"})), Names("--plot a.svg", "--sweep"));
    EXPECT_THAT(refused(asked({"--sweep", "work_cycles=0:2:1", "--plot", "none/a.svg"})),
                Names("--plot none/a.svg", std::strerror(ENOENT)));
    EXPECT_THAT(refused(asked({"--csv", "--json"})),
                Names("weir", "--json", "--csv", "model --help"));
    EXPECT_THAT(refused({"model", "--csv"}), Names("weir", "model", "NAME", "--set NAME=VALUE"));
}

TEST_F(ModelCommandTest, SaysWhenGnuplotIsNotInstalled) {
    const std::string path = getenv("PATH");
    setenv("PATH", "/nonexistent", 1);
    EXPECT_THAT(refused(asked({"--sweep", "work_cycles=0:2:1", "--plot", "a.svg"})),
                Names("weir", "--plot a.svg", "gnuplot", "apt-get", "gnuplot-nox"));
    setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace weir::experiments::commands
