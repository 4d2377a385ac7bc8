#include <sstream>

#include "hw/testing/fuzz_target.h"
#include "network/traffic/packet_recording.h"

namespace weir::network {
namespace {

const hw::testing::FuzzTarget kPacketRecordingFuzz({
    .name = "recording",
    .sources = {"network/traffic/packet_recording.cpp", "network/traffic/packet_lines.cpp"},
    .read =
        [](const std::string& input) {
            std::istringstream file(input);
            static_cast<void>(read_packet_recording(file, "recording.txt", 4, hw::Flits(4)));
        },
    .seeds =
        [] {
            return std::vector<std::string>{
                "# cycle source destination flits arrived\n0 1 3 3 9\n\n5 1 0 1 12  # a comment\n",
                "0,1,3,4,9,2\n0,2,3,4,13,1\n"};
        },
    .tests = "PacketRecordingTest.*",
});

}  // namespace
}  // namespace weir::network
