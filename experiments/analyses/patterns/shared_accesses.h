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
    kMiss,           ///< from the miss to the first request to the home
    kBusy,           ///< from the first to the last request, if the home was busy
    kRequest,        ///< request in output queue, network and input queue
    kHome,           ///< waiting of the request for the home
    kSoftware,       ///< trap of the home, until it sends its first packet
    kInvalidations,  ///< from the first INV to the last acknowledgement
    kMemory,         ///< other time at the home: directory and memory
    kReply,          ///< reply in queues and network
    kUse,            ///< from the arrival of the line to the access
};
inline constexpr std::array kSharedAccessParts{
    "miss", "busy", "request", "home", "software", "invalidations", "memory", "reply", "use"};

/// Metrics of accesses that missed and whose line's home is another node, without prefetches: means
/// over those that began in the asked window.
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
