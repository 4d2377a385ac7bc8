#include "experiments/setup/files/experiment_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "experiments/setup/files/extends_chain.h"
#include "experiments/setup/files/set_option.h"
#include "experiments/setup/parameters/parameter_assignment.h"

namespace weir::experiments::setup {

namespace {

/// Replaces the item of the same name by `item`, or appends it.
template <class Item>
void replace_or_append(std::vector<Item>& items, const Item& item, std::string Item::*name) {
    const auto same = std::find_if(items.begin(), items.end(),
                                   [&](const Item& other) { return other.*name == item.*name; });
    if (same == items.end()) {
        items.push_back(item);
    } else {
        *same = item;
    }
}

template <class Item>
void require_known(const std::vector<Item>& items, std::string Item::*name, Place Item::*place,
                   std::string_view kind, std::span<const std::string> known) {
    for (const Item& item : items) {
        if (std::find(known.begin(), known.end(), item.*name) == known.end()) {
            throw unknown_name(item.*place, kind, item.*name, known);
        }
    }
}

std::vector<ModelInput> inputs_in_force(std::span<const Layer* const> layers) {
    std::vector<ModelInput> inputs;
    std::string source;
    for (const Layer* layer : layers) {
        if (!layer->model_inputs_source.empty()) {
            source = layer->model_inputs_source;
        }
        for (ModelInput input : layer->model_inputs) {
            if (source.empty()) {
                throw UserFault(input.place,
                                fmt::format("models.inputs.{} has no source", input.name),
                                "models.inputs.source = \"where the numbers come from\"");
            }
            input.source = source;
            replace_or_append(inputs, input, &ModelInput::name);
        }
    }
    return inputs;
}

std::vector<Published> published_in_force(std::span<const Layer* const> layers) {
    std::vector<Published> published;
    for (const Layer* layer : layers) {
        for (const Published& value : layer->published) {
            replace_or_append(published, value, &Published::metric);
        }
    }
    return published;
}

template <class Item>
const Item* find_named(const std::vector<Item>& items, std::string Item::*name,
                       std::string_view wanted) {
    const auto found = std::find_if(items.begin(), items.end(),
                                    [&](const Item& item) { return item.*name == wanted; });
    return found == items.end() ? nullptr : &*found;
}

}  // namespace

ExperimentFile ExperimentFile::read(const std::filesystem::path& file,
                                    const std::filesystem::path& presets_directory,
                                    std::span<const std::string> set_options) {
    ExperimentFile experiment = read_sweep(file, presets_directory, set_options);
    for (const TomlEntry* of_many : {experiment.sweep(), experiment.cost(), experiment.search()}) {
        if (of_many != nullptr) {
            throw UserFault(
                of_many->key_place,
                fmt::format("a file with [{}] describes many experiments", of_many->key),
                fmt::format("weir {} {}", of_many->key == "search" ? "search" : "sweep",
                            file.string()));
        }
    }
    return experiment;
}

ExperimentFile ExperimentFile::read_sweep(const std::filesystem::path& file,
                                          const std::filesystem::path& presets_directory,
                                          std::span<const std::string> set_options,
                                          std::span<const Correction> corrections) {
    std::vector<ExperimentContent> contents;
    for (const TomlEntry& tree : read_extends_chain(file, presets_directory, corrections)) {
        contents.push_back(content_of_file(tree));
    }
    for (const std::string& option : set_options) {
        contents.push_back(content_of_set_option(parse_set_option(option)));
    }

    ExperimentFile experiment;
    experiment.whole_file_ = Place{file.string()};
    for (ExperimentContent& content : contents) {
        experiment.title_ = content.title.value_or(experiment.title_);
        experiment.description_ = content.description.value_or(experiment.description_);
        if (content.points) {
            experiment.points_ = *std::move(content.points);
            experiment.base_below_points_ = experiment.bases_.size();
        }
        if (content.sensitivity) {
            experiment.sensitivity_ = *std::move(content.sensitivity);
        }
        if (content.models_to_compare) {
            experiment.models_to_compare_ = *std::move(content.models_to_compare);
        }
        if (content.sweep) {
            experiment.sweep_ = std::move(content.sweep);
        }
        if (content.cost) {
            experiment.cost_ = std::move(content.cost);
        }
        if (content.search) {
            experiment.search_ = std::move(content.search);
        }
        experiment.bases_.push_back(std::move(content.base));
    }
    if (experiment.points_.empty()) {
        Point only;
        only.label = "as it stands";
        only.place = experiment.whole_file_;
        only.overrides.owner = Layer::Owner::kPoint;
        experiment.points_.push_back(std::move(only));
    }
    return experiment;
}

ExperimentFile ExperimentFile::with(Layer layer) const {
    ExperimentFile experiment = *this;
    experiment.bases_.push_back(std::move(layer));
    return experiment;
}

std::vector<const Layer*> ExperimentFile::layers(SelectedRun run) const {
    std::vector<const Layer*> in_order;
    for (std::size_t base = 0; base < bases_.size(); ++base) {
        in_order.push_back(&bases_[base]);
        if (base == base_below_points_) {
            in_order.push_back(&points_.at(run.point).overrides);
        }
    }
    if (run.variant) {
        const Sensitivity& row = sensitivity_.at(run.variant->sensitivity);
        in_order.push_back(&row.variants.at(run.variant->variant).overrides);
    }
    return in_order;
}

bool ExperimentFile::names_kernel(SelectedRun run) const {
    return find_setting(layers(run), "workload", "kernel") != nullptr;
}

NameInFile ExperimentFile::workload_kernel(SelectedRun run) const {
    const TomlEntry* kernel = find_setting(layers(run), "workload", "kernel");
    if (kernel == nullptr) {
        throw UserFault(whole_file_, "workload.kernel is not given",
                        "[workload] with kernel = \"the kernel's name\"");
    }
    const std::string* name = kernel->as_string();
    if (name == nullptr) {
        throw UserFault(kernel->place, "workload.kernel is " + described(*kernel), "a string");
    }
    return {*name, kernel->place};
}

bool ExperimentFile::has_table(std::string_view table, SelectedRun run) const {
    const std::vector<const Layer*> in_force = layers(run);
    return std::any_of(in_force.begin(), in_force.end(), [table](const Layer* layer) {
        return std::any_of(layer->settings.begin(), layer->settings.end(),
                           [table](const TomlEntry& setting) { return setting.key == table; });
    });
}

std::optional<std::string> ExperimentFile::string_of(std::string_view table, std::string_view key,
                                                     SelectedRun run) const {
    const TomlEntry* entry = find_setting(layers(run), table, key);
    const std::string* text = entry != nullptr ? entry->as_string() : nullptr;
    return text != nullptr ? std::optional(*text) : std::nullopt;
}

void ExperimentFile::apply(SelectedRun run, std::span<hw::ParameterGroup* const> groups) const {
    assign_parameters(layers(run), whole_file_, groups);
}

void ExperimentFile::refuse_unknown_keys(SelectedRun run,
                                         std::span<hw::ParameterGroup* const> groups) const {
    setup::refuse_unknown_keys(layers(run), groups);
}

std::vector<Published> ExperimentFile::published(SelectedRun run) const {
    return published_in_force(layers(run));
}

std::vector<Published> ExperimentFile::published(SelectedRun run,
                                                 std::span<const std::string> known_metrics) const {
    std::vector<Published> values = published(run);
    require_known(values, &Published::metric, &Published::name_place, "metric", known_metrics);
    return values;
}

std::vector<std::string> ExperimentFile::model_names(
    std::span<const std::string> known_models) const {
    require_known(models_to_compare_, &NameInFile::name, &NameInFile::place, "model", known_models);
    std::vector<std::string> names;
    for (const NameInFile& model : models_to_compare_) {
        names.push_back(model.name);
    }
    return names;
}

std::vector<ModelInput> ExperimentFile::model_inputs(
    SelectedRun run, std::span<const std::string> known_inputs) const {
    std::vector<ModelInput> inputs = inputs_in_force(layers(run));
    require_known(inputs, &ModelInput::name, &ModelInput::name_place, "model input", known_inputs);
    return inputs;
}

Place ExperimentFile::place_of(std::string_view key, SelectedRun run) const {
    constexpr std::string_view kPublished = "published.";
    constexpr std::string_view kModelInputs = "models.inputs.";
    const std::vector<const Layer*> in_force = layers(run);
    if (key.starts_with(kPublished)) {
        const std::vector<Published> values = published_in_force(in_force);
        const Published* value =
            find_named(values, &Published::metric, key.substr(kPublished.size()));
        return value == nullptr ? whole_file_ : value->place;
    }
    if (key.starts_with(kModelInputs)) {
        const std::vector<ModelInput> inputs = inputs_in_force(in_force);
        const ModelInput* input =
            find_named(inputs, &ModelInput::name, key.substr(kModelInputs.size()));
        return input == nullptr ? whole_file_ : input->place;
    }
    const std::size_t dot = key.find('.');
    if (dot == std::string_view::npos) {
        return whole_file_;
    }
    const TomlEntry* setting = find_setting(in_force, key.substr(0, dot), key.substr(dot + 1));
    return setting == nullptr ? whole_file_ : setting->place;
}

std::optional<std::size_t> ExperimentFile::level_of(std::string_view key, SelectedRun run) const {
    const std::vector<const Layer*> in_force = layers(run);
    const std::size_t dot = key.find('.');
    std::optional<std::size_t> level;
    std::size_t next = 0;
    bool follows_option = false;
    for (const Layer* layer : in_force) {
        const bool is_option = layer->owner == Layer::Owner::kSetOption;
        next += is_option && follows_option ? 0 : 1;
        follows_option = is_option;
        if (find_setting({&layer, 1}, key.substr(0, dot), key.substr(dot + 1)) != nullptr) {
            level = next;
        }
    }
    return level;
}

UserFault ExperimentFile::fault_at(const hw::Fault& fault, SelectedRun run) const {
    return {place_of(fault.key, run), fault};
}

UserFault ExperimentFile::fault_at(std::string_view key, SelectedRun run, const std::string& found,
                                   const std::string& accepted) const {
    return {place_of(key, run), found, accepted};
}

}  // namespace weir::experiments::setup
