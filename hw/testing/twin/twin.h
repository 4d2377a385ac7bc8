#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "hw/testing/needed_tool.h"
#include "hw/testing/twin/port_recording.h"
#include "hw/twin.h"

/// Comparison of a part's twin, the same part in synthesizable SystemVerilog, with its model.
///
/// How to compare a part, in a test whose suite ends in TwinTest:
///  1. A recorder observes the model's part in a run, and fills a PortRecording with a row per
///     cycle, from cycle 0 of the run on.
///  2. compare(twin, {recording}) runs the twin under Verilator: one clock edge with reset, and
///     then one clock edge per row. In each cycle it applies the row's inputs, lets the logic
///     settle, and compares the outputs before the rising edge of the clock.
///  3. expect_equal() and expect_found() are the expectations of tests: no difference, and a
///     difference for each planted fault.
///
///     const Twin twin{"byte_queue", {"hw/queues/byte_queue.sv"}, {{"QUEUE_BYTES", 256}}};
///     TEST(ByteQueueTwinTest, EqualsTheModel) {
///         WEIR_NEEDS_VERILATOR();
///         expect_equal(compare(twin, {recording}), 2000);
///         expect_found(twin, {recording}, {{"room is a byte too large",
///                                           "held < QUEUE_BYTES", "held <= QUEUE_BYTES"}});
///     }
///     TEST(ByteQueueTwinTest, IsSynthesizable) {
///         WEIR_NEEDS_VERILATOR();
///         EXPECT_EQ(complaints(twin), "");
///     }
///
/// A CMake target of tests that compare links weir_twin_testing. Verilated programs are stored in
/// the build tree, under a hash of all that they are made of. So a test that runs again only
/// simulates. The module must have the ports `clk` and `reset`, synchronous and active high.
namespace weir::hw::twin {

using hw::Twin;

/// A connection between two instances of a twin, in place of recorded inputs. `bits` bits of an
/// output of one instance drive as many bits of an input of another.
struct Wire {
    struct End {
        std::size_t instance = 0;
        std::size_t port = 0;  ///< number among the recording's ports
        int first_bit = 0;
    };
    End from = {};
    End to = {};
    int bits = 1;
};

struct Difference {
    std::int64_t cycle = 0;
    std::size_t instance = 0;
    std::string port = {};
    std::string expected = {};  ///< hexadecimal; bits that are not compared are 0
    std::string found = {};
};

struct Comparison {
    std::int64_t cycles = 0;     ///< cycles compared, over all instances
    std::int64_t differing = 0;  ///< those with a difference
    std::optional<Difference> first = {};
};
std::ostream& operator<<(std::ostream& out, const Comparison& comparison);

/// A change of a twin's source that the comparison must find. `text` must be in its sources exactly
/// once.
struct Fault {
    std::string name = {};
    std::string text = {};
    std::string replacement = {};
};

/// Runs an instance of the twin for each recording, all in the same cycles, and compares their
/// outputs. The recordings must have the same ports. Throws std::runtime_error, with the tool's
/// output, if the twin can't be built or run.
[[nodiscard]] Comparison compare(const Twin& twin, const std::vector<PortRecording>& recordings,
                                 const std::vector<Wire>& wires = {});
/// As above, with a fault in a copy of the sources. Throws std::invalid_argument if the fault's
/// text is not in the sources exactly once.
[[nodiscard]] Comparison compare(const Twin& twin, const std::vector<PortRecording>& recordings,
                                 const Fault& fault, const std::vector<Wire>& wires = {});

/// Complaints of Verilator (--lint-only -Wall) and of yosys, where it is installed; empty if the
/// twin is synthesizable. Yosys reads and checks the module, which must have no latches.
[[nodiscard]] std::string complaints(const Twin& twin);

/// Expects at least `least_cycles` compared cycles, and no difference.
void expect_equal(const Comparison& comparison, std::int64_t least_cycles);
/// Expects a difference for each of the faults.
void expect_found(const Twin& twin, const std::vector<PortRecording>& recordings,
                  const std::vector<Fault>& faults, const std::vector<Wire>& wires = {});

}  // namespace weir::hw::twin

/// Skips the test if Verilator is missing, or if the build has sanitizers. The test's time is
/// mostly that of compiling the verilated twin, which has no sanitizers.
#ifdef WEIR_HAS_SANITIZERS
#define WEIR_NEEDS_VERILATOR() GTEST_SKIP() << "the build has sanitizers"
#else
#define WEIR_NEEDS_VERILATOR() WEIR_NEEDS_TOOL("verilator")
#endif
