#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/testing/parameter_lines.h"
#include "nodes/machine.h"

namespace weir::nodes {
namespace {

using hw::testing::parameter_lines;
using ::testing::ElementsAre;

// What each parameter is where nobody says otherwise, and what it can be told. Whoever changes one
// changes what experiments mean that do not name it.
TEST(NodeParametersTest, Machine) {
    EXPECT_THAT(parameter_lines(MachineParameters()),
                ElementsAre("nodes = 32; a whole number from 1 to 16384",
                            "unloaded_overheads_cycles = 0; a whole number from 0 to 1000000000"));
}

TEST(NodeParametersTest, Core) {
    EXPECT_THAT(
        parameter_lines(Core::Parameters()),
        ElementsAre(
            "kind = behavioural; one of \"behavioural\", \"sparcle\"",
            "receive_mode = interrupt; one of \"interrupt\", \"polling\", \"protocol_processor\"",
            "poll_period_cycles = 4; a whole number from 1 to 1000000; with core.kind = "
            "\"behavioural\" and core.receive_mode = \"polling\"",
            "contexts = 1; a whole number from 1 to 4",
            "context_switch_cycles = 14; a whole number from 1 to 1000000; with core.kind = "
            "\"behavioural\" and core.contexts of 2 or more",
            "full_empty_trap_cycles = 13; a whole number from 1 to 1000000; with core.kind = "
            "\"behavioural\" and core.contexts = 1 and a kernel that shares memory",
            "loads_in_flight = 1; a whole number from 1 to 64; with core.kind = \"behavioural\" "
            "and memory.caches of 1 or more",
            "cache_interference_cycles = 0; a whole number from 0 to 1000000; with core.kind = "
            "\"behavioural\" and core.receive_mode = \"interrupt\""));
}

TEST(NodeParametersTest, Sparcle) {
    EXPECT_THAT(
        parameter_lines(sparcle::Timing()),
        ElementsAre("integer_cycles = 1; a whole number from 1 to 1000",
                    "jump_cycles = 2; a whole number from 1 to 1000",
                    "return_from_trap_cycles = 2; a whole number from 1 to 1000",
                    "atomic_cycles = 4; a whole number from 1 to 1000",
                    "load_use_cycles = 1; a whole number from 0 to 1000",
                    "cycle_counter_cycles = 0; a whole number from 0 to 100000",
                    "trap_cycles = 3; a whole number from 1 to 1000",
                    "remote_wait_trap_cycles = 5; a whole number from 1 to 1000",
                    "multiply_divide = false; true or false",
                    "multiply_cycles = 19; a whole number from 1 to 1000; with "
                    "sparcle.multiply_divide = true",
                    "divide_cycles = 39; a whole number from 1 to 1000; with "
                    "sparcle.multiply_divide = true",
                    "floating_point_unit = true; true or false",
                    "float_add_cycles = 4; a whole number from 1 to 1000; with "
                    "sparcle.floating_point_unit = true",
                    "float_multiply_single_cycles = 5; a whole number from 1 to 1000; with "
                    "sparcle.floating_point_unit = true",
                    "float_multiply_double_cycles = 9; a whole number from 1 to 1000; with "
                    "sparcle.floating_point_unit = true",
                    "float_divide_single_cycles = 20; a whole number from 1 to 1000; with "
                    "sparcle.floating_point_unit = true",
                    "float_divide_double_cycles = 35; a whole number from 1 to 1000; with "
                    "sparcle.floating_point_unit = true",
                    "float_root_single_cycles = 37; a whole number from 1 to 1000; with "
                    "sparcle.floating_point_unit = true",
                    "float_root_double_cycles = 65; a whole number from 1 to 1000; with "
                    "sparcle.floating_point_unit = true",
                    "float_move_cycles = 2; a whole number from 1 to 1000; with "
                    "sparcle.floating_point_unit = true",
                    "float_convert_cycles = 5; a whole number from 1 to 1000; with "
                    "sparcle.floating_point_unit = true",
                    "run_ahead = true; true or false; no result depends on it",
                    "null_page_bytes = 4096; a whole number from 0 to 4096",
                    "check_stack = true; true or false", "writable_text = false; true or false",
                    "check_uninitialised = false; true or false",
                    "handler_most_cycles = 0; a whole number from 0 to 1000000000"));
}

}  // namespace
}  // namespace weir::nodes
