#include <sstream>

#include "hw/testing/fuzz_target.h"
#include "network/traffic/traffic_table.h"

namespace weir::network {
namespace {

const hw::testing::FuzzTarget kTrafficTableFuzz({
    .name = "traffic-table",
    .sources = {"network/traffic/traffic_table.cpp", "network/traffic/packet_lines.cpp"},
    .read =
        [](const std::string& input) {
            std::istringstream file(input);
            auto rates = read_traffic_table(file, "table.txt", 4, 0.01);
            TablePacketSource source(std::move(rates[0]), hw::Flits(8), hw::NodeId(0), 1);
            for (int i = 0; i < 10 && source.next(); ++i) {
            }
        },
    .seeds =
        [] {
            return std::vector<std::string>{
                "% source destination pir por t_on t_off t_period\n0 1 0.5\n0 3 0.1 0.5 10 20 "
                "100\n",
                "1, 2\n3 3 1e-3 0 5 # a comment\r\n"};
        },
    .tests = "TrafficTableTest.*",
});

}  // namespace
}  // namespace weir::network
