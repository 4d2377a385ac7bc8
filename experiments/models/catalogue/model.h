#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "experiments/models/model_input.h"
#include "hw/declaration.h"
#include "hw/variant.h"

/// A model that can be asked by name: inputs and outputs declared once, each with its unit in its
/// name, the paper's symbol and a sentence. The command line, its help, sweeps and the experiments'
/// tables of models read them from there.
///
/// A model is asked by setting its inputs and calling solve(); what has no answer is a ModelError
/// that names the input, what was found and what is accepted.
namespace weir::experiments::models {

/// What a person can give to an input.
using InputValue =
    hw::Variant<double, bool, std::string, std::vector<double>, std::vector<std::vector<double>>>;

class Model;

/// One input of a model: a declaration with the paper's symbol. Its source is the model's.
class Input : public hw::Declaration {
  public:
    [[nodiscard]] const std::string& symbol() const { return symbol_; }
    /// "handler_cycles (S_o)", as errors name it.
    [[nodiscard]] std::string title() const;

    /// The value now, as a person would type it; empty where none was given and there is no
    /// default.
    [[nodiscard]] virtual std::string value_text() const = 0;
    [[nodiscard]] virtual bool has_value() const = 0;
    [[nodiscard]] virtual InputValue value_as_variant() const = 0;
    /// Whether someone set a value, be it the default's.
    [[nodiscard]] bool is_given() const { return given_; }
    /// Takes the value, or leaves the old one and throws ModelError.
    virtual void set(const InputValue& value) = 0;

  protected:
    Input(Model& model, std::string name, std::string symbol, std::string sentence);
    [[noreturn]] void refuse(const InputValue& value) const;
    void mark_given() { given_ = true; }

  private:
    std::string symbol_;
    bool given_ = false;
};

/// ModelError if a value was given to an input that nothing reads: `because` says why ("contention
/// is \"computed\""), `accepted` where it is read.
void refuse_if_given(const Input& input, const std::string& because, const std::string& accepted);

struct Limits {
    double smallest = 0.0;
    double largest = kLargestQuantity;
};

/// A real number in a range.
class QuantityInput final : public Input {
  public:
    /// Without a default it must be given.
    QuantityInput(Model& model, std::string name, std::string symbol, std::string sentence,
                  Limits limits = {}, std::optional<double> default_value = std::nullopt);

    [[nodiscard]] double value() const { return value_.value_or(kNotGiven); }
    [[nodiscard]] hw::AcceptedValues accepted_values() const override;
    [[nodiscard]] std::string value_text() const override;
    [[nodiscard]] bool has_value() const override { return value_.has_value(); }
    [[nodiscard]] InputValue value_as_variant() const override { return value(); }
    void set(const InputValue& value) override;

  private:
    Limits limits_;
    std::optional<double> value_;
};

/// A whole number in a range.
class CountInput final : public Input {
  public:
    CountInput(Model& model, std::string name, std::string symbol, std::string sentence,
               Limits limits, std::optional<std::int64_t> default_value = std::nullopt);

    [[nodiscard]] std::int64_t value() const { return value_.value_or(0); }
    [[nodiscard]] hw::AcceptedValues accepted_values() const override;
    [[nodiscard]] std::string value_text() const override;
    [[nodiscard]] bool has_value() const override { return value_.has_value(); }
    [[nodiscard]] InputValue value_as_variant() const override {
        return static_cast<double>(value());
    }
    void set(const InputValue& value) override;

  private:
    Limits limits_;
    std::optional<std::int64_t> value_;
};

/// True or false.
class FlagInput final : public Input {
  public:
    FlagInput(Model& model, std::string name, std::string sentence, bool default_value = false);

    [[nodiscard]] bool value() const { return value_; }
    [[nodiscard]] hw::AcceptedValues accepted_values() const override {
        return {.type = hw::AcceptedValues::Type::kFlag};
    }
    [[nodiscard]] std::string value_text() const override { return value_ ? "true" : "false"; }
    [[nodiscard]] bool has_value() const override { return true; }
    [[nodiscard]] InputValue value_as_variant() const override { return value_; }
    void set(const InputValue& value) override;

