#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <ostream>
#include <regex>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "experiments/kinds/setup.h"
#include "experiments/running/testing/experiment_outcome.h"
#include "experiments/running/testing/parameter_trial.h"
#include "experiments/running/testing/small_experiments.h"
#include "experiments/running/testing/sweep_fixture.h"
#include "experiments/setup/files/resolved_configuration.h"
#include "experiments/setup/files/toml_tree.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

namespace fs = std::filesystem;

/// Table of `weir params`; each kernel has its own [workload].
struct ListedTable {
    hw::ParameterGroup* group;
    std::string kernel;  ///< kernel of a [workload]; empty for other tables
    [[nodiscard]] std::string name() const { return kernel.empty() ? group->table() : kernel; }
};

void PrintTo(const ListedTable& table, std::ostream* out) { *out << table.name(); }

std::vector<ListedTable> listed_tables() {
    static const std::vector<std::unique_ptr<kinds::Setup>> setups = kinds::default_setups();
    std::map<const hw::ParameterGroup*, std::string> kernels;
    for (const std::unique_ptr<kinds::Setup>& setup : setups) {
        for (const hw::ParameterGroup* group : setup->groups()) {
            kernels[group] = group->table() == "workload" ? setup->kernel_name : "";
        }
    }
    std::vector<ListedTable> tables;
    for (hw::ParameterGroup* group : kinds::listed_groups(setups)) {
        tables.push_back({group, kernels.at(group)});
    }
    return tables;
}

/// Experiments to try for a parameter. For a kernel's parameter these are the experiments with that
/// kernel, or one with its defaults. Experiments that set the parameter come first, then those that
/// set another one of its table.
std::vector<SmallExperiment> experiments_for(const ListedParameter& parameter) {
    std::vector<SmallExperiment> experiments = small_experiments();
    const auto sets = [](const std::string& name) {
        return [pattern = std::regex("\\b" + name + "\\b")](const SmallExperiment& experiment) {
            return std::regex_search(experiment.text, pattern);
        };
    };
    if (!parameter.kernel.empty()) {
        const std::string kernel = fmt::format("kernel = \"{}\"\n", parameter.kernel);
        std::erase_if(experiments, [&kernel](const SmallExperiment& experiment) {
            return experiment.text.find(kernel) == std::string::npos;
        });
        if (experiments.empty()) {
            experiments.push_back(
                {"machine.nodes = 4\nnetwork.dimensions = [2, 2]\n[workload]\n" + kernel});
        }
    }
    std::stable_partition(experiments.begin(), experiments.end(), sets(parameter.table));
    std::stable_partition(experiments.begin(), experiments.end(), sets(parameter.name));
    return experiments;
}

/// The whole number plus `step`, or the real number plus half of `step`.
hw::ParameterValue stepped(const hw::ParameterValue& value, int step) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return *whole + step;
    }
    return std::get<double>(value) + 0.5 * step;
}

/// Number as messages print it: 0 for 0.0.
std::string in_a_message(const hw::ParameterValue& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? std::to_string(*whole) : fmt::format("{:g}", std::get<double>(value));
}

using weir::testing::Names;

class EveryParameterTest : public SweepTest, public testing::WithParamInterface<ListedTable> {
  protected:
    EveryParameterTest() {
        for (const SmallFile& small : small_files()) {
            static_cast<void>(write(small.name, small.text));
        }
    }

    /// Checks that results depend on the parameter as its declaration says.
    [[nodiscard]] testing::AssertionResult is_as_it_says(const ListedParameter& parameter) {
        const std::vector<SmallExperiment> all = experiments_for(parameter);
        const std::span<const SmallExperiment> nearest(all.data(), std::min(all.size(), kNearest));
        Change most = Change::kNotRun;
        for (const auto& [experiments, values] :
             {std::pair(nearest, kAllValues), std::pair(std::span(all), kFewValues),
              std::pair(std::span(all), kAllValues)}) {
            int refusals = 0;
            for (const SmallExperiment& experiment : experiments) {
                const auto [effect, change] = tried_in(experiment, parameter, values);
                if (effect == Effect::kInAnotherTable || change == Change::kOfResult) {
                    return effect != Effect::kOnSpeedAlone
                               ? testing::AssertionSuccess()
                               : testing::AssertionFailure()
                                     << parameter.full_name()
                                     << " changes a result, and says that none depends on it "
                                        "(changes_speed_alone)";
                }
                if (effect == Effect::kOnSpeedAlone && change == Change::kNone) {
                    return testing::AssertionSuccess();
                }
                most = std::max(most, change);
                refusals += change == Change::kRefused ? 1 : 0;
                if (experiments.size() == all.size() && refusals == kEnoughRefusals) {
                    return testing::AssertionSuccess();
                }
            }
        }
        return most == Change::kRefused ? testing::AssertionSuccess()
                                        : testing::AssertionFailure() << fmt::format(
                                              kNoEffect, parameter.full_name(),
                                              most == Change::kNone ? "all values give the same"
                                                                    : "no value was accepted");
    }

