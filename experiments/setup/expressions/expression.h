#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::setup {

/// What a text computes of numbers and names: "channel_bits_per_cycle * copies <= 64". It has
/// numbers, names ("flit_bytes", "network.flit_bytes"), brackets, + - * / (also −, × and ÷), and
/// at most one comparison: <, <=, =, >=, >, != (also ≤, ≥, ≠ and ==). Nothing else is known, and
/// nothing is executed.
class Expression {
  public:
    /// Throws UserFault, with this place, for what is none.
    [[nodiscard]] static Expression parse(const std::string& text, const Place& place);

    [[nodiscard]] const std::string& text() const { return text_; }
    /// With another name wherever it has `name`.
    [[nodiscard]] std::string text_with(const std::string& other, const std::string& name) const;
    [[nodiscard]] const Place& place() const { return place_; }
    /// Whether it is true or false, and no number.
    [[nodiscard]] bool is_comparison() const;
    /// Its names, each once, in the order of the text.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

    /// Of a comparison 1 where it holds, else 0. `number_of` says what a name stands for, and may
    /// throw. Throws UserFault where it divides by 0, or leaves the range of numbers.
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
    /// What is done with a stack of numbers.
    struct Step {
        Operation operation;
        double number = 0.0;   ///< of kNumber
        std::size_t name = 0;  ///< of kName, in names_
    };
    class Parser;

    Expression(std::string text, Place place) : text_(std::move(text)), place_(std::move(place)) {}
    [[nodiscard]] double applied(Operation operation, double left, double right) const;

    std::string text_;
    Place place_;
    std::vector<std::string> names_;
    std::vector<Step> steps_;  ///< operands before what is done with them
};

}  // namespace weir::experiments::setup
