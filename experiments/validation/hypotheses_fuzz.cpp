#include "experiments/validation/hypotheses.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::validation {
namespace {

const hw::testing::FuzzTarget kHypothesesFuzz({
    .name = "hypotheses",
    .sources = {"experiments/validation/hypotheses.cpp"},
    .read =
        [](const std::string& input) {
            static const hw::testing::InputFile file("hypotheses.toml");
            file.write(input);
            static_cast<void>(read_hypotheses(file.path()));
        },
    .seeds =
        [] {
            return std::vector<std::string>{R"(title = "What is open"
rows = ["sync-remap", "async-remap"]
keeps = ["table-1-*"]
[[hypothesis]]
name = "no exit"
what = "all of it comes before"
source = "Table 1"
set = { firmware.entry_cycles = 102, firmware.exit_cycles = 0 }
points = ["span *"]
[[hypothesis]]
name = "loop"
what = "a loop"
source = "none"
set.workload.loop_cycles = 40
[[combination]]
of = ["no exit", "loop"]
)",
                                            "rows = []\n", "[[hypothesis]]\nname = 1\n"};
        },
    .words = {"[[hypothesis]]\n", "[[combination]]\n", "rows = [", "keeps = [", "set = {",
              "points = [", "of = ["},
});

}  // namespace
}  // namespace weir::experiments::validation
