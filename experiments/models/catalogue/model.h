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

/// A model that can be asked by name. Its constructor declares each input and output once, with the
/// number of the equations that it sets or shows, its name with the unit, the paper's symbol and a
/// sentence. The command line, its help, sweeps and the experiments' tables of models read them
/// from there.
///
/// A model is asked by setting its inputs and calling solve(); what has no answer is a ModelError
/// that names the input, what was found and what is accepted.
namespace weir::experiments::models {

/// A number of the equations and its name, for the declaration of an input or output.
#define WEIR_NAMED(part, number) (part).number, #number

/// Value that a person can give to an input.
using InputValue =
    hw::Variant<double, bool, std::string, std::vector<double>, std::vector<std::vector<double>>>;

struct Limits {
    double smallest = 0.0;
    double largest = kLargestQuantity;
};

class Model;

/// One input of a model: a declaration with the paper's symbol. Its source is the model's.
class Input final : public hw::Declaration {
  public:
    using Store = std::function<void(const InputValue& value)>;

    /// Without a default it must be given. `store` hands a value that is accepted to the equations.
    Input(const Model& model, std::string name, std::string symbol, std::string sentence,
          hw::AcceptedValues accepted, std::optional<InputValue> default_value, Store store);

    [[nodiscard]] const std::string& symbol() const { return symbol_; }
    /// "handler_cycles (S_o)", as errors name it.
    [[nodiscard]] std::string title() const;
    [[nodiscard]] hw::AcceptedValues accepted_values() const override { return accepted_; }
    [[nodiscard]] hw::AcceptedValues::Type type() const { return accepted_.type; }
    /// One number, rather than a list, a name or a flag.
    [[nodiscard]] bool is_number() const;

    /// None where none was given and there is no default.
    [[nodiscard]] const std::optional<InputValue>& value() const { return value_; }
    /// The value now, as a person would type it; empty where there is none.
    [[nodiscard]] std::string value_text() const;
    /// Whether someone set a value, be it the default's.
    [[nodiscard]] bool is_given() const { return given_; }
    /// Takes the value, or leaves the old one and throws ModelError.
    void set(const InputValue& value);

  private:
    friend class Model;

    std::string symbol_;
    hw::AcceptedValues accepted_;
    std::optional<InputValue> value_;
    Store store_;
    bool given_ = false;
};

/// One number a model answers with. It may stay without a value where it does not apply.
class Output {
  public:
    using Read = std::function<std::optional<double>()>;

    /// `equation` is where it comes from: "(7)", "Section 3.3". `read` asks the equations.
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

    /// Only finite values: anything else is a bug of the model's, and a std::logic_error.
    void read();

    std::string name_;
    std::string symbol_;
    std::string sentence_;
    std::string equation_;
    Read read_;
    std::optional<double> value_;
};

/// Rows a model answers with: a schedule, a table of the paper, a value a node.
class OutputTable {
  public:
    struct Column {
        std::string name;  ///< with the unit in the name
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

    /// As many cells as columns, numbers finite; else a std::logic_error.
    void add_row(std::vector<Cell> row);
    /// A row of numbers only. (g++ 12 takes a list of variants with a string for uninitialised.)
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

    [[nodiscard]] const std::string& name() const { return name_; }      ///< "lopc-all-to-any"
    [[nodiscard]] const std::string& title() const { return title_; }    ///< one line
    [[nodiscard]] const std::string& source() const { return source_; }  ///< paper and section

    [[nodiscard]] const std::vector<Input*>& inputs() const { return inputs_; }
    [[nodiscard]] const std::vector<Output*>& outputs() const { return outputs_; }
    [[nodiscard]] const std::vector<OutputTable*>& tables() const { return tables_; }
    /// Remarks for readers of the outputs: gaps in the paper, and what was tried.
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
    [[nodiscard]] Input* find_input(std::string_view name) const;
    [[nodiscard]] Output* find_output(std::string_view name) const;

    /// Fills outputs, tables and notes from the inputs. ModelError where an input is not given or
    /// the equations have no solution; the outputs are then empty.
    void solve();

    // Declarations, for the constructors of models and for groups of inputs that several share.
    // Their order is the one in which people see them. A declared number must live as long as the
    // model. WEIR_NAMED(part, number) stands for a number and its own name.

    /// An input that sets `value`. The number in `value` is the default, unless it is kNotGiven or
    /// out of range: then the input must be given.
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
    /// A list, each number in the range. An empty one is a default only where it is said to be.
    void input(std::vector<double>& value, const std::string& name, const std::string& symbol,
               const std::string& sentence, Limits limits = {}, bool empty_by_default = false);
    /// Rows of equal length, each number in the range.
    void input(std::vector<std::vector<double>>& value, const std::string& name,
               const std::string& symbol, const std::string& sentence, Limits limits = {});
    /// True or false; `value` may be an enumeration of two.
    template <typename Flag>
    void flag(Flag& value, const std::string& name, const std::string& sentence) {
        declare_input(name, "", sentence, {.type = hw::AcceptedValues::Type::kFlag},
                      static_cast<bool>(value), [&value](const InputValue& given) {
                          value = static_cast<Flag>(std::get<bool>(given));
                      });
    }
    /// One of a few names; the first is the default. `value` is the name, or counts them from 0.
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

    /// An output that shows `value`: a number of the equations, which may be optional, or a
    /// function's result.
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
    /// The same of a part of the equations that may not apply.
    template <typename Part, typename Number>
    void output(const std::optional<Part>& part, Number Part::*value, const std::string& name,
                const std::string& symbol, const std::string& sentence,
                const std::string& equation = {}) {
        output(
            [&part, value] { return part ? std::optional<double>((*part).*value) : std::nullopt; },
            name, symbol, sentence, equation);
    }

    /// ModelError if a value was given to an input that nothing reads: `because` says why
    /// ("contention is \"computed\""), `accepted` where it is read.
    void refuse_if_given(std::string_view input, const std::string& because,
                         const std::string& accepted) const;

  protected:
    Model(std::string name, std::string title, std::string source);
    /// Solves the equations; inputs without a default have been given. Outputs are read afterwards.
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
