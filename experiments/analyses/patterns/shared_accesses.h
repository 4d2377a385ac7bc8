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

/// Parts of an access to a line whose home is another node. Each cycle from the miss to the line's
/// first use is in exactly one part.
enum class SharedAccessPart : std::uint8_t {
    kMiss,           ///< time from the miss to the first request to the home
    kBusy,           ///< time from the first to the last request, while the home was busy
    kRequest,        ///< time of the request in output queue, network and input queue
    kHome,           ///< time that the request waits for the home's directory
    kSoftware,       ///< time of the home's software trap, until it sends its first packet
    kInvalidations,  ///< time from the first invalidation to the last acknowledgement
    kMemory,         ///< other time at the home: directory and memory
    kReply,          ///< time of the reply in queues and network
    kUse,            ///< time from the arrival of the line to the access
};
inline constexpr std::array kSharedAccessParts{
    "miss", "busy", "request", "home", "software", "invalidations", "memory", "reply", "use"};

/// Metrics of accesses that missed and whose line's home is another node, without prefetches. Means
/// are over accesses that began in the experiment's window.
struct SharedAccessMetrics final : records::MetricGroup {
    /// Metrics of one kind of access, "load" or "store".
    struct Kind {
        Kind(records::MetricGroup& group, const std::string& access);
        records::Metric count;
        records::Metric cycles;
        records::MetricFamily parts;
    };
    Kind loads{*this, "load"};
    Kind stores{*this, "store"};
};
inline const SharedAccessMetrics& shared_access_metrics() {
    return records::declared<SharedAccessMetrics>();
}

/// Cycles of each part of a transaction whose line was used.
[[nodiscard]] std::array<std::int64_t, kSharedAccessParts.size()> parts_of(
    const hw::SharedTransaction& transaction);

/// Measures shared accesses; adds nothing if memory is not shared.
void measure_shared_accesses(const TracedRun& run, records::Measured& measured);

/// Figure and table of the parts; absent if no point has any.
[[nodiscard]] std::optional<records::Section> shared_accesses_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::analyses
