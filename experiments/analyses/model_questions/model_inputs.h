#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>

#include "experiments/models/catalogue/model.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::analyses {

/// Whether the input is a list of numbers, rather than one number, rows, a name or a flag.
[[nodiscard]] bool is_list(const models::Input& input);

/// Text of a value's size, to show in place of rows of numbers, or of a list whose text is longer
/// than `longest` characters. Empty for other values.
[[nodiscard]] std::optional<std::string> size_text(const models::Input& input, std::size_t longest);

/// Model with this name. Throws a UserFault with the nearest name for an unknown one.
[[nodiscard]] models::Model& find_model(const models::Models& models, const std::string& name);

/// Sets a model's inputs from TOML values that a user wrote; a number also sets a list of one
/// number. Every method throws UserFault, one line with the place, the value found and the values
/// accepted.
class ModelInputs {
  public:
    explicit ModelInputs(models::Model& model) : model_(model) {}

    /// Reads a TOML file with a line such as `handler_cycles = 200` for each input, at the top
    /// level or in a table [inputs].
    void read_file(const std::string& path);
    /// Sets an input from the text after --set: `handler_cycles=200`.
    void set(const std::string& option);

    /// Sets the model's inputs from a TOML table.
    void give_all(const setup::TomlTable& inputs);

    /// The named input; `place` is where a user named it. If `name` has another unit, or is a
    /// paper's symbol, the fault names the input that is meant.
    [[nodiscard]] models::Input& find(const setup::Place& place, const std::string& name) const;

    /// Whether a value was given for the input, in place of its default.
    [[nodiscard]] bool is_given(const models::Input& input) const {
        return given_.contains(input.name());
    }

    /// Whether --set has set the input's value.
    [[nodiscard]] bool is_set(const models::Input& input) const {
        return set_.contains(input.name());
    }

    /// Throws one fault that lists all missing inputs. An input is missing if it is not given, has
    /// no default and is not in `others`.
    void require_all(std::span<const models::Input* const> others = {}) const;

  private:
    const models::Input& give(const setup::TomlEntry& entry);

    models::Model& model_;
    std::set<std::string> given_;
    std::set<std::string> set_;
};

}  // namespace weir::experiments::analyses
