#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/setup/files/correction.h"
#include "experiments/setup/files/experiment_content.h"
#include "experiments/setup/files/permissions.h"
#include "experiments/setup/user_fault.h"
#include "hw/parameter.h"

namespace weir::experiments::setup {

/// One run of an experiment: a point, or a variant of a point for the sensitivity table.
struct SelectedRun {
    struct Variant {
        std::size_t sensitivity = 0;
        std::size_t variant = 0;
    };

    SelectedRun(std::size_t point_index) : point(point_index) {}
    SelectedRun(std::size_t point_index, Variant variant_of_point)
        : point(point_index), variant(variant_of_point) {}

    std::size_t point;
    std::optional<Variant> variant;
};

/// An experiment file with the presets it extends and the --set options of the command line.
///
///     extends = "alewife"                    # a preset, or "../path/to.toml"
///     title = "Remap on meshes of two sizes"
///     description = "..."
///
///     [network]                              # one table per hw::ParameterGroup
///     hop_cycles = 1
///     [workload]
///     kernel = "remap"                       # owner of the other parameters in [workload]
///
///     [[point]]                              # one run per point; without points, one run
///     label = "32 nodes"
///     against = "2 nodes"                    # optional: reference point for changes
///     network.dimensions = [4, 8]
///     published.cycles = { value = 2000, source = "the paper, Table 1" }
///
///     [[sensitivity]]
///     what = "queue size"
///     points = [{ label = "half", controller.queue_bytes = 128 }]
///
///     [published.cycles_per_message]         # for comparison; never an input
///     value = 20
///     source = "the paper, Table 2"
///     unit = "cycles"                        # optional
///     tolerance = 0.05                       # optional: a fraction of the value, or
///     within = 3                             # optional: a distance from it, checked by weir
///     validate
///
///     [models]
///     compare = ["logp", "lopc"]
///     [models.inputs]
///     handler_cycles = 100
///     source = "the paper, Table 3"
///
/// Precedence, from lowest to highest:
/// - A file overrides the files that it extends, including the points inherited from them. Its own
///   lists ([[point]], [[sensitivity]], compare) replace theirs.
/// - A point overrides all other tables of its file.
/// - A --set option overrides all files; later options override earlier ones.
/// - A variant overrides everything, so that its row is what its label says.
///
/// Nothing is ignored: an unknown entry is a UserFault at its place. Only apply() can check the
/// parameter tables, since it gets the groups of machine and kernel. Names of models and metrics
/// are checked by the functions that get the accepted names. Read all values of every run before
/// the first run starts, so that no fault is found later.
class ExperimentFile {
  public:
    /// Reads the file and the presets it extends. `set_options`: the texts behind each --set,
    /// "table.key=value".
    [[nodiscard]] static ExperimentFile read(const std::filesystem::path& file,
                                             const std::filesystem::path& presets_directory,
                                             std::span<const std::string> set_options = {});

    /// As read(), but also accepts a [sweep], [cost] or [search]. The files' trees are corrected
    /// first.
    [[nodiscard]] static ExperimentFile read_sweep(const std::filesystem::path& file,
                                                   const std::filesystem::path& presets_directory,
                                                   std::span<const std::string> set_options = {},
                                                   std::span<const Correction> corrections = {});

    /// The same experiment with one more layer, which overrides all but variants.
    [[nodiscard]] ExperimentFile with(Layer layer) const;

    /// Access beyond the file's own folder; none until permit() gives it.
    [[nodiscard]] const Permissions& permissions() const { return permissions_; }
    void permit(Permissions permissions) { permissions_ = std::move(permissions); }

    [[nodiscard]] const std::string& title() const { return title_; }
    [[nodiscard]] const std::string& description() const { return description_; }

    /// Points, at least one: without [[point]] the experiment is one point without overrides.
    [[nodiscard]] const std::vector<Point>& points() const { return points_; }
    [[nodiscard]] const std::vector<Sensitivity>& sensitivity() const { return sensitivity_; }

