#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "hw/declaration.h"
#include "hw/effect.h"
#include "hw/fault.h"
#include "hw/units.h"

namespace weir::hw {

/// One parameter of a part: a declaration with a default, the default's source, and the condition
/// under which it has an effect. It is declared once, as a member of the part's ParameterGroup. The
/// check of files, `weir params`, the schema of experiment files and the documentation read it from
/// there.
class ParameterBase : public Declaration {
  public:
    /// Condition under which the parameter has an effect; elsewhere only the default is accepted.
    [[nodiscard]] const Condition& effective_when() const { return effective_when_; }

    [[nodiscard]] virtual ParameterValue value_as_variant() const = 0;
    [[nodiscard]] virtual ParameterValue default_as_variant() const = 0;
    /// True when the value differs from the default.
    [[nodiscard]] bool is_given() const { return value_as_variant() != default_as_variant(); }
    /// True for a parameter whose value is the name of a file, or empty.
    [[nodiscard]] bool is_file_path() const {
        return accepted_values().type == AcceptedValues::Type::kFilePath;
    }
    /// First cycle in which runs with these two values may differ; they are equal before it.
    /// kNever: the values act on the measurement only, after the run. Cycle 0 for a parameter that
    /// does not declare it.
    using FirstDifference =
        std::function<Cycles(const ParameterValue& one, const ParameterValue& other)>;
    [[nodiscard]] Cycles first_difference(const ParameterValue& one,
                                          const ParameterValue& other) const {
        return first_difference_ ? first_difference_(one, other) : Cycles(0);
    }
    /// True if the parameter declares its first difference, so that a run can take on another value
    /// at a later cycle.
    [[nodiscard]] bool acts_later() const { return static_cast<bool>(first_difference_); }
    void set_first_difference(FirstDifference first_difference) {
        first_difference_ = std::move(first_difference);
    }
    /// Declares that the parameter acts on the measurement only, after the run.
    void set_acts_after_run() {
        set_first_difference([](const ParameterValue&, const ParameterValue&) { return kNever; });
    }

    /// Sets the value and returns true. Keeps the old value and returns false when the new one has
    /// the wrong type or is out of range.
    [[nodiscard]] virtual bool set(const ParameterValue& value) = 0;

  protected:
    ParameterBase(std::string name, std::string sentence, std::string source, Condition effect)
        : Declaration(std::move(name), std::move(sentence), std::move(source)),
          effective_when_(std::move(effect)) {}

  private:
    Condition effective_when_;
    FirstDifference first_difference_;
};

/// The parameters of one part: one table of the experiment file.
class ParameterGroup {
  public:
    ParameterGroup(const ParameterGroup&) = delete;
    ParameterGroup& operator=(const ParameterGroup&) = delete;
    virtual ~ParameterGroup() = default;

    [[nodiscard]] const std::string& table() const { return table_; }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }
    /// Condition under which any of the parameters has an effect.
    [[nodiscard]] const Condition& effective_when() const { return effective_when_; }
    [[nodiscard]] const std::vector<ParameterBase*>& parameters() const { return parameters_; }
    [[nodiscard]] ParameterBase* find(std::string_view name) const;

    /// Checks relations between parameters. The fault's key is a parameter's name.
    using Fault = hw::Fault;
    [[nodiscard]] virtual std::optional<Fault> check() const { return std::nullopt; }

  protected:
    ParameterGroup(std::string table, std::string sentence, Condition effective_when = {})
        : table_(std::move(table)),
          sentence_(std::move(sentence)),
          effective_when_(std::move(effective_when)) {}

  private:
    template <class T>
    friend class Parameter;
    template <class E>
    friend class Choice;

    std::string table_;
    std::string sentence_;
    Condition effective_when_;
    std::vector<ParameterBase*> parameters_;
};

/// Least and greatest accepted value; without limits by default.
template <class Limit>
struct ParameterRange {
    constexpr ParameterRange() = default;
    constexpr ParameterRange(Limit least, Limit greatest) : low(least), high(greatest) {}
    Limit low = std::numeric_limits<Limit>::lowest();
    Limit high = std::numeric_limits<Limit>::max();
};

/// Type of a parameter that names a file; the value is a string. In an experiment file, the name is
/// relative to that file, as with `extends`. The part receives a path that it can open.
struct FilePath;

/// Type of a parameter that holds words for a program: a list of whole numbers, or a text. The text
/// is split at blanks, except within '' and "".
struct Words;

namespace detail {
// Type of a parameter's value in files and on the command line: a whole number for a quantity.
template <class T>
struct RawOf {
    using Type = T;
};
template <>
struct RawOf<FilePath> {
    using Type = std::string;
};
template <class U>
struct RawOf<Quantity<U>> {
    using Type = std::int64_t;
};
template <class T>
struct IsQuantity : std::false_type {};
template <class U>
struct IsQuantity<Quantity<U>> : std::true_type {};
}  // namespace detail

/// A value with a range: Cycles, Bytes, Flits, std::int64_t, double, bool, std::string, FilePath or
/// a list of whole numbers (the range holds for each).
template <class T>
class Parameter final : public ParameterBase {
  public:
    using Raw = typename detail::RawOf<T>::Type;
    using Limit = std::conditional_t<std::is_same_v<T, double>, double, std::int64_t>;
    using Range = ParameterRange<Limit>;
    using Value = std::conditional_t<detail::IsQuantity<T>::value, T, Raw>;

