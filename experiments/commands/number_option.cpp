#include "experiments/commands/number_option.h"

#include <fmt/format.h>

#include <charconv>

namespace weir::experiments::commands {

namespace {

std::string fault_of(std::string_view text, std::int64_t least, std::int64_t most) {
    const std::optional<std::int64_t> number = whole_number_of(text);
    return number && *number >= least && *number <= most
               ? ""
               : fmt::format("found \"{}\"; accepted: a whole number from {} to {}", text, least,
                             most);
}

}  // namespace

std::optional<std::int64_t> whole_number_of(std::string_view text) {
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    if (digits.size() > 1 && digits.front() == '0') {
        return std::nullopt;
    }
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stopped == end ? std::optional(number) : std::nullopt;
}

ValueCheck whole_number(std::int64_t least, std::int64_t most, bool described) {
    return {[least, most](std::string& text) { return fault_of(text, least, most); },
            described ? fmt::format("INT in [{} - {}]", least, most) : ""};
}

std::vector<std::int64_t> whole_numbers(const std::string& option, const std::string& text,
                                        std::int64_t least, std::int64_t most) {
    std::vector<std::int64_t> numbers;
    std::string_view rest = text;
    for (;;) {
        const std::size_t end = rest.find(',');
        const std::string_view part = rest.substr(0, end);
        if (const std::string fault = fault_of(part, least, most); !fault.empty()) {
            throw InvalidValue(option + ": " + fault);
        }
        numbers.push_back(*whole_number_of(part));
        if (end == std::string_view::npos) {
            return numbers;
        }
        rest.remove_prefix(end + 1);
    }
}

}  // namespace weir::experiments::commands
