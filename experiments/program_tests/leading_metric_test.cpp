// Pages of a compiled program lead with its time, whatever messages it sends; --metric selects
// other metrics.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/program_tests/testing/compiled_program_fixture.h"
#include "experiments/setup/text/shown_text.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using nlohmann::json;
using setup::spaced_name;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::weir::testing::Names;

/// Caption of a figure with the cycles of a hop on its axis.
std::string by_hops(const std::string& metric) {
    return spaced_name(metric) + " by " + spaced_name("hop_cycles");
}

/// A ring in which all messages have bodies of one size, as in some MPI programs.
class LeadingMetricTest : public CompiledProgramTest {
  protected:
    LeadingMetricTest() : CompiledProgramTest(4) {
        write("ring.c", R"(#include "firmware/sparcle/active_messages.h"
static uint32_t in[32] __attribute__((aligned(256)));
static uint32_t out[32] __attribute__((aligned(256)));
static volatile uint32_t stored;
static void arrive(void) { am_receive_body(in, &stored); }
int main(void) {
    const uint32_t next = (weir_node() + 1) % weir_nodes;
    for (int i = 0; i < 20; ++i) {
        stored = 0;
        am_barrier();
        am_send_body(next, arrive, out, sizeof out);
        am_wait_body_sent();
        am_wait(&stored);
        weir_work(100);
    }
    console_printf("done\n");
    return 0;
}
)");
        compile("ring.c");
    }
};

TEST_F(LeadingMetricTest, OfACompiledProgramIsItsTime) {
    const json result = result_of("run.toml", {"--out", "run"});
    EXPECT_EQ(result.at("leading_metric"), "run_cycles");
    const double cycles = result.at("measured").at("run_cycles").get<double>();
    EXPECT_EQ(cycles, result.at("cycles").at(0).get<double>());
    // The parts add up to the whole time. A program's own marks would exclude the time before and
    // after them.
    double sum = 0.0;
    for (const auto& [name, part] : result.at("round_trip").items()) {
        sum += part.get<double>();
    }
    EXPECT_NEAR(sum, cycles, 1e-6);
    const std::string page = output_of({"run", "run.toml", "--out", "again"});
    EXPECT_THAT(words_of(page), AllOf(HasSubstr(" " + spaced_name("run_cycles")),
                                      Not(HasSubstr(spaced_name("end_to_end")))));
}

TEST_F(LeadingMetricTest, InSweepsComparisonsAndReportsToo) {
    write("sweep.toml", read("run.toml") + "[[sweep.axis]]\nnetwork.hop_cycles = [1, 40]\n");
    EXPECT_EQ(weir({"sweep", "sweep.toml", "--out", "hops.db"}).status, 0);
    EXPECT_THAT(output_of({"sweep", "show", "hops.db"}),
                HasSubstr("\n" + spaced_name("run_cycles") + "\n"));
    static_cast<void>(output_of({"report", "hops.db", "-o", "hops.html"}));
    EXPECT_THAT(read("hops.html"), HasSubstr(by_hops("run_cycles")));

    write("slow.toml", "extends = \"run.toml\"\nnetwork.hop_cycles = 40\n");
    const json compared = json::parse(output_of({"compare", "run.toml", "slow.toml", "--json"}));
    EXPECT_EQ(compared.at("leading_metric"), "run_cycles");
    const json& point = compared.at("points").at(0);
    EXPECT_EQ(point.at("round_trip_of"), "run_cycles");
    double sum = 0.0;
    for (const auto& [name, part] : point.at("round_trip").items()) {
        sum += part.at("change").get<double>();
    }
    EXPECT_NEAR(sum, point.at("metrics").at("run_cycles").at("change").get<double>(), 1e-6);
}

TEST_F(LeadingMetricTest, AReportIsAboutTheMetricThatIsAskedFor) {
    static_cast<void>(output_of({"run", "run.toml", "--out", "run"}));
    const auto page_of = [this](const std::string& source, const std::string& metric) {
        static_cast<void>(output_of({"report", source, "--metric", metric, "-o", "page.html"}));
        return read("page.html");
    };
    EXPECT_THAT(page_of("run", "handler_cycles"), HasSubstr(" handler cycles."));
    EXPECT_THAT(refused({"report", "run", "--metric", "handler_cycle"}),
                AllOf(Names("--metric handler_cycle", "metric", "handler_cycle"),
                      HasSubstr("\"handler_cycles\"?")));

    write("sweep.toml", read("run.toml") + "[[sweep.axis]]\nnetwork.hop_cycles = [1, 40]\n");
    EXPECT_EQ(weir({"sweep", "sweep.toml", "--out", "hops.db"}).status, 0);
    EXPECT_THAT(page_of("hops.db", "latency_cycles"),
                AllOf(HasSubstr(by_hops("latency_cycles")), Not(HasSubstr(by_hops("run_cycles")))));
    EXPECT_THAT(refused({"report", "hops.db", "--metric", "latencycycles"}),
                HasSubstr("\"latency_cycles\"?"));
}

}  // namespace
}  // namespace weir::experiments