    Parameter(ParameterGroup& group, std::string name, Raw default_value, Range range,
              std::string sentence, Condition effective_when)
        : Parameter(group, std::move(name), std::move(default_value), range, std::move(sentence),
                    "", std::move(effective_when)) {}
    Parameter(ParameterGroup& group, std::string name, Raw default_value, Range range,
              std::string sentence, std::string source = {}, Condition effective_when = {})
        : ParameterBase(std::move(name), std::move(sentence), std::move(source),
                        std::move(effective_when)),
          value_(default_value),
          default_(std::move(default_value)),
          range_(range) {
        group.parameters_.push_back(this);
    }

    [[nodiscard]] Value value() const { return Value(value_); }

    [[nodiscard]] ParameterValue value_as_variant() const override { return value_; }
    [[nodiscard]] ParameterValue default_as_variant() const override { return default_; }

    [[nodiscard]] AcceptedValues accepted_values() const override {
        using Type = AcceptedValues::Type;
        if constexpr (std::is_same_v<Raw, bool>) {
            return {.type = Type::kFlag};
        } else if constexpr (std::is_same_v<T, FilePath>) {
            return {.type = Type::kFilePath};
        } else if constexpr (std::is_same_v<Raw, std::string>) {
            return {.type = Type::kText};
        } else {
            constexpr Range kAll;
            AcceptedValues values{.type = std::is_same_v<Raw, double> ? Type::kNumber
                                          : std::is_same_v<Raw, std::int64_t>
                                              ? Type::kWholeNumber
                                              : Type::kWholeNumbers};
            if (range_.low != kAll.low) {
                values.least = range_.low;
            }
            if (range_.high != kAll.high) {
                values.greatest = range_.high;
            }
            return values;
        }
    }

    [[nodiscard]] bool set(const ParameterValue& value) override {
        if constexpr (std::is_same_v<Raw, double>) {
            if (const auto* whole = std::get_if<std::int64_t>(&value)) {
                return set_checked(static_cast<double>(*whole));
            }
        }
        const Raw* raw = std::get_if<Raw>(&value);
        return raw != nullptr && set_checked(*raw);
    }

  private:
    bool set_checked(const Raw& value) {
        if constexpr (std::is_same_v<Raw, std::int64_t> || std::is_same_v<Raw, double>) {
            if (!(value >= range_.low && value <= range_.high)) {
                return false;
            }
        } else if constexpr (std::is_same_v<Raw, std::vector<std::int64_t>>) {
            for (const std::int64_t entry : value) {
                if (entry < range_.low || entry > range_.high) {
                    return false;
                }
            }
            if (value.empty()) {
                return false;
            }
        }
        value_ = value;
        return true;
    }

    Raw value_;
    Raw default_;
    Range range_;
};

/// Splits a text into words; empty where a quote is not closed.
[[nodiscard]] std::optional<std::vector<std::string>> words_of(std::string_view text);

template <>
class Parameter<Words> final : public ParameterBase {
  public:
    /// The default is an empty list of words.
    Parameter(ParameterGroup& group, std::string name, std::string sentence)
        : ParameterBase(std::move(name), std::move(sentence), "", {}) {
        group.parameters_.push_back(this);
    }

    [[nodiscard]] const std::vector<std::string>& value() const { return words_; }

    [[nodiscard]] ParameterValue value_as_variant() const override { return given_; }
    [[nodiscard]] ParameterValue default_as_variant() const override {
        return std::vector<std::int64_t>{};
    }
    [[nodiscard]] AcceptedValues accepted_values() const override {
        return {.type = AcceptedValues::Type::kWords};
    }
    [[nodiscard]] bool set(const ParameterValue& value) override;

  private:
    std::vector<std::string> words_;
    ParameterValue given_ = std::vector<std::int64_t>{};
};

/// A parameter with a few named values; E is their enumeration.
template <class E>
class Choice final : public ParameterBase {
  public:
    struct Option {
        E value;
        std::string name;
    };

    Choice(ParameterGroup& group, std::string name, E default_value, std::vector<Option> options,
           std::string sentence, Condition effective_when)
        : Choice(group, std::move(name), default_value, std::move(options), std::move(sentence), "",
                 std::move(effective_when)) {}
    Choice(ParameterGroup& group, std::string name, E default_value, std::vector<Option> options,
           std::string sentence, std::string source = {}, Condition effective_when = {})
        : ParameterBase(std::move(name), std::move(sentence), std::move(source),
                        std::move(effective_when)),
          options_(std::move(options)),
          value_(default_value),
          default_(default_value) {
        group.parameters_.push_back(this);
    }

    [[nodiscard]] E value() const { return value_; }
    [[nodiscard]] ParameterValue value_as_variant() const override { return name_of(value_); }
    [[nodiscard]] ParameterValue default_as_variant() const override { return name_of(default_); }

    [[nodiscard]] AcceptedValues accepted_values() const override {
        AcceptedValues values{.type = AcceptedValues::Type::kName};
        for (const Option& option : options_) {
            values.names.push_back(option.name);
        }
        return values;
    }

    [[nodiscard]] bool set(const ParameterValue& value) override {
        const auto* name = std::get_if<std::string>(&value);
        if (name == nullptr) {
            return false;
        }
        for (const Option& option : options_) {
            if (option.name == *name) {
                value_ = option.value;
                return true;
            }
        }
        return false;
    }

  private:
    [[nodiscard]] std::string name_of(E value) const {
        for (const Option& option : options_) {
            if (option.value == value) {
                return option.name;
            }
        }
        return {};
    }

    std::vector<Option> options_;
    E value_;
    E default_;
};

}  // namespace weir::hw
