#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using ::testing::HasSubstr;
using ::weir::testing::Names;

// Files of other tools, from the command line to an experiment that runs.
class ImportTest : public ProgramTest {};

TEST_F(ImportTest, AnAnyNetOfBookSim) {
    write("any.cfg",
          "topology = anynet;\nrouting_function = min;\nnetwork_file = any.txt;\nnum_vcs = 2;\n"
          "vc_buf_size = 4;\ninjection_rate = 0.05;\nsample_period = 500;\n");
    write("any.txt",
          "router 0 node 0 node 1 router 1 3\nrouter 1 node 2 node 3 router 2\n"
          "router 2 node 4 router 0\n");
    EXPECT_EQ(weir({"import", "booksim", "any.cfg", "-o", "any.toml"}).status, 0);
    EXPECT_EQ(weir({"run", "any.toml", "--out", "any"}).status, 0);
    EXPECT_THAT(refused({"import", "booksim", "any.cfg"}), Names("any.cfg", "anynet", "-o"));
}

TEST_F(ImportTest, AFaultyNetworkLeavesNoFile) {
    write("any.cfg", "topology = anynet;\nrouting_function = min;\nnetwork_file = any.txt;\n");
    write("any.txt", "router 0 node 0\nrouter 1 nod 1\n");
    EXPECT_THAT(refused({"import", "booksim", "any.cfg", "-o", "any.toml"}),
                Names("any.txt:2:10", "nod", "node"));
    EXPECT_THAT(refused({"import", "booksim", "none.cfg"}), Names("none.cfg", "file"));
    std::filesystem::remove(folder() / "any.txt");
    EXPECT_THAT(refused({"import", "booksim", "any.cfg", "-o", "any.toml"}),
                Names("any.cfg:3:16", "any.txt"));
    EXPECT_FALSE(std::filesystem::exists(folder() / "any.toml"));
    EXPECT_FALSE(std::filesystem::exists(folder() / "any-network.dot"));
}

TEST_F(ImportTest, AScheduleOfLogGopsim) {
    write("two.goal",
          "num_ranks 2\nrank 0 {\ncalc 100\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n");
    std::filesystem::create_directory(folder() / "made");
    EXPECT_EQ(weir({"import", "goal", "two.goal", "-o", "made/two.toml"}).status, 0);
    EXPECT_EQ(weir({"check", "made/two.toml"}).status, 0);
    EXPECT_THAT(output_of({"import", "goal", "two.goal"}), HasSubstr("schedule = \"two.goal\""));
    write("two.goal", "num_ranks 2\nrank 0 {\nclac 100\n}\n");
    EXPECT_THAT(refused({"import", "goal", "two.goal"}), Names("two.goal:3:1", "clac"));
}

}  // namespace
}  // namespace weir::experiments