    /// Message for an experiment file with only this setting; empty if the setting is accepted.
    [[nodiscard]] std::string refusal_of(const ListedTable& table, const std::string& key,
                                         const std::string& value) const {
        const std::string kernel =
            table.kernel.empty() ? "" : fmt::format("kernel = \"{}\"\n", table.kernel);
        const fs::path written =
            write("setting.toml",
                  fmt::format("[{}]\n{}{} = {}\n", table.group->table(), kernel, key, value));
        try {
            setup::ExperimentFile::read(written, presets())
                .apply(0, std::span<hw::ParameterGroup* const>(&table.group, 1));
        } catch (const setup::UserFault& fault) {
            return fault.what();
        }
        return {};
    }

    const StringsToTry& strings_for(const hw::ParameterBase& parameter) {
        if (parameter.is_file_path() && strings_.files.empty()) {
            strings_.files.push_back(recorded_trace(4));
            for (const SmallFile& small : small_files()) {
                strings_.files.push_back(file(small.name).string());
            }
            for (const char* image : {"/bare.elf", ""}) {
                strings_.files.push_back(std::string(WEIR_TEST_IMAGES) + image);
            }
        }
        return strings_;
    }

  private:
    using Effect = ParameterTrial::Effect;

    static constexpr const char* kNoEffect =
        "{} changes no result: {}. Say when it does, where it is declared (effective_when); or "
        "mend what ignores it; or give an experiment in which it does, in "
        "testing/small_experiments.cpp";

    /// Experiments that name the parameter are tried first. For most parameters one of these, or
    /// one of the first values, shows an effect.
    static constexpr std::size_t kNearest = 5;
    static constexpr std::size_t kFewValues = 2;
    static constexpr std::size_t kAllValues = 100;
    /// Number of refusals that count as an effect: parameters such as machine.nodes only have to
    /// agree with others.
    static constexpr int kEnoughRefusals = 4;

    enum class Change {
        kNotRun,   ///< the parameter has no effect here, or its values are refused
        kNone,     ///< every value gives the same result
        kRefused,  ///< every value gives the same result, but another part refuses one
        kOfResult,
    };

    /// Tries the first `values` values of the parameter.
    [[nodiscard]] std::pair<Effect, Change> tried_in(const SmallExperiment& experiment,
                                                     const ListedParameter& parameter,
                                                     std::size_t values) {
        static_cast<void>(write(kFile, filled_in(experiment.text)));
        ParameterTrial trial =
            trial_of(setup::ExperimentFile::read(file(kFile), presets()), parameter,
                     strings_for(*GetParam().group->find(parameter.name)));
        trial.others.resize(std::min(trial.others.size(), values));
        if (trial.others.empty()) {
            return {trial.effect, Change::kNotRun};
        }
        // The parameter's own check may fail the run; its message then names the parameter.
        const std::string fault = experiment.may_fault ? "" : parameter.key();
        const ExperimentOutcome& one = outcome(experiment.text, trial.settings, fault);
        Change change = Change::kNotRun;
        for (const Settings& settings : trial.others) {
            const ExperimentOutcome& other = outcome(experiment.text, settings, fault);
            if (one.is_refused != other.is_refused) {
                change = Change::kRefused;
            } else if (!one.is_refused && other != one) {
                return {trial.effect, Change::kOfResult};
            } else if (!one.is_refused && change == Change::kNotRun) {
                change = Change::kNone;
            }
        }
        return {trial.effect, change};
    }

    /// Outcome of the experiment in kFile. Cached, since many parameters are tried on one
    /// experiment.
    [[nodiscard]] const ExperimentOutcome& outcome(const std::string& text,
                                                   const Settings& settings,
                                                   const std::string& fault) {
        const auto [known, is_new] = outcomes_.try_emplace({text, settings}, ExperimentOutcome{});
        if (is_new) {
            known->second = outcome_of(options_of(file(kFile), settings, file("run")), fault);
        }
        return known->second;
    }

    [[nodiscard]] static RunOptions options_of(const fs::path& experiment, const Settings& settings,
                                               const fs::path& folder) {
        return {.file = experiment,
                .presets = presets(),
                .set_options = settings,
                .folder = folder,
                .show_progress = false};
    }

    /// Text with paths of files in place of names in braces.
    [[nodiscard]] std::string filled_in(std::string text) {
        replace(
            "{folder}", [&] { return file("").string(); }, text);
        replace(
            "{images}", [] { return std::string(WEIR_TEST_IMAGES); }, text);
        replace(
            "{recorded}", [&] { return recorded_trace(3); }, text);
        return text;
    }
    template <class Path>
    static void replace(const std::string& name, const Path& path, std::string& text) {
        const std::size_t at = text.find(name);
        if (at != std::string::npos) {
            text.replace(at, name.size(), path());
        }
    }
    [[nodiscard]] std::string recorded_trace(int iterations) const {
        const fs::path folder = file(fmt::format("recorded-{}", iterations));
        if (!fs::exists(folder)) {
            static_cast<void>(run_experiment(
                options_of(write("recorded.toml", kTiny),
                           {fmt::format("workload.iterations={}", iterations)}, folder)));
        }
        return folder / "point-01-seed-1" / "trace.weir";
    }

