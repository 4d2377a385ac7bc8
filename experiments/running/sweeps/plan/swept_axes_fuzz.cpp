#include "experiments/running/sweeps/plan/swept_axes.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::running {
namespace {

const hw::testing::FuzzTarget kSweptAxesFuzz({
    .name = "sweep-axes",
    .sources = {"experiments/running/sweeps/plan/swept_axes.cpp"},
    .read =
        [](const std::string& input) {
            const setup::TomlEntry file = setup::parse_toml(input, "study.toml");
            if (const setup::TomlEntry* sweep = file.as_table()->find("sweep")) {
                for (const SweptAxis& axis : read_axes(*sweep).axes) {
                    static_cast<void>(axis.is_of_seeds());
                }
            }
        },
    .seeds =
        [] {
            return std::vector<std::string>{R"([sweep]
design = "one-at-a-time"
filter = "input_queue_bytes >= 128"
[[sweep.axis]]
controller.input_queue_bytes = [64, 128, 256]
[[sweep.axis]]
name = "cost"
firmware.entry_cycles = { from = 30, to = 120, step = 30 }
[[sweep.axis]]
a.b = { from = 1, to = 1000, count = 7, scale = "logarithmic" }
[[sweep.axis]]
a.c = { from = 1, to = 1000, factor = 10 }
[[sweep.axis]]
machine.nodes = [8, 16]
network.dimensions = [[4, 2], [4, 4]]
[[sweep.axis]]
run.seeds = { from = 1, to = 10, step = 1 }
[[sweep.figure]]
kind = "lines"
metric = ["cycles_per_iteration", "lopc.cycles_per_iteration"]
x = "entry_cycles"
series = ["nodes"]
where = "nodes > 8"
x_scale = "logarithmic"
title = "A title"
)",
                                            "[sweep]\naxis = 3\n",
                                            "[sweep]\nfilter = [\"a\", 1]\n"};
        },
    .tests = "SweptAxesTest.*",
    .words = {"[[sweep.axis]]\n", "[[sweep.figure]]\n", "from = ", "to = ", "step = ", "count = ",
              "factor = ", "1e-300", "1e300", "inf", "nan", "scale = \"logarithmic\""},
});

}  // namespace
}  // namespace weir::experiments::running
