#include "hw/input_limits.h"

#include <algorithm>
#include <array>

namespace weir::hw {

namespace {

std::optional<Fault> more_than(const std::string& what, std::size_t most) {
    return Fault{{},
                 what + " has more than " + std::to_string(most) + " bytes",
                 "at most " + std::to_string(most) + " bytes",
                 {}};
}

// Counts nesting levels; skips strings and comments.
class LevelCount {
  public:
    LevelCount(std::string_view text, InputSyntax syntax) : text_(text), syntax_(syntax) {}

    std::size_t deepest() {
        while (at_ < text_.size()) {
            read_token();
        }
        return deepest_;
    }

  private:
    [[nodiscard]] bool is_at(std::string_view start) const {
        return text_.substr(at_).starts_with(start);
    }
    [[nodiscard]] bool is_at_one_of(std::string_view letters) const {
        return letters.find(text_[at_]) != std::string_view::npos;
    }
    void open() { deepest_ = std::max(deepest_, ++depth_); }
    void close() { depth_ -= depth_ > 0 ? 1 : 0; }

    // Skips a quoted string; with escapes, a backslash protects the next character.
    void skip_quoted(std::string_view quote, bool has_escapes) {
        at_ += quote.size();
        while (at_ < text_.size() && !is_at(quote)) {
            at_ += has_escapes && text_[at_] == '\\' ? 2 : 1;
        }
        at_ = std::min(at_ + quote.size(), text_.size());
    }

    // Multi-line strings in TOML may end with two quotes that belong to the string.
    void skip_toml_text() {
        for (const std::string_view quote : {R"(""")", "'''"}) {
            if (is_at(quote)) {
                skip_quoted(quote, quote.front() == '"');
                for (int i = 0; i < 2 && is_at(quote.substr(0, 1)); ++i) {
                    ++at_;
                }
                return;
            }
        }
        skip_quoted(text_.substr(at_, 1), text_[at_] == '"');
    }

    void read_token() {
        const bool is_toml = syntax_ == InputSyntax::kToml;
        if (is_toml && is_at_one_of("\"'")) {
            skip_toml_text();
        } else if (is_at("\"")) {
            skip_quoted("\"", true);
        } else if (is_toml && is_at("#")) {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else {
            if (is_at_one_of("{[")) {
                open();
            } else if (is_at_one_of("}]")) {
                close();
            }
            ++at_;
        }
    }

    std::string_view text_;
    InputSyntax syntax_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    std::size_t deepest_ = 0;
};

}  // namespace

std::size_t levels_in(std::string_view text, InputSyntax syntax) {
    return LevelCount(text, syntax).deepest();
}

std::optional<Fault> limit_fault(std::string_view text, const InputLimits& limits) {
    return text.size() > limits.bytes ? more_than("it", limits.bytes) : std::nullopt;
}

std::optional<Fault> limit_fault(std::string_view text, const InputLimits& limits,
                                 InputSyntax syntax) {
    if (auto fault = limit_fault(text, limits)) {
        return fault;
    }
    if (levels_in(text, syntax) > limits.levels) {
        return Fault{
            {}, "it is nested too deep", std::to_string(limits.levels) + " levels at most", {}};
    }
    return std::nullopt;
}

std::string text_of(std::istream& in, const InputLimits& limits) {
    constexpr std::size_t kBlock = 65'536;
    std::string text;
    std::array<char, kBlock> block{};
    while (text.size() <= limits.bytes && in) {
        const std::size_t wanted = std::min(kBlock, limits.bytes - text.size() + 1);
        in.read(block.data(), static_cast<std::streamsize>(wanted));
        text.append(block.data(), in.gcount());
    }
    return text;
}

void skip_byte_order_mark(std::istream& in) {
    using Traits = std::istream::traits_type;
    std::streambuf& bytes = *in.rdbuf();
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    for (std::size_t i = 0; i < kMark.size(); ++i) {
        if (!Traits::eq_int_type(bytes.sgetc(), Traits::to_int_type(kMark[i]))) {
            for (; i > 0; --i) {
                bytes.sungetc();
            }
            return;
        }
        bytes.sbumpc();
    }
}

bool next_line(std::istream& in, std::string& line, const InputLimits& limits) {
    line.clear();
    std::streambuf& bytes = *in.rdbuf();
    if (!in) {
        return false;
    }
    using Traits = std::istream::traits_type;
    auto letter = bytes.sbumpc();
    if (letter == Traits::eof()) {
        in.setstate(std::ios::eofbit | std::ios::failbit);
        return false;
    }
    for (; letter != Traits::eof() && letter != '\n'; letter = bytes.sbumpc()) {
        line += Traits::to_char_type(letter);
        if (line.size() > limits.line_bytes) {
            break;
        }
    }
    return true;
}

std::optional<Fault> line_fault(std::string_view line, const InputLimits& limits) {
    return line.size() > limits.line_bytes ? more_than("the line", limits.line_bytes)
                                           : std::nullopt;
}

}  // namespace weir::hw
