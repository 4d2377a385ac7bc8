#include "experiments/models/memory_logp/transfer_timing.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>

#include "experiments/models/memory_logp/hierarchy_misses.h"
#include "experiments/models/memory_logp/stack_distance.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {

namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

struct TimedReference {
    std::uint64_t address = 0;
    bool is_store = false;
};

/// Residence of a block in a level, from the miss that fetches it to the miss that evicts it.
struct Stay {
    std::uint64_t block = 0;
    /// Position of the block's last reference in the level's stream.
    std::size_t last_reference = 0;
    std::size_t taken_out_by =
        kNone;  ///< evicting reference of the whole stream; kNone: not evicted
    bool is_stored_to = false;
};

/// Misses of a level at the references of the whole stream.
struct LevelCourse {
    struct Miss {
        /// Stay that begins with the miss; kNone: this reference does not miss.
        std::size_t brings_in = kNone;
        std::size_t takes_out = kNone;  ///< stay that the miss ends; kNone: no block is evicted

        [[nodiscard]] bool is_one() const { return brings_in != kNone; }
    };
    std::uint64_t line_bytes = 0;
    std::vector<Stay> stays;
    /// Misses of the level, by reference of the whole stream.
    std::vector<Miss> misses;
    std::unordered_map<std::uint64_t, std::size_t> stay_of;  ///< latest stay of each block
    std::vector<std::size_t> missed;                         ///< references of the next level
};

/// Stays and misses of a level; `stream` has the numbers of the references that reach the level.
LevelCourse course_of(const CacheLevelGeometry& level, const std::vector<TimedReference>& all,
                      const std::vector<std::size_t>& stream, bool is_first) {
    LevelCourse course;
    course.line_bytes = static_cast<std::uint64_t>(level.line_bytes);
    course.misses.resize(all.size());
    const auto sets = static_cast<std::uint64_t>(level.sets());
    const auto ways = static_cast<std::uint64_t>(level.lines_in_a_set());
    std::vector<std::uint64_t> blocks(stream.size());
    std::transform(stream.begin(), stream.end(), blocks.begin(), [&](std::size_t reference) {
        return all[reference].address / course.line_bytes;
    });
    const std::vector<std::uint64_t> distances = stack_distances_within_sets(blocks, sets);

    std::unordered_map<std::uint64_t, std::size_t> stay_of;
    for (std::size_t position = 0; position < stream.size(); ++position) {
        const std::uint64_t block = blocks[position];
        if (distances[position] >= ways) {
            stay_of[block] = course.stays.size();
            course.misses[stream[position]].brings_in = course.stays.size();
            course.missed.push_back(stream[position]);
            course.stays.push_back({.block = block});
        }
        Stay& stay = course.stays[stay_of.at(block)];
        stay.last_reference = position;
        stay.is_stored_to |= is_first && all[stream[position]].is_store;
    }

    // Stays sorted by set, within a set in the order of their eviction.
    std::vector<std::size_t> leaving(course.stays.size());
    for (std::size_t i = 0; i < leaving.size(); ++i) {
        leaving[i] = i;
    }
    std::sort(leaving.begin(), leaving.end(), [&](std::size_t left, std::size_t right) {
        return course.stays[left].last_reference < course.stays[right].last_reference;
    });
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> misses_of_set;
    for (const std::size_t reference : course.missed) {
        misses_of_set[all[reference].address / course.line_bytes % sets].push_back(reference);
    }
    std::unordered_map<std::uint64_t, std::size_t> left_of_set;
    for (const std::size_t index : leaving) {
        Stay& stay = course.stays[index];
        const std::vector<std::size_t>& misses = misses_of_set.at(stay.block % sets);
        const std::size_t miss = left_of_set[stay.block % sets]++ + static_cast<std::size_t>(ways);
        if (miss < misses.size()) {
            stay.taken_out_by = misses[miss];
            course.misses[misses[miss]].takes_out = index;
        }
    }
    return course;
}

/// Timing of the memory port and of the last level's write buffer.
class PortTimes {
  public:
    PortTimes(const TransferTimingInputs& inputs, std::int64_t fetched_bytes)
        : inputs_(inputs), fetched_bytes_(static_cast<std::uint64_t>(fetched_bytes)) {}

