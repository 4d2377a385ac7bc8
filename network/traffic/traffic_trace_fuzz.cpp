#include <sstream>

#include "hw/testing/fuzz_target.h"
#include "network/traffic/traffic_trace.h"

namespace weir::network {
namespace {

const hw::testing::FuzzTarget kTrafficTraceFuzz({
    .name = "traffic",
    .sources = {"network/traffic/traffic_trace.cpp", "network/traffic/packet_lines.cpp"},
    .read =
        [](const std::string& input) {
            for (const std::optional<hw::Flits> longest :
                 {std::optional<hw::Flits>(), {hw::Flits(4)}}) {
                std::istringstream file(input);
                static_cast<void>(
                    read_traffic_trace(file, "packets.csv", 4, hw::Bytes(2), longest));
            }
        },
    .seeds =
        [] {
            return std::vector<std::string>{
                "# of an application\ncycle, source, destination, bytes\n0, 1, 3, 6\n\n"
                "5 1 0 3   # blanks do too\n5,2,2,1\r\n",
                "0,1,3,7\n2,1,3,8\n3,1,3,9\n"};
        },
    .tests = "TrafficTraceTest.*",
});

}  // namespace
}  // namespace weir::network
