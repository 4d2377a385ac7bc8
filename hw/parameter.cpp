#include "hw/parameter.h"

namespace weir::hw {

ParameterBase* ParameterGroup::find(std::string_view name) const {
    for (ParameterBase* parameter : parameters_) {
        if (parameter->name() == name) {
            return parameter;
        }
    }
    return nullptr;
}

std::optional<std::vector<std::string>> words_of(std::string_view text) {
    std::vector<std::string> words;
    bool is_in_word = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i];
        if (std::string_view(" \t\n\r").find(letter) != std::string_view::npos) {
            is_in_word = false;
            continue;
        }
        if (!is_in_word) {
            words.emplace_back();
            is_in_word = true;
        }
        if (letter != '\'' && letter != '"') {
            words.back() += letter;
            continue;
        }
        const std::size_t end = text.find(letter, i + 1);
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        words.back() += text.substr(i + 1, end - i - 1);
        i = end;
    }
    return words;
}

bool Parameter<Words>::set(const ParameterValue& value) {
    std::vector<std::string> words;
    if (const auto* text = std::get_if<std::string>(&value)) {
        auto found = words_of(*text);
        if (!found || text->find('\0') != std::string::npos) {
            return false;
        }
        words = *std::move(found);
    } else if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value)) {
        words.reserve(numbers->size());
        for (const std::int64_t number : *numbers) {
            words.push_back(std::to_string(number));
        }
    } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
        words = {std::to_string(*number)};
    } else {
        return false;
    }
    words_ = std::move(words);
    given_ = value;
    return true;
}

}  // namespace weir::hw
