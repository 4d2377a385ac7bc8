#include "experiments/running/sweeps/plan/sweep_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/running/testing/sweep_fixture.h"
#include "experiments/setup/text/shown_text.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

using ::testing::ElementsAre;
using weir::testing::Names;

class SweepPlanTest : public SweepTest {
  protected:
    [[nodiscard]] static std::vector<std::string> descriptions(const SweepPlan& plan) {
        std::vector<std::string> texts;
        for (const PlannedPoint& point : plan.points) {
            texts.push_back(plan.description_of(point));
        }
        return texts;
    }
    [[nodiscard]] std::string refused(const std::string& sweep,
                                      const std::vector<std::string>& set_options = {}) const {
        return fault_of([&] { static_cast<void>(plan(sweep, set_options)); });
    }
};

TEST_F(SweepPlanTest, AxesAreCrossedAndTheLastVariesFastest) {
    const SweepPlan made = plan(
        "[[sweep.axis]]\ncontroller.input_queue_bytes = [128, 256]\n"
        "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n");
    EXPECT_THAT(descriptions(made), ElementsAre("input_queue_bytes = 128, hop_cycles = 1",
                                                "input_queue_bytes = 128, hop_cycles = 2",
                                                "input_queue_bytes = 256, hop_cycles = 1",
                                                "input_queue_bytes = 256, hop_cycles = 2"));
    EXPECT_EQ(made.points[3].number, 4U);
    EXPECT_THAT(made.points[0].seeds, ElementsAre(1U));
    EXPECT_EQ(made.runs(), 4U);
}

TEST_F(SweepPlanTest, KeysOfOneAxisAreZipped) {
    EXPECT_THAT(descriptions(plan("[[sweep.axis]]\ncontroller.input_queue_bytes = [128, 256]\n"
                                  "network.hop_cycles = [1, 2]\n")),
                ElementsAre("input_queue_bytes = 128, hop_cycles = 1",
                            "input_queue_bytes = 256, hop_cycles = 2"));
}

TEST_F(SweepPlanTest, SeedsAreRunsOfOnePoint) {
    const SweepPlan made = plan(
        "[[sweep.axis]]\nrun.seeds = { from = 1, to = 3, step = 1 }\n"
        "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n"
        "[sweep]\nfilter = \"seed < 3 or hop_cycles = 1\"\n");
    EXPECT_THAT(descriptions(made), ElementsAre("hop_cycles = 1", "hop_cycles = 2"));
    EXPECT_THAT(made.points[0].seeds, ElementsAre(1U, 2U, 3U));
    EXPECT_THAT(made.points[1].seeds, ElementsAre(1U, 2U));
}

TEST_F(SweepPlanTest, RangesAreRoundedForWholeNumbersAlone) {
    // Without rounding: 2, 2.83, 4, 5.66 and 8 cycles.
    EXPECT_THAT(descriptions(plan("[[sweep.axis]]\nnetwork.hop_cycles = { from = 2, to = 8, "
                                  "count = 5, scale = \"logarithmic\" }\n")),
                ElementsAre("hop_cycles = 2", "hop_cycles = 3", "hop_cycles = 4", "hop_cycles = 6",
                            "hop_cycles = 8"));
    EXPECT_THAT(descriptions(plan("[[sweep.axis]]\nnetwork.hop_cycles = { from = 1, to = 2, "
                                  "count = 5 }\n")),
                ElementsAre("hop_cycles = 1", "hop_cycles = 2"));
    EXPECT_THAT(descriptions(plan("[[sweep.axis]]\nclock.processor_mhz = { from = 20, to = 21, "
                                  "count = 3 }\n")),
                ElementsAre("processor_mhz = 20", "processor_mhz = 20.5", "processor_mhz = 21"));
    EXPECT_THAT(
        refused("[[sweep.axis]]\nnetwork.hop_cycles = [1.5]\n"),
        Names("study.toml:10:23", "network.hop_cycles", "1.5", "hop_cycles = 1.5", "whole"));
}

TEST_F(SweepPlanTest, PointsOfTheFileAreAnAxis) {
    const SweepPlan made = plan(
        "[[point]]\nlabel = \"near\"\nworkload.destinations = \"cyclic\"\n"
        "[[point]]\nlabel = \"anywhere\"\nworkload.destinations = \"random\"\n"
        "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n"
        "[sweep]\nfilter = \"label = 'near' or hop_cycles = 1\"\n");
    EXPECT_THAT(descriptions(made), ElementsAre("near, hop_cycles = 1", "near, hop_cycles = 2",
                                                "anywhere, hop_cycles = 1"));
    EXPECT_NE(made.points[0].digest, made.points[2].digest);
}

