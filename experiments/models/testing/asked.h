#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "experiments/models/catalogue/catalogue.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {

using Settings = std::vector<std::pair<std::string, InputValue>>;

inline Settings operator+(Settings left, const Settings& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

inline std::unique_ptr<Model> model_named(const std::string& name) {
    for (std::unique_ptr<Model>& model : all_models()) {
        if (model->name() == name) {
            return std::move(model);
        }
    }
    throw std::invalid_argument("no model " + name);
}

/// A model of the catalogue with given inputs, for tests. Reading an output solves the model.
class Asked {
  public:
    Asked(const std::string& name, const Settings& settings) : model_(model_named(name)) {
        for (const auto& [input, value] : settings) {
            set(input, value);
        }
    }

    Asked& set(const std::string& input, const InputValue& value) {
        Input* found = model_->find_input(input);
        if (found == nullptr) {
            throw std::invalid_argument("no input " + input);
        }
        found->set(value);
        is_solved_ = false;
        return *this;
    }
    Model& model() {
        is_solved_ = false;
        return *model_;
    }
    [[nodiscard]] const Model& solved() const {
        if (!is_solved_) {
            model_->solve();
            is_solved_ = true;
        }
        return *model_;
    }
    [[nodiscard]] bool has(const std::string& output) const {
        return solved().find_output(output)->value().has_value();
    }
    [[nodiscard]] double operator[](const std::string& output) const {
        return solved().find_output(output)->value().value();
    }
    [[nodiscard]] const std::vector<std::string>& notes() const { return solved().notes(); }

    [[nodiscard]] const OutputTable& table() const { return *solved().tables().front(); }
    /// A number in the model's first table.
    [[nodiscard]] double cell(std::size_t row, std::size_t column) const {
        return std::get<double>(table().rows().at(row).at(column));
    }
    /// A number in a table, by row and by the column's name.
    [[nodiscard]] double cell(const std::string& table, std::size_t row,
                              const std::string& column) const {
        for (const OutputTable* one : solved().tables()) {
            for (std::size_t c = 0; one->name() == table && c < one->columns().size(); ++c) {
                if (one->columns()[c].name == column) {
                    return std::get<double>(one->rows().at(row)[c]);
                }
            }
        }
        throw std::invalid_argument("no " + column + " in " + table);
    }

  private:
    std::unique_ptr<Model> model_;
    mutable bool is_solved_ = false;
};

/// Message of the ModelError, or "solved".
inline std::string model_refusal(const Asked& asked) {
    try {
        (void)asked.solved();
    } catch (const ModelError& error) {
        return error.what();
    }
    return "solved";
}

inline std::string model_refusal(const std::string& name, const Settings& settings) {
    try {
        return model_refusal(Asked(name, settings));
    } catch (const ModelError& error) {
        return error.what();
    }
}

}  // namespace weir::experiments::models
