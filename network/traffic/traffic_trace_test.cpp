#include "network/traffic/traffic_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <string>

#include "hw/testing/fuzz_target.h"
#include "hw/testing/names.h"
namespace weir::network {
namespace {

using weir::testing::Names;

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
    EXPECT_THAT(fault_of("0,1,3\n"), Names("packets.csv:1:", "3", "fields", "four", "cycle",
                                           "source", "destination", "bytes"));
    EXPECT_THAT(fault_of("cycle,source,destination,bytes\n0,1,4,16\n"),
                Names("packets.csv:2:", "destination", "\"4\"", "whole", "0", "3"));
    EXPECT_THAT(fault_of("0,-1,3,16\n"),
                Names("packets.csv:1:", "source", "\"-1\"", "whole", "0", "3"));
    EXPECT_THAT(fault_of("7,1,3,16\n# later\n6,1,3,16\n"),
                Names("packets.csv:3:", "cycle", "\"6\"", "whole", "7", "1000000000000"));
    EXPECT_THAT(fault_of("0,1,3,0\n"),
                Names("packets.csv:1:", "bytes", "\"0\"", "whole", "1", "1000000000"));
    EXPECT_THAT(fault_of("0,1,3,1.5\n"),
                Names("packets.csv:1:", "bytes", "\"1.5\"", "whole", "1", "1000000000"));
    EXPECT_THAT(fault_of("0,1,x,16\n"),
                Names("packets.csv:1:", "destination", "\"x\"", "whole", "0", "3"));
    // Only the first line can be a heading.
    EXPECT_THAT(fault_of("0,1,2,16\ncycle,source,destination,bytes\n"),
                Names("packets.csv:2:", "cycle", "\"cycle\"", "whole", "0", "1000000000000"));
}

TEST(TrafficTraceTest, NoFieldIsLeftOut) {
    for (const char* line : {"0,,1,3,16", ",0,1,3,16", "0,1,3,16,", "0,1,3,16,,", "0 1 , , 3 16"}) {
        EXPECT_THAT(fault_of(std::string(line) + "\n"), Names("packets.csv:1:", "fields", "four"))
            << line;
    }
    EXPECT_THAT(fault_of("0,1,,16\n"), Names("destination", "\"\""));
    for (const char* number :
         {"0x10", "1e1", "+16", "99999999999999999999", "12abc", "１6", "nan"}) {
        EXPECT_THAT(fault_of(std::string("0,1,3,") + number + "\n"),
                    Names("packets.csv:1:", "bytes", "\"" + std::string(number) + "\""))
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
    EXPECT_THAT(fault_of("0,1,3,16\n" + std::string(10'001, ' ')),
                Names("packets.csv:2:", "line", "10000", "10000"));
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
        EXPECT_THAT(fault.what(),
                    Names("packets.csv:3:", "9", "bytes", "5", "flits", "4", "8", "bytes",
                          "network.buffer_flits", "network.switching = \"wormhole\""));
    }
}

TEST(TrafficTraceTest, AFileWithoutPacketsIsRefused) {
    for (const char* file : {"", "# nothing\n", "cycle,source,destination,bytes\n"}) {
        EXPECT_THAT(fault_of(file),
                    Names("packets.csv: ", "packets", "cycle", "source", "destination", "bytes"));
    }
}

}  // namespace
}  // namespace weir::network
