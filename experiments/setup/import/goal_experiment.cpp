#include "experiments/setup/import/goal_experiment.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/text/utf8_text.h"
#include "hw/parameter.h"
#include "hw/refusal.h"

namespace weir::experiments::setup {

std::string goal_experiment(const std::string& source, const std::string& schedule,
                            std::size_t ranks) {
    // LogGOPSim's defaults in nanoseconds (simulator.ggo).
    constexpr int kLatency = 2500;
    constexpr int kOverhead = 1500;
    constexpr int kGap = 1000;
    const std::string name = printable_line(hw::shortened(source));
    return fmt::format(
        R"(# Imported from LogGOPSim: {}
# The abstract machine of LogP, with LogGOPSim's default L, o and g. A cycle is a
# nanosecond. LogGOPSim's G, O and S have no counterpart here: messages have no
# length, as with G = O = 0 and S above the longest message. On a machine with
# routers leave out all tables but [workload], and there all but the first two keys.
extends = "logp"
title = {}

[machine]
nodes = {}

[clock]
processor_mhz = 1000.0

[network]
dimensions = [{}]
logp_latency_cycles = {}     # L
logp_gap_cycles = {}         # g

[controller]
launch_cycles = {}           # o of a send

[firmware]
entry_cycles = 0               # the schedule's runtime takes messages, not the interrupt

[workload]
kernel = "goal"
schedule = {}
bodies = false
receive_cycles = {}          # o of a reception
gap_cycles = {}              # g
)",
        name, toml_text(hw::ParameterValue("LogGOPSim: " + name)), std::max<std::size_t>(2, ranks),
        std::max<std::size_t>(2, ranks), kLatency, kGap, kOverhead,
        toml_text(hw::ParameterValue(schedule)), kOverhead, kGap);
}

}  // namespace weir::experiments::setup