    static constexpr const char* kFile = "small.toml";
    StringsToTry strings_{{"(0,0) +x @ 300", "1 @ 300", "(1,0) +x; (2,0) -x"}, {}};
    std::map<std::pair<std::string, Settings>, ExperimentOutcome> outcomes_;
};

// Tries every parameter that `weir params` lists.
TEST_P(EveryParameterTest, ChangesResultsOrSaysWhenItDoes) {
    for (const hw::ParameterBase* parameter : GetParam().group->parameters()) {
        EXPECT_TRUE(
            is_as_it_says({GetParam().group->table(), GetParam().kernel, parameter->name()}));
    }
}

TEST_P(EveryParameterTest, HasASentenceAUnitAndARange) {
    for (const hw::ParameterBase* parameter : GetParam().group->parameters()) {
        EXPECT_FALSE(parameter->sentence().empty()) << parameter->name();
        EXPECT_FALSE(parameter->sentence().ends_with('.')) << parameter->name();
        if (dynamic_cast<const hw::Parameter<hw::Cycles>*>(parameter) != nullptr) {
            EXPECT_TRUE(parameter->unit().starts_with("cycles")) << parameter->name();
        }
        if (dynamic_cast<const hw::Parameter<hw::Bytes>*>(parameter) != nullptr) {
            EXPECT_TRUE(parameter->unit() == "bytes" || parameter->name().ends_with("address"))
                << parameter->name();
        }
        if (dynamic_cast<const hw::Parameter<hw::Flits>*>(parameter) != nullptr) {
            EXPECT_EQ(parameter->unit(), "flits") << parameter->name();
        }
        const hw::AcceptedValues accepted = parameter->accepted_values();
        using Type = hw::AcceptedValues::Type;
        EXPECT_EQ(accepted.least.has_value(), accepted.type == Type::kWholeNumber ||
                                                  accepted.type == Type::kNumber ||
                                                  accepted.type == Type::kWholeNumbers)
            << parameter->name();
        EXPECT_EQ(accepted.names.size() > 1, accepted.type == Type::kName) << parameter->name();
    }
}

/// Default of a list that a file leaves out or fills.
using NoEntries = std::vector<std::int64_t>;

// One place and one message with the key, the found value and the accepted values.
TEST_P(EveryParameterTest, RefusesTheValuesJustOutsideItsRange) {
    const ListedTable& table = GetParam();
    for (hw::ParameterBase* parameter : table.group->parameters()) {
        const std::string& key = parameter->name();
        const hw::AcceptedValues accepted = parameter->accepted_values();
        EXPECT_TRUE(parameter->set(parameter->default_as_variant()) ||
                    parameter->default_as_variant() == hw::ParameterValue(NoEntries()))
            << key;
        EXPECT_FALSE(accepted.least && accepted.greatest && *accepted.greatest < *accepted.least);
        const auto is_refused = [&](const std::string& value, const std::string& found,
                                    const std::string& limit) {
            EXPECT_THAT(refusal_of(table, key, value), Names(key, found, limit))
                << key << " = " << value;
        };
        for (const auto& [limit, step] :
             {std::pair(accepted.least, -1), std::pair(accepted.greatest, 1)}) {
            if (!limit) {
                continue;
            }
            const std::string outside = setup::toml_text(stepped(*limit, step));
            const bool is_list = accepted.type == hw::AcceptedValues::Type::kWholeNumbers;
            is_refused(is_list ? "[" + outside + "]" : outside, outside, in_a_message(*limit));
        }
        if (!accepted.names.empty()) {
            is_refused("\"no such name\"", "no such name", accepted.names.front());
        }
        if (accepted.type == hw::AcceptedValues::Type::kFlag) {
            is_refused("2", "2", "true");
        }
    }
}

TEST_P(EveryParameterTest, ReadsBackWhatItsConfigurationSays) {
    const ListedTable& table = GetParam();
    const std::span<hw::ParameterGroup* const> groups(&table.group, 1);
    for (hw::ParameterBase* parameter : table.group->parameters()) {
        std::vector<hw::ParameterValue> values = other_values(*parameter, strings_for(*parameter));
        values.push_back(parameter->default_as_variant());
        for (const hw::ParameterValue& value : values) {
            if (!parameter->set(value) || table.group->check()) {
                continue;
            }
            const hw::ParameterValue set = parameter->value_as_variant();
            const fs::path written =
                write("written.toml", setup::resolved_toml(groups, table.kernel));
            static_cast<void>(parameter->set(parameter->default_as_variant()));
            setup::ExperimentFile::read(written, presets()).apply(0, groups);
            EXPECT_EQ(parameter->value_as_variant(), set) << parameter->name();
        }
        static_cast<void>(parameter->set(parameter->default_as_variant()));
    }
}

std::string name_of(const testing::TestParamInfo<ListedTable>& table) {
    std::string name = table.param.name();
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Tables, EveryParameterTest, testing::ValuesIn(listed_tables()), name_of);

}  // namespace
}  // namespace weir::experiments::running
