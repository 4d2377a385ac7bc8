#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments::analyses {

namespace {

constexpr const char* kReads = R"(extends = "alewife-shared"
[workload]
kernel = "shared-reads"
reads = 240
[models]
compare = ["logp", "lopc", "lopc_channels", "multithreading", "lopc_nonblocking"]
)";

class SharedReadsRunTest : public ProgramTest {
  protected:
    void SetUp() override {
        ProgramTest::SetUp();
        write("reads.toml", kReads);
    }
    nlohmann::json run(std::vector<std::string> settings) {
        std::vector<std::string> options{"--out", "run" + std::to_string(runs_++)};
        for (std::string& setting : settings) {
            options.insert(options.end(), {"--set", std::move(setting)});
        }
        return result_of("reads.toml", options);
    }
    static const nlohmann::json& prediction(const nlohmann::json& result,
                                            const std::string& model) {
        return result.at("predicted").at(model);
    }
    static double error_of(const nlohmann::json& result, const std::string& model) {
        const double measured = result.at("measured").at("cycles_per_read");
        const double predicted = prediction(result, model).at("cycles_per_read");
        return predicted / measured - 1.0;
    }

  private:
    int runs_ = 0;
};

// A read of a neighbour's memory takes 41 cycles (latencies.toml); the mean pair is 3 hops further
// apart, in both directions.
TEST_F(SharedReadsRunTest, ModelsAreAskedWithAccessesThatMeetNobody) {
    for (const char* work : {"workload.work_cycles=0", "workload.work_cycles=1000"}) {
        const nlohmann::json inputs =
            prediction(run({work, "coherence.directory_cycles=7"}), "lopc_channels").at("inputs");
        EXPECT_EQ(inputs.at("directory_cycles"), 7.0);
        EXPECT_EQ(inputs.at("access_cycles"),
                  6.0);  // 4 from miss to request, 2 for a hit
        EXPECT_EQ(inputs.at("fill_cycles"), 1.0);
        EXPECT_EQ(inputs.at("reply_channel_cycles"), 12.0);
        EXPECT_NEAR(2.0 * inputs.at("latency_cycles").get<double>(), 41.0 - 12.0 + 6.0, 0.3);
        EXPECT_EQ(inputs.at("trapped_share"), 0.0);
    }
}

TEST_F(SharedReadsRunTest, LopcMeetsHomesThatTakeLongerThanTheirChannels) {
    for (const char* homes : {"workload.homes=1", "workload.homes=4", "workload.homes=0"}) {
        const nlohmann::json result = run({homes, "coherence.directory_cycles=40"});
        EXPECT_NEAR(error_of(result, "lopc"), 0.0, 0.04) << homes;
        EXPECT_LT(error_of(result, "logp"), -0.2) << homes;
    }
}

// All replies leave a home through one channel, 12 cycles each.
TEST_F(SharedReadsRunTest, AHomeOfAlewifeIsAsFastAsItsChannel) {
    const nlohmann::json result = run({"workload.homes=1"});
    EXPECT_NEAR(result.at("measured").at("cycles_per_read").get<double>(), 31.0 * 12.0, 2.0);
    EXPECT_LT(error_of(result, "lopc"), -0.5);
    EXPECT_NEAR(error_of(result, "lopc_channels"), 0.0, 0.05);
}

TEST_F(SharedReadsRunTest, LopcMeetsTrapsOfThreadsThatWork) {
    const nlohmann::json result =
        run({"workload.readers=12", "workload.work_cycles=1600", "coherence.pointers=1"});
    EXPECT_NEAR(error_of(result, "lopc"), 0.0, 0.02);
    EXPECT_LT(error_of(result, "logp"), -0.06);
    const nlohmann::json& measured = result.at("measured");
    EXPECT_NEAR(measured.at("trapped_reads_share").get<double>(), 0.5, 0.03);
    EXPECT_GT(measured.at("read_trap_cycles").get<double>(), 60.0 + 42.0 + 40.0);
    EXPECT_GE(measured.at("reads_per_trap").get<double>(), 1.0);
}

TEST_F(SharedReadsRunTest, ThreadsInTurnAreNoneOfLopcs) {
    const nlohmann::json result =
        run({"workload.threads=4", "core.contexts=4", "workload.work_cycles=200"});
    EXPECT_THAT(prediction(result, "lopc").at("not_applicable").get<std::string>(),
                ::testing::HasSubstr("wait"));
    EXPECT_EQ(prediction(result, "multithreading").at("cycles_per_read"), 200.0 + 2.0 + 14.0);
    EXPECT_NEAR(error_of(result, "multithreading"), 0.0, 0.02);
    EXPECT_NEAR(prediction(result, "lopc_nonblocking").at("cycles_per_read").get<double>(), 216.0,
                0.5);
    EXPECT_NEAR(error_of(result, "lopc_nonblocking"), 0.0, 0.02);
    EXPECT_THAT(prediction(run({}), "lopc_nonblocking").at("not_applicable").get<std::string>(),
                ::testing::HasSubstr("threads"));
    EXPECT_THAT(prediction(run({}), "multithreading").at("not_applicable").get<std::string>(),
                ::testing::HasSubstr("a node's threads"));
}

}  // namespace

}  // namespace weir::experiments::analyses
