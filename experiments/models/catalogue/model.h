#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "experiments/models/model_input.h"
#include "hw/declaration.h"
#include "hw/variant.h"

/// Interface of a model that the command line finds by its name. The model's constructor declares
/// each input and output once: its number in the equations, its name with the unit, the paper's
/// symbol and a sentence. The command line, its help, sweeps and the experiments' tables of models
/// read these declarations.
///
/// To ask a model, set its inputs and call solve(). A model that has no answer throws a ModelError,
/// which names the input, the value found and the values accepted.
namespace weir::experiments::models {

/// Expands to a number of the equations and its name as a string, to declare an input or output.
#define WEIR_NAMED(part, number) (part).number, #number

/// Value that a user can give to an input.
using InputValue =
    hw::Variant<double, bool, std::string, std::vector<double>, std::vector<std::vector<double>>>;

struct Limits {
    double smallest = 0.0;
    double largest = kLargestQuantity;
};

class Model;

/// One input of a model: a declaration with the paper's symbol. Its source in the literature is
/// that of the model.
class Input final : public hw::Declaration {
  public:
    using Store = std::function<void(const InputValue& value)>;

    /// An input without a default must be given. `store` passes an accepted value to the equations.
    Input(const Model& model, std::string name, std::string symbol, std::string sentence,
          hw::AcceptedValues accepted, std::optional<InputValue> default_value, Store store);

    [[nodiscard]] const std::string& symbol() const { return symbol_; }
    /// Name and symbol, as errors show them: "handler_cycles (S_o)".
    [[nodiscard]] std::string title() const;
    [[nodiscard]] hw::AcceptedValues accepted_values() const override { return accepted_; }
    [[nodiscard]] hw::AcceptedValues::Type type() const { return accepted_.type; }
    /// Whether the input is a single number, rather than a list, a name or a flag.
    [[nodiscard]] bool is_number() const;

    /// The value given, or else the default; empty without both.
    [[nodiscard]] const std::optional<InputValue>& value() const { return value_; }
    /// The current value as a user would type it; empty without a value.
    [[nodiscard]] std::string value_text() const;
    /// Whether set() was called, even with the default's value.
    [[nodiscard]] bool is_given() const { return given_; }
    /// Sets the value. A value out of range is a ModelError and leaves the old value.
    void set(const InputValue& value);

  private:
    friend class Model;

    std::string symbol_;
    hw::AcceptedValues accepted_;
    std::optional<InputValue> value_;
    Store store_;
    bool given_ = false;
};

/// One number of a model's answer. The output has no value where it does not apply.
class Output {
  public:
    using Read = std::function<std::optional<double>()>;

    /// `equation` is the number's source in the paper: "(7)", "Section 3.3". `read` returns the
    /// number's value.
    Output(std::string name, std::string symbol, std::string sentence, std::string equation,
           Read read);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& symbol() const { return symbol_; }
    [[nodiscard]] std::string unit() const { return hw::unit_of_name(name_); }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }
    [[nodiscard]] const std::string& equation() const { return equation_; }
    [[nodiscard]] std::optional<double> value() const { return value_; }

  private:
    friend class Model;

    /// Reads the value from the equations. A value that is not finite is a bug: std::logic_error.
    void read();

    std::string name_;
    std::string symbol_;
    std::string sentence_;
    std::string equation_;
    Read read_;
    std::optional<double> value_;
};

/// Table of a model's answer: a schedule, a table of the paper, or a value for each node.
class OutputTable {
  public:
    struct Column {
        std::string name;  ///< name of the column, with its unit
        std::string sentence;
    };
    using Cell = hw::Variant<double, std::string>;

    OutputTable(Model& model, std::string name, std::string sentence, std::vector<Column> columns,
                std::string equation = {});
    OutputTable(const OutputTable&) = delete;
    OutputTable& operator=(const OutputTable&) = delete;
    ~OutputTable() = default;

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }
    [[nodiscard]] const std::string& equation() const { return equation_; }
    [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
    [[nodiscard]] const std::vector<std::vector<Cell>>& rows() const { return rows_; }

    /// Adds a row with one cell for each column and finite numbers; anything else is a
    /// std::logic_error.
    void add_row(std::vector<Cell> row);
    /// Adds a row of numbers only. (g++ 12 warns that a list of variants with a string is
    /// uninitialised.)
    template <typename... Numbers>
    void add_numbers(Numbers... numbers) {
        const std::array<double, sizeof...(numbers)> row{static_cast<double>(numbers)...};
        add_row({row.begin(), row.end()});
    }
    void clear() { rows_.clear(); }

  private:
    std::string name_;
    std::string sentence_;
    std::string equation_;
    std::vector<Column> columns_;
    std::vector<std::vector<Cell>> rows_;
};

class Model {
  public:
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;
    virtual ~Model() = default;

    [[nodiscard]] const std::string& name() const { return name_; }    ///< "lopc-all-to-any"
    [[nodiscard]] const std::string& title() const { return title_; }  ///< title in one line
    /// Source: paper and section.
    [[nodiscard]] const std::string& source() const { return source_; }