  private:
    bool value_;
};

/// One of a few names; the first is the default.
class ChoiceInput final : public Input {
  public:
    ChoiceInput(Model& model, std::string name, std::string sentence,
                std::vector<std::string> names);

    [[nodiscard]] const std::string& value() const { return value_; }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] hw::AcceptedValues accepted_values() const override;
    [[nodiscard]] std::string value_text() const override { return value_; }
    [[nodiscard]] bool has_value() const override { return true; }
    [[nodiscard]] InputValue value_as_variant() const override { return value_; }
    void set(const InputValue& value) override;

  private:
    std::vector<std::string> names_;
    std::string value_;
};

/// A list of real numbers, each in the range.
class ListInput final : public Input {
  public:
    ListInput(Model& model, std::string name, std::string symbol, std::string sentence,
              Limits limits = {}, std::optional<std::vector<double>> default_value = std::nullopt);

    [[nodiscard]] const std::vector<double>& value() const { return value_.value(); }
    [[nodiscard]] hw::AcceptedValues accepted_values() const override;
    [[nodiscard]] std::string value_text() const override;
    [[nodiscard]] bool has_value() const override { return value_.has_value(); }
    [[nodiscard]] InputValue value_as_variant() const override { return value(); }
    void set(const InputValue& value) override;

  private:
    Limits limits_;
    std::optional<std::vector<double>> value_;
};

/// A list of rows of equal length, each number in the range.
class MatrixInput final : public Input {
  public:
    MatrixInput(Model& model, std::string name, std::string symbol, std::string sentence,
                Limits limits = {});

    [[nodiscard]] const std::vector<std::vector<double>>& value() const { return value_.value(); }
    [[nodiscard]] hw::AcceptedValues accepted_values() const override;
    [[nodiscard]] std::string value_text() const override;
    [[nodiscard]] bool has_value() const override { return value_.has_value(); }
    [[nodiscard]] InputValue value_as_variant() const override { return value(); }
    void set(const InputValue& value) override;

  private:
    Limits limits_;
    std::optional<std::vector<std::vector<double>>> value_;
};

/// One number a model answers with. It may stay without a value where it does not apply.
class Output {
  public:
    /// `equation` is where it comes from: "(7)", "Section 3.3".
    Output(Model& model, std::string name, std::string symbol, std::string sentence,
           std::string equation = {});
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output() = default;

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& symbol() const { return symbol_; }
    [[nodiscard]] std::string unit() const { return hw::unit_of_name(name_); }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }
    [[nodiscard]] const std::string& equation() const { return equation_; }
    [[nodiscard]] std::optional<double> value() const { return value_; }

    /// Only finite values: anything else is a bug of the model's, and a std::logic_error.
    Output& operator=(double value);
    void clear() { value_.reset(); }

  private:
    std::string name_;
    std::string symbol_;
    std::string sentence_;
    std::string equation_;
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
    /// What a reader of the outputs must know: what the paper does not say, what was tried.
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
    [[nodiscard]] Input* find_input(std::string_view name) const;
    [[nodiscard]] Output* find_output(std::string_view name) const;

    /// Fills outputs, tables and notes from the inputs. ModelError where an input is not given or
    /// the equations have no solution; the outputs are then empty.
    void solve();

  protected:
    Model(std::string name, std::string title, std::string source);
    /// Inputs without a default have been given when this is called.
    virtual void evaluate() = 0;
    void note(std::string sentence) { notes_.push_back(std::move(sentence)); }

  private:
    friend class Input;
    friend class Output;
    friend class OutputTable;

    void clear();

    std::string name_;
    std::string title_;
    std::string source_;
    std::vector<Input*> inputs_;
    std::vector<Output*> outputs_;
    std::vector<OutputTable*> tables_;
    std::vector<std::string> notes_;
};

using Models = std::vector<std::unique_ptr<Model>>;

}  // namespace weir::experiments::models
