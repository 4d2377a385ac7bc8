#include "experiments/random_machines/recorded_run.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "experiments/trace/measurements/message_stages.h"

namespace weir::experiments::random_machines {

namespace {

// A multiset of rows, as the sum of their hashes, 2 x 64 bits.
class RowSet {
  public:
    template <class... Columns>
    void add(const Columns&... columns) {
        row_.clear();
        (put(columns), ...);
        end_row();
    }
    void add(const hw::Message& message) {
        row_.clear();
        put(message.id);
        put(message.parent);
        for (const std::int64_t number :
             {std::int64_t{message.source.index()}, std::int64_t{message.destination.index()},
              std::int64_t{message.word_count}, message.bytes.count(), message.body_bytes.count(),
              std::int64_t{message.hops}, message.unloaded.count(), message.launch_blocked.count(),
              std::int64_t{message.restored_words}}) {
            put(number);
        }
        for (const auto stage : trace::kMessageStages) {
            put(message.times.*stage);
        }
        end_row();
    }
    [[nodiscard]] std::string hex() const { return fmt::format("{:016x}{:016x}", high_, low_); }

  private:
    template <class Unit>
    void put(hw::Quantity<Unit> quantity) {
        put(quantity.count());
    }
    void put(hw::NodeId node) { put(std::int64_t{node.index()}); }
    void put(hw::MessageId message) {
        put(message.source);
        put(message.sequence);
    }
    void put(std::int64_t number) { row_.append(reinterpret_cast<char*>(&number), sizeof number); }
    void put(std::string_view text) {
        put(static_cast<std::int64_t>(text.size()));
        row_ += text;
    }
    void end_row() {
        const XXH128_hash_t hash = XXH3_128bits(row_.data(), row_.size());
        low_ += hash.low64;
        high_ += hash.high64;
    }

    std::string row_;
    std::uint64_t low_ = 0;
    std::uint64_t high_ = 0;
};

// Table of a row, part of its hash, so that equal rows of different tables differ.
enum Table : std::int64_t { kInterval = 1, kLevel, kTransfer, kStall, kMark, kCounter };

auto place_of(const RecordedRun::Level& level) {
    return std::tuple(level.node, level.queue, level.cycle);
}

// Node of a part: 7 for "machine.node_7.controller"; empty for a part outside nodes.
std::optional<hw::NodeId> node_of(std::string_view part) {
    constexpr std::string_view kBefore = "machine.node_";
    std::int32_t node = 0;
    if (!part.starts_with(kBefore) ||
        std::from_chars(part.data() + kBefore.size(), part.data() + part.size(), node).ec !=
            std::errc()) {
        return std::nullopt;
    }
    return hw::NodeId(node);
}

}  // namespace

void RecordedRun::settle_levels() {
    std::stable_sort(levels.begin(), levels.end(),
                     [](const Level& a, const Level& b) { return place_of(a) < place_of(b); });
    std::vector<Level> settled;
    settled.reserve(levels.size());
    for (const Level& level : levels) {
        if (!settled.empty() && place_of(settled.back()) == place_of(level)) {
            settled.back() = level;
        } else {
            settled.push_back(level);
        }
    }
    levels = std::move(settled);
}

void RecordedRun::cut_intervals(hw::Cycles end) {
    std::erase_if(intervals, [end](const Interval& interval) { return interval.begin >= end; });
    for (Interval& interval : intervals) {
        interval.end = std::min(interval.end, end);
    }
}

std::string digest_of(const RecordedRun& recorded,
                      const std::vector<hw::PartStatistics>& statistics) {
    RowSet rows;
    for (const hw::Message& message : recorded.messages) {
        rows.add(message);
    }
    for (const auto& interval : recorded.intervals) {
        rows.add(kInterval, interval.node, static_cast<std::int64_t>(interval.state),
                 interval.begin, interval.end, interval.message);
    }
    for (const auto& level : recorded.levels) {
        rows.add(kLevel, level.node, static_cast<std::int64_t>(level.queue), level.cycle,
                 level.bytes, level.messages);
    }
    for (const auto& transfer : recorded.transfers) {
        rows.add(kTransfer, transfer.node, static_cast<std::int64_t>(transfer.engine),
                 transfer.message, transfer.begin, transfer.end, transfer.bytes, transfer.port_wait,
                 transfer.queue_wait);
    }
    for (const auto& stall : recorded.stalls) {
        rows.add(kStall, stall.node, static_cast<std::int64_t>(stall.place), stall.begin, stall.end,
                 stall.waiting, stall.holder);
    }
    std::map<std::pair<hw::NodeId, std::string>, std::int64_t> occurrences;
    for (const auto& mark : recorded.marks) {
        rows.add(kMark, mark.node, std::string_view(mark.name),
                 occurrences[{mark.node, mark.name}]++, mark.cycle, mark.value);
    }
    for (const hw::PartStatistics& part : statistics) {
        // Only parts of nodes are counted: a network's parts have other names if another class
        // replaces it. Classes of misses are left out, since only a switch counts them
        // (coherence.classify_misses).
        if (!node_of(part.part) || part.part.ends_with(".misses")) {
            continue;
        }
        for (const hw::Counter* counter : part.group->counters()) {
            rows.add(kCounter, std::string_view(part.part), std::string_view(counter->name()),
                     counter->value());
        }
    }
    return rows.hex();
}

std::vector<std::int64_t> values_of(const std::string& counter,
                                    const std::vector<hw::PartStatistics>& statistics) {
    std::vector<std::int64_t> values;
    for (const hw::PartStatistics& part : statistics) {
        for (const hw::Counter* one : part.group->counters()) {
            if (one->name() == counter) {
                values.push_back(one->value());
            }
        }
    }
    return values;
}

std::vector<QueueCount> queue_counts(const std::vector<hw::PartStatistics>& statistics) {
    std::vector<QueueCount> counts;
    for (const hw::PartStatistics& part : statistics) {
        const std::optional<hw::NodeId> node = node_of(part.part);
        std::map<std::string_view, std::int64_t> values;
        for (const hw::Counter* counter : part.group->counters()) {
            values[counter->name()] = counter->value();
        }
        if (node && values.contains("output_queue_message_cycles")) {
            counts.push_back({*node, hw::QueueKind::kOutput, values["output_queue_message_cycles"],
                              values["output_queue_byte_cycles"]});
            counts.push_back({*node, hw::QueueKind::kInput, values["input_queue_message_cycles"],
                              values["input_queue_byte_cycles"]});
        }
    }
    return counts;
}

}  // namespace weir::experiments::random_machines
