#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/setup/files/correction.h"
#include "experiments/setup/files/experiment_content.h"
#include "experiments/setup/user_fault.h"
#include "hw/parameter.h"

namespace weir::experiments::setup {

/// One run of an experiment: a point, or a variant of it for the sensitivity table.
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
///     [network]                              # a table for each hw::ParameterGroup
///     hop_cycles = 1
///     [workload]
///     kernel = "remap"                       # says whose parameters the rest of [workload] are
///
///     [[point]]                              # a run for each; without any there is one run
///     label = "32 nodes"
///     against = "2 nodes"                    # optional: another point, to see the change from it
///     network.dimensions = [4, 8]
///     published.cycles = { value = 2000, source = "the paper, Table 1" }
///
///     [[sensitivity]]
///     what = "queue size"
///     points = [{ label = "half", controller.queue_bytes = 128 }]
///
///     [published.cycles_per_message]         # compared with; never an input
///     value = 20
///     source = "the paper, Table 2"
///     unit = "cycles"                        # optional
///     tolerance = 0.05                       # optional: a fraction of the value, or
///     within = 3                             # optional: a distance from it; weir validate checks
///
///     [models]
///     compare = ["logp", "lopc"]
///     [models.inputs]
///     handler_cycles = 100
///     source = "the paper, Table 3"
///
/// Who overrides whom: inside a file a point overrides the rest of it. A file overrides all that
/// the files it extends say, the points it inherits from them included, and replaces their lists
/// ([[point]], [[sensitivity]], compare) when it has its own. A --set option overrides all files, a
/// later one the earlier. A variant overrides everything, so that its row is what its label says.
///
/// Nothing is ignored: whatever isn't understood is a UserFault at its place. What the parameter
/// tables hold can only be judged by apply(), when machine and kernel are known, and names of
/// models and metrics by those who know them; so ask for all of every run before the first is
/// started.
class ExperimentFile {
  public:
    /// `set_options` are what follows each --set, "table.key=value".
    [[nodiscard]] static ExperimentFile read(const std::filesystem::path& file,
                                             const std::filesystem::path& presets_directory,
                                             std::span<const std::string> set_options = {});

    /// As read(), also of a file with a [sweep], [cost] or [search], which read() refuses. With the
    /// files' trees corrected first.
    [[nodiscard]] static ExperimentFile read_sweep(const std::filesystem::path& file,
                                                   const std::filesystem::path& presets_directory,
                                                   std::span<const std::string> set_options = {},
                                                   std::span<const Correction> corrections = {});

    /// The same experiment where `layer` overrides all but variants.
    [[nodiscard]] ExperimentFile with(Layer layer) const;

    [[nodiscard]] const std::string& title() const { return title_; }
    [[nodiscard]] const std::string& description() const { return description_; }

    /// At least one: without [[point]] the experiment is a point without overrides.
    [[nodiscard]] const std::vector<Point>& points() const { return points_; }
    [[nodiscard]] const std::vector<Sensitivity>& sensitivity() const { return sensitivity_; }

    /// [sweep], which experiments/running/sweeps reads; null without one.
    [[nodiscard]] const TomlEntry* sweep() const { return sweep_ ? &*sweep_ : nullptr; }
    /// [cost] and [search], which are read there, too; null without them.
    [[nodiscard]] const TomlEntry* cost() const { return cost_ ? &*cost_ : nullptr; }
    [[nodiscard]] const TomlEntry* search() const { return search_ ? &*search_ : nullptr; }

    /// Whether it is an experiment; else it describes a machine.
    [[nodiscard]] bool names_kernel(SelectedRun run) const;
    /// workload.kernel and where it stands. The caller knows the kernels, and throws
    /// unknown_name(kernel.place, "kernel", kernel.name, kernels) for one it doesn't have.
    [[nodiscard]] NameInFile workload_kernel(SelectedRun run) const;

    /// Whether anything stands in that parameter table.
    [[nodiscard]] bool has_table(std::string_view table, SelectedRun run) const;

    /// The string in force for a key of a parameter table, before apply(); none where there is no
    /// such key or it has no string, which apply() will judge.
    [[nodiscard]] std::optional<std::string> string_of(std::string_view table, std::string_view key,
                                                       SelectedRun run) const;

    /// Sets every parameter of `groups` for the run: what nobody gives gets its default, whatever
    /// it held before. `groups` are all of the machine's and the kernel's, since a key of any other
    /// table is a fault. After a fault they are half set.
    void apply(SelectedRun run, std::span<hw::ParameterGroup* const> groups) const;

    /// As apply() does for keys that no group has; sets nothing.
    void refuse_unknown_keys(SelectedRun run, std::span<hw::ParameterGroup* const> groups) const;

    /// What is published for the run's point. A metric not among `known_metrics` is a fault.
    [[nodiscard]] std::vector<Published> published(
        SelectedRun run, std::span<const std::string> known_metrics) const;
    [[nodiscard]] std::vector<Published> published(SelectedRun run) const;

    /// The models to compare with, in the file's order. A name not among `known_models` is a fault.
    [[nodiscard]] std::vector<std::string> model_names(
        std::span<const std::string> known_models) const;

    /// What the models are given for the run. A name not among `known_inputs` is a fault.
    [[nodiscard]] std::vector<ModelInput> model_inputs(
        SelectedRun run, std::span<const std::string> known_inputs) const;

    /// Where the value in force of a key stands: "network.hop_cycles", "published.cycles",
    /// "models.inputs.handler_cycles". The file as a whole when nothing gives the key.
    [[nodiscard]] Place place_of(std::string_view key, SelectedRun run) const;

    /// How high up the value in force of a key is given, "table.key": a file is above those it
    /// extends, and all --set options are as high as each other. Nothing when nobody gives it.
    [[nodiscard]] std::optional<std::size_t> level_of(std::string_view key, SelectedRun run) const;

    /// A fault with the value of its key, for the caller to throw.
    [[nodiscard]] UserFault fault_at(const hw::Fault& fault, SelectedRun run) const;
    [[nodiscard]] UserFault fault_at(std::string_view key, SelectedRun run,
                                     const std::string& found,
                                     const std::string& accepted = {}) const;

  private:
    ExperimentFile() = default;

    /// Everything that speaks about the run, the later over the earlier.
    [[nodiscard]] std::vector<const Layer*> layers(SelectedRun run) const;

    Place whole_file_;
    std::string title_;
    std::string description_;
    std::vector<Layer> bases_;           ///< first preset ... file itself, --set options
    std::size_t base_below_points_ = 0;  ///< the base of the file the points are from
    std::vector<Point> points_;
    std::vector<Sensitivity> sensitivity_;
    std::vector<NameInFile> models_to_compare_;
    std::optional<TomlEntry> sweep_;
    std::optional<TomlEntry> cost_;
    std::optional<TomlEntry> search_;
};

}  // namespace weir::experiments::setup
