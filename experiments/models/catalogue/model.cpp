#include "experiments/models/catalogue/model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {

namespace {

std::string describe(double value) { return shortest_text(value); }

std::string describe(const std::vector<double>& values) {
    std::string text = "[";
    for (const double value : values) {
        text += (text.size() > 1 ? ", " : "") + shortest_text(value);
    }
    return text + "]";
}

std::string describe(const std::vector<std::vector<double>>& rows) {
    std::string text = "[";
    for (const auto& row : rows) {
        text += (text.size() > 1 ? ", " : "") + describe(row);
    }
    return text + "]";
}

std::string describe(const InputValue& value) {
    struct Describe {
        std::string operator()(double number) const { return describe(number); }
        std::string operator()(bool flag) const { return flag ? "true" : "false"; }
        std::string operator()(const std::string& text) const { return "\"" + text + "\""; }
        std::string operator()(const std::vector<double>& list) const { return describe(list); }
        std::string operator()(const std::vector<std::vector<double>>& rows) const {
            return describe(rows);
        }
    };
    return std::visit(Describe{}, value);
}

bool lies_in(const Limits& limits, double value) {
    return value >= limits.smallest && value <= limits.largest;
}

hw::AcceptedValues between(hw::AcceptedValues::Type type, const Limits& limits) {
    return {.type = type, .least = limits.smallest, .greatest = limits.largest};
}

}  // namespace

Input::Input(Model& model, std::string name, std::string symbol, std::string sentence)
    : Declaration(std::move(name), std::move(sentence), model.source()),
      symbol_(std::move(symbol)) {
    model.inputs_.push_back(this);
}

std::string Input::title() const {
    return symbol_.empty() ? name() : name() + " (" + symbol_ + ")";
}

void Input::refuse(const InputValue& value) const {
    throw ModelError(title() + " is " + describe(value), accepted());
}

void refuse_if_given(const Input& input, const std::string& because, const std::string& accepted) {
    if (input.is_given()) {
        throw ModelError(
            input.title() + " is " + input.value_text() + " and has no effect, for " + because,
            accepted);
    }
}

QuantityInput::QuantityInput(Model& model, std::string name, std::string symbol,
                             std::string sentence, Limits limits,
                             std::optional<double> default_value)
    : Input(model, std::move(name), std::move(symbol), std::move(sentence)),
      limits_(limits),
      value_(default_value) {}

hw::AcceptedValues QuantityInput::accepted_values() const {
    return between(hw::AcceptedValues::Type::kNumber, limits_);
}

std::string QuantityInput::value_text() const { return value_ ? describe(*value_) : ""; }

void QuantityInput::set(const InputValue& value) {
    const auto* number = std::get_if<double>(&value);
    if (number == nullptr || !lies_in(limits_, *number)) {
        refuse(value);
    }
    value_ = *number;
    mark_given();
}

CountInput::CountInput(Model& model, std::string name, std::string symbol, std::string sentence,
                       Limits limits, std::optional<std::int64_t> default_value)
    : Input(model, std::move(name), std::move(symbol), std::move(sentence)),
      limits_(limits),
      value_(default_value) {}

hw::AcceptedValues CountInput::accepted_values() const {
    return {.type = hw::AcceptedValues::Type::kWholeNumber,
            .least = static_cast<std::int64_t>(limits_.smallest),
            .greatest = static_cast<std::int64_t>(limits_.largest)};
}

std::string CountInput::value_text() const { return value_ ? std::to_string(*value_) : ""; }

void CountInput::set(const InputValue& value) {
    const auto* number = std::get_if<double>(&value);
    if (number == nullptr || !lies_in(limits_, *number) || std::trunc(*number) != *number) {
        refuse(value);
    }
    value_ = static_cast<std::int64_t>(*number);
    mark_given();
}

FlagInput::FlagInput(Model& model, std::string name, std::string sentence, bool default_value)
    : Input(model, std::move(name), "", std::move(sentence)), value_(default_value) {}

void FlagInput::set(const InputValue& value) {
    const auto* flag = std::get_if<bool>(&value);
    if (flag == nullptr) {
        refuse(value);
    }
    value_ = *flag;
    mark_given();
}

ChoiceInput::ChoiceInput(Model& model, std::string name, std::string sentence,
                         std::vector<std::string> names)
    : Input(model, std::move(name), "", std::move(sentence)),
      names_(std::move(names)),
      value_(names_.front()) {}

hw::AcceptedValues ChoiceInput::accepted_values() const {
    return {.type = hw::AcceptedValues::Type::kName, .names = names_};
}

