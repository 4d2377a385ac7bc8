#include "experiments/kinds/replay/recording.h"
#include "experiments/trace/database/foreign_trace.h"
#include "experiments/trace/testing/foreign_trace_text.h"
#include "experiments/trace/testing/fuzzed_database.h"

namespace weir::experiments::kinds {
namespace {

void read_recording(const std::string& input) {
    static const hw::testing::InputFile file("trace.sqlite");
    trace::write_database(file, input);
    const trace::TraceDatabase trace = trace::open_foreign_trace(file.path());
    static_cast<void>(RecordingNeeds::of(trace));
    const Recording recording = Recording::read(trace);
    static_cast<void>(recording.messages_of(hw::NodeId(0)));
}

const hw::testing::FuzzTarget kRecordingFuzz({
    .name = "recording",
    .sources = {"experiments/kinds/replay/recording.cpp"},
    .read = read_recording,
    .seeds =
        [] {
            return std::vector<std::string>{
                trace::kForeignTrace, std::string(trace::kForeignTrace) + trace::kForeignIntervals,
                std::string(trace::kForeignTrace) +
                    "UPDATE messages SET body_bytes = 16, message_bytes = 24;",
                std::string(trace::kForeignTrace) + "UPDATE messages SET argument_words = 20;"};
        },
    .words = {"UPDATE messages SET ", "launch_cycle = ", "NULL", "body_bytes = ", "DELETE FROM "},
});

}  // namespace
}  // namespace weir::experiments::kinds
