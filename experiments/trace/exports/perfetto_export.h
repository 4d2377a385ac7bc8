#pragma once

#include <cstdint>

#include "experiments/trace/exports/export_file.h"
#include "experiments/trace/measurements/time_scale.h"
#include "experiments/trace/measurements/timeline.h"

namespace weir::experiments::trace {

/// Writes a timeline as trace events in JSON, which Perfetto's UI (ui.perfetto.dev) draws:
///   a process    each node, "node 3"; its process id is one more, since viewers take 0 for idle
///   a thread     each track of a node: slices are its states, with their cycles, and for a handler
///                its message and where that message's cycles went; a DMA engine's are its
///                transfers, with their bytes and waits, and a stall says who waits for whom
///   a counter    each traced queue, its bytes
///   an arrow     "message", from a message's launch to its handler, "reply", from a handler to
///                what it sends, and "body", from one memory to the other
///   an instant   each mark of a kernel
///   otherData    the time scale, the window and what the trace says of its run
/// The same timeline gives the same text. Viewers count whole nanoseconds: a clock above 1 GHz is
/// drawn with a microsecond a cycle, and the time scale in otherData says so.
///
/// Returns the number of events, those that only name processes and threads not counted.
std::int64_t export_to_perfetto(const Timeline& timeline, const TimeScale& scale, ExportFile& file);

/// The time scale that export_to_perfetto() draws with.
TimeScale perfetto_time_scale(const TimeScale& scale);

/// Nanoseconds as the number of microseconds that a trace event has. Perfetto reads it as a double
/// and drops what is left below a nanosecond after multiplying by 1000: where that would lose one,
/// the text has a tenth of a nanosecond more.
std::string microseconds_text(std::int64_t nanoseconds);

}  // namespace weir::experiments::trace
