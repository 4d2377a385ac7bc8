#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/setup/text/shown_text.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::weir::testing::Names;

class MemoryKernelsRunTest : public ProgramTest {
  protected:
    static double measured(const json& result, const char* metric) {
        return result.at("measured").at(metric).get<double>();
    }
    void write_experiment(const std::string& workload) const {
        write("experiment.toml",
              "extends = \"alewife\"\n[machine]\nnodes = 4\n[network]\ndimensions = [2, 2]\n"
              "[models]\ncompare = [\"logp\", \"loggp\"]\n"
              "[firmware]\nbody_send = \"blocking\"\nbody_receive = \"blocking\"\n"
              "[workload]\n" +
                  workload);
    }
};

// Every access hits: a double is loaded in 3 cycles and stored in 4, and the loop takes 2.
TEST_F(MemoryKernelsRunTest, ACopyTakesItsAccessesAByte) {
    write("copy.toml",
          "extends = \"alewife\"\n[machine]\nnodes = 2\n[network]\ndimensions = [2, 1]\n"
          "[models]\ncompare = [\"logp\"]\n[workload]\nkernel = \"unpack\"\n"
          "sizes_bytes = [64, 1_024]\nstrides_bytes = [8, 512]\n");
    const json result = result_of("copy.toml");
    EXPECT_EQ(measured(result, "cycles_per_byte"), 9.0 / 8.0);
    EXPECT_THAT(output_of({"run", "copy.toml"}), HasSubstr(setup::spaced_name("cycles_per_byte")));
}

TEST_F(MemoryKernelsRunTest, ArraysThatDoNotFitAreRefused) {
    write("copy.toml",
          "extends = \"alewife\"\n[workload]\nkernel = \"memcpy\"\nsizes_bytes = [131_072]\n"
          "strides_bytes = [4_096]\n");
    const ProgramEnd end = weir({"run", "copy.toml"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, Names("131072 bytes", "stride", "4096"));
}

// On 2 x 2 nodes, each node packs and unpacks one column of 16 doubles in a step, and sends two
// edges.
TEST_F(MemoryKernelsRunTest, PhasesOfABoundaryExchange) {
    write_experiment("kernel = \"boundary-exchange\"\nblock = 16\nsteps = 2\n");
    const json result = result_of("experiment.toml");
    EXPECT_EQ(measured(result, "exchange_pack_cycles"), 16 * 9);
    EXPECT_GE(measured(result, "exchange_unpack_cycles"), 16 * 9);
    // All nodes send at the same time, so neighbours' messages interrupt the sends.
    EXPECT_GE(
        measured(result, "exchange_send_cycles") + measured(result, "exchange_receive_cycles"),
        2 * (25 + 129));
    EXPECT_GT(measured(result, "makespan_cycles"),
              2 * (measured(result, "exchange_pack_cycles") +
                   measured(result, "exchange_unpack_cycles") + 16 * 16 * (5 * 3 + 10 + 4)));
}

// The repository's experiment with less data. Only phases of columns have the costs of columns.
TEST_F(MemoryKernelsRunTest, RowsAgainstColumns) {
    const json points =
        result_of(std::string(WEIR_EXPERIMENTS) + "/memory-logp/boundary-exchange.toml",
                  {"--set", "workload.block=8", "--set", "workload.steps=2"})
            .at("points");
    ASSERT_EQ(points.size(), 5U);
    const auto phase = [&points](std::size_t point, const char* metric) {
        return points.at(point).at("measured").at(metric).get<double>();
    };
    EXPECT_EQ(phase(0, "exchange_pack_cycles"), 0.0);
    EXPECT_EQ(phase(0, "exchange_unpack_cycles"), 0.0);
    // Half of the nodes have one column, the others two.
    EXPECT_GE(phase(1, "exchange_pack_cycles"), 1.5 * 8 * 9);
    EXPECT_GE(phase(1, "exchange_unpack_cycles"), 1.5 * 8 * 9);
    EXPECT_GT(phase(1, "makespan_cycles"), phase(0, "makespan_cycles"));
}

}  // namespace
}  // namespace weir::experiments
