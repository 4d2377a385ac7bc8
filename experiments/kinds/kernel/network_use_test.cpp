#include "experiments/kinds/kernel/network_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::kinds {
namespace {

using ::testing::IsEmpty;

class NetworkUseTest : public ProgramTest {
  protected:
    static constexpr const char* kPoint = "out/point-01-seed-1";
    NetworkUseTest() { write("remap.toml", kSmallRemap); }
};

TEST_F(NetworkUseTest, IsReadAsItWasWritten) {
    const records::ChannelUses channels{{"(0,0) +x", 0.25}, {"(1,0) -x", 0.015625}};
    const QueueUses queues{{0, 12.5, 256, 0.25, 24}, {1, 0.0, 0, 3.5, 16}};
    write_channels(channels, folder());
    write_queues(queues, folder());
    const records::ChannelUses channels_read = read_channels(folder());
    const QueueUses queues_read = read_queues(folder());
    ASSERT_EQ(channels_read.size(), 2U);
    EXPECT_EQ(channels_read[1].channel, "(1,0) -x");
    EXPECT_EQ(channels_read[1].utilisation, 0.015625);
    ASSERT_EQ(queues_read.size(), 2U);
    EXPECT_EQ(queues_read[0].mean_input_bytes, 12.5);
    EXPECT_EQ(queues_read[0].peak_input_bytes, 256);
    EXPECT_EQ(queues_read[1].mean_output_bytes, 3.5);
    EXPECT_EQ(queues_read[1].peak_output_bytes, 16);
}

TEST_F(NetworkUseTest, OthersFilesAreNotRead) {
    EXPECT_THAT(read_channels(folder()), IsEmpty());
    write("channels.csv", "channel,load\n\"(0,0) +x\",0.5\n");
    EXPECT_THAT(read_channels(folder()), IsEmpty());
    EXPECT_THAT(read_queues(folder()), IsEmpty());
}

TEST_F(NetworkUseTest, ValuesThatNoRunLeavesAreRefused) {
    write("channels.csv", "channel,utilisation\n\"(0,0) +x\",inf\n");
    EXPECT_THROW(static_cast<void>(read_channels(folder())), setup::UserFault);
    for (const char* row : {"0,many", "-1,0,0,0,0", "0,nan,0,0,0", "0,0,-1,0,0", "0,0,0,0,1.5"}) {
        write("queues.csv", std::string("node,mean_input_bytes,peak_input_bytes,mean_output_bytes,"
                                        "peak_output_bytes\n") +
                                row + "\n");
        EXPECT_THROW(static_cast<void>(read_queues(folder())), setup::UserFault) << row;
    }
}

// Routers send flits into channels to other routers or out to nodes.
TEST_F(NetworkUseTest, ChannelsCarryWhatRoutersSendOn) {
    for (const std::string topology : {"mesh", "torus"}) {
        const nlohmann::json result =
            result_of("remap.toml", {"--out", topology, "--set", "network.topology=" + topology});
        const std::string point = topology + "/point-01-seed-1";
        const auto statistics = nlohmann::json::parse(read(point + "/statistics.json"));
        double forwarded = 0.0;
        double injected = 0.0;
        double ejected = 0.0;
        for (const auto& [part, counters] : statistics.items()) {
            forwarded += counters.value("flits_forwarded", 0.0);
            injected += counters.value("flits_injected", 0.0);
            ejected += counters.value("flits_ejected", 0.0);
        }
        ASSERT_GT(forwarded, ejected);
        const double cycles = result.at("cycles").at(0).get<double>();
        double carried = 0.0;
        const records::ChannelUses channels = read_channels(file(point));
        for (const records::ChannelUse& use : channels) {
            carried += use.utilisation * cycles;
        }
        // A network with nodes outside its switches also counts their channels.
        const double expected = topology == "mesh" ? forwarded - ejected : forwarded + injected;
        // Utilisations are written with six decimals.
        const double rounding = 5e-7 * cycles * static_cast<double>(channels.size());
        EXPECT_NEAR(carried, expected, rounding) << topology;
    }
}

TEST_F(NetworkUseTest, QueuesHoldWhatTheirCountersSay) {
    const nlohmann::json result = result_of("remap.toml", {"--out", "out"});
    const auto statistics = nlohmann::json::parse(read(std::string(kPoint) + "/statistics.json"));
    const double cycles = result.at("cycles").at(0).get<double>();
    const QueueUses queues = read_queues(file(kPoint));
    ASSERT_EQ(queues.size(), 8U);
    for (const QueueUse& use : queues) {
        const auto& counters =
            statistics.at("machine.node_" + std::to_string(use.node) + ".controller");
        EXPECT_NEAR(use.mean_input_bytes * cycles,
                    counters.at("input_queue_byte_cycles").get<double>(), 1e-6 * cycles);
        EXPECT_EQ(use.peak_input_bytes, counters.at("input_queue_peak_bytes").get<int>());
        EXPECT_GT(use.mean_output_bytes, 0.0);
    }
}

TEST_F(NetworkUseTest, DelaysHaveNoChannels) {
    static_cast<void>(result_of("remap.toml", {"--out", "out", "--set", "network.model=delay"}));
    EXPECT_THAT(read_channels(file(kPoint)), IsEmpty());
}

}  // namespace
}  // namespace weir::experiments::kinds
