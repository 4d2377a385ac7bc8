#pragma once

#include <cstdint>

#include "experiments/trace/exports/export_file.h"
#include "experiments/trace/measurements/time_scale.h"
#include "experiments/trace/measurements/timeline.h"

namespace weir::experiments::trace {

/// Writes a timeline as a value change dump (IEEE 1364), which GTKWave draws. Each node has a
/// scope, for example `node_3`, with these signals:
/// - core_state, 4 bits: hw::CoreState by number, named in the file's comment
/// - handler, 1 bit: a message is handled, on the core or on the protocol processor
/// - handled_source, handled_sequence: the handled message; x if there is none
/// - send_dma, receive_dma, 1 bit: the engine serves a message
/// - launch_stalled, 1 bit: a launch waits for room in the output queue, or for the sending DMA
///   engine
/// - network_stopped, 1 bit: an arrived flit waits for room in the input queue, and stops the
///   network behind it
/// - input_queue_bytes, output_queue_bytes: contents of the queues, if the trace has queue levels
///
/// Values that the trace does not know are x. The time unit is the longest of 1, 10 or 100 s ... ps
/// that divides the cycle. Equal timelines give equal texts.
///
/// Returns the number of value changes, including the known values at the window's begin.
std::int64_t export_to_vcd(const Timeline& timeline, const TimeScale& scale, ExportFile& file);

}  // namespace weir::experiments::trace
