#include "firmware/kernels/workpile/workpile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

using ::testing::HasSubstr;

class WorkpileTest : public ::testing::Test {
  protected:
    WorkpileTest() {
        bench_.set_dimensions({3, 2});
        bench_.set_workload("servers", std::int64_t{2});
        bench_.set_workload("chunks", std::int64_t{41});
        bench_.set_workload("work_cycles", 100.0);
    }
    ~WorkpileTest() override { std::filesystem::remove(file_); }
    WorkpileTest(const WorkpileTest&) = delete;
    WorkpileTest& operator=(const WorkpileTest&) = delete;

    void run() { ASSERT_EQ(bench_.fault_of_run(), ""); }
    void use_file(const std::string& text) {
        std::ofstream(file_) << text;
        bench_.set_workload("work", std::string("file"));
        bench_.set_workload("work_file", file_.string());
    }
    std::int64_t compute_cycles() {
        std::int64_t sum = 0;
        for (std::int32_t node = 0; node < 6; ++node) {
            sum += bench_.machine().node(hw::NodeId(node)).core.statistics().compute_cycles.value();
        }
        return sum;
    }
    firmware::testing::KernelBench bench_{"workpile"};
    std::filesystem::path file_ = std::filesystem::temp_directory_path() /
                                  ("weir_workpile_" + std::to_string(getpid()) + ".txt");
};

TEST_F(WorkpileTest, EveryChunkIsDoneOnce) {
    run();
    // A message each way for each chunk, and for each client's last question to each server.
    EXPECT_EQ(bench_.trace.messages.size(), 2U * (41 + 4 * 2));
    EXPECT_EQ(compute_cycles(), 4100);
}

TEST_F(WorkpileTest, ServersOnlyServe) {
    run();
    EXPECT_EQ(bench_.machine().node(hw::NodeId(1)).core.statistics().compute_cycles.value(), 0);
    EXPECT_EQ(bench_.machine().node(hw::NodeId(1)).core.statistics().interrupts.value(), 20 + 4);
}

TEST_F(WorkpileTest, ExponentialWorkVaries) {
    bench_.set_workload("work", std::string("exponential"));
    run();
    EXPECT_NE(compute_cycles(), 4100);
    EXPECT_NEAR(static_cast<double>(compute_cycles()), 4100.0, 3 * 100 * 6.4);  // tolerance: 3
                                                                                // sigma of 41
                                                                                // chunks
}

TEST_F(WorkpileTest, WorkFromAFileIsTakenAgain) {
    use_file("10\n20\n");
    run();
    EXPECT_EQ(compute_cycles(), 21 * 10 + 20 * 20);
}

TEST_F(WorkpileTest, AFileOfAnotherSystemIsReadToo) {
    use_file(
        "\xEF\xBB\xBF"
        "10\r\n20\r\n");
    run();
    EXPECT_EQ(compute_cycles(), 21 * 10 + 20 * 20);
}

TEST_F(WorkpileTest, WhatIsNoWholeNumberIsRefused) {
    for (const char* line : {"1e1", "0x10", "-1", "+1", "1 2", "nan", "1.5", "99999999999999999999",
                             "12abc", "1\v", "１", "1_000"}) {
        use_file(std::string("10\n") + line + "\n");
        EXPECT_THAT(hw::testing::result_of_separate_run([this] { return bench_.fault_of_data(); }),
                    HasSubstr(":2: found "))
            << line;
    }
}

TEST_F(WorkpileTest, AMalformedLineIsRefused) {
    use_file("10\n20 cycles\n");
    EXPECT_THAT(bench_.fault_of_data(), HasSubstr(":2: found \"20 cycles\"; accepted: a whole"));
}

TEST_F(WorkpileTest, AnEmptyFileIsRefused) {
    use_file("");
    EXPECT_THAT(bench_.fault_of_data(), Names("empty", "accepted"));
}

TEST_F(WorkpileTest, AMissingFileIsRefused) {
    use_file("1\n");
    bench_.set_workload("work_file", std::string("no/such/file"));
    EXPECT_THAT(bench_.fault_of_data(), Names("no/such/file: ", "read"));
}

TEST_F(WorkpileTest, AWorkpileWithoutClientsIsRefused) {
    bench_.set_workload("servers", std::int64_t{6});
    EXPECT_THAT(bench_.fault_of_data(), Names("workload.servers: ", "6", "client", "1", "5"));
}

TEST_F(WorkpileTest, ZeroServersAreRefused) {
    hw::ParameterBase* servers = bench_.kernel().parameters().find("servers");
    EXPECT_FALSE(servers->set(std::int64_t{0}));
}

}  // namespace
}  // namespace weir::firmware
