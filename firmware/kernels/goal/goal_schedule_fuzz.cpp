#include <string>
#include <vector>

#include "firmware/kernels/goal/goal_schedule.h"
#include "hw/testing/fuzz_target.h"

namespace weir::firmware {
namespace {

const hw::testing::FuzzTarget kGoalFuzz({
    .name = "goal",
    .sources = {"firmware/kernels/goal/goal_schedule.cpp"},
    .read = [](const std::string& input) { static_cast<void>(parse_goal(input, "a.goal")); },
    .seeds =
        [] {
            return std::vector<std::string>{
                "num_ranks 2\nrank 0 {\nl1: calc 100 cpu 0\nl2: send 16b to 1 tag 5 cpu 0 nic 0\n"
                "l2 requires l1\n}\nrank 1 {\nrecv 16b from 0 tag 5\n}\n",
                "// two\nnum_ranks 2 rank 1 {\nl1: recv 8 b from -1 tag -1\nl2: calc 3\r\n"
                "l2 irequires l1\n}\n/* rank 0\nsends */\nrank 0 { send 8b to 1\n}",
                "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na requires b\nb requires a\n}\n"};
        },
    .tests = "GoalScheduleTest.*",
    .words = {"num_ranks ", "rank ", "send ", "recv ", "calc ", "b to ", "b from ", "tag ", "cpu 0",
              "nic 0", "requires ", "irequires ", "-1", "l1: ", "{\n", "}\n"},
});

}  // namespace
}  // namespace weir::firmware