TEST_F(SweepPlanTest, KernelsCanBeSwept) {
    const SweepPlan made =
        make_plan(write("kernels.toml",
                        "extends = \"alewife\"\n"
                        "[[sweep.axis]]\nworkload.kernel = [\"remap\", \"ping\"]\n"),
                  presets(), {});
    EXPECT_THAT(descriptions(made), ElementsAre("kernel = remap", "kernel = ping"));
}

TEST_F(SweepPlanTest, NamesAreAsShortAsIsClear) {
    const SweepPlan made = plan(
        "[[sweep.axis]]\ncontroller.input_queue_bytes = [128]\n"
        "controller.load_cycles = [2]\nmemory.load_cycles = [2]\n");
    constexpr const char* kAxis = "input_queue_bytes, controller_load_cycles, memory_load_cycles";
    EXPECT_THAT(
        made.names,
        ElementsAre(SweptName{"controller.input_queue_bytes", "input_queue_bytes", 1, kAxis},
                    SweptName{"controller.load_cycles", "controller_load_cycles", 1, kAxis},
                    SweptName{"memory.load_cycles", "memory_load_cycles", 1, kAxis}));
}

TEST_F(SweepPlanTest, AFileWithoutASweepIsItsPoints) {
    const SweepPlan made = plan("[run]\nseeds = [1, 2]\n");
    ASSERT_EQ(made.points.size(), 1U);
    EXPECT_EQ(made.runs(), 2U);
}

// The identity of a point does not depend on numbers, labels, other axes or order. The identity
// depends on the configuration and the contents of the files that it names.
TEST_F(SweepPlanTest, APointIsItsConfiguration) {
    const SweepPlan one = plan("[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n");
    const SweepPlan other = plan(
        "[[sweep.axis]]\ncontroller.input_queue_bytes = [256]\n"
        "[[sweep.axis]]\nnetwork.hop_cycles = [3, 2]\n"
        "[run]\nseeds = [7]\n");
    EXPECT_EQ(one.points[1].digest, other.points[1].digest);
    EXPECT_NE(one.points[0].digest, one.points[1].digest);
    EXPECT_NE(one.points[0].digest, other.points[0].digest);
    const SweepPlan set =
        plan("[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n", {"workload.iterations=11"});
    EXPECT_NE(one.points[1].digest, set.points[1].digest);
}

TEST_F(SweepPlanTest, WhatIsInANamedFileIsPartOfThePoint) {
    const std::string matrix = write("a.mtx", "one").string();
    const std::vector<std::string> spmv{"workload.kernel=spmv", "workload.matrix=" + matrix};
    const std::string text = "extends = \"alewife\"\n";
    const auto digest = [&] {
        return make_plan(write("spmv.toml", text), presets(), spmv).points.front().digest;
    };
    const std::string before = digest();
    EXPECT_EQ(digest(), before);
    static_cast<void>(write("a.mtx", "two"));
    EXPECT_NE(digest(), before);
    // The path of the file does not count: it may differ on another host.
    const std::vector<std::string> moved{"workload.kernel=spmv",
                                         "workload.matrix=" + write("b.mtx", "one").string()};
    EXPECT_EQ(make_plan(file("spmv.toml"), presets(), moved).points.front().digest, before);
}

TEST_F(SweepPlanTest, EveryPointIsCheckedWithItsPlaceAndValues) {
    EXPECT_THAT(refused("[[sweep.axis]]\nnetwork.hop_cycles = [1, 0]\n"),
                Names("study.toml:10:26", "network.hop_cycles", "0", "hop_cycles = 0", "1"));
    EXPECT_THAT(refused("[[sweep.axis]]\nnetwork.hop_cycls = [1]\n"),
                Names("hop_cycls", "\"hop_cycles\""));
}

TEST_F(SweepPlanTest, AKeyThatIsSetElsewhereToo) {
    EXPECT_THAT(refused("[[sweep.axis]]\nnetwork.hop_cycles = [1]\n", {"network.hop_cycles=3"}),
                Names("--set network.hop_cycles=3", "network.hop_cycles", "study.toml:10:9"));
    EXPECT_THAT(refused("[[point]]\nnetwork.hop_cycles = 2\n"
                        "[[sweep.axis]]\nnetwork.hop_cycles = [1]\n"),
                Names("network.hop_cycles", "[[point]]", "study.toml:9:1"));
}

