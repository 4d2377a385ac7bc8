#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "experiments/pages/testing/page_width.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::commands {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using weir::testing::Names;
using Set = std::set<std::string>;

/// A machine that meets LoPC's assumptions, and its inputs as the modeller knows them.
constexpr const char* kMachine = R"(extends = "alewife"
machine.nodes = 16
network = { dimensions = [4, 4], flit_bytes = 16 }
firmware = { entry_cycles = 120, exit_cycles = 0 }
[workload]
kernel = "remap"
iterations = 300
work_cycles = 400
[run]
seeds = [1, 2]
warmup_cycles = 10_000
[models]
compare = ["lopc", "logp"]
[models.inputs]
source = "the same machine with nothing broken"
work_cycles = 415
latency_cycles = 16.2
handler_cycles = 147.5
handler_squared_cv = 0
send_overhead_cycles = 15
receive_overhead_cycles = 140
)";

class ExplainCommandTest : public ProgramTest {
  protected:
    void run(Arguments settings = {}, const std::string& folder = "run") const {
        write("run.toml", kMachine);
        Arguments words{"run", "run.toml", "--out", folder};
        for (const std::string& setting : settings) {
            words.insert(words.end(), {"--set", setting});
        }
        static_cast<void>(output_of(words));
    }
    [[nodiscard]] json explain(Arguments options = {"--model", "lopc_given"},
                               const std::string& folder = "run") const {
        options.insert(options.begin(), {"explain", folder, "--json"});
        return json::parse(output_of(options));
    }
    [[nodiscard]] static json first_of(const json& explained) {
        return explained.at("points").at(0).at("explained").at(0);
    }
    [[nodiscard]] static Set named(const json& explanation) {
        Set names;
        for (const json& part : explanation.at("parts")) {
            if (part.at("is_named").get<bool>()) {
                names.insert(part.at("assumption").get<std::string>());
            }
        }
        return names;
    }
    /// Explanation of a machine with these settings. At most a tenth of the error is unexplained.
    [[nodiscard]] json explained_with(const Arguments& settings) const {
        static int number = 0;
        const std::string folder = "run" + std::to_string(++number);
        run(settings, folder);
        const json explanation = first_of(explain({"--model", "lopc_given"}, folder));
        const double error = explanation.at("predicted_cycles").get<double>() -
                             explanation.at("measured_cycles").get<double>();
        double sum = explanation.at("unexplained_cycles").get<double>();
        EXPECT_LE(std::abs(sum), std::max(0.1 * std::abs(error), 1.0)) << explanation;
        for (const json& part : explanation.at("parts")) {
            sum += part.at("cycles").get<double>();
        }
        EXPECT_NEAR(sum, error, 1e-6);
        return explanation;
    }
    /// Names of the broken assumptions of a machine with these settings.
    [[nodiscard]] Set broken_with(const Arguments& settings) const {
        return named(explained_with(settings));
    }
};

TEST_F(ExplainCommandTest, AMachineWithNothingBrokenHasNoCulprit) {
    EXPECT_EQ(broken_with({}), Set());
}

TEST_F(ExplainCommandTest, OneBrokenAssumptionIsNamed) {
    EXPECT_EQ(
        broken_with({"workload.destinations=\"ascending\"", "workload.consecutive_messages=8"}),
        Set({"arrivals"}));
    EXPECT_EQ(broken_with({"core.cache_interference_cycles=80"}), Set({"memory"}));
}

// The modeller knows the latency of the slow network, but not its contention.
TEST_F(ExplainCommandTest, ASlowNetworkIsNamed) {
    const Arguments slow{"network.flit_bytes=1", "network.channel_bits_per_cycle=4",
                         "workload.argument_words=10"};
    run(slow, "measured");
    const json inputs =
        json::parse(read("measured/result.json")).at("predicted").at("lopc").at("inputs");
    Arguments settings = slow;
    for (const auto& [input, measured] : {std::pair("latency_cycles", "latency_cycles"),
                                          {"work_cycles", "thread_cycles"},
                                          {"handler_cycles", "handler_cycles"}}) {
        settings.push_back(std::string("models.inputs.") + input + "=" +
                           inputs.at(measured).dump());
    }
    const json largest = explained_with(settings).at("parts").at(0);
    EXPECT_EQ(largest.at("assumption"), "network_contention");
    EXPECT_TRUE(largest.at("is_named").get<bool>());
}

TEST_F(ExplainCommandTest, TwoBrokenAssumptionsAreBothNamed) {
    EXPECT_EQ(broken_with({"workload.destinations=\"ascending\"", "workload.consecutive_messages=8",
                           "core.cache_interference_cycles=80"}),
              Set({"arrivals", "memory"}));
}