    [[nodiscard]] bool has_room() const {
        return writes_.size() <
               static_cast<std::size_t>(inputs_.levels.back().write_buffer_entries);
    }
    void write(std::uint64_t address, std::uint64_t bytes, std::int64_t at) {
        writes_.push_back({address, bytes, at});
    }
    /// Simulates everything before the cycle.
    void go_on_until(std::int64_t cycle) {
        while (next() < cycle) {
            act();
        }
    }
    /// Simulates until a written line leaves the buffer. Returns the cycle in which that line
    /// leaves.
    std::int64_t until_room() {
        while (true) {
            const std::size_t before = writes_.size();
            const std::int64_t cycle = next();
            act();
            if (writes_.size() < before) {
                return cycle;
            }
        }
    }
    void fetch(std::uint64_t address, std::int64_t at) {
        fetch_ = Burst{address, fetched_bytes_, at};
    }
    /// Simulates until the line's last byte has arrived. Returns the cycle in which that byte
    /// arrives.
    std::int64_t until_fetched() {
        while (fetch_) {
            act();
        }
        return free_from_;
    }

  private:
    struct Burst {
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;
        std::int64_t issue = 0;
    };
    enum class Asked : std::uint8_t { kNothing, kFetch, kWrite };

    [[nodiscard]] bool writes_first() const {
        return !has_room() ||
               std::any_of(writes_.begin(), writes_.end(), [this](const Burst& write) {
                   return write.address < fetch_->address + fetch_->bytes &&
                          fetch_->address < write.address + write.bytes;
               });
    }
    [[nodiscard]] std::int64_t fetch_issue() const {
        return fetch_ && !writes_first() ? fetch_->issue : kNever;
    }
    [[nodiscard]] std::int64_t write_issue() const {
        return writes_.empty() ? kNever : writes_.front().issue;
    }
    /// Cycle of the next event: a burst is requested, or begins.
    [[nodiscard]] std::int64_t next() const {
        if (asked_ != Asked::kNothing) {
            return std::max(asked_at_ + 1, free_from_);
        }
        return std::max(can_ask_from_, std::min(fetch_issue(), write_issue()));
    }
    void act() {
        const std::int64_t cycle = next();
        if (asked_ == Asked::kNothing) {
            asked_ = fetch_issue() <= cycle ? Asked::kFetch : Asked::kWrite;
            asked_at_ = cycle;
            return;
        }
        const bool is_fetch = asked_ == Asked::kFetch;
        free_from_ = cycle + duration(is_fetch ? *fetch_ : writes_.front());
        if (is_fetch) {
            fetch_.reset();
        } else {
            writes_.pop_front();
        }
        asked_ = Asked::kNothing;
        can_ask_from_ = cycle;
    }
    std::int64_t duration(const Burst& burst) {
        const auto beat = static_cast<std::uint64_t>(inputs_.port_beat_bytes);
        const auto beats = static_cast<std::int64_t>((burst.bytes + beat - 1) / beat);
        std::int64_t access = inputs_.port_access_cycles;
        if (inputs_.port_row_bytes > 0) {
            const std::uint64_t row =
                burst.address / static_cast<std::uint64_t>(inputs_.port_row_bytes);
            access = row == open_row_ ? inputs_.port_row_access_cycles : access;
            open_row_ = row;
        }
        return access + beats * inputs_.port_beat_cycles;
    }

    const TransferTimingInputs& inputs_;
    std::uint64_t fetched_bytes_;
    std::deque<Burst> writes_;
    std::optional<Burst> fetch_;
    Asked asked_ = Asked::kNothing;
    std::int64_t asked_at_ = 0;
    std::int64_t can_ask_from_ = 0;
    std::int64_t free_from_ = 0;
    std::uint64_t open_row_ = std::numeric_limits<std::uint64_t>::max();
};

/// The recurrence over the misses that gives their times.
class MissTimes {
  public:
    MissTimes(const TransferTimingInputs& inputs, std::vector<LevelCourse>& courses)
        : inputs_(inputs),
          courses_(courses),
          port_(inputs, static_cast<std::int64_t>(courses.back().line_bytes)),
          busy_until_(courses.size(), 0),
          leave_buffer_(courses.size()),
          write_backs_(courses.size(), 0) {}

    /// Cycle in which the line of a first-level miss arrives. `made` is the cycle of the reference,
    /// `looked_up` that of its lookup, after the TLB's walk.
    std::int64_t line_is_there(std::size_t reference, std::uint64_t address, std::int64_t made,
                               std::int64_t looked_up) {
        port_.go_on_until(made);
        std::int64_t at = looked_up;
        for (std::int64_t possible = room_from(reference, at); possible > at;
             possible = room_from(reference, at)) {
            if (possible < kNever) {
                port_.go_on_until(possible);
                at = possible;
            } else {
                at = std::max(looked_up, port_.until_room());
            }
        }
        const std::int64_t arrival = bring_in(0, reference, address, at);
        return arrival < kNever ? arrival : port_.until_fetched();
    }

