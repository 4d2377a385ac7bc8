#include "experiments/setup/expressions/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "hw/input_limits.h"
#include "hw/refusal.h"

namespace weir::experiments::setup {

namespace {

constexpr const char* kAccepted =
    "numbers and keys with + - * / (or − × ÷), brackets, and one of < <= = >= > != at most";

bool is_of_number(char letter) {
    return std::isdigit(static_cast<unsigned char>(letter)) != 0 || letter == '.' || letter == '_';
}

bool is_of_name(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.';
}

}  // namespace

/// Recursive-descent parser with one function per level of precedence.
class Expression::Parser {
  public:
    explicit Parser(Expression& expression) : expression_(expression), text_(expression.text_) {}

    void parse() {
        comparison();
        if (!is_at_end()) {
            throw fault(is_comparison_next()
                            ? "has a second comparison"
                            : fmt::format("has {} behind a complete expression", next()));
        }
    }

  private:
    using Sign = std::pair<std::string_view, Operation>;

    // Longer operators first.
    static constexpr std::array kComparisons{
        Sign{"<=", Operation::kAtMost},   Sign{"≤", Operation::kAtMost},
        Sign{">=", Operation::kAtLeast},  Sign{"≥", Operation::kAtLeast},
        Sign{"!=", Operation::kNotEqual}, Sign{"≠", Operation::kNotEqual},
        Sign{"==", Operation::kEqual},    Sign{"=", Operation::kEqual},
        Sign{"<", Operation::kLess},      Sign{">", Operation::kMore}};
    static constexpr std::array kSums{Sign{"+", Operation::kAdd}, Sign{"-", Operation::kSubtract},
                                      Sign{"−", Operation::kSubtract}};
    static constexpr std::array kProducts{
        Sign{"*", Operation::kMultiply}, Sign{"×", Operation::kMultiply},
        Sign{"/", Operation::kDivide}, Sign{"÷", Operation::kDivide}};
    static constexpr std::array kNegations{Sign{"-", Operation::kNegate},
                                           Sign{"−", Operation::kNegate}};

    void skip_blanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
            ++at_;
        }
    }

    [[nodiscard]] bool is_at_end() {
        skip_blanks();
        return at_ == text_.size();
    }

    /// Next character of the text, quoted for a message.
    [[nodiscard]] std::string next() {
        if (is_at_end()) {
            return "its end";
        }
        std::size_t end = at_ + 1;
        const auto is_word = [](char letter) { return is_of_name(letter); };
        while (end < text_.size() && is_word(text_[at_]) && is_word(text_[end])) {
            ++end;
        }
        while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) {
            ++end;  // continuation bytes of a UTF-8 character
        }
        return fmt::format("\"{}\"", hw::shortened(text_.substr(at_, end - at_)));
    }

    [[nodiscard]] UserFault fault(const std::string& what) const {
        return {expression_.place_,
                fmt::format("the expression \"{}\" {}", hw::shortened(text_), what), kAccepted};
    }

    template <class Signs>
    [[nodiscard]] std::optional<Operation> taken(const Signs& signs) {
        skip_blanks();
        for (const auto& [sign, operation] : signs) {
            if (text_.substr(at_).starts_with(sign)) {
                at_ += sign.size();
                return operation;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] bool is_comparison_next() {
        const std::size_t before = at_;
        const bool is_next = taken(kComparisons).has_value();
        at_ = before;
        return is_next;
    }

    [[nodiscard]] bool takes(char letter) {
        skip_blanks();
        const bool is_there = at_ < text_.size() && text_[at_] == letter;
        at_ += is_there ? 1 : 0;
        return is_there;
    }

    void add(Operation operation) { expression_.steps_.push_back({operation, 0.0, 0}); }

    void comparison() {
        sum();
        if (const auto operation = taken(kComparisons)) {
            sum();
            add(*operation);
        }
    }

    void sum() {
        product();
        while (const auto operation = taken(kSums)) {
            product();
            add(*operation);
        }
    }

    void product() {
        factor();
        while (const auto operation = taken(kProducts)) {
            factor();
            add(*operation);
        }
    }

    void factor() {
        if (++level_ > hw::kExpressionLimits.levels) {
            throw fault(fmt::format("has more than {} levels", hw::kExpressionLimits.levels));
        }
        if (taken(kNegations)) {
            factor();
            add(Operation::kNegate);
        } else if (takes('(')) {
            sum();
            if (!takes(')')) {
                throw fault(fmt::format("has {} where a closing bracket is expected", next()));
            }
        } else {
            operand();
        }
        --level_;
    }

    void operand() {
        if (is_at_end()) {
            throw fault("ends where a number or a key is expected");
        }
        const char first = text_[at_];
        if (std::isdigit(static_cast<unsigned char>(first)) != 0 || first == '.') {
            number();
        } else if (is_of_name(first)) {
            name();
        } else {
            throw fault(fmt::format("has {} where a number or a key is expected", next()));
        }
    }

    // Number in TOML's syntax: 0.5, 1e6, 20_000.
    void number() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_of_number(text_[at_])) {
            ++at_;
        }
        if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
            ++at_;
            at_ += at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+') ? 1 : 0;
        }
        while (at_ < text_.size() && is_of_name(text_[at_])) {
            ++at_;
        }
        std::string digits(text_.substr(begin, at_ - begin));
        std::erase(digits, '_');
        double number = 0.0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc() || end != digits.data() + digits.size()) {
            throw fault(fmt::format("has \"{}\", which is not a number", hw::shortened(digits)));
        }
        expression_.steps_.push_back({Operation::kNumber, number, 0});
    }

    void name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_of_name(text_[at_])) {
            ++at_;
        }
        const std::string name(text_.substr(begin, at_ - begin));
        std::vector<std::string>& names = expression_.names_;
        const auto known = std::find(names.begin(), names.end(), name);
        const std::size_t index = known - names.begin();
        if (known == names.end()) {
            names.push_back(name);
        }
        expression_.steps_.push_back({Operation::kName, 0.0, index});
    }

    Expression& expression_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t level_ = 0;
};

