#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>

#include "experiments/models/catalogue/model.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::analyses {

/// A list of numbers, rather than one number, rows, a name or a flag.
[[nodiscard]] bool is_list(const models::Input& input);

/// How many numbers the value has, for a line: of rows, and of a list whose text is longer than
/// `longest` letters.
[[nodiscard]] std::optional<std::string> size_text(const models::Input& input, std::size_t longest);

/// The model of that name. Throws UserFault that names the nearest.
[[nodiscard]] models::Model& find_model(const models::Models& models, const std::string& name);

/// Gives a model's inputs what a person wrote, as TOML values; a number stands for a list of one.
/// Every method throws UserFault, one line with the place, what was found and what is accepted.
class ModelInputs {
  public:
    explicit ModelInputs(models::Model& model) : model_(model) {}

    /// A TOML file: `handler_cycles = 200` a line, or the same in a table [inputs].
    void read_file(const std::string& path);
    /// The text after --set: `handler_cycles=200`.
    void set(const std::string& option);

    /// A table of inputs.
    void give_all(const setup::TomlTable& inputs);

    /// The input of that name; `place` is where it was named. A name with another unit, or a
    /// paper's symbol, is answered with the input's name.
    [[nodiscard]] models::Input& find(const setup::Place& place, const std::string& name) const;

    /// Was it given a value here, rather than having its default?
    [[nodiscard]] bool is_given(const models::Input& input) const {
        return given_.contains(input.name());
    }

    /// Was it given a value by --set?
    [[nodiscard]] bool is_set(const models::Input& input) const {
        return set_.contains(input.name());
    }

    /// Throws, with all of them in one message, unless every input is given, has a default or is
    /// one of `others`.
    void require_all(std::span<const models::Input* const> others = {}) const;

  private:
    const models::Input& give(const setup::TomlEntry& entry);

    models::Model& model_;
    std::set<std::string> given_;
    std::set<std::string> set_;
};

}  // namespace weir::experiments::analyses
