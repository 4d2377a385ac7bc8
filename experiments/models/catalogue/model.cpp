#include "experiments/models/catalogue/model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {

namespace {

using Type = hw::AcceptedValues::Type;

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

bool lies_in(const hw::AcceptedValues& accepted, double value) {
    const auto bound = [](const std::optional<hw::ParameterValue>& limit) {
        const auto* whole = std::get_if<std::int64_t>(&*limit);
        return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(*limit);
    };
    return value >= bound(accepted.least) && value <= bound(accepted.greatest);
}

bool lie_in(const hw::AcceptedValues& accepted, const std::vector<double>& values) {
    return !values.empty() && std::all_of(values.begin(), values.end(),
                                          [&](double value) { return lies_in(accepted, value); });
}

bool is_accepted(const hw::AcceptedValues& accepted, const InputValue& value) {
    struct Accept {
        const hw::AcceptedValues& accepted;

        bool operator()(double number) const {
            return (accepted.type == Type::kNumber ||
                    (accepted.type == Type::kWholeNumber && std::trunc(number) == number)) &&
                   lies_in(accepted, number);
        }
        bool operator()(bool /*flag*/) const { return accepted.type == Type::kFlag; }
        bool operator()(const std::string& name) const {
            return accepted.type == Type::kName &&
                   std::find(accepted.names.begin(), accepted.names.end(), name) !=
                       accepted.names.end();
        }
        bool operator()(const std::vector<double>& list) const {
            return accepted.type == Type::kNumbers && lie_in(accepted, list);
        }
        bool operator()(const std::vector<std::vector<double>>& rows) const {
            return accepted.type == Type::kRows && !rows.empty() &&
                   std::all_of(rows.begin(), rows.end(), [&](const std::vector<double>& row) {
                       return row.size() == rows.front().size() && lie_in(accepted, row);
                   });
        }
    };
    return std::visit(Accept{accepted}, value);
}

hw::AcceptedValues between(Type type, const Limits& limits) {
    return {.type = type, .least = limits.smallest, .greatest = limits.largest};
}

template <typename Part>
Part* part_named(const std::vector<Part*>& parts, std::string_view name) {
    const auto found = std::find_if(parts.begin(), parts.end(),
                                    [&](const Part* part) { return part->name() == name; });
    return found == parts.end() ? nullptr : *found;
}

}  // namespace

Input::Input(const Model& model, std::string name, std::string symbol, std::string sentence,
             hw::AcceptedValues accepted, std::optional<InputValue> default_value, Store store)
    : Declaration(std::move(name), std::move(sentence), model.source()),
      symbol_(std::move(symbol)),
      accepted_(std::move(accepted)),
      value_(std::move(default_value)),
      store_(std::move(store)) {}

std::string Input::title() const {
    return symbol_.empty() ? name() : name() + " (" + symbol_ + ")";
}

bool Input::is_number() const {
    return accepted_.type == Type::kNumber || accepted_.type == Type::kWholeNumber;
}

std::string Input::value_text() const {
    if (!value_) {
        return "";
    }
    if (accepted_.type == Type::kWholeNumber) {
        return std::to_string(static_cast<std::int64_t>(std::get<double>(*value_)));
    }
    const auto* name = std::get_if<std::string>(&*value_);
    return name != nullptr ? *name : describe(*value_);
}

void Input::set(const InputValue& value) {
    if (!is_accepted(accepted_, value)) {
        throw ModelError(title() + " is " + describe(value), accepted());
    }
    value_ = value;
    store_(value);
    given_ = true;
}

Output::Output(std::string name, std::string symbol, std::string sentence, std::string equation,
               Read read)
    : name_(std::move(name)),
      symbol_(std::move(symbol)),
      sentence_(std::move(sentence)),
      equation_(std::move(equation)),
      read_(std::move(read)) {}

void Output::read() {
    const std::optional<double> value = read_();
    if (value && !std::isfinite(*value)) {
        throw std::logic_error(name_ + ": the model's output is not a finite number");
    }
    value_ = value;
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
            throw std::logic_error(name_ + ": the model's output is not a finite number");
        }
    }
    rows_.push_back(std::move(row));
}

Model::Model(std::string name, std::string title, std::string source)
    : name_(std::move(name)), title_(std::move(title)), source_(std::move(source)) {}

Input* Model::find_input(std::string_view name) const { return part_named(inputs_, name); }

Output* Model::find_output(std::string_view name) const { return part_named(outputs_, name); }

void Model::clear() {
    for (Output* output : outputs_) {
        output->value_.reset();
    }
    for (OutputTable* table : tables_) {
        table->clear();
    }
    notes_.clear();
}

void Model::solve() {
    clear();
    for (const Input* input : inputs_) {
        if (!input->value()) {
            throw ModelError(input->title() + " is not given", input->accepted());
        }
    }
    try {
        evaluate();
        for (Output* output : outputs_) {
            output->read();
        }
    } catch (const ModelError&) {
        clear();
        throw;
    }
}

void Model::input(double& value, const std::string& name, const std::string& symbol,
                  const std::string& sentence, Limits limits) {
    declare_input(name, symbol, sentence, between(Type::kNumber, limits), value,
                  [&value](const InputValue& given) { value = std::get<double>(given); });
}

void Model::input(std::vector<double>& value, const std::string& name, const std::string& symbol,
                  const std::string& sentence, Limits limits, bool empty_by_default) {
    declare_input(
        name, symbol, sentence, between(Type::kNumbers, limits), value,
        [&value](const InputValue& given) { value = std::get<std::vector<double>>(given); });
    if (empty_by_default) {
        inputs_.back()->value_ = value;
    }
}

void Model::input(std::vector<std::vector<double>>& value, const std::string& name,
                  const std::string& symbol, const std::string& sentence, Limits limits) {
    declare_input(name, symbol, sentence, between(Type::kRows, limits), value,
                  [&value](const InputValue& given) {
                      value = std::get<std::vector<std::vector<double>>>(given);
                  });
}

void Model::declare_input(const std::string& name, const std::string& symbol,
                          const std::string& sentence, hw::AcceptedValues accepted,
                          std::optional<InputValue> default_value, Input::Store store) {
    if (default_value && !is_accepted(accepted, *default_value)) {
        default_value.reset();
    }
    inputs_.push_back(&declared_inputs_.emplace_back(*this, name, symbol, sentence,
                                                     std::move(accepted), std::move(default_value),
                                                     std::move(store)));
}

void Model::declare_output(Output output) {
    outputs_.push_back(&declared_outputs_.emplace_back(std::move(output)));
}

void Model::refuse_if_given(std::string_view input, const std::string& because,
                            const std::string& accepted) const {
    if (const Input& found = *find_input(input); found.is_given()) {
        throw ModelError(
            found.title() + " is " + found.value_text() + " and has no effect, because " + because,
            accepted);
    }
}

}  // namespace weir::experiments::models
