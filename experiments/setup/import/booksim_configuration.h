#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::setup {

/// A key of BookSim 2's configurations (commit 28f4329, `booksim_config.cpp`). Some keys have a
/// number and a text: `seed = 3` and `seed = time`.
struct BooksimKey {
    enum class Number : std::uint8_t { kNone, kWhole, kReal };

    std::string_view name;
    Number number = Number::kNone;
    bool has_text = false;
    std::string_view default_value;  ///< as BookSim writes it; empty for an empty text
    /// Reason why Weir does not read the key; empty for a key that it reads.
    std::string_view unread = {};
};

/// All keys of BookSim, in the order of its source.
[[nodiscard]] const std::vector<BooksimKey>& booksim_keys();

/// The settings of a BookSim 2 configuration, by its grammar: `key = value;`. Values are whole and
/// decimal numbers, words, and lists {a,b} without blanks. A comment extends from // to the line's
/// end. BookSim has neither quotes nor include files.
///
/// As in BookSim, a key that expects a decimal number refuses a whole one. The last of several
/// settings is valid. A key's text precedes its number.
class BooksimConfiguration {
  public:
    /// Throws UserFault with line and column: a syntax error, an unknown key, a value of the wrong
    /// type, or a text above its limits.
    BooksimConfiguration(std::string_view text, const std::string& source);

    [[nodiscard]] std::int64_t whole(std::string_view key) const;
    [[nodiscard]] double real(std::string_view key) const;
    /// The key's text; empty if it has none.
    [[nodiscard]] std::string text(std::string_view key) const;
    /// The setting as BookSim would write it: "num_vcs = 8".
    [[nodiscard]] std::string written(std::string_view key) const;
    [[nodiscard]] bool is_set(std::string_view key) const { return place_of(key).has_value(); }
    /// Place of the key's valid value, or the whole file for a default.
    [[nodiscard]] Place place(std::string_view key) const;
    /// Keys of the file, each once, in the order of their first lines.
    [[nodiscard]] const std::vector<std::string>& keys() const { return order_; }
    [[nodiscard]] const std::string& source() const { return source_; }

  private:
    struct Value {
        std::int64_t whole = 0;
        double real = 0.0;
        std::string text;  ///< the text, or the number as written
        Place place;
    };

    [[nodiscard]] std::optional<Place> place_of(std::string_view key) const;

    std::string source_;
    std::map<std::string, Value, std::less<>> numbers_;
    std::map<std::string, Value, std::less<>> texts_;
    std::vector<std::string> order_;
};

/// Items of a list "{a,{b,c}}": "a" and "{b,c}". A text without braces is one item, an empty text
/// none.
[[nodiscard]] std::vector<std::string> booksim_list(std::string_view text);

}  // namespace weir::experiments::setup
