#pragma once

#include <cstdint>

#include "experiments/trace/exports/export_file.h"
#include "experiments/trace/measurements/time_scale.h"
#include "experiments/trace/measurements/timeline.h"

namespace weir::experiments::trace {

/// Writes a timeline as a value change dump (IEEE 1364), which GTKWave draws. A scope `node_3` has
///   core_state        4 bits: hw::CoreState by number, named in the file's comment
///   handler           1 bit: a message is handled, on the core or beside it
///   handled_source,   the message handled, x when there is none
///   handled_sequence
///   send_dma, receive_dma   1 bit: the engine serves a message
///   launch_stalled    1 bit: a launch waits for room, or for the sending DMA engine
///   network_stopped   1 bit: an arrived flit waits for room, and the network behind it
///   input_queue_bytes and output_queue_bytes, where the trace has them
/// What the trace does not know is x. The time unit is the longest of 1, 10 or 100 s ... ps that
/// divides the cycle. The same timeline gives the same text.
///
/// Returns the number of value changes, the known values at the window's begin included.
std::int64_t export_to_vcd(const Timeline& timeline, const TimeScale& scale, ExportFile& file);

}  // namespace weir::experiments::trace