    [[nodiscard]] const std::vector<Input*>& inputs() const { return inputs_; }
    [[nodiscard]] const std::vector<Output*>& outputs() const { return outputs_; }
    [[nodiscard]] const std::vector<OutputTable*>& tables() const { return tables_; }
    /// Remarks on the outputs for the user, such as gaps in the paper.
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
    [[nodiscard]] Input* find_input(std::string_view name) const;
    [[nodiscard]] Output* find_output(std::string_view name) const;

    /// Computes outputs, tables and notes from the inputs. Throws ModelError if an input is missing
    /// or the equations have no solution; the outputs are then empty.
    void solve();

    // Declarations, for the constructors of models and for groups of inputs that several models
    // share. Help and tables show them in the order of declaration. A declared number must live as
    // long as the model. WEIR_NAMED(part, number) passes a number together with its own name.

    /// Declares an input that sets `value`. The number in `value` is the default. If it is
    /// kNotGiven or out of range, the input has no default and must be given.
    void input(double& value, const std::string& name, const std::string& symbol,
               const std::string& sentence, Limits limits = {});
    template <std::integral Count>
    void input(Count& value, const std::string& name, const std::string& symbol,
               const std::string& sentence, Limits limits) {
        declare_input(name, symbol, sentence,
                      {.type = hw::AcceptedValues::Type::kWholeNumber,
                       .least = static_cast<std::int64_t>(limits.smallest),
                       .greatest = static_cast<std::int64_t>(limits.largest)},
                      static_cast<double>(value), [&value](const InputValue& given) {
                          value = static_cast<Count>(std::get<double>(given));
                      });
    }
    /// Declares an input that is a list of numbers within the limits. If empty_by_default is false,
    /// a list must be given.
    void input(std::vector<double>& value, const std::string& name, const std::string& symbol,
               const std::string& sentence, Limits limits = {}, bool empty_by_default = false);
    /// Declares an input that is a table: rows of equal length, with numbers within the limits.
    void input(std::vector<std::vector<double>>& value, const std::string& name,
               const std::string& symbol, const std::string& sentence, Limits limits = {});
    /// Declares a true or false input; `value` may be an enumeration with two enumerators.
    template <typename Flag>
    void flag(Flag& value, const std::string& name, const std::string& sentence) {
        declare_input(name, "", sentence, {.type = hw::AcceptedValues::Type::kFlag},
                      static_cast<bool>(value), [&value](const InputValue& given) {
                          value = static_cast<Flag>(std::get<bool>(given));
                      });
    }
    /// Declares a choice of names; the first is the default. `value` becomes the name or its index.
    template <typename Choice>
    void choice(Choice& value, const std::string& name, const std::string& sentence,
                const std::vector<std::string>& names) {
        const auto store = [&value, names](const InputValue& given) {
            if constexpr (std::is_same_v<Choice, std::string>) {
                value = std::get<std::string>(given);
            } else {
                const auto found =
                    std::find(names.begin(), names.end(), std::get<std::string>(given));
                value = static_cast<Choice>(found - names.begin());
            }
        };
        store(names.front());
        declare_input(name, "", sentence, {.type = hw::AcceptedValues::Type::kName, .names = names},
                      names.front(), store);
    }

    /// Declares an output that shows `value`: a number of the equations, which may be optional, or
    /// the result of a function.
    template <typename Value>
    void output(Value&& value, const std::string& name, const std::string& symbol,
                const std::string& sentence, const std::string& equation = {}) {
        if constexpr (std::is_invocable_v<Value>) {
            declare_output({name, symbol, sentence, equation, std::forward<Value>(value)});
        } else {
            static_assert(std::is_lvalue_reference_v<Value>, "the model must hold the number");
            declare_output({name, symbol, sentence, equation, [&value] { return value; }});
        }
    }
    /// Declares an output that shows a number of `part`; it has no value where `part` is absent.
    template <typename Part, typename Number>
    void output(const std::optional<Part>& part, Number Part::*value, const std::string& name,
                const std::string& symbol, const std::string& sentence,
                const std::string& equation = {}) {
        output(
            [&part, value] { return part ? std::optional<double>((*part).*value) : std::nullopt; },
            name, symbol, sentence, equation);
    }

    /// Throws ModelError if a value was given to an input that has no effect. `because` gives the
    /// reason ("contention is \"computed\""), `accepted` the settings in which the input has an
    /// effect.
    void refuse_if_given(std::string_view input, const std::string& because,
                         const std::string& accepted) const;

  protected:
    Model(std::string name, std::string title, std::string source);
    /// Solves the model's equations. All inputs have values; outputs are read afterwards.
    virtual void evaluate() = 0;
    void note(std::string sentence) { notes_.push_back(std::move(sentence)); }

  private:
    friend class OutputTable;

    void declare_input(const std::string& name, const std::string& symbol,
                       const std::string& sentence, hw::AcceptedValues accepted,
                       std::optional<InputValue> default_value, Input::Store store);
    void declare_output(Output output);
    void clear();

    std::string name_;
    std::string title_;
    std::string source_;
    std::deque<Input> declared_inputs_;
    std::deque<Output> declared_outputs_;
    std::vector<Input*> inputs_;
    std::vector<Output*> outputs_;
    std::vector<OutputTable*> tables_;
    std::vector<std::string> notes_;
};

using Models = std::vector<std::unique_ptr<Model>>;

}  // namespace weir::experiments::models
