#include "network/traffic/packet_recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "hw/testing/fuzz_target.h"
#include "hw/testing/names.h"

namespace weir::network {
namespace {

using hw::Cycles;
using hw::Flits;
using weir::testing::Names;

PacketRecording recording_in(const std::string& text) {
    hw::testing::note_seed("recording", text);
    std::istringstream file(text);
    return read_packet_recording(file, "recording.txt", 4, Flits(100));
}

std::string fault_of(const std::string& text) {
    try {
        static_cast<void>(recording_in(text));
    } catch (const TrafficFault& fault) {
        return fault.what();
    }
    return "";
}

// Sources may be in any order; the packets of each are in order of their cycles.
TEST(PacketRecordingTest, ReadsPacketsAndTheirArrivals) {
    const PacketRecording recording = recording_in(
        "# of a router\n"
        "cycle source destination flits arrived\n"
        "5 1 0 3 20\n"
        "8 1 1 1 12  # overtakes\n"
        "0,2,3,8,30,4\n");
    ASSERT_EQ(recording.packets.size(), 3U);
    EXPECT_EQ(recording.packets[0].arrived, Cycles(20));
    EXPECT_EQ(recording.packets[2].arrived, Cycles(30));
    EXPECT_EQ(recording.last_cycle(), Cycles(8));
    const auto packets = recording.by_source(4);
    using Packets = std::vector<GeneratedPacket>;
    EXPECT_EQ(packets[0], Packets{});
    EXPECT_EQ(packets[1], (Packets{{Cycles(5), 0, Flits(3), 0}, {Cycles(8), 1, Flits(1), 1}}));
    EXPECT_EQ(packets[2], (Packets{{Cycles(0), 3, Flits(8), 2}}));
}

TEST(PacketRecordingTest, FaultsSayTheLineAndWhatIsAccepted) {
    EXPECT_THAT(fault_of("0 1 3 8\n"), Names("recording.txt:1:", "4", "fields", "five", "cycle",
                                             "source", "destination", "flits", "arrived"));
    EXPECT_THAT(fault_of("0 1 3 8 9 1 1\n"), Names("recording.txt:1:", "7", "fields"));
    EXPECT_THAT(fault_of("0 1 3 8 9\n0 1 4 8 9\n"),
                Names("recording.txt:2:", "destination", "\"4\"", "0", "3"));
    EXPECT_THAT(fault_of("0 4 3 8 9\n"), Names("recording.txt:1:", "source", "\"4\"", "0", "3"));
    EXPECT_THAT(fault_of("7 1 3 8 19\n6 2 3 8 19\n6 1 3 8 19\n"),
                Names("recording.txt:3:", "cycle", "\"6\"", "7"));
    EXPECT_THAT(fault_of("7 1 3 0 19\n"), Names("recording.txt:1:", "flits", "\"0\"", "1"));
    EXPECT_THAT(fault_of("7 1 3 101 19\n"),
                Names("recording.txt:1:", "101", "flits", "100", "network.buffer_flits"));
    EXPECT_THAT(fault_of("7 1 3 8 6\n"), Names("recording.txt:1:", "arrived", "\"6\"", "7"));
    EXPECT_THAT(fault_of("7 1 3 8 19 20\n"),
                Names("recording.txt:1:", "injected", "\"20\"", "7", "19"));
    EXPECT_THAT(fault_of("# nothing\n"), Names("recording.txt", "no", "packets", "cycle"));
}

}  // namespace
}  // namespace weir::network
