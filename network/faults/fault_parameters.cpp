#include "network/faults/fault_parameters.h"

#include <algorithm>
#include <charconv>

namespace weir::network {

namespace {

using Text = hw::Parameter<std::string>;

constexpr char kBetweenEntries = ';';
constexpr char kBeforeCycle = '@';

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Entries of the list, without the separators; none for an empty list.
std::vector<std::string_view> parts_of(std::string_view list) {
    std::vector<std::string_view> parts;
    if (trimmed(list).empty()) {
        return parts;
    }
    for (;;) {
        const std::size_t end = list.find(kBetweenEntries);
        parts.push_back(trimmed(list.substr(0, end)));
        if (end == std::string_view::npos) {
            return parts;
        }
        list.remove_prefix(end + 1);
    }
}

std::optional<hw::Cycles> cycle_in(std::string_view text) {
    std::int64_t cycle = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cycle);
    const bool is_all = error == std::errc() && end == text.data() + text.size();
    return is_all && cycle >= 0 && hw::Cycles(cycle) < hw::kNever ? std::optional(hw::Cycles(cycle))
                                                                  : std::nullopt;
}

enum class HasCycle : bool { kNo, kYes };

// Parses an entry of a list; nullopt if the text is not a valid entry.
std::optional<ListedFault> entry_of(std::string_view part, HasCycle has_cycle) {
    const std::size_t at = part.rfind(kBeforeCycle);
    if ((at != std::string_view::npos) != (has_cycle == HasCycle::kYes)) {
        return std::nullopt;
    }
    const auto cycle = has_cycle == HasCycle::kYes ? cycle_in(trimmed(part.substr(at + 1)))
                                                   : std::optional(hw::Cycles(0));
    const std::string place(trimmed(part.substr(0, at)));
    return cycle && !place.empty() ? std::optional(ListedFault{place, *cycle}) : std::nullopt;
}

std::optional<hw::Fault> list_fault(const Text& list, HasCycle has_cycle, const char* example) {
    const std::string text = list.value();
    for (const std::string_view part : parts_of(text)) {
        if (!entry_of(part, has_cycle)) {
            return hw::Fault{list.name(),
                             "has \"" + std::string(part) + "\"",
                             std::string("a list as \"") + example + "\", separated by semicolons",
                             {}};
        }
    }
    return std::nullopt;
}

}  // namespace

namespace {

std::vector<ListedFault> entries_of(const std::string& list) {
    std::vector<ListedFault> entries;
    for (const std::string_view part : parts_of(list)) {
        const bool has_cycle = part.find(kBeforeCycle) != std::string_view::npos;
        if (auto entry = entry_of(part, has_cycle ? HasCycle::kYes : HasCycle::kNo)) {
            entries.push_back(std::move(*entry));
        }
    }
    return entries;
}

// First cycle of an entry that only one of the lists has.
hw::Cycles first_different_entry(const hw::ParameterValue& one, const hw::ParameterValue& other) {
    std::vector<ListedFault> left = entries_of(std::get<std::string>(one));
    hw::Cycles first = hw::kNever;
    for (const ListedFault& entry : entries_of(std::get<std::string>(other))) {
        const auto same = std::find(left.begin(), left.end(), entry);
        if (same == left.end()) {
            first = std::min(first, entry.cycle);
        } else {
            left.erase(same);
        }
    }
    for (const ListedFault& entry : left) {
        first = std::min(first, entry.cycle);
    }
    return first;
}

}  // namespace

FaultParameters::FaultParameters()
    : ParameterGroup("faults", "Hardware faults; by default none",
                     hw::when("network.model").is("wormhole")) {
    for (Text* list :
         {&failing_channels, &failing_nodes, &stuck_credits, &lost_flits, &flipped_flits}) {
        list->set_first_difference(first_different_entry);
    }
}
FaultParameters::~FaultParameters() = default;

std::optional<hw::ParameterGroup::Fault> FaultParameters::check() const {
    for (const Text* list : {&failing_channels, &stuck_credits, &lost_flits, &flipped_flits}) {
        if (auto fault = list_fault(*list, HasCycle::kYes, "(3,1) +x @ 5000")) {
            return fault;
        }
    }
    if (auto fault = list_fault(failing_nodes, HasCycle::kYes, "7 @ 5000")) {
        return fault;
    }
    return list_fault(dead_channels, HasCycle::kNo, "(3,1) +x; (2,0) -y");
}

bool FaultParameters::any() const {
    for (const hw::ParameterBase* parameter : parameters()) {
        if (parameter->is_given()) {
            return true;
        }
    }
    return false;
}

bool FaultParameters::touch_flits() const {
    return lost_flits.is_given() || flipped_flits.is_given() || lost_flits_per_million.is_given() ||
           flipped_flits_per_million.is_given();
}

bool FaultParameters::leave_out_channels() const {
    return dead_channels.is_given() || dead_link_percent.is_given();
}

std::vector<ListedFault> FaultParameters::entries(const Text& parameter) {
    return entries_of(parameter.value());
}

const FaultParameters& no_faults() {
    static const FaultParameters none;
    return none;
}

}  // namespace weir::network
