#include "memory/cache_parameters.h"

#include <bit>

namespace weir::memory {

namespace {

bool is_power_of_two(std::int64_t value) {
    return std::has_single_bit(static_cast<std::uint64_t>(value));
}

}  // namespace

CacheLevelParameters::CacheLevelParameters(const char* table, const char* title,
                                           const Defaults& defaults)
    : ParameterGroup(table, title, is_there(defaults)),
      bytes{*this,
            "bytes",
            defaults.bytes,
            {8, std::int64_t{1} << 30},
            "Capacity of the cache, without its tags",
            defaults.source},
      ways{*this,
           "ways",
           defaults.ways,
           {0, 1 << 16},
           "Number of lines in a set (associativity); 0: fully associative",
           defaults.source},
      access_cycles{*this,
                    "access_cycles",
                    defaults.access_cycles,
                    {0, 100'000},
                    "Hit time, from the previous level's request to the answer. The first level "
                    "has memory.load_cycles and memory.store_cycles instead",
                    defaults.level > 1 ? defaults.source : "",
                    is_behind_the_first()},
      level_(defaults.level),
      is_of_instructions_(defaults.of_instructions) {}
CacheLevelParameters::~CacheLevelParameters() = default;

TlbParameters::TlbParameters()
    : ParameterGroup("tlb", "The translation lookaside buffer of a node",
                     hw::when("memory.caches").at_least(1)) {}
TlbParameters::~TlbParameters() = default;

std::optional<hw::ParameterGroup::Fault> CacheLevelParameters::check() const {
    if (!is_power_of_two(line_bytes.value().count())) {
        return Fault{line_bytes.name(), "is no power of two", "8, 16, 32 ... 4096"};
    }
    if (bytes.value() < line_bytes.value()) {
        return Fault{
            bytes.name(), "is less than a line",
            table() + ".line_bytes (" + std::to_string(line_bytes.value().count()) + ") or more"};
    }
    const std::int64_t in_a_set = lines_in_a_set();
    const std::int64_t sets = lines() / in_a_set;
    if (sets * in_a_set * line_bytes.value().count() != bytes.value().count() ||
        !is_power_of_two(sets)) {
        return Fault{
            bytes.name(),
            "does not give a power-of-two number of sets of " + std::to_string(in_a_set) + " lines",
            "line_bytes * ways * 1, 2, 4, ..."};
    }
    if (const auto fault = replacement.value()->fault_of_ways(in_a_set)) {
        return Fault{ways.name(), fault->what, fault->accepted};
    }
    return std::nullopt;
}

std::vector<hw::Choice<const ReplacementKind*>::Option>
CacheLevelParameters::replacement_options() {
    std::vector<hw::Choice<const ReplacementKind*>::Option> options;
    for (const ReplacementKind& kind : replacement_kinds()) {
        options.push_back({&kind, kind.name});
    }
    return options;
}

std::string CacheLevelParameters::replacement_sentence() {
    std::string sentence = "Choice of the line of a set that a miss replaces. ";
    for (const ReplacementKind& kind : replacement_kinds()) {
        sentence += (kind.place > 0 ? "; " : "") + kind.name + ": " + kind.sentence;
    }
    return sentence;
}

std::optional<hw::ParameterGroup::Fault> TlbParameters::check() const {
    if (!is_power_of_two(page_bytes.value().count())) {
        return Fault{page_bytes.name(), "is no power of two", "64, 128, 256, ..."};
    }
    if (entries.value() == 0) {
        return std::nullopt;
    }
    const std::int64_t sets = entries.value() / entries_in_a_set();
    if (sets * entries_in_a_set() != entries.value() || !is_power_of_two(sets)) {
        return Fault{entries.name(),
                     "does not give a power-of-two number of sets of " +
                         std::to_string(entries_in_a_set()) + " entries",
                     "ways * 1, 2, 4, ..."};
    }
    return std::nullopt;
}

std::optional<CacheParameters::Fault> CacheParameters::check(const CacheLevelParameters& inner,
                                                             const CacheLevelParameters& outer) {
    const auto fault = [&](const hw::ParameterBase& parameter, std::int64_t found,
                           std::int64_t before) {
        const std::string key = outer.table() + "." + parameter.name();
        return Fault{key,
                     key + " is " + std::to_string(found) + ", less than " + inner.table() + "." +
                         parameter.name(),
                     std::to_string(before) + " or more"};
    };
    if (outer.line_bytes.value() < inner.line_bytes.value()) {
        return fault(outer.line_bytes, outer.line_bytes.value().count(),
                     inner.line_bytes.value().count());
    }
    if (outer.bytes.value() < inner.bytes.value()) {
        return fault(outer.bytes, outer.bytes.value().count(), inner.bytes.value().count());
    }
    return std::nullopt;
}

std::optional<CacheParameters::Fault> CacheParameters::check(std::size_t count,
                                                             bool has_instructions) const {
    for (std::size_t i = 1; i < count; ++i) {
        if (auto fault = check(levels[i - 1], levels[i])) {
            return fault;
        }
    }
    if (has_instructions && count > 1) {
        if (auto fault = check(instructions, levels[1])) {
            return fault;
        }
    }
    if (count > 0 && tlb.entries.value() > 0 &&
        tlb.page_bytes.value() < levels[count - 1].line_bytes.value()) {
        return Fault{"tlb.page_bytes",
                     "tlb.page_bytes is " + std::to_string(tlb.page_bytes.value().count()) +
                         ", less than a line of the last level",
                     std::to_string(levels[count - 1].line_bytes.value().count()) + " or more"};
    }
    return std::nullopt;
}

}  // namespace weir::memory
