// Phases of a compiled program: their metrics, also on pages, in the schema, and as published
// values.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiments/program_tests/testing/json_schema.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Lt;

class PhasesRunTest : public ProgramTest {
  protected:
    PhasesRunTest() {
        write("phases.c", R"(#include "firmware/sparcle/active_messages.h"
int main(void) {
    weir_phase("set-up");
    weir_work(1000);
    for (int i = 0; i < 3; ++i) {
        weir_phase("compute");
        weir_work(500 * (weir_node() + 1));
        weir_phase("exchange");
        am_barrier();
    }
    weir_no_phase();
    weir_work(300);
    if (weir_node() == 1) {
        weir_phase("last");
        weir_work(200);
    }
    return 0;
}
)");
        write("phases.toml", R"(extends = "sparcle"
machine.nodes = 4
[workload]
kernel = "image"
image = "phases.elf"
)");
        static_cast<void>(output_of({"compile", "phases.c"}));
    }
    static double measured(const json& result, const std::string& metric) {
        return result.at("measured").at(metric).get<double>();
    }
};

TEST_F(PhasesRunTest, AreMetrics) {
    const json result = result_of("phases.toml");
    EXPECT_EQ(JsonSchema(output_of({"list", "--schema"})).faults(result), "");
    // A phase may also contain the call, the mark, instruction misses, and handlers of the
    // barriers.
    const auto is_about = [](double cycles) { return AllOf(Ge(cycles), Lt(1.15 * cycles + 50.0)); };
    EXPECT_THAT(measured(result, "phase_set_up_cycles"), is_about(1000.0));
    EXPECT_THAT(measured(result, "phase_compute_cycles"), is_about(3 * 500 * 2.5));
    EXPECT_THAT(measured(result, "longest_phase_compute_cycles"), is_about(3 * 500 * 4));
    EXPECT_EQ(measured(result, "phase_compute_entries"), 3.0);
    // In each round the other nodes wait for the last one.
    EXPECT_THAT(measured(result, "longest_phase_exchange_cycles"), Ge(3 * 500 * 3.0));
    // A phase of one node alone; it lasts until the program's end.
    EXPECT_THAT(measured(result, "longest_phase_last_cycles"), is_about(200.0));
    EXPECT_EQ(measured(result, "phase_last_cycles"),
              measured(result, "longest_phase_last_cycles") / 4);
    EXPECT_EQ(measured(result, "phase_last_entries"), 0.25);
    EXPECT_FALSE(result.at("measured").contains("phase_no_cycles"));
}

TEST_F(PhasesRunTest, AreOnThePage) {
    const std::string page = output_of({"run", "phases.toml", "--out", "run"});
    EXPECT_THAT(page, HasSubstr("\nPhases "));
    for (const char* phase : {"set_up", "compute", "exchange", "last"}) {
        EXPECT_THAT(page, HasSubstr(std::string("\n  ") + phase + " "));
    }
}

TEST_F(PhasesRunTest, CanBePublished) {
    write("published.toml", read("phases.toml") +
                                "[published.phase_set_up_cycles]\nvalue = 1000\n"
                                "source = \"its weir_work()\"\ntolerance = 0.2\n");
    EXPECT_EQ(weir({"run", "published.toml", "--out", "published"}).status, 0);
    write("published.toml",
          read("phases.toml") + "[published.phase_set_up]\nvalue = 1000\nsource = \"none\"\n");
    EXPECT_THAT(refused({"run", "published.toml"}), HasSubstr("phase_set_up"));
}

TEST_F(PhasesRunTest, CanBeSwept) {
    write("sweep.toml", read("phases.toml") + "[[sweep.axis]]\nsparcle.jump_cycles = [2, 4]\n");
    EXPECT_EQ(weir({"sweep", "sweep.toml", "--out", "phases.db"}).status, 0);
    const std::string shown =
        output_of({"sweep", "show", "phases.db", "--metric", "phase_compute_cycles"});
    EXPECT_THAT(shown, HasSubstr(setup::spaced_name("phase_compute_cycles")));
}

// The messages' metrics would lead, but the program sends none.
TEST_F(PhasesRunTest, ASweepOfASilentProgramLeadsWithItsCycles) {
    write("silent.c", "int main(void) { return 0; }\n");
    static_cast<void>(output_of({"compile", "silent.c"}));
    write("sweep.toml",
          "extends = \"sparcle\"\nmachine.nodes = 1\n[workload]\nkernel = \"image\"\n"
          "image = \"silent.elf\"\n[[sweep.axis]]\nsparcle.trap_cycles = [3, 9]\n");
    EXPECT_EQ(weir({"sweep", "sweep.toml", "--out", "silent.db"}).status, 0);
    EXPECT_THAT(output_of({"sweep", "show", "silent.db"}),
                HasSubstr("\n" + setup::spaced_name("run_cycles") + "\n"));
}

}  // namespace
}  // namespace weir::experiments