TEST_F(SweepPlanTest, AFilterThatLeavesNothing) {
    EXPECT_THAT(refused("[[sweep.axis]]\nnetwork.hop_cycles = [1]\n"
                        "[sweep]\nfilter = \"hop_cycles > 1\"\n"),
                Names("study.toml:12:10", "filter", "point"));
}

TEST_F(SweepPlanTest, TooManyPoints) {
    EXPECT_THAT(refused("[[sweep.axis]]\nnetwork.hop_cycles = { from = 1, to = 1000, step = 1 }\n"
                        "[[sweep.axis]]\nrun.seeds = { from = 1, to = 1000, step = 1 }\n"),
                Names("100000 combinations"));
}

TEST_F(SweepPlanTest, AStudyOfPartsIsNoSweep) {
    static_cast<void>(write("part.toml", kTiny));
    const std::filesystem::path study = write("study.toml", "parts = [\"part.toml\"]\n");
    EXPECT_THAT(fault_of([&] { static_cast<void>(make_plan(study, presets(), {})); }),
                Names("study.toml", "parts"));
}

TEST_F(SweepPlanTest, ExamplesAreInOrder) {
    const std::filesystem::path examples = std::filesystem::path(WEIR_EXPERIMENTS) / "sweeps";
    EXPECT_EQ(make_plan(examples / "queues-and-interrupts.toml", presets(), {}).runs(), 48U);
    // The filter leaves out 64 nodes at 8 and 16 cycles per hop.
    EXPECT_EQ(make_plan(examples / "machine-size.toml", presets(), {}).runs(), 54U);
}

TEST_F(SweepPlanTest, OtherCommandsRefuseASweep) {
    const std::filesystem::path study =
        write("study.toml", std::string(kTiny) + "[[sweep.axis]]\nnetwork.hop_cycles = [1]\n");
    EXPECT_THAT(fault_of([&] { static_cast<void>(setup::ExperimentFile::read(study, presets())); }),
                Names("[sweep]", "weir", "sweep"));
}

TEST_F(SweepPlanTest, AxesAreVariedOneAtATimeAroundTheFilesValues) {
    const SweepPlan made = plan(
        "[sweep]\ndesign = \"one-at-a-time\"\n"
        "[[sweep.axis]]\ncontroller.input_queue_bytes = [128, 256, 512]\n"
        "[[sweep.axis]]\nrun.seeds = [1, 2]\n"
        "[[sweep.axis]]\nname = \"interrupt cost\"\nfirmware.entry_cycles = [20, 90]\n"
        "firmware.exit_cycles = [14, 60]\n");
    // 256 is the file's own value and not a separate point.
    EXPECT_THAT(
        descriptions(made),
        ElementsAre("", "input_queue_bytes = 128", "input_queue_bytes = 512",
                    "entry_cycles = 20, exit_cycles = 14", "entry_cycles = 90, exit_cycles = 60"));
    EXPECT_EQ(made.points[0].varied_axis, std::nullopt);
    EXPECT_EQ(made.points[2].varied_axis, 1U);
    EXPECT_EQ(made.points[3].varied_axis, 3U);
    for (const PlannedPoint& point : made.points) {
        EXPECT_THAT(point.seeds, ElementsAre(1U, 2U));
    }
    EXPECT_EQ(setup::value_text(made.points[3].values[0]), "256");
    EXPECT_EQ(made.names[1].axis, 3U);
    EXPECT_EQ(made.names[1].axis_name, "interrupt cost");
    EXPECT_EQ(made.names[0].axis_name, "input_queue_bytes");
}

TEST_F(SweepPlanTest, FiltersSeeWhatTheFileSaysOfAxesThatDoNotVary) {
    EXPECT_THAT(descriptions(plan("[sweep]\ndesign = \"one-at-a-time\"\n"
                                  "filter = \"hop_cycles = 1 or input_queue_bytes < 256\"\n"
                                  "[[sweep.axis]]\ncontroller.input_queue_bytes = [128, 512]\n"
                                  "[[sweep.axis]]\nnetwork.hop_cycles = [2, 4]\n")),
                ElementsAre("", "input_queue_bytes = 128", "input_queue_bytes = 512"));
}

}  // namespace
}  // namespace weir::experiments::running
