#include "experiments/analyses/model_questions/model_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "experiments/models/model_error.h"
#include "experiments/setup/files/set_option.h"
#include "hw/input_limits.h"
#include "hw/refusal.h"

namespace weir::experiments::analyses {

namespace {

using models::Input;
using setup::Place;
using setup::TomlEntry;
using setup::UserFault;

/// Shortens a value or an option to the length that a message shows.
std::string shortened(const std::string& text) { return hw::shortened(text, 60); }

std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words(1);
    for (const char letter : name) {
        if (letter == '_') {
            words.emplace_back();
        } else {
            words.back() += letter;
        }
    }
    return words;
}

bool is_unit(std::string_view word) {
    constexpr std::array<std::string_view, 32> kUnits = {
        "s",      "ms",       "us",           "ns",       "ps",          "sec",         "secs",
        "second", "seconds",  "milliseconds", "msec",     "usec",        "nsec",        "micros",
        "nanos",  "millis",   "microseconds", "cycle",    "nanoseconds", "picoseconds", "cycles",
        "clocks", "ticks",    "bit",          "bits",     "byte",        "bytes",       "words",
        "flits",  "kilobyte", "kilobytes",    "megabytes"};
    return std::find(kUnits.begin(), kUnits.end(), word) != kUnits.end();
}

/// Whether the names differ only in the unit, as handler_us and handler_cycles.
bool differ_in_a_unit(std::string_view a, std::string_view b) {
    const std::vector<std::string> left = words_of(a);
    const std::vector<std::string> right = words_of(b);
    if (left.size() != right.size() || left == right) {
        return false;
    }
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (left[i] != right[i] && !(is_unit(left[i]) && is_unit(right[i]))) {
            return false;
        }
    }
    return true;
}

/// Whether `found` is the name without the unit at its end, as handler for handler_cycles.
bool lacks_a_unit(std::string_view found, std::string_view name) {
    return name.size() > found.size() + 1 && name.starts_with(found) && name[found.size()] == '_' &&
           is_unit(name.substr(found.size() + 1));
}

std::vector<std::string> names_of(const std::vector<Input*>& inputs) {
    std::vector<std::string> names;
    names.reserve(inputs.size());
    for (const Input* input : inputs) {
        names.push_back(input->name());
    }
    return names;
}

std::optional<std::vector<double>> numbers_of(const setup::TomlList& list) {
    std::vector<double> numbers;
    for (const TomlEntry& item : list.items) {
        const std::optional<double> number = item.as_number();
        if (!number) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

/// The TOML entry as a value of an input. Empty for entries that no input accepts: tables, dates,
/// and lists of anything but numbers or rows of numbers.
std::optional<models::InputValue> input_value_of(const TomlEntry& entry) {
    if (const auto* flag = std::get_if<bool>(&entry.value)) {
        return *flag;
    }
    if (const std::optional<double> number = entry.as_number()) {
        return *number;
    }
    if (const std::string* text = entry.as_string()) {
        return *text;
    }
    const setup::TomlList* list = entry.as_list();
    if (list == nullptr) {
        return std::nullopt;
    }
    if (const auto numbers = numbers_of(*list)) {
        return *numbers;
    }
    std::vector<std::vector<double>> rows;
    for (const TomlEntry& item : list->items) {
        const setup::TomlList* row = item.as_list();
        const auto numbers = row != nullptr ? numbers_of(*row) : std::nullopt;
        if (!numbers) {
            return std::nullopt;
        }
        rows.push_back(*numbers);
    }
    return rows;
}

bool takes(Input& input, const models::InputValue& value) {
    try {
        input.set(value);
    } catch (const models::ModelError&) {
        return false;
    }
    return true;
}

/// The item of a list that the input refuses; empty if no single item is at fault. Items and rows
/// count from 0, as the models' nodes do.
std::optional<std::string> refused_item(Input& input, const setup::TomlList& list,
                                        const std::string& of_row) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        const std::optional<double> number = list.items[i].as_number();
        const std::vector<double> alone = {number.value_or(0.0)};
        const models::InputValue value =
            of_row.empty() ? models::InputValue(alone)
                           : models::InputValue(std::vector<std::vector<double>>(1, alone));
        if (!number || !takes(input, value)) {
            return fmt::format("item {}{} is {}", i, of_row,
                               shortened(setup::described(list.items[i])));
        }
    }
    return std::nullopt;
}

/// The fault in the rows of a matrix; empty if no row is at fault.
std::optional<std::string> refused_row(Input& input, const setup::TomlList& rows) {
    for (std::size_t i = 0; i < rows.items.size(); ++i) {
        const setup::TomlList* row = rows.items[i].as_list();
        if (row == nullptr) {
            return fmt::format("row {} is {}", i, shortened(setup::described(rows.items[i])));
        }
        if (row->items.empty()) {
            return fmt::format("row {} is empty", i);
        }
        const setup::TomlList* first = rows.items.front().as_list();
        if (row->items.size() != first->items.size()) {
            return fmt::format("row {} has {} number{} where row 0 has {}", i, row->items.size(),
                               row->items.size() == 1 ? "" : "s", first->items.size());
        }
        if (auto item = refused_item(input, *row, fmt::format(" of row {}", i))) {
            return item;
        }
    }
    return std::nullopt;
}

std::string refused_part(Input& input, const TomlEntry& entry) {
    const setup::TomlList* list = entry.as_list();
    std::optional<std::string> part;
    if (list != nullptr && is_list(input)) {
        part = refused_item(input, *list, "");
    } else if (list != nullptr && input.type() == hw::AcceptedValues::Type::kRows) {
        part = refused_row(input, *list);
    }
    return part.value_or(shortened(setup::described(entry)));
}

