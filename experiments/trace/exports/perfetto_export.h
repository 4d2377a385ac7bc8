#pragma once

#include <cstdint>

#include "experiments/trace/exports/export_file.h"
#include "experiments/trace/measurements/time_scale.h"
#include "experiments/trace/measurements/timeline.h"

namespace weir::experiments::trace {

/// Writes a timeline as trace events in JSON, which Perfetto's UI (ui.perfetto.dev) draws.
/// - Process: a node, "node 3". Its process id is the node's number plus 1, since viewers take
///   process 0 for idle.
/// - Thread: a track of a node. Its slices are states with their cycles. A handler's slice lists
///   its message and the durations of the message's stages. A DMA transfer's slice lists bytes and
///   waits. A stall's slice lists the waiting message and the message it waits for.
/// - Counter: bytes of a traced queue.
/// - Arrow "message": from a message's launch to its handler.
/// - Arrow "reply": from a handler to a message that it sends.
/// - Arrow "body": from the sending to the receiving DMA transfer.
/// - Instant: a mark of a kernel.
/// - otherData: time scale, window, and the trace's facts about its run.
///
/// Equal timelines give equal texts. Viewers count whole nanoseconds, so a clock above 1 GHz is
/// drawn with one microsecond per cycle; otherData says so.
///
/// Returns the number of events, without those that only name processes and threads.
std::int64_t export_to_perfetto(const Timeline& timeline, const TimeScale& scale, ExportFile& file);

/// Time scale that export_to_perfetto() draws with.
TimeScale perfetto_time_scale(const TimeScale& scale);

/// Text of a time in microseconds for a trace event. Perfetto reads it as a double, multiplies by
/// 1000 and drops the fraction. Where Perfetto's conversion would lose a nanosecond, the text has a
/// tenth of a nanosecond more.
std::string microseconds_text(std::int64_t nanoseconds);

}  // namespace weir::experiments::trace
