#include <fstream>

#include "experiments/trace/database/foreign_trace.h"
#include "experiments/trace/database/trace_digest.h"
#include "experiments/trace/log/trace_store.h"
#include "experiments/trace/measurements/measurements.h"
#include "experiments/trace/measurements/round_trip_breakdown.h"
#include "experiments/trace/measurements/timeline.h"
#include "experiments/trace/testing/foreign_trace_text.h"
#include "experiments/trace/testing/fuzzed_database.h"
#include "experiments/trace/testing/hand_made_trace.h"

namespace weir::experiments::trace {
namespace {

// Trace of Weir, as SQL.
std::string own_trace() {
    const hw::testing::InputFile log("own.weir");
    {
        TraceStore store(log.path(), 2);
        HandMadeTrace().report_to(store);
        store.finish();
    }
    const hw::testing::InputFile file("own.sqlite");
    write_trace(read_log(log.path()), file.path());
    return sql_of(file.path());
}

// Reads a trace as `weir trace` does: as one of Weir, and as a foreign one.
void read_trace(const std::string& input) {
    static const hw::testing::InputFile file("trace.sqlite");
    write_database(file, input);
    try {
        static_cast<void>(trace_digest(file.path()));
        static_cast<void>(Timeline(TraceDatabase::open(file.path()), {}).window());
    } catch (const TraceError& fault) {
        hw::testing::require_sound_message(fault.what());
    }
    const Trace trace = load_trace(open_foreign_trace(file.path()));
    static_cast<void>(mark_names(trace));
    static_cast<void>(round_trips(trace));
    static_cast<void>(logp_parameters(trace));
    static_cast<void>(round_trip_breakdown(trace));
    static_cast<void>(latencies(trace));
}

const hw::testing::FuzzTarget kTraceFuzz({
    .name = "trace",
    .sources = {"experiments/trace/database/foreign_trace.cpp",
                "experiments/trace/database/stored_trace.cpp",
                "experiments/trace/database/trace_database.cpp",
                "experiments/trace/database/trace_digest.cpp"},
    .read = read_trace,
    .seeds =
        [] {
            const hw::testing::InputFile file("seed.sqlite");
            run_sql_on(file.path(), std::string(kForeignTrace) + kForeignIntervals);
            std::ifstream bytes(file.path(), std::ios::binary);
            return std::vector<std::string>{std::string(kForeignTrace) + kForeignIntervals,
                                            own_trace(),
                                            std::string(std::istreambuf_iterator<char>(bytes), {}),
                                            std::string(kForeignTrace) + kForeignIntervals +
                                                "UPDATE messages SET notify_cycle = 'soon'"};
        },
    .tests = "ForeignTraceTest.*",
    .words = {"UPDATE messages SET ", "DROP TABLE ", "DELETE FROM ", "ALTER TABLE ", "CREATE VIEW ",
              "INSERT INTO ", " AS SELECT ", "NULL", "x'00'", "9223372036854775807"},
});

}  // namespace
}  // namespace weir::experiments::trace
