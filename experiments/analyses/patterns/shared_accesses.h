#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/analyses/traced_run.h"
#include "experiments/records/document.h"
#include "experiments/records/measured.h"
#include "experiments/records/result.h"

namespace weir::experiments::analyses {

/// Where the cycles of an access to a line of another node go; each cycle from the miss to the
/// line's first use is in one part.
enum class SharedAccessPart : std::uint8_t {
    kMiss,           ///< until the home is asked
    kBusy,           ///< until it is asked for the last time
    kRequest,        ///< the request's way through output queue, network and input queue
    kHome,           ///< it waits for the home
    kSoftware,       ///< the home's trap, until it sends its first packet
    kInvalidations,  ///< from the first INV to the last acknowledgement
    kMemory,         ///< else at the home: directory and memory
    kReply,          ///< the reply's way
    kUse,            ///< until the access is performed
};
inline constexpr std::array kSharedAccessParts{
    "miss", "busy", "request", "home", "software", "invalidations", "memory", "reply", "use"};

/// Of accesses that missed and whose line's home is another node, prefetches left out: means over
/// those that began in the cycles asked about.
struct SharedAccessMetrics final : records::MetricGroup {
    /// Of one kind of accesses: "load" or "store".
    struct Kind {
        Kind(records::MetricGroup& group, const std::string& access);
        records::Metric count;
        records::Metric cycles;
        records::MetricFamily parts;
    };
    Kind loads{*this, "load"};
    Kind stores{*this, "store"};
};
const SharedAccessMetrics& shared_access_metrics();

/// The parts of a transaction that was used, in cycles.
[[nodiscard]] std::array<std::int64_t, kSharedAccessParts.size()> parts_of(
    const hw::SharedTransaction& transaction);

/// Nothing where memory is not shared.
void measure_shared_accesses(const TracedRun& run, records::Measured& measured);

/// A figure and a table of them; nothing where no point has any.
[[nodiscard]] std::optional<records::Section> shared_accesses_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::analyses
