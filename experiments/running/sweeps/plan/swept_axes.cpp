#include "experiments/running/sweeps/plan/swept_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "experiments/running/sweeps/plan/toml_fields.h"
#include "experiments/setup/parameters/number_range.h"

namespace weir::experiments::running {

namespace {

using setup::Place;
using setup::TomlEntry;
using setup::TomlList;
using setup::TomlTable;
using setup::UserFault;

constexpr double kMostValues = 100'000;
constexpr const char* kAcceptedAxis =
    "table.key = [values], or table.key = { from = 1, to = 1000, step = 10 } (or factor = 10, or "
    "count = 7)";

double finite_number(const TomlEntry& entry) {
    const std::optional<double> number = entry.as_number();
    if (!number || !std::isfinite(*number)) {
        throw UserFault(entry.place, entry.key + " is " + setup::described(entry),
                        "a finite number");
    }
    return *number;
}

bool is_whole(double number) {
    constexpr double kExact = 9e15;
    return std::trunc(number) == number && std::abs(number) < kExact;
}

// Integral numbers become whole numbers; whether the parameter accepts other numbers is checked
// later.
std::vector<TomlEntry> as_entries(const std::vector<double>& numbers, const Place& place) {
    std::vector<TomlEntry> entries;
    for (const double number : numbers) {
        TomlEntry entry;
        entry.key_place = place;
        entry.place = place;
        if (is_whole(number)) {
            entry.value = static_cast<std::int64_t>(number);
        } else {
            entry.value = number;
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

bool is_logarithmic(const TomlEntry& scale) {
    const std::string* text = scale.as_string();
    if (text == nullptr || (*text != "linear" && *text != "logarithmic")) {
        throw UserFault(scale.place, "scale is " + setup::described(scale),
                        R"("linear" or "logarithmic")");
    }
    return *text == "logarithmic";
}

std::size_t count_of(const TomlEntry& entry) {
    const double count = finite_number(entry);
    if (!is_whole(count) || count < 2 || count > kMostValues) {
        throw UserFault(entry.place, "count is " + setup::described(entry),
                        fmt::format("a whole number from 2 to {:.0f}", kMostValues));
    }
    return static_cast<std::size_t>(count);
}

std::vector<double> numbers_of_range(const TomlEntry& range) {
    const TomlTable& table = *range.as_table();
    for (const TomlEntry& entry : table.entries) {
        require_key(entry, "a range", {"from", "to", "step", "factor", "count", "scale"});
    }
    const TomlEntry* from = table.find("from");
    const TomlEntry* to = table.find("to");
    const TomlEntry* step = table.find("step");
    const TomlEntry* factor = table.find("factor");
    const TomlEntry* count = table.find("count");
    const TomlEntry* scale = table.find("scale");
    const int ways =
        (step != nullptr ? 1 : 0) + (factor != nullptr ? 1 : 0) + (count != nullptr ? 1 : 0);
    if (from == nullptr || to == nullptr || ways != 1 || (scale != nullptr && count == nullptr)) {
        throw UserFault(range.place, "this is not a range",
                        "{ from = 1, to = 1000, step = 10 }, or factor = 10, or count = 7 with or "
                        "without scale = \"logarithmic\"");
    }
    const double start = finite_number(*from);
    const double stop = finite_number(*to);
    if (count != nullptr) {
        const bool logarithmic = scale != nullptr && is_logarithmic(*scale);
        if (logarithmic && (start <= 0.0 || stop <= 0.0)) {
            throw UserFault(range.place, "a logarithmic range that is not above 0",
                            "from and to above 0");
        }
        return setup::evenly_spaced(start, stop, count_of(*count), logarithmic);
    }
    const TomlEntry& by = step != nullptr ? *step : *factor;
    const setup::NumberRange numbers{start, stop, finite_number(by), step == nullptr};
    const std::optional<double> steps = numbers.steps();
    if (!steps) {
        throw UserFault(
            by.place,
            fmt::format("{} = {} does not lead from {} to {}", by.key, setup::toml_text(by),
                        setup::toml_text(*from), setup::toml_text(*to)),
            step != nullptr ? "a step towards the end"
                            : "a factor towards the end, of numbers above 0");
    }
    if (*steps >= kMostValues) {
        throw UserFault(by.place, fmt::format("the range has more than {:.0f} values", kMostValues),
                        "a larger step");
    }
    return numbers.values();
}

SweptKey swept_key(const std::string& table, const TomlEntry& entry) {
    SweptKey key{table, entry.key, entry.key_place, {}, false};
    if (entry.as_table() != nullptr) {
        key.values = as_entries(numbers_of_range(entry), entry.place);
        key.is_range = true;
        return key;
    }
    const TomlList* list = entry.as_list();
    if (list == nullptr) {
        throw UserFault(entry.place, key.full_name() + " is " + setup::described(entry),
                        kAcceptedAxis);
    }
    if (list->items.empty()) {
        throw UserFault(entry.place, "the axis is empty: " + key.full_name() + " has no value",
                        kAcceptedAxis);
    }
    key.values = list->items;
    return key;
}

void require_equal_lengths(const SweptAxis& axis) {
    for (const SweptKey& key : axis.keys) {
        if (key.values.size() != axis.size()) {
            throw UserFault(
                key.place,
                fmt::format("{} has {} values and {}, which goes with it, has {}", key.full_name(),
                            key.values.size(), axis.keys.front().full_name(), axis.size()),
                "as many of both, or an axis each");
        }
    }
}

// Equal values in a list are a mistake. Numbers of a range may become equal by rounding.
void require_different_values(const SweptAxis& axis) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < axis.size(); ++i) {
        std::string values;
        for (const SweptKey& key : axis.keys) {
            values += setup::toml_text(key.values[i]) + "\n";
        }
        if (!seen.insert(values).second) {
            throw UserFault(axis.keys.front().values[i].place,
                            fmt::format("the axis has {} = {} twice", axis.keys.front().full_name(),
                                        setup::toml_text(axis.keys.front().values[i])),
                            "different values");
        }
    }
}

std::string name_of(const TomlEntry& entry) {
    const std::string* name = entry.as_string();
    if (name == nullptr || name->empty()) {
        throw UserFault(entry.place, "an axis's name is " + setup::described(entry),
                        "a text, as in name = \"interrupt cost\"");
    }
    return *name;
}

SweepDesign design_of(const TomlEntry& entry) {
    const std::string* name = entry.as_string();
    for (const SweepDesign design : {SweepDesign::kCrossed, SweepDesign::kOneAtATime}) {
        if (name != nullptr && *name == design_name(design)) {
            return design;
        }
    }
    throw UserFault(entry.place, "design is " + setup::described(entry),
                    R"("crossed" or "one-at-a-time")");
}

SweptAxis axis_of(const TomlEntry& entry) {
    SweptAxis axis;
    axis.place = entry.place;
    const TomlTable* tables = entry.as_table();
    if (tables == nullptr) {
        throw UserFault(entry.place, "an entry of sweep.axis is " + setup::described(entry),
                        kAcceptedAxis);
    }
    for (const TomlEntry& table : tables->entries) {
        if (table.key == "name") {
            axis.name = name_of(table);
            continue;
        }
        if (table.as_table() == nullptr) {
            throw UserFault(table.key_place,
                            fmt::format("an axis sets no key \"{}\" without its table", table.key),
                            kAcceptedAxis);
        }
        for (const TomlEntry& key : table.as_table()->entries) {
            axis.keys.push_back(swept_key(table.key, key));
        }
    }
    if (axis.keys.empty()) {
        throw UserFault(entry.place, "the axis is empty: it sets no key", kAcceptedAxis);
    }
    require_equal_lengths(axis);
    require_different_values(axis);
    return axis;
}

void require_keys_set_once(const std::vector<SweptAxis>& axes) {
    std::vector<const SweptKey*> seen;
    for (const SweptAxis& axis : axes) {
        for (const SweptKey& key : axis.keys) {
            for (const SweptKey* other : seen) {
                if (other->full_name() == key.full_name()) {
                    throw UserFault(key.place,
                                    fmt::format("two axes set {}: this one and that at {}",
                                                key.full_name(), other->place.text()),
                                    "one axis for each key");
                }
            }
            seen.push_back(&key);
        }
    }
}

std::vector<FilterText> filters_of(const TomlEntry& entry) {
    const auto text_of = [](const TomlEntry& item) {
        const std::string* text = item.as_string();
        if (text == nullptr) {
            throw UserFault(item.place, "a filter is " + setup::described(item),
                            "an expression in quotes, or a list of them, all of which must hold");
        }
        return FilterText{*text, item.place};
    };
    if (const TomlList* list = entry.as_list()) {
        std::vector<FilterText> filters;
        for (const TomlEntry& item : list->items) {
            filters.push_back(text_of(item));
        }
        return filters;
    }
    return {text_of(entry)};
}

}  // namespace

bool SweptAxis::is_of_seeds() const {
    return keys.size() == 1 && keys.front().full_name() == "run.seeds";
}

SweptAxes read_axes(const TomlEntry& sweep) {
    if (sweep.as_table() == nullptr) {
        throw UserFault(sweep.place, "sweep is " + setup::described(sweep), "a table, [sweep]");
    }
    SweptAxes axes;
    for (const TomlEntry& entry : sweep.as_table()->entries) {
        require_key(entry, "[sweep]", {"axis", "filter", "design", "figure"});
        if (entry.key == "design") {
            axes.design = design_of(entry);
            continue;
        }
        if (entry.key == "figure") {
            axes.figures = read_figures(entry);
            continue;
        }
        if (entry.key == "filter") {
            axes.filters = filters_of(entry);
            continue;
        }
        const TomlList* list = entry.as_list();
        if (list == nullptr) {
            throw UserFault(entry.place, "sweep.axis is " + setup::described(entry),
                            "a table under each [[sweep.axis]]");
        }
        for (const TomlEntry& axis : list->items) {
            axes.axes.push_back(axis_of(axis));
        }
    }
    require_keys_set_once(axes.axes);
    return axes;
}

}  // namespace weir::experiments::running