    [[nodiscard]] const std::vector<std::int64_t>& write_backs() const { return write_backs_; }

  private:
    using Entries = std::deque<std::int64_t>;

    [[nodiscard]] bool is_last(std::size_t level) const { return level + 1 == courses_.size(); }

    /// First cycle, from `at` on, in which all levels that the reference misses can evict a line.
    std::int64_t room_from(std::size_t reference, std::int64_t at) {
        for (std::size_t level = 0; level < courses_.size(); ++level) {
            const LevelCourse& course = courses_[level];
            const LevelCourse::Miss& miss = course.misses[reference];
            if (!miss.is_one()) {
                return at;
            }
            if (miss.takes_out != kNone && course.stays[miss.takes_out].is_stored_to) {
                const std::int64_t room = buffer_has_room_from(level, at);
                if (room > at) {
                    return room;
                }
            }
        }
        return at;
    }

    std::int64_t buffer_has_room_from(std::size_t level, std::int64_t at) {
        if (is_last(level)) {
            return port_.has_room() ? at : kNever;
        }
        Entries& leave = leave_buffer_[level];
        while (!leave.empty() && leave.front() <= at) {
            leave.pop_front();
        }
        const auto entries = static_cast<std::size_t>(inputs_.levels[level].write_buffer_entries);
        return leave.size() < entries ? at : leave[leave.size() - entries];
    }

    /// Cycle in which the line arrives at the level; kNever: it comes with the port's fetch.
    std::int64_t bring_in(std::size_t level, std::size_t reference, std::uint64_t address,
                          std::int64_t at) {
        LevelCourse& course = courses_[level];
        const LevelTiming& timing = inputs_.levels[level];
        if (level > 0) {
            at = std::max(at, busy_until_[level]);
            busy_until_[level] = at + timing.busy_cycles;
            at += timing.access_cycles;
        }
        const LevelCourse::Miss& miss = course.misses[reference];
        if (!miss.is_one()) {
            return at;
        }
        const std::int64_t request = at + timing.miss_cycles;
        std::int64_t arrival = kNever;
        if (is_last(level)) {
            port_.fetch(address - address % course.line_bytes, request);
        } else {
            arrival = bring_in(level + 1, reference, address, request);
        }
        course.stay_of[address / course.line_bytes] = miss.brings_in;
        if (miss.takes_out != kNone) {
            const Stay& leaving = course.stays[miss.takes_out];
            if (leaving.is_stored_to) {
                ++write_backs_[level];
                send_on(level, reference, leaving.block * course.line_bytes, course.line_bytes, at);
            }
        }
        return arrival;
    }

    /// Evicts bytes of a level: into the next level if it holds their line, else past it.
    void send_on(std::size_t level, std::size_t reference, std::uint64_t address,
                 std::uint64_t bytes, std::int64_t at) {
        if (is_last(level)) {
            port_.write(address, bytes, at);
            return;
        }
        const std::size_t next = level + 1;
        const std::int64_t start = std::max(at, busy_until_[next]);
        busy_until_[next] = start + inputs_.levels[next].busy_cycles;
        leave_buffer_[level].push_back(busy_until_[next]);
        LevelCourse& course = courses_[next];
        const auto stay = course.stay_of.find(address / course.line_bytes);
        if (stay != course.stay_of.end() && course.stays[stay->second].taken_out_by > reference) {
            course.stays[stay->second].is_stored_to = true;
            return;
        }
        send_on(next, reference, address, bytes, start);
    }

    const TransferTimingInputs& inputs_;
    std::vector<LevelCourse>& courses_;
    PortTimes port_;
    std::vector<std::int64_t> busy_until_;
    // For each level except the last, times at which entries leave its write buffer.
    std::vector<Entries> leave_buffer_;
    std::vector<std::int64_t> write_backs_;
};

void require_whole_elements(const MemoryHierarchyGeometry& geometry, const AccessPattern& pattern) {
    const std::int64_t line_bytes = geometry.levels.front().line_bytes;
    const std::int64_t element = pattern.element_bytes;
    if (line_bytes % element != 0 || pattern.stride_bytes % element != 0 ||
        pattern.source_address % element != 0 || pattern.destination_address % element != 0) {
        throw ModelError(
            "element_bytes is " + std::to_string(element) + ", so elements straddle lines",
            "a divisor of lines, stride and "
            "addresses");
    }
}

