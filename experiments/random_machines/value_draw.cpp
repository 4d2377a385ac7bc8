#include "experiments/random_machines/value_draw.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "experiments/setup/parameters/name_pattern.h"

namespace weir::experiments::random_machines {

namespace {

using Type = hw::AcceptedValues::Type;

// Limits of draws, each with its reason; the first matching pattern applies.
const std::vector<DrawLimit>& limits() {
    static const std::vector<DrawLimit> all{
        {"machine.nodes", {}, {}, "follows from the network's dimensions"},
        {"machine.unloaded_overheads_cycles", {}, {}, "only for traffic without a machine"},
        {"core.kind", {}, {}, "drawn with the program"},
        {"network.dimensions", 1, 16, "keeps a run of at most 64 nodes within some milliseconds"},
        {"network.graph_file", {}, {}, "a draw consists of one file"},
        {"network.copies", 1, 3, "each copy costs as much time as the network"},
        {"network.virtual_channels", 0, 8, "each channel costs as much time as the network"},
        {"network.logp_latency_cycles", 1, 1000, "longer delays only prolong the run"},
        {"network.delay_cycles", 1, 1000, "longer delays only prolong the run"},
        {"network.arity", 2, 8, "machines have at most 64 nodes"},
        {"network.channels_up", 0, 8, "machines have at most 64 nodes"},
        {"faults.dead_link_percent", 0, 15, "few further links can be spared"},
        {"faults.*_flits_per_million", 0, 1000, "a program that receives nothing tests nothing"},
        {"controller.*_queue_bytes", 64, 1024, "larger queues are never full"},
        {"controller.overflow_timeout_cycles", 32, 2000, "a longer timeout never expires"},
        {"firmware.overflow_buffer_bytes", 256, 1 << 18, "limits the host's memory"},
        {"coherence.shared_bytes", 4096, 1 << 18, "limits the host's memory", true},
        {"coherence.starved_after_accesses", {}, {}, "set for every draw"},
        {"memory.bytes", 1 << 14, 1 << 20, "data that do not fit would be refused again and again"},
        {"sparcle.handler_most_cycles", {}, {}, "a program that exceeds its limit is stopped"},
        {"sparcle.*_cycles", 0, 12, "every instruction takes longer, and a start needs thousands"},
        {"memory.*_cycles", 0, 12, "every access takes longer"},
        {"memory_port.*_cycles", 0, 40, "every access takes longer"},
        {"l?.*_cycles", 0, 40, "every access takes longer"},
        {"l1i.*_cycles", 0, 40, "every instruction takes longer"},
        {"tlb.walk_cycles", 0, 40, "every TLB miss takes longer"},
        {"tlb.page_bytes", 64, 4096, "programs stay inside a larger page", true},
        {"tlb.entries", 0, 64, "a larger TLB is never full", true},
        {"l?.bytes", 8, 4096, "larger caches never miss", true},
        {"l1i.bytes", 8, 4096, "larger caches never miss", true},
        {"l?.line_bytes", 8, 128, "larger lines never miss", true},
        {"l1i.line_bytes", 8, 128, "larger lines never miss", true},
        {"*.ways", 0, 8, "sets with more ways have no conflicts", true},
        {"memory_port.row_bytes", 0, 4096, "programs stay inside a larger row", true},
        {"memory_port.beat_bytes", 1, 64, "larger beats make no difference", true},
        {"dma.burst_bytes", 8, 256, "larger bursts make no difference", true},
        {"run.*", {}, {}, "set for every draw"},
        {"trace.*", {}, {}, "contents of the trace only"},
        {"workload.slot_cycles_per_byte", 0, 40,
         "keeps a polling core's wait below the watchdog's"},
        {"workload.slot_cycles", 10'000, 12'000,
         "a slot must exceed a message's trip; the program checks it"},
        {"workload.*squared_cv", 0, 4, "keeps a compiled program's work below the watchdog's"},
        {"workload.threads", 1, 4, "one thread per context"},
        {"workload.*bytes", 0, 512, "keeps a run within milliseconds"},
    };
    return all;
}

// Limit of a parameter that matches no pattern, as a distance from its least value.
std::int64_t most_above_least(const OpenSetup::Place& place) {
    const std::string unit = place.parameter->unit();
    constexpr std::int64_t kMostCycles = 250;
    constexpr std::int64_t kMostFlits = 40;
    constexpr std::int64_t kMostOfOthers = 48;  // for counts, so that a run takes milliseconds
    if (unit.starts_with("cycles")) {
        return kMostCycles;
    }
    return unit == "flits" ? kMostFlits : kMostOfOthers;
}

struct WholeRange {
    std::int64_t least;
    std::int64_t most;
};

std::int64_t whole(const std::optional<hw::ParameterValue>& value, std::int64_t otherwise) {
    if (!value) {
        return otherwise;
    }
    if (const auto* number = std::get_if<double>(&*value)) {
        return static_cast<std::int64_t>(*number);
    }
    return std::get<std::int64_t>(*value);
}

WholeRange range_of(const OpenSetup::Place& place) {
    const hw::AcceptedValues accepted = place.parameter->accepted_values();
    const DrawLimit limit = limit_of(place);
    const std::int64_t least = std::max(whole(accepted.least, 0), limit.least.value_or(INT64_MIN));
    const std::int64_t most = limit.most.value_or(least + most_above_least(place));
    return {least, std::clamp(whole(accepted.greatest, most), least, std::max(least, most))};
}

// Draws a number near the least one: all magnitudes of the distance are about equally likely. Sizes
// are mostly powers of two.
std::int64_t near_least(const WholeRange& range, bool is_power_of_two, hw::RandomStream& stream) {
    const auto span = static_cast<std::uint64_t>(range.most - range.least);
    constexpr std::uint64_t kOtherwise = 32;
    if (is_power_of_two ? stream.below(kOtherwise) > 0 : stream.below(2) > 0) {
        if (range.least == 0 && stream.below(4) == 0) {
            return 0;
        }
        const auto low = static_cast<std::uint64_t>(std::max<std::int64_t>(range.least, 1));
        const auto first = static_cast<int>(std::bit_width(std::bit_ceil(low))) - 1;
        const auto last =
            static_cast<int>(std::bit_width(static_cast<std::uint64_t>(range.most))) - 1;
        if (range.least >= 0 && last >= first) {
            const auto power = stream.below(static_cast<std::uint64_t>(last - first) + 1);
            return std::int64_t{1} << (first + static_cast<int>(power));
        }
    }
    const std::uint64_t magnitude = stream.below(std::bit_width(span) + std::uint64_t{1});
    if (magnitude == 0) {
        return range.least;
    }
    const std::uint64_t half = std::uint64_t{1} << (magnitude - 1);
    return range.least + static_cast<std::int64_t>(std::min(half + stream.below(half), span));
}

double near_least_number(const OpenSetup::Place& place, hw::RandomStream& stream) {
    const WholeRange range = range_of(place);
    const double share = std::pow(stream.unit(), 2.0);
    const auto least = static_cast<double>(range.least);
    const double value = least + share * (static_cast<double>(range.most) - least);
    constexpr double kPlaces = 1000.0;
    return stream.below(4) == 0 ? least : std::ceil(value * kPlaces) / kPlaces;
}

std::vector<std::int64_t> draw_list(const OpenSetup::Place& place, hw::RandomStream& stream) {
    constexpr std::uint64_t kMostEntries = 4;
    const auto before = std::get<std::vector<std::int64_t>>(place.parameter->default_as_variant());
    // A permutation keeps all its entries.
    std::vector<std::int64_t> order(before.size());
    std::iota(order.begin(), order.end(), 0);
    if (before.size() > kMostEntries && before == order) {
        for (std::size_t i = order.size() - 1; i > 0; --i) {
            std::swap(order[i], order[stream.below(i + 1)]);
        }
        return order;
    }
    std::vector<std::int64_t> list(1 + stream.below(kMostEntries));
    for (std::int64_t& entry : list) {
        entry = near_least(range_of(place), false, stream);
    }
    return list;
}

}  // namespace

DrawLimit limit_of(const OpenSetup::Place& place) {
    const std::string key = place.key();
    for (const DrawLimit& limit : limits()) {
        if (setup::fits_pattern(key, limit.pattern)) {
            return limit;
        }
    }
    const hw::AcceptedValues accepted = place.parameter->accepted_values();
    const std::int64_t least = whole(accepted.least, 0);
    return {key, least, least + most_above_least(place), "a run takes milliseconds"};
}

bool is_drawn(const OpenSetup::Place& place) {
    const Type type = place.parameter->accepted_values().type;
    if (type == Type::kFilePath || type == Type::kText || type == Type::kWords ||
        !place.effect().changes_results()) {
        return false;
    }
    const DrawLimit limit = limit_of(place);
    return limit.least || limit.most;
}

bool is_always_drawn(const OpenSetup::Place& place) {
    const Type type = place.parameter->accepted_values().type;
    const bool is_number =
        type == Type::kWholeNumber || type == Type::kWholeNumbers || type == Type::kNumber;
    const auto is_size = [key = place.key()](const char* pattern) {
        return setup::fits_pattern(key, pattern);
    };
    return (place.group->table() == "workload" && is_number) || is_size("network.dimensions") ||
           is_size("memory.bytes") || is_size("l?.bytes") || is_size("l1i.bytes");
}

hw::ParameterValue draw_value(const OpenSetup::Place& place, hw::RandomStream& stream) {
    const hw::AcceptedValues accepted = place.parameter->accepted_values();
    switch (accepted.type) {
        case Type::kFlag:
            return stream.below(2) == 1;
        case Type::kName:
            return accepted.names[stream.below(accepted.names.size())];
        case Type::kNumber:
            return near_least_number(place, stream);
        case Type::kWholeNumbers:
            return draw_list(place, stream);
        default:
            return near_least(range_of(place), limit_of(place).is_power_of_two, stream);
    }
}

}  // namespace weir::experiments::random_machines