void ChoiceInput::set(const InputValue& value) {
    const auto* name = std::get_if<std::string>(&value);
    if (name == nullptr || std::find(names_.begin(), names_.end(), *name) == names_.end()) {
        refuse(value);
    }
    value_ = *name;
    mark_given();
}

ListInput::ListInput(Model& model, std::string name, std::string symbol, std::string sentence,
                     Limits limits, std::optional<std::vector<double>> default_value)
    : Input(model, std::move(name), std::move(symbol), std::move(sentence)),
      limits_(limits),
      value_(std::move(default_value)) {}

hw::AcceptedValues ListInput::accepted_values() const {
    return between(hw::AcceptedValues::Type::kNumbers, limits_);
}

std::string ListInput::value_text() const { return value_ ? describe(*value_) : ""; }

void ListInput::set(const InputValue& value) {
    const auto* list = std::get_if<std::vector<double>>(&value);
    if (list == nullptr || list->empty() ||
        !std::all_of(list->begin(), list->end(),
                     [this](double v) { return lies_in(limits_, v); })) {
        refuse(value);
    }
    value_ = *list;
    mark_given();
}

MatrixInput::MatrixInput(Model& model, std::string name, std::string symbol, std::string sentence,
                         Limits limits)
    : Input(model, std::move(name), std::move(symbol), std::move(sentence)), limits_(limits) {}

hw::AcceptedValues MatrixInput::accepted_values() const {
    return between(hw::AcceptedValues::Type::kRows, limits_);
}

std::string MatrixInput::value_text() const { return value_ ? describe(*value_) : ""; }

void MatrixInput::set(const InputValue& value) {
    const auto* rows = std::get_if<std::vector<std::vector<double>>>(&value);
    if (rows == nullptr || rows->empty()) {
        refuse(value);
    }
    for (const auto& row : *rows) {
        if (row.size() != rows->front().size() || row.empty() ||
            !std::all_of(row.begin(), row.end(),
                         [this](double v) { return lies_in(limits_, v); })) {
            refuse(value);
        }
    }
    value_ = *rows;
    mark_given();
}

Output::Output(Model& model, std::string name, std::string symbol, std::string sentence,
               std::string equation)
    : name_(std::move(name)),
      symbol_(std::move(symbol)),
      sentence_(std::move(sentence)),
      equation_(std::move(equation)) {
    model.outputs_.push_back(this);
}

Output& Output::operator=(double value) {
    if (!std::isfinite(value)) {
        throw std::logic_error(name_ + ": the model answered with what is not a finite number");
    }
    value_ = value;
    return *this;
}

OutputTable::OutputTable(Model& model, std::string name, std::string sentence,
                         std::vector<Column> columns, std::string equation)
    : name_(std::move(name)),
      sentence_(std::move(sentence)),
      equation_(std::move(equation)),
      columns_(std::move(columns)) {
    model.tables_.push_back(this);
}

void OutputTable::add_row(std::vector<Cell> row) {
    if (row.size() != columns_.size()) {
        throw std::logic_error(name_ + ": the model's row does not fit its table");
    }
    for (const Cell& cell : row) {
        if (const auto* number = std::get_if<double>(&cell);
            number != nullptr && !std::isfinite(*number)) {
            throw std::logic_error(name_ + ": the model answered with what is not a finite number");
        }
    }
    rows_.push_back(std::move(row));
}

Model::Model(std::string name, std::string title, std::string source)
    : name_(std::move(name)), title_(std::move(title)), source_(std::move(source)) {}

Input* Model::find_input(std::string_view name) const {
    const auto found = std::find_if(inputs_.begin(), inputs_.end(),
                                    [&](const Input* input) { return input->name() == name; });
    return found == inputs_.end() ? nullptr : *found;
}

Output* Model::find_output(std::string_view name) const {
    const auto found = std::find_if(outputs_.begin(), outputs_.end(),
                                    [&](const Output* output) { return output->name() == name; });
    return found == outputs_.end() ? nullptr : *found;
}

void Model::clear() {
    for (Output* output : outputs_) {
        output->clear();
    }
    for (OutputTable* table : tables_) {
        table->clear();
    }
    notes_.clear();
}

void Model::solve() {
    clear();
    for (const Input* input : inputs_) {
        if (!input->has_value()) {
            throw ModelError(input->title() + " is not given", input->accepted());
        }
    }
    try {
        evaluate();
    } catch (const ModelError&) {
        clear();
        throw;
    }
}

}  // namespace weir::experiments::models