bool is_number_with_unit(const TomlEntry& entry) {
    const std::string* text = entry.as_string();
    return text != nullptr && !text->empty() &&
           std::isdigit(static_cast<unsigned char>(text->front())) != 0 &&
           std::isalpha(static_cast<unsigned char>(text->back())) != 0;
}

UserFault refused(Input& input, const TomlEntry& entry) {
    const std::string part = refused_part(input, entry);
    const bool names_a_part = part.starts_with("item ") || part.starts_with("row ");
    std::string accepted = input.accepted();
    if (input.is_number() && is_number_with_unit(entry)) {
        accepted += ", written without a unit";
    }
    Place place = entry.place;
    place.source = shortened(place.source);
    return {place, fmt::format("{}{} {}", input.title(), names_a_part ? ":" : " is", part),
            accepted};
}

std::string described(const Input& input) {
    std::string sentence = input.sentence();
    if (!sentence.empty() && sentence.back() == '.') {
        sentence.pop_back();
    }
    return input.title() + ": " + sentence;
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    const bool is_folder = std::filesystem::is_directory(path);
    if (is_folder || !file.is_open()) {
        const int error = is_folder ? EISDIR : errno;
        throw UserFault({path}, "cannot be read: " + std::generic_category().message(error),
                        "--from with a TOML file of inputs");
    }
    return hw::text_of(file, hw::kTomlLimits);
}

}  // namespace

models::Model& find_model(const models::Models& models, const std::string& name) {
    std::vector<std::string> names;
    std::vector<std::string> longer;  // models' names that begin with `name`
    for (const auto& model : models) {
        if (model->name() == name) {
            return *model;
        }
        names.push_back(model->name());
        if (!name.empty() && model->name().starts_with(name)) {
            longer.push_back(model->name());
        }
    }
    throw UserFault(
        Place{}, fmt::format("no model \"{}\"", name),
        longer.size() < 2 ? "a name that \"weir model\" lists" : setup::quoted_list(longer),
        setup::nearest_name(name, names));
}

models::Input& ModelInputs::find(const Place& place, const std::string& name) const {
    if (Input* input = model_.find_input(name)) {
        return *input;
    }
    const std::vector<std::string> names = names_of(model_.inputs());
    std::string found = fmt::format("{} has no input \"{}\"", model_.name(), name);
    std::optional<std::string> nearest;
    for (const Input* input : model_.inputs()) {
        if (differ_in_a_unit(name, input->name())) {
            found += fmt::format(": the model counts in {}", input->unit());
            nearest = input->name();
        } else if (input->symbol() == name || lacks_a_unit(name, input->name())) {
            nearest = input->name();
        }
        if (nearest) {
            break;
        }
    }
    Place shown = place;
    shown.source = shortened(place.source);
    throw UserFault(shown, found,
                    names.empty() ? "no inputs; the model has none" : setup::quoted_list(names),
                    nearest ? nearest : setup::nearest_name(name, names));
}

const models::Input& ModelInputs::give(const TomlEntry& entry) {
    Input& input = find(entry.key_place, entry.key);
    std::optional<models::InputValue> value = input_value_of(entry);
    if (const std::optional<double> number = entry.as_number(); number && is_list(input)) {
        value = std::vector<double>{*number};
    }
    if (!value || !takes(input, *value)) {
        throw refused(input, entry);
    }
    given_.insert(input.name());
    return input;
}

void ModelInputs::read_file(const std::string& path) {
    const TomlEntry file = setup::parse_toml(text_of(path), path);
    const setup::TomlTable* inputs = file.as_table();
    const TomlEntry* table = inputs->find("inputs");
    if (table != nullptr && table->as_table() != nullptr) {
        if (inputs->entries.size() > 1) {
            const bool is_first = &inputs->entries.front() == table;
            const TomlEntry& other = inputs->entries[is_first ? 1 : 0];
            throw UserFault(other.key_place,
                            fmt::format("\"{}\" stands outside the table [inputs]", other.key),
                            "all inputs in [inputs], or no such table");
        }
        inputs = table->as_table();
    }
    give_all(*inputs);
}

void ModelInputs::give_all(const setup::TomlTable& inputs) {
    for (const TomlEntry& entry : inputs.entries) {
        give(entry);
    }
}

void ModelInputs::set(const std::string& option) {
    const TomlEntry tree = setup::parse_set_option(option, "--set NAME=VALUE");
    set_.insert(give(tree.as_table()->entries.front()).name());
}

void ModelInputs::require_all(std::span<const Input* const> others) const {
    std::string missing;
    std::size_t count = 0;
    for (const Input* input : model_.inputs()) {
        const bool is_other = std::find(others.begin(), others.end(), input) != others.end();
        if (!input->value() && !is_other) {
            missing += (count == 0 ? "" : "; ") + described(*input);
            ++count;
        }
    }
    if (count > 0) {
        throw UserFault(
            {model_.name()},
            fmt::format("{} input{} not given: {}", count, count == 1 ? " is" : "s are", missing),
            "--set NAME=VALUE for each, or --from FILE");
    }
}

std::optional<std::string> size_text(const Input& input, std::size_t longest) {
    if (!input.value()) {
        return std::nullopt;
    }
    if (const auto* rows = std::get_if<std::vector<std::vector<double>>>(&*input.value())) {
        return fmt::format("{} x {} numbers", rows->size(), rows->front().size());
    }
    const auto* list = std::get_if<std::vector<double>>(&*input.value());
    return list != nullptr && input.value_text().size() > longest
               ? std::optional(fmt::format("{} numbers", list->size()))
               : std::nullopt;
}

bool is_list(const Input& input) { return input.type() == hw::AcceptedValues::Type::kNumbers; }

}  // namespace weir::experiments::analyses