Expression Expression::parse(const std::string& text, const Place& place) {
    if (const auto fault = hw::limit_fault(text, hw::kExpressionLimits)) {
        throw UserFault(place, *fault);
    }
    Expression expression(text, place);
    Parser(expression).parse();
    return expression;
}

std::string Expression::text_with(const std::string& other, const std::string& name) const {
    std::string text = text_;
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
        const std::size_t end = at + name.size();
        const bool is_whole = (at == 0 || !is_of_name(text[at - 1])) &&
                              (end == text.size() || !is_of_name(text[end]));
        if (is_whole) {
            text.replace(at, name.size(), other);
        }
        at += is_whole ? other.size() : name.size();
    }
    return text;
}

bool Expression::is_comparison() const { return steps_.back().operation >= Operation::kLess; }

double Expression::applied(Operation operation, double left, double right) const {
    switch (operation) {
        case Operation::kAdd:
            return left + right;
        case Operation::kSubtract:
            return left - right;
        case Operation::kMultiply:
            return left * right;
        case Operation::kDivide:
            if (right == 0.0) {
                throw UserFault(
                    place_, fmt::format("the expression \"{}\" divides by 0", hw::shortened(text_)),
                    "a divisor that is not 0");
            }
            return left / right;
        case Operation::kLess:
            return left < right ? 1.0 : 0.0;
        case Operation::kAtMost:
            return left <= right ? 1.0 : 0.0;
        case Operation::kEqual:
            return left == right ? 1.0 : 0.0;
        case Operation::kAtLeast:
            return left >= right ? 1.0 : 0.0;
        case Operation::kMore:
            return left > right ? 1.0 : 0.0;
        default:
            return left != right ? 1.0 : 0.0;
    }
}

double Expression::value(const std::function<double(const std::string&)>& number_of) const {
    std::vector<double> stack;
    for (const Step& step : steps_) {
        if (step.operation == Operation::kNumber) {
            stack.push_back(step.number);
        } else if (step.operation == Operation::kName) {
            stack.push_back(number_of(names_[step.name]));
        } else if (step.operation == Operation::kNegate) {
            stack.back() = -stack.back();
        } else {
            const double right = stack.back();
            stack.pop_back();
            stack.back() = applied(step.operation, stack.back(), right);
        }
        if (!std::isfinite(stack.back())) {
            throw UserFault(
                place_,
                fmt::format("the value of \"{}\" is not a finite number", hw::shortened(text_)),
                "an expression whose parts are all below 1e308");
        }
    }
    return stack.back();
}

}  // namespace weir::experiments::setup
