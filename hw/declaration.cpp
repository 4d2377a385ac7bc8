#include "hw/declaration.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace weir::hw {

namespace {

struct Unit {
    std::string_view suffix;
    std::string_view unit;
};
constexpr std::array<Unit, 13> kUnits{{{"cycles", "cycles"},
                                       {"cycle", "cycles"},
                                       {"bytes", "bytes"},
                                       {"flits", "flits"},
                                       {"words", "words"},
                                       {"bits", "bits"},
                                       {"hops", "hops"},
                                       {"seconds", "s"},
                                       {"microseconds", "us"},
                                       {"nanoseconds", "ns"},
                                       {"mhz", "MHz"},
                                       {"megahertz", "MHz"},
                                       {"percent", "%"}}};

std::string_view last_word(std::string_view name) {
    return name.substr(name.rfind('_') + 1);  // without '_' the whole name, since npos + 1 is 0
}

/// Unit that the word stands for; empty if the word is no unit.
std::string_view unit_of_word(std::string_view word) {
    const auto* const known = std::find_if(
        kUnits.begin(), kUnits.end(), [word](const Unit& unit) { return unit.suffix == word; });
    return known == kUnits.end() ? std::string_view() : known->unit;
}

std::string limit_text(const ParameterValue& limit) {
    if (const auto* whole = std::get_if<std::int64_t>(&limit)) {
        return std::to_string(*whole);
    }
    std::array<char, 32> digits{};
    constexpr int kDigits = 6;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                   std::get<double>(limit), std::chars_format::general, kDigits);
    return {digits.data(), end.ptr};
}

/// Description of a noun's accepted range, such as "a whole number from 1 to 4096".
std::string in_range(const std::string& noun, const AcceptedValues& values) {
    if (values.least && values.greatest) {
        return noun + " from " + limit_text(*values.least) + " to " + limit_text(*values.greatest);
    }
    if (values.least) {
        return noun + " of at least " + limit_text(*values.least);
    }
    return values.greatest ? noun + " of at most " + limit_text(*values.greatest) : noun;
}

std::string one_of(const std::vector<std::string>& names) {
    std::string text = "one of";
    for (const std::string& name : names) {
        text += (&name == names.data() ? " \"" : ", \"") + name + "\"";
    }
    return text;
}

}  // namespace

std::string unit_of_name(std::string_view name) {
    constexpr std::string_view kPer = "_per_";
    const std::size_t per = name.find(kPer);
    if (per == std::string_view::npos) {
        return std::string(unit_of_word(last_word(name)));
    }
    const std::string_view counted = last_word(name.substr(0, per));
    std::string each(name.substr(per + kPer.size()));
    const std::string_view unit = unit_of_word(counted);
    if (unit.empty() && unit_of_word(each.substr(0, each.find('_'))).empty()) {
        return std::string(unit_of_word(last_word(each)));
    }
    std::replace(each.begin(), each.end(), '_', ' ');
    return std::string(unit.empty() ? counted : unit) + " per " + each;
}

std::string AcceptedValues::text() const {
    switch (type) {
        case Type::kFlag:
            return "true or false";
        case Type::kWholeNumber:
            return in_range("a whole number", *this);
        case Type::kNumber:
            return in_range("a number", *this);
        case Type::kText:
            return "a string";
        case Type::kFilePath:
            return "a file's path";
        case Type::kName:
            return one_of(names);
        case Type::kWholeNumbers:
            return in_range("a list, each entry a whole number", *this);
        case Type::kWords:
            return "a string of words, a whole number, or a list of whole numbers";
        case Type::kNumbers:
            return in_range("a list, each entry a number", *this);
        case Type::kRows:
            return in_range("a list of rows of equal length, each entry a number", *this);
    }
    return {};
}

}  // namespace weir::hw
