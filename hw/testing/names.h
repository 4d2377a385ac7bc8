#pragma once

#include <gmock/gmock.h>

#include <cctype>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::testing {

// Several tests may be compiled as one, so they write ::testing:: for GoogleTest's names.
using namespace ::testing;

/// Position behind `token` in `text`, searched from `from` on; npos where there is none. The token
/// must not be part of a longer word or number.
inline std::size_t behind_token(std::string_view text, std::string_view token, std::size_t from) {
    const auto is_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (std::size_t at = text.find(token, from); at != std::string_view::npos;
         at = text.find(token, at + 1)) {
        const std::size_t end = at + token.size();
        const bool joined_before = at > 0 && is_word(token.front()) && is_word(text[at - 1]);
        const bool joined_behind = end < text.size() && is_word(token.back()) && is_word(text[end]);
        if (!joined_before && !joined_behind) return end;
    }
    return std::string_view::npos;
}

/// Matcher of a message by its place, key, values and accepted values. All tokens must be there, in
/// this order, each as a whole word or number. The sentence around them may change.
class NamesMatcher {
  public:
    using is_gtest_matcher = void;

    explicit NamesMatcher(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {}

    bool MatchAndExplain(std::string_view text, std::ostream* out) const {
        std::size_t from = 0;
        for (const std::string& token : tokens_) {
            from = behind_token(text, token, from);
            if (from == std::string_view::npos) {
                if (out != nullptr) *out << "which lacks \"" << token << "\", or has it too early";
                return false;
            }
        }
        return true;
    }
    void DescribeTo(std::ostream* out) const { describe("names", out); }
    void DescribeNegationTo(std::ostream* out) const { describe("doesn't name", out); }

  private:
    void describe(std::string_view verb, std::ostream* out) const {
        *out << verb;
        for (const std::string& token : tokens_) *out << " \"" << token << '"';
    }

    std::vector<std::string> tokens_;
};

/// Names("network.arity", "0", "1"): the text has these words and numbers, in this order.
template <typename... Tokens>
NamesMatcher Names(const Tokens&... tokens) {
    return NamesMatcher({std::string(tokens)...});
}

}  // namespace weir::testing
