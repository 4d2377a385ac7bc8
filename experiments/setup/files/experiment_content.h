#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::setup {

/// A value published for the real machine, [published.<metric>]. Published values are compared with
/// measurements and are never inputs of a run.
struct Published {
    std::string metric;
    double value = 0;
    std::string source;               ///< paper and table or figure
    std::string unit;                 ///< unit of the value; empty if the file gives none
    std::optional<double> tolerance;  ///< largest accepted |measured - value| / |value|
    std::optional<double> within;     ///< largest accepted |measured - value|
    Place name_place;
    Place place;  ///< place of the value
};

/// An input of the analytic models, [models.inputs].
struct ModelInput {
    std::string name;
    double value = 0;
    std::string source;
    Place name_place;
    Place place;  ///< place of the value
};

/// Content of one source of input: a file without its points, a point, a variant of the sensitivity
/// table, or one --set option.
struct Layer {
    enum class Owner { kFile, kPoint, kVariant, kSetOption };

    Owner owner = Owner::kFile;
    /// Parameter tables, unchecked: which tables exist depends on the machine and the kernel.
    std::vector<TomlEntry> settings;
    std::vector<Published> published;
    /// Inputs without a source of their own take the `source` in force for the run.
    std::vector<ModelInput> model_inputs;
    std::string model_inputs_source;
};

/// A point of the experiment: one run. A point's label is from the file or, without one, made of
/// its overrides.
struct Point {
    std::string label;
    Place place;
    Layer overrides;
    /// Label of the reference point for changes; empty for none.
    std::string against;
    Place against_place;
};

/// A row of the sensitivity table: a description of the varied parameters, and one run per value.
struct Sensitivity {
    std::string what;
    Place place;
    std::vector<Point> variants;
};

struct NameInFile {
    std::string name;
    Place place;
};

/// One experiment file or --set option, checked as far as possible without the machine.
struct ExperimentContent {
    std::optional<std::string> title;
    std::optional<std::string> description;
    Layer base;
    std::optional<std::vector<Point>> points;
    std::optional<std::vector<Sensitivity>> sensitivity;
    std::optional<std::vector<NameInFile>> models_to_compare;
    /// [sweep], [cost] and [search], unchecked; experiments/running/sweeps reads them.
    std::optional<TomlEntry> sweep;
    std::optional<TomlEntry> cost;
    std::optional<TomlEntry> search;
};

/// Content of a file. Throws UserFault for anything in the tree that does not belong into an
/// experiment file; parameter tables are not checked.
[[nodiscard]] ExperimentContent content_of_file(const TomlEntry& file);

/// Content of a --set option. Also refuses keys that only files can have: extends, points,
/// sensitivity.
[[nodiscard]] ExperimentContent content_of_set_option(const TomlEntry& option);

/// Keys that a layer of this kind may have in addition to the parameter tables.
[[nodiscard]] std::vector<std::string> keys_beside_parameter_tables(Layer::Owner owner);

}  // namespace weir::experiments::setup