std::vector<bool> tlb_misses(const TlbGeometry& tlb, const std::vector<TimedReference>& all) {
    std::vector<bool> misses(all.size(), false);
    if (tlb.entries == 0) {
        return misses;
    }
    std::vector<std::uint64_t> pages(all.size());
    std::transform(all.begin(), all.end(), pages.begin(), [&](const TimedReference& reference) {
        return reference.address / static_cast<std::uint64_t>(tlb.page_bytes);
    });
    const auto distances =
        stack_distances_within_sets(pages, static_cast<std::uint64_t>(tlb.sets()));
    for (std::size_t i = 0; i < all.size(); ++i) {
        misses[i] = distances[i] >= static_cast<std::uint64_t>(tlb.entries_in_a_set());
    }
    return misses;
}

}  // namespace

TransferTiming transfer_timing(const MemoryHierarchyGeometry& geometry,
                               const TransferTimingInputs& inputs, const AccessPattern& pattern) {
    require_memory_hierarchy(geometry);
    require_access_pattern(pattern);
    require_few_references(pattern, geometry.levels.front().line_bytes);
    require_whole_elements(geometry, pattern);
    if (inputs.levels.size() != geometry.levels.size()) {
        throw ModelError("there are timings of " + std::to_string(inputs.levels.size()) + " levels",
                         "one for each level, " + std::to_string(geometry.levels.size()));
    }
    std::vector<TimedReference> all;
    const std::vector<MemoryReference> of_a_repetition = references_of_a_repetition(pattern);
    for (std::int64_t i = 0; i < pattern.repetitions; ++i) {
        for (const MemoryReference& reference : of_a_repetition) {
            all.push_back({reference.address, reference.is_store});
        }
    }
    std::vector<std::size_t> stream(all.size());
    for (std::size_t i = 0; i < stream.size(); ++i) {
        stream[i] = i;
    }
    std::vector<LevelCourse> courses;
    for (const CacheLevelGeometry& level : geometry.levels) {
        courses.push_back(course_of(level, all, stream, courses.empty()));
        stream = courses.back().missed;
    }
    const std::vector<bool> walks = tlb_misses(geometry.tlb, all);

    TransferTiming timing;
    timing.misses.assign(courses.size(), 0);
    MissTimes times(inputs, courses);
    const std::size_t in_a_repetition = of_a_repetition.size();
    const bool has_stores = stores_elements(pattern);
    std::vector<std::int64_t> write_backs_before(courses.size(), 0);
    std::int64_t now = 0;
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_last_repetition = i >= all.size() - in_a_repetition;
        if (i == all.size() - in_a_repetition) {
            write_backs_before = times.write_backs();
        }
        const std::int64_t looked_up = now + (walks[i] ? inputs.walk_cycles : 0);
        std::int64_t there = looked_up;
        if (courses.front().misses[i].is_one()) {
            there = times.line_is_there(i, all[i].address, now, looked_up);
            for (std::size_t level = 0; is_last_repetition && level < courses.size(); ++level) {
                timing.misses[level] += courses[level].misses[i].is_one() ? 1 : 0;
            }
        }
        timing.tlb_misses += is_last_repetition && walks[i] ? 1 : 0;
        now = there + (all[i].is_store ? inputs.store_cycles : inputs.load_cycles);
        now += all[i].is_store || !has_stores ? inputs.loop_cycles : 0;
        if ((i + 1) % in_a_repetition == 0) {
            timing.repetition_cycles.push_back(static_cast<double>(now - begin));
            begin = now;
        }
    }
    timing.write_backs = times.write_backs();
    for (std::size_t level = 0; level < courses.size(); ++level) {
        timing.write_backs[level] -= write_backs_before[level];
    }
    return timing;
}

MemoryHierarchyGeometry with_unloaded_costs(MemoryHierarchyGeometry geometry,
                                            const TransferTimingInputs& inputs) {
    for (std::size_t i = 0; i < geometry.levels.size(); ++i) {
        CacheLevelGeometry& level = geometry.levels[i];
        std::int64_t cycles = inputs.levels[i].miss_cycles;
        if (i + 1 < geometry.levels.size()) {
            cycles += inputs.levels[i + 1].access_cycles;
        } else {
            const std::int64_t beats =
                (level.line_bytes + inputs.port_beat_bytes - 1) / inputs.port_beat_bytes;
            cycles += 1 + inputs.port_access_cycles + beats * inputs.port_beat_cycles;
        }
        level.miss_cycles = static_cast<double>(cycles);
    }
    geometry.tlb.walk_cycles = static_cast<double>(inputs.walk_cycles);
    return geometry;
}

}  // namespace weir::experiments::models