    /// [sweep], read by experiments/running/sweeps; null without one.
    [[nodiscard]] const TomlEntry* sweep() const { return sweep_ ? &*sweep_ : nullptr; }
    /// [cost] and [search], read by experiments/running/sweeps, too; null without them.
    [[nodiscard]] const TomlEntry* cost() const { return cost_ ? &*cost_ : nullptr; }
    [[nodiscard]] const TomlEntry* search() const { return search_ ? &*search_ : nullptr; }

    /// True if the run names a kernel; a file that names none describes a machine.
    [[nodiscard]] bool names_kernel(SelectedRun run) const;
    /// Value and place of workload.kernel. The caller knows the kernels, and throws
    /// unknown_name(kernel.place, "kernel", kernel.name, kernels) for an unknown one.
    [[nodiscard]] NameInFile workload_kernel(SelectedRun run) const;

    /// True if the parameter table has any entry.
    [[nodiscard]] bool has_table(std::string_view table, SelectedRun run) const;

    /// String in force for a key of a parameter table, before apply(). Returns nullopt if the key
    /// is missing or its value is no string, which apply() checks.
    [[nodiscard]] std::optional<std::string> string_of(std::string_view table, std::string_view key,
                                                       SelectedRun run) const;

    /// Sets every parameter of `groups` for the run. Parameters that no layer gives get their
    /// default. `groups` has all groups of the machine and the kernel: a key of any other table is
    /// a fault. After a fault the groups are only partly set.
    void apply(SelectedRun run, std::span<hw::ParameterGroup* const> groups) const;

    /// Throws UserFault as apply() does for keys that no group has; sets nothing.
    void refuse_unknown_keys(SelectedRun run, std::span<hw::ParameterGroup* const> groups) const;

    /// Published values for the run's point. Throws UserFault for a metric not among
    /// `known_metrics`.
    [[nodiscard]] std::vector<Published> published(
        SelectedRun run, std::span<const std::string> known_metrics) const;
    [[nodiscard]] std::vector<Published> published(SelectedRun run) const;

    /// Names of the models to compare with, in the file's order. Throws UserFault for a name not
    /// among `known_models`.
    [[nodiscard]] std::vector<std::string> model_names(
        std::span<const std::string> known_models) const;

    /// Inputs of the models for the run. Throws UserFault for a name not among `known_inputs`.
    [[nodiscard]] std::vector<ModelInput> model_inputs(
        SelectedRun run, std::span<const std::string> known_inputs) const;

    /// Place of a key's value in force: "network.hop_cycles", "published.cycles",
    /// "models.inputs.handler_cycles". The file as a whole if no layer gives the key.
    [[nodiscard]] Place place_of(std::string_view key, SelectedRun run) const;

    /// Level of the layer with a key's value in force, "table.key". A file is above the files it
    /// extends; all --set options are on one level, the highest. Returns nullopt if no layer gives
    /// the key.
    [[nodiscard]] std::optional<std::size_t> level_of(std::string_view key, SelectedRun run) const;

    /// Fault at the place of its key's value, for the caller to throw.
    [[nodiscard]] UserFault fault_at(const hw::Fault& fault, SelectedRun run) const;
    [[nodiscard]] UserFault fault_at(std::string_view key, SelectedRun run,
                                     const std::string& found,
                                     const std::string& accepted = {}) const;

  private:
    ExperimentFile() = default;

    /// All layers of the run; later layers override earlier ones.
    [[nodiscard]] std::vector<const Layer*> layers(SelectedRun run) const;

    Permissions permissions_;
    Place whole_file_;
    std::string title_;
    std::string description_;
    std::vector<Layer> bases_;  ///< in the order: first preset, ..., the file itself, --set options
    std::size_t base_below_points_ = 0;  ///< index of the layer of the file with the points
    std::vector<Point> points_;
    std::vector<Sensitivity> sensitivity_;
    std::vector<NameInFile> models_to_compare_;
    std::optional<TomlEntry> sweep_;
    std::optional<TomlEntry> cost_;
    std::optional<TomlEntry> search_;
};

}  // namespace weir::experiments::setup
