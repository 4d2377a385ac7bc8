#include "experiments/random_machines/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/parameters/parameter_effect.h"

namespace weir::experiments::random_machines {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFile = "machine.toml";

bool is_of_program(const std::string& key) { return key == kProgramKey || key == kCoreKey; }

}  // namespace

std::string Setting::text() const { return key + " = " + setup::toml_text(value); }

const Setting* find(const Settings& settings, const std::string& key) {
    const auto at = std::find_if(settings.begin(), settings.end(),
                                 [&key](const Setting& setting) { return setting.key == key; });
    return at == settings.end() ? nullptr : &*at;
}

std::string experiment_text(const Settings& settings) {
    std::string text;
    for (const Setting& setting : settings) {
        text += setting.text() + "\n";
    }
    return text;
}

setup::ExperimentFile experiment_of(const Settings& settings, const fs::path& folder) {
    const fs::path file = folder / kFile;
    std::ofstream(file) << experiment_text(settings);
    return setup::ExperimentFile::read(file, folder);
}

std::optional<std::string> key_at_fault(const Settings& settings, const hw::Refusal& refusal) {
    const std::string& place = refusal.fault().key;
    const std::string mark = std::string(kFile) + ":";
    const std::size_t at = place.find(mark);
    std::size_t line = 0;
    if (at == std::string::npos ||
        std::from_chars(place.data() + at + mark.size(), place.data() + place.size(), line).ec !=
            std::errc() ||
        line == 0 || line > settings.size()) {
        return std::nullopt;
    }
    return settings[line - 1].key;
}

hw::Condition OpenSetup::Place::effect() const { return setup::effect_of(*group, *parameter); }

OpenSetup::OpenSetup(const Settings& settings, const fs::path& folder) {
    std::copy_if(settings.begin(), settings.end(), std::back_inserter(program_),
                 [](const Setting& setting) { return is_of_program(setting.key); });
    setup_ = kinds::default_setup(experiment_of(program_, folder), setup::SelectedRun(0));
    groups_ = setup_->groups();
    for (const hw::ParameterGroup* group : groups_) {
        for (hw::ParameterBase* parameter : group->parameters()) {
            places_.push_back({group, parameter});
        }
    }
    for (const Setting& setting : settings) {
        if (const Place* place = find(setting.key)) {
            static_cast<void>(place->parameter->set(setting.value));
        }
    }
    tidy();
}

const OpenSetup::Place* OpenSetup::find(const std::string& key) const {
    const auto at = std::find_if(places_.begin(), places_.end(),
                                 [&key](const Place& place) { return place.key() == key; });
    return at == places_.end() ? nullptr : &*at;
}

bool OpenSetup::has_effect(const Place& place) const {
    return place.effect().holds(setup::SetupCircumstances(groups_, setup_->kind->facts()));
}

void OpenSetup::tidy() {
    bool has_changed = true;
    while (has_changed) {
        has_changed = false;
        for (const Place& place : places_) {
            if (place.parameter->is_given() && !has_effect(place)) {
                static_cast<void>(place.parameter->set(place.parameter->default_as_variant()));
                has_changed = true;
            }
        }
    }
    static_cast<void>(setup_->machine.machine.nodes.set(setup_->machine.node_count()));
}

Settings OpenSetup::settings() const {
    return settings_of([](const Place& place) { return place.parameter->is_given(); });
}

Settings OpenSetup::settings_of(const std::function<bool(const Place&)>& is_wanted) const {
    Settings settings = program_;
    for (const Place& place : places_) {
        if (is_wanted(place) && !is_of_program(place.key())) {
            settings.push_back({place.key(), place.parameter->value_as_variant()});
        }
    }
    return settings;
}

}  // namespace weir::experiments::random_machines
