#include "network/traffic/traffic_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <string>

#include "hw/testing/fuzz_target.h"
namespace weir::network {
namespace {

using hw::Cycles;
using hw::Flits;
using ::testing::HasSubstr;

std::vector<std::vector<GeneratedPacket>> packets_in(const std::string& text) {
    hw::testing::note_seed("traffic", text);
    std::istringstream file(text);
    return read_traffic_trace(file, "packets.csv", 4, hw::Bytes(2));
}

std::string fault_of(const std::string& text) {
    try {
        static_cast<void>(packets_in(text));
    } catch (const TrafficFault& fault) {
        return fault.what();
    }
    return "";
}

TEST(TrafficTraceTest, ReadsEachNodesPackets) {
    const auto packets = packets_in(
        "# of an application\n"
        "cycle, source, destination, bytes\n"
        "0, 1, 3, 16\n"
        "\n"
        "5 1 0 3   # blanks do too\n"
        "5,2,2,1\r\n");
    using Packets = std::vector<GeneratedPacket>;
    EXPECT_EQ(packets[0], Packets{});
    EXPECT_EQ(packets[1], (Packets{{Cycles(0), 3, Flits(8)}, {Cycles(5), 0, Flits(2)}}));
    EXPECT_EQ(packets[2], (Packets{{Cycles(5), 2, Flits(1)}}));
}

TEST(TrafficTraceTest, FaultsSayTheLineAndWhatIsAccepted) {
    EXPECT_EQ(fault_of("0,1,3\n"),
              "packets.csv:1: 3 fields; accepted: four: cycle, source, destination, bytes");
    EXPECT_EQ(fault_of("cycle,source,destination,bytes\n0,1,4,16\n"),
              "packets.csv:2: destination is \"4\"; accepted: a whole number from 0 to 3");
    EXPECT_EQ(fault_of("0,-1,3,16\n"),
              "packets.csv:1: source is \"-1\"; accepted: a whole number from 0 to 3");
    EXPECT_EQ(fault_of("7,1,3,16\n# later\n6,1,3,16\n"),
              "packets.csv:3: cycle is \"6\"; accepted: a whole number from 7 to 1000000000000");
    EXPECT_EQ(fault_of("0,1,3,0\n"),
              "packets.csv:1: bytes is \"0\"; accepted: a whole number from 1 to 1000000000");
    EXPECT_EQ(fault_of("0,1,3,1.5\n"),
              "packets.csv:1: bytes is \"1.5\"; accepted: a whole number from 1 to 1000000000");
    EXPECT_EQ(fault_of("0,1,x,16\n"),
              "packets.csv:1: destination is \"x\"; accepted: a whole number from 0 to 3");
    // Only the first line can be a heading.
    EXPECT_EQ(fault_of("0,1,2,16\ncycle,source,destination,bytes\n"),
              "packets.csv:2: cycle is \"cycle\"; accepted: a whole number from 0 to "
              "1000000000000");
}

TEST(TrafficTraceTest, NoFieldIsLeftOut) {
    for (const char* line : {"0,,1,3,16", ",0,1,3,16", "0,1,3,16,", "0,1,3,16,,", "0 1 , , 3 16"}) {
        EXPECT_THAT(fault_of(std::string(line) + "\n"), HasSubstr(" fields; accepted: four"))
            << line;
    }
    EXPECT_THAT(fault_of("0,1,,16\n"), HasSubstr("destination is \"\""));
    for (const char* number :
         {"0x10", "1e1", "+16", "99999999999999999999", "12abc", "１6", "nan"}) {
        EXPECT_THAT(fault_of(std::string("0,1,3,") + number + "\n"), HasSubstr("bytes is "))
            << number;
    }
    EXPECT_THAT(fault_of(std::string("0,1,3,16\0\n", 10)), HasSubstr("\\x00"));
    EXPECT_THAT(fault_of("0\v1 3 16\n"), HasSubstr("3 fields"));
}

TEST(TrafficTraceTest, AByteOrderMarkIsSkipped) {
    EXPECT_EQ(packets_in("\xEF\xBB\xBF"
                         "cycle,source,destination,bytes\n0,1,3,16\n")[1]
                  .size(),
              1U);
    EXPECT_EQ(packets_in("\xEF\xBB\xBF"
                         "0,1,3,16\n")[1]
                  .size(),
              1U);
}

TEST(TrafficTraceTest, ALineIsNotEndless) {
    EXPECT_EQ(fault_of("0,1,3,16\n" + std::string(10'001, ' ')),
              "packets.csv:2: the line has more than 10000 bytes; accepted: at most 10000 bytes");
}

TEST(TrafficTraceTest, PacketsLongerThanABufferOfWholeOnesAreRefused) {
    const std::string text = "0,1,3,7\n2,1,3,8\n3,1,3,9\n";
    const auto read = [&](std::optional<hw::Flits> longest) {
        std::istringstream file(text);
        return read_traffic_trace(file, "packets.csv", 4, hw::Bytes(2), longest);
    };
    EXPECT_EQ(read(std::nullopt)[1].size(), 3U);
    EXPECT_EQ(read(hw::Flits(5))[1].size(), 3U);
    try {
        static_cast<void>(read(hw::Flits(4)));
        FAIL() << "it was read";
    } catch (const TrafficFault& fault) {
        EXPECT_STREQ(fault.what(),
                     "packets.csv:3: a packet of 9 bytes is 5 flits, which never have room in a "
                     "buffer of 4; accepted: at most 8 bytes, a larger network.buffer_flits, or "
                     "network.switching = \"wormhole\"");
    }
}

TEST(TrafficTraceTest, AFileWithoutPacketsIsRefused) {
    const std::string expected =
        "packets.csv: has no packets; accepted: a line for each: cycle, source, destination, bytes";
    EXPECT_EQ(fault_of(""), expected);
    EXPECT_EQ(fault_of("# nothing\n"), expected);
    EXPECT_EQ(fault_of("cycle,source,destination,bytes\n"), expected);
}

}  // namespace
}  // namespace weir::network
