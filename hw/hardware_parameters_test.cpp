#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/clock/clock_domain.h"
#include "hw/controller/controller.h"
#include "hw/dma/dma_engine.h"
#include "hw/dma/memory_port.h"
#include "hw/testing/parameter_lines.h"

namespace weir::hw {
namespace {

using ::testing::ElementsAre;
using testing::parameter_lines;

// What each parameter is where nobody says otherwise, and what it can be told. Whoever changes one
// changes what experiments mean that do not name it.
TEST(HardwareParametersTest, Clock) {
    EXPECT_THAT(parameter_lines(ClockDomainParameters()),
                ElementsAre("processor_mhz = 20; a number from 0.001 to 100000",
                            "tick_order = wake; one of \"wake\", \"reversed\", \"shuffled\"; no "
                            "result depends on it",
                            "sleeping = true; true or false; no result depends on it"));
}

TEST(HardwareParametersTest, Controller) {
    EXPECT_THAT(
        parameter_lines(ControllerParameters()),
        ElementsAre("output_queue_bytes = 256; a whole number from 64 to 1048576; with "
                    "network.model = \"wormhole\"",
                    "input_queue_bytes = 256; a whole number from 64 to 1048576; with "
                    "network.model = \"wormhole\"",
                    "store_cycles = 3; a whole number from 0 to 10000",
                    "launch_cycles = 3; a whole number from 0 to 10000",
                    "load_cycles = 2; a whole number from 0 to 10000",
                    "consecutive_load_cycles = 1; a whole number from 0 to 10000",
                    "double_cycles = 1; a whole number from 0 to 10000; with "
                    "firmware.save_double_words = true",
                    "notify_cycles = 10; a whole number from 0 to 10000",
                    "overflow_trap = false; true or false; with network.model = \"wormhole\"",
                    "overflow_timeout_cycles = 1000; a whole number from 32 to 1000000000; with "
                    "controller.overflow_trap = true"));
}

TEST(HardwareParametersTest, DmaEngines) {
    EXPECT_THAT(parameter_lines(DmaParameters()),
                ElementsAre("setup_cycles = 10; a whole number from 1 to 100000",
                            "burst_bytes = 32; a whole number from 8 to 256",
                            "turnaround_cycles = 2; a whole number from 1 to 10000"));
}

TEST(HardwareParametersTest, MemoryPort) {
    EXPECT_THAT(parameter_lines(MemoryPortParameters()),
                ElementsAre("beat_bytes = 8; a whole number from 1 to 64",
                            "beat_cycles = 2; a whole number from 1 to 1000",
                            "access_cycles = 0; a whole number from 0 to 100000",
                            "row_bytes = 0; a whole number from 0 to 1048576",
                            "row_access_cycles = 0; a whole number from 0 to 100000; with "
                            "memory_port.row_bytes of 1 or more",
                            "bursts_in_flight = 1; a whole number from 1 to 64; with "
                            "memory_port.access_cycles of 1 or more"));
}

}  // namespace
}  // namespace weir::hw