// Handlers that vary also change the waits of replies. The machine with constant handlers tells
// these from arrivals.
TEST_F(ExplainCommandTest, VariableHandlersAreNoArrivals) {
    EXPECT_EQ(broken_with({"workload.handler_work_cycles=60", "workload.handler_squared_cv=15",
                           "models.inputs.handler_cycles=207.5"}),
              Set({"service_times"}));
}

// Parts of a program's error sum to it, with at most a tenth unexplained.
TEST_F(ExplainCommandTest, ProgramsWithBodiesAreSplit) {
    int number = 0;
    for (const char* workload :
         {"kernel = \"boundary-exchange\"\nblock = 16\n",
          "kernel = \"all-pairs\"\nbody_bytes = 512\nrounds = 2\n",
          "kernel = \"remap\"\nstyle = \"asynchronous\"\nbody_bytes = 512\niterations = 100\n"}) {
        write("bodies.toml",
              std::string("extends = \"alewife\"\nmachine.nodes = 16\n"
                          "network.dimensions = [4, 4]\n"
                          "firmware = { body_send = \"blocking\", body_receive = \"blocking\" }\n"
                          "[models]\ncompare = [\"loggp\"]\n[workload]\n") +
                  workload);
        const std::string folder = "bodies" + std::to_string(++number);
        static_cast<void>(output_of({"run", "bodies.toml", "--out", folder}));
        const json explanation = first_of(explain({"--model", "loggp"}, folder));
        EXPECT_NEAR(explanation.at("unexplained_cycles").get<double>(), 0.0,
                    0.001 * explanation.at("measured_cycles").get<double>())
            << explanation;
        EXPECT_GT(explanation.at("parts").size(), 4U);
    }
}

TEST_F(ExplainCommandTest, MachinesAreRunOnce) {
    run();
    const json first = explain();
    EXPECT_GT(first.at("machines_run"), 0);
    EXPECT_EQ(first.at("machines_kept"), 0);
    const json second = explain();
    EXPECT_EQ(second.at("machines_run"), 0);
    EXPECT_EQ(second.at("machines_kept"), first.at("machines_run"));
    EXPECT_EQ(second.at("points"), first.at("points"));
    // Other predictions need no other machine.
    EXPECT_EQ(explain({"--model", "logp", "--model", "md1"}).at("machines_run"), 0);
}

TEST_F(ExplainCommandTest, AllComparedPredictionsAreExplainedOnAPage) {
    run();
    const std::string page = output_of({"explain", "run", "--html", "page.html"});
    pages::expect_fits_the_page(page);
    EXPECT_THAT(words_of(page), Names("lopc", "logp_given", "unexplained", "sum"));
    EXPECT_THAT(read("page.html"), HasSubstr("unexplained"));
}

// The run's own page has the parts by values of the trace, and they sum to the error.
TEST_F(ExplainCommandTest, TheRunsPageHasThePartsThatNeedNoRun) {
    write("run.toml", kMachine);
    const json result = result_of("run.toml");
    ASSERT_EQ(result.at("explained").size(), 4U);
    for (const json& explanation : result.at("explained")) {
        double sum = explanation.at("unexplained_cycles").get<double>();
        for (const json& part : explanation.at("parts")) {
            sum += part.at("cycles").get<double>();
        }
        const std::string model = explanation.at("model");
        EXPECT_NEAR(sum,
                    result.at("predicted").at(model).at("cycles_per_iteration").get<double>() -
                        result.at("measured").at("cycles_per_iteration").get<double>(),
                    1e-6);
    }
    EXPECT_THAT(words_of(output_of({"run", "run.toml"})),
                Names("lopc", "unexplained", "weir explain"));
}

TEST_F(ExplainCommandTest, BadInputNamesWhatToRunInstead) {
    run();
    EXPECT_THAT(refused({"explain", "run", "--model", "lopd"}), Names("lopd", "lopc"));
    EXPECT_THAT(refused({"explain", "run", "--model", "loggp"}), Names("loggp", "bodies"));
    EXPECT_THAT(refused({"explain", "run", "--point", "none"}), Names("none"));
    EXPECT_THAT(refused({"explain", "nowhere"}), Names("nowhere"));
    EXPECT_THAT(refused({"explain", "run/point-01-seed-1"}), Names("point-01-seed-1", "weir run"));
    write("single.toml",
          "extends = \"alewife\"\n[workload]\nkernel = \"fft\"\n"
          "points = 1024\n[models]\ncompare = [\"logp\"]\n");
    static_cast<void>(output_of({"run", "single.toml", "--out", "fft"}));
    EXPECT_THAT(refused({"explain", "fft"}), Names("fft", "sync-remap.toml"));
}

}  // namespace
}  // namespace weir::experiments::commands
