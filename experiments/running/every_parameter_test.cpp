#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "experiments/kinds/setup.h"
#include "experiments/running/testing/experiment_outcome.h"
#include "experiments/running/testing/parameter_trial.h"
#include "experiments/running/testing/small_experiments.h"
#include "experiments/running/testing/sweep_fixture.h"
#include "experiments/setup/parameters/name_pattern.h"

namespace weir::experiments::running {
namespace {

namespace fs = std::filesystem;

/// A table of `weir params`; each kernel has a [workload] of its own.
struct ListedTable {
    std::string name;  ///< of a [workload] the kernel's
    std::vector<ListedParameter> parameters;
};

void PrintTo(const ListedTable& table, std::ostream* out) { *out << table.name; }

std::vector<ListedTable> listed_tables() {
    const std::vector<std::unique_ptr<kinds::Setup>> setups = kinds::default_setups();
    std::map<const hw::ParameterGroup*, std::string> kernels;
    for (const std::unique_ptr<kinds::Setup>& setup : setups) {
        for (const hw::ParameterGroup* group : setup->groups()) {
            kernels[group] = group->table() == "workload" ? setup->kernel_name : "";
        }
    }
    std::vector<ListedTable> tables;
    for (const hw::ParameterGroup* group : kinds::listed_groups(setups)) {
        const std::string& kernel = kernels.at(group);
        ListedTable& table = tables.emplace_back();
        table.name = kernel.empty() ? group->table() : kernel;
        for (const hw::ParameterBase* parameter : group->parameters()) {
            table.parameters.push_back({group->table(), kernel, parameter->name()});
        }
    }
    return tables;
}

bool is_for(const SmallExperiment& experiment, const ListedParameter& parameter) {
    return std::any_of(experiment.parameters.begin(), experiment.parameters.end(),
                       [&parameter](const std::string& pattern) {
                           return setup::fits_pattern(parameter.full_name(), pattern);
                       });
}

class EveryParameterTest : public SweepTest, public testing::WithParamInterface<ListedTable> {
  protected:
    EveryParameterTest() {
        for (const SmallFile& small : small_files()) {
            static_cast<void>(write(small.name, small.text));
        }
    }

    /// Whether results depend on it as its declaration says.
    [[nodiscard]] testing::AssertionResult is_as_it_says(const ListedParameter& parameter) {
        using Effect = ParameterTrial::Effect;
        std::string tried;
        for (const SmallExperiment& experiment : small_experiments()) {
            if (!is_for(experiment, parameter)) {
                continue;
            }
            const ParameterTrial trial = trial_in(experiment, parameter);
            if (trial.effect == Effect::kInAnotherTable ||
                (trial.effect == Effect::kOnResults && changes_a_result(experiment, trial)) ||
                (trial.effect == Effect::kOnSpeedAlone && changes_nothing(experiment, trial))) {
                return testing::AssertionSuccess();
            }
            if (trial.effect == Effect::kOnSpeedAlone) {
                return testing::AssertionFailure()
                       << parameter.full_name()
                       << " changes a result, and says that none depends on it "
                          "(changes_speed_alone)";
            }
            if (trial.effect == Effect::kOnResults) {
                tried += fmt::format("\n{}with {} and one of {}\n", experiment.text, trial.settings,
                                     trial.others);
            }
        }
        return testing::AssertionFailure()
               << fmt::format(kNoEffect, parameter.full_name(), tried.empty() ? "nothing" : tried);
    }

  private:
    static constexpr const char* kNoEffect =
        "{} changes no result. Say when it does, where it is declared (effective_when); or give an "
        "experiment in which it does, in testing/small_experiments.cpp; or mend what ignores it. "
        "Tried: {}";

    [[nodiscard]] ParameterTrial trial_in(const SmallExperiment& experiment,
                                          const ListedParameter& parameter) {
        static_cast<void>(write(kFile, filled_in(experiment.text)));
        ParameterTrial trial =
            trial_of(setup::ExperimentFile::read(file(kFile), presets()), parameter);
        if (!experiment.other.empty()) {
            trial.others = {trial.settings};
            for (const std::string& setting : experiment.other) {
                trial.others.front().push_back(filled_in(setting));
            }
        }
        return trial;
    }

    [[nodiscard]] bool changes_a_result(const SmallExperiment& experiment,
                                        const ParameterTrial& trial) {
        const ExperimentOutcome& one = outcome(experiment, trial.settings);
        const auto is_another = [&](const Settings& settings) {
            const ExperimentOutcome& other = outcome(experiment, settings);
            if (!experiment.refusal.empty()) {
                return other.is_refused && other.text.find(experiment.refusal) != std::string::npos;
            }
            return !other.is_refused && other != one;
        };
        return !one.is_refused && std::any_of(trial.others.begin(), trial.others.end(), is_another);
    }

    [[nodiscard]] bool changes_nothing(const SmallExperiment& experiment,
                                       const ParameterTrial& trial) {
        const ExperimentOutcome& one = outcome(experiment, trial.settings);
        std::size_t compared = 0;
        for (const Settings& settings : trial.others) {
            const ExperimentOutcome& other = outcome(experiment, settings);
            if (!other.is_refused && other != one) {
                return false;
            }
            compared += other.is_refused ? 0 : 1;
        }
        return !one.is_refused && compared > 0;
    }

    /// Of the experiment that is in kFile; many parameters are tried on the same.
    [[nodiscard]] const ExperimentOutcome& outcome(const SmallExperiment& experiment,
                                                   const Settings& settings) {
        const auto [known, is_new] =
            outcomes_.try_emplace({experiment.text, settings}, ExperimentOutcome{});
        if (is_new) {
            known->second =
                outcome_of(options_of(file(kFile), settings, file("run")), experiment.fault);
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

    /// With files' paths in place of names in braces.
    [[nodiscard]] std::string filled_in(std::string text) {
        replace(
            "{folder}", [&] { return file("").string(); }, text);
        replace(
            "{images}", [] { return std::string(WEIR_TEST_IMAGES); }, text);
        replace(
            "{recorded}", [&] { return recorded_trace(3); }, text);
        replace(
            "{other_recorded}", [&] { return recorded_trace(4); }, text);
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
    std::map<std::pair<std::string, Settings>, ExperimentOutcome> outcomes_;
};

// Whatever `weir params` lists.
TEST_P(EveryParameterTest, ChangesResultsOrSaysWhenItDoes) {
    for (const ListedParameter& parameter : GetParam().parameters) {
        EXPECT_TRUE(is_as_it_says(parameter));
    }
}

std::string name_of(const testing::TestParamInfo<ListedTable>& table) {
    std::string name = table.param.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Tables, EveryParameterTest, testing::ValuesIn(listed_tables()), name_of);

}  // namespace
}  // namespace weir::experiments::running
