#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::setup {

/// Arithmetic expression of numbers and parameters: "channel_bits_per_cycle * copies <= 64". An
/// expression consists of:
/// - numbers, names ("flit_bytes", "network.flit_bytes") and brackets;
/// - the operators + - * / (also −, × and ÷);
/// - at most one comparison: <, <=, =, >=, >, != (also ≤, ≥, ≠ and ==).
///
/// Any other text is refused.
class Expression {
  public:
    /// Parses the text. Throws UserFault, with this place, for a text that is no expression.
    [[nodiscard]] static Expression parse(const std::string& text, const Place& place);

    [[nodiscard]] const std::string& text() const { return text_; }
    /// Text of the expression in which the other name replaces each occurrence of `name`.
    [[nodiscard]] std::string text_with(const std::string& other, const std::string& name) const;
    [[nodiscard]] const Place& place() const { return place_; }
    /// True for a comparison, false for an expression that computes a number.
    [[nodiscard]] bool is_comparison() const;
    /// Names in the expression, each once, in the order of the text.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

    /// Value of the expression; for a comparison, 1 if it holds, else 0. `number_of` returns the
    /// number that a name stands for, and may throw. Throws UserFault for a division by 0 and for a
    /// value beyond the range of numbers.
    [[nodiscard]] double value(const std::function<double(const std::string&)>& number_of) const;

  private:
    enum class Operation : std::uint8_t {
        kNumber,
        kName,
        kNegate,
        kAdd,
        kSubtract,
        kMultiply,
        kDivide,
        kLess,
        kAtMost,
        kEqual,
        kAtLeast,
        kMore,
        kNotEqual,
    };
    /// Step of the expression in postfix order, executed on a stack of numbers.
    struct Step {
        Operation operation;
        double number = 0.0;   ///< operand of kNumber
        std::size_t name = 0;  ///< operand of kName: index in names_
    };
    class Parser;

    Expression(std::string text, Place place) : text_(std::move(text)), place_(std::move(place)) {}
    [[nodiscard]] double applied(Operation operation, double left, double right) const;

    std::string text_;
    Place place_;
    std::vector<std::string> names_;
    std::vector<Step> steps_;  ///< steps in postfix order
};

}  // namespace weir::experiments::setup
