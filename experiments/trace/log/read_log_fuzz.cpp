#include <fstream>
#include <iterator>

#include "experiments/trace/log/read_log.h"
#include "experiments/trace/measurements/delivery_breakdown.h"
#include "experiments/trace/measurements/long_messages.h"
#include "experiments/trace/measurements/measurements.h"
#include "experiments/trace/measurements/round_trip_breakdown.h"
#include "experiments/trace/testing/hand_made_long_messages.h"
#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::trace {
namespace {

// Reads and measures a log, as a run does with its own.
void read_and_measure(const std::string& input) {
    static const hw::testing::InputFile file("trace.weir");
    file.write(input);
    const Trace trace = read_log(file.path());
    static_cast<void>(mark_names(trace));
    static_cast<void>(logp_parameters(trace));
    static_cast<void>(latencies(trace));
    static_cast<void>(gaps(trace));
    static_cast<void>(long_messages(trace));
    static_cast<void>(save_cycles(trace, {}));
    static_cast<void>(core_state_share(trace));
    static_cast<void>(input_queue_course(trace));
    static_cast<void>(delivery_breakdown(trace, {hw::Cycles(0), hw::Cycles(700)}));
    static_cast<void>(round_trip_breakdown(trace));
}

template <class Made>
std::string log_of(const Made& made, std::size_t rows_per_commit) {
    const hw::testing::InputFile file("seed.weir");
    {
        TraceStore store(file.path(), 2, {}, rows_per_commit);
        made.report_to(store);
        store.finish();
    }
    std::ifstream bytes(file.path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(bytes), {}};
}

const hw::testing::FuzzTarget kLogFuzz({
    .name = "trace-log",
    .sources = {"experiments/trace/log/read_log.cpp", "experiments/trace/log/column_codec.cpp",
                "experiments/trace/rows/trace.cpp"},
    .read = read_and_measure,
    .seeds =
        [] {
            const std::string log = log_of(HandMadeTrace(), kMostBlockRows);
            return std::vector<std::string>{log, log_of(HandMadeTrace(), 5),
                                            log_of(HandMadeLongMessages(), kMostBlockRows),
                                            log.substr(0, log.size() / 2)};
        },
    .words = {std::string(kLogMagic), "schema_version", "node_count"},
});

}  // namespace
}  // namespace weir::experiments::trace
