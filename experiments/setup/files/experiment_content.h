#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::setup {

/// A value that was published of the real machine, [published.<metric>]. It is compared with, and
/// is never an input of a run.
struct Published {
    std::string metric;
    double value = 0;
    std::string source;               ///< paper and table or figure
    std::string unit;                 ///< empty when the file gives none
    std::optional<double> tolerance;  ///< largest accepted |measured - value| / |value|
    std::optional<double> within;     ///< largest accepted |measured - value|
    Place name_place;
    Place place;  ///< of the value
};

/// A number handed to the analytic models, [models.inputs].
struct ModelInput {
    std::string name;
    double value = 0;
    std::string source;
    Place name_place;
    Place place;  ///< of the value
};

/// What one place of the user's input says: a file outside its points, a point, a variant of the
/// sensitivity table, or one --set option.
struct Layer {
    enum class Owner { kFile, kPoint, kVariant, kSetOption };

    Owner owner = Owner::kFile;
    /// Parameter tables, unchecked: which there are depends on the machine and the kernel.
    std::vector<TomlEntry> settings;
    std::vector<Published> published;
    /// Those without a source of their own take the one in force where the layer applies.
    std::vector<ModelInput> model_inputs;
    std::string model_inputs_source;
};

/// A point of the experiment: one run. The label is the file's or, without one, the overrides.
struct Point {
    std::string label;
    Place place;
    Layer overrides;
    /// The label of the point it is measured against; empty for none.
    std::string against;
    Place against_place;
};

/// A row of the sensitivity table: what is varied, and a run for each value.
struct Sensitivity {
    std::string what;
    Place place;
    std::vector<Point> variants;
};

struct NameInFile {
    std::string name;
    Place place;
};

/// One experiment file or --set option, checked as far as that goes without knowing the machine.
struct ExperimentContent {
    std::optional<std::string> title;
    std::optional<std::string> description;
    Layer base;
    std::optional<std::vector<Point>> points;
    std::optional<std::vector<Sensitivity>> sensitivity;
    std::optional<std::vector<NameInFile>> models_to_compare;
    /// [sweep], [cost] and [search], as they stand (experiments/running/sweeps).
    std::optional<TomlEntry> sweep;
    std::optional<TomlEntry> cost;
    std::optional<TomlEntry> search;
};

/// Throws UserFault for whatever in the tree is not of an experiment file, parameter tables apart.
[[nodiscard]] ExperimentContent content_of_file(const TomlEntry& file);

/// As content_of_file; also refuses what only a file can say: extends, points, sensitivity.
[[nodiscard]] ExperimentContent content_of_set_option(const TomlEntry& option);

/// The keys that can stand beside the parameter tables there.
[[nodiscard]] std::vector<std::string> keys_beside_parameter_tables(Layer::Owner owner);

}  // namespace weir::experiments::setup
