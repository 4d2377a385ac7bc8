#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/analyses/combined_runs.h"
#include "experiments/kinds/setup.h"
#include "experiments/pages/run_sections.h"
#include "experiments/records/json_input.h"
#include "experiments/records/run_file.h"
#include "experiments/setup/files/experiment_file.h"
#include "experiments/setup/files/resolved_configuration.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::pages {

namespace {

namespace fs = std::filesystem;

constexpr const char* kConfiguration = "configuration.toml";
constexpr const char* kResult = "result.json";
constexpr std::string_view kSeed = "-seed-";

bool is_there(const fs::path& path) {
    std::error_code unknown;
    return fs::is_regular_file(path, unknown);
}

/// Folder of one run of an experiment: a point or a variant, with one seed.
struct RunOfPoint {
    fs::path folder;
    std::string point;                             ///< name of the point's folder: "point-01"
    std::optional<records::SimulationResult> run;  ///< none if the run left no result
};

// Only folders of single runs have a configuration; an experiment's folder has none.
bool is_of_one_run(const fs::path& folder) { return is_there(folder / kConfiguration); }

RunOfPoint read_run(const fs::path& folder) {
    const std::string name = folder.filename().string();
    RunOfPoint found{folder, name.substr(0, name.find(kSeed)), std::nullopt};
    const fs::path path = folder / kResult;
    if (is_there(path)) {
        found.run = records::read_stored_json(records::text_of_file(path),
                                              {path.string(), "this is not a result of a run",
                                               "the file that the run wrote; run it again"},
                                              records::simulation_result_from);
    }
    return found;
}

/// Configuration that a run has left.
struct LeftConfiguration {
    std::unique_ptr<kinds::Setup> setup;
    std::vector<std::pair<std::string, hw::ParameterValue>> values;
};

// Configuration of a run's folder; nullopt if a file that it names no longer exists. The report of
// the run's end does not need the configuration.
std::optional<LeftConfiguration> read_configuration(const fs::path& folder) {
    try {
        const auto file = setup::ExperimentFile::read(folder / kConfiguration, folder);
        LeftConfiguration left{kinds::make_setup(file, setup::SelectedRun(0)), {}};
        left.values = setup::resolved_values(left.setup->groups(), left.setup->kernel_name);
        return left;
    } catch (const setup::UserFault&) {
        return std::nullopt;
    }
}

// Version in the configuration's first line: "0.9.0" of "# weir 0.9.0".
std::string version_in(const fs::path& folder) {
    constexpr std::string_view kBefore = "# weir ";
    const std::string text = records::text_of_file(folder / kConfiguration);
    return text.starts_with(kBefore) ? text.substr(kBefore.size(), text.find('\n') - kBefore.size())
                                     : "";
}

// Ending of a run without a result: it is in progress, or was killed together with its experiment.
records::RunEnding without_end(const RunOfPoint& of) {
    records::RunEnding ending;
    const std::string name = of.folder.filename().string();
    const std::size_t seed = name.find(kSeed);
    const std::string digits =
        seed == std::string::npos ? "" : name.substr(seed + kSeed.size(), 18);
    const bool is_number = !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) {
        return c >= '0' && c <= '9';
    });
    ending.seed = is_number ? std::stoull(digits) : 0;
    ending.how = "no end";
    ending.explanation =
        "The run is in progress, or its process was killed together with that of weir run. After "
        "a kill, weir run FILE --resume FOLDER runs the unfinished runs.";
    ending.folder = name;
    return ending;
}

/// Result of an experiment's runs, in the order of their folders.
records::ExperimentResult result_of(const std::vector<RunOfPoint>& runs, const fs::path& folder) {
    records::ExperimentResult result;
    result.folder = folder.string();
    std::size_t next = 0;
    while (next < runs.size()) {
        const std::string& label = runs[next].point;
        const std::optional<LeftConfiguration> left = read_configuration(runs[next].folder);
        const auto configuration = left ? left->values : decltype(left->values){};
        std::vector<records::SimulationResult> good;
        for (; next < runs.size() && runs[next].point == label; ++next) {
            const RunOfPoint& each = runs[next];
            if (each.run && records::bad_end_name(*each.run).empty()) {
                good.push_back(*each.run);
                continue;
            }
            result.endings.push_back(
                each.run ? records::ending_of(*each.run, each.folder.filename().string())
                         : without_end(each));
            result.endings.back().point = label;
            result.endings.back().configuration = configuration;
        }
        if (left && result.kernel.empty()) {
            result.kernel = left->setup->kernel_name;
            result.warmup_cycles = left->setup->kind->warmup_cycles(*left->setup);
        }
        if (good.empty()) {
            continue;
        }
        records::PointResult point = analyses::combine(good);
        point.label = label;
        point.configuration = configuration;
        result.wall_seconds += point.wall_seconds;
        if (left) {
            point.network_model =
                std::get<std::string>(left->setup->machine.network.model.value_as_variant());
            const std::string metric =
                left->setup->kind->leading_metric(records::means(point)).name();
            if (result.leading_metric.empty() && records::find_estimate(point, metric) != nullptr) {
                result.leading_metric = metric;
            }
        }
        result.points.push_back(std::move(point));
    }
    return result;
}

records::StoredResult stored_of(records::ExperimentResult result, const std::string& version,
                                const std::string& file) {
    records::StoredResult stored;
    stored.weir_version = version;
    stored.title = result.title;
    stored.file = file;
    result.file = file;
    stored.wall_seconds = result.wall_seconds;
    stored.experiments.push_back(std::move(result));
    return stored;
}

// Label of the run's point, and title of its experiment. origin_of() returns nullopt if the folder
// above has no result.
struct Origin {
    std::string label;
    std::string title;
    std::string file;
};

std::optional<Origin> origin_of(const fs::path& folder) {
    if (!is_there(folder.parent_path() / kResult)) {
        return std::nullopt;
    }
    try {
        const records::StoredResult above = records::read_stored_result(folder.parent_path());
        for (const records::ExperimentResult& result : above.experiments) {
            for (const records::RunEnding& ending : result.endings) {
                if (ending.folder == folder.filename()) {
                    return Origin{ending.point, result.title, result.file};
                }
            }
            for (const records::PointResult& point : result.points) {
                const std::vector<fs::path> folders = records::folders_of_point(result, point);
                if (std::any_of(folders.begin(), folders.end(), [&folder](const fs::path& each) {
                        return each.filename() == folder.filename();
                    })) {
                    return Origin{point.label, result.title, result.file};
                }
            }
        }
    } catch (const setup::UserFault&) {  // its result does not describe this run
    }
    return std::nullopt;
}

records::StoredResult of_one_run(const fs::path& folder) {
    const std::vector<RunOfPoint> runs{read_run(folder)};
    records::ExperimentResult result = result_of(runs, folder.parent_path());
    const std::string name = folder.filename().string();
    const std::optional<Origin> origin = origin_of(folder);
    result.title = (origin && !origin->title.empty() ? origin->title + ": " : "") + name;
    if (origin) {
        for (records::PointResult& point : result.points) {
            point.label = origin->label;
        }
        for (records::RunEnding& ending : result.endings) {
            ending.point = origin->label;
        }
    }
    return stored_of(std::move(result), version_in(folder),
                     origin ? origin->file : (fs::path(name) / kConfiguration).string());
}

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code unknown;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, unknown)) {
        if (entry.is_directory(unknown)) {
            found.push_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::string name_of(const fs::path& folder) {
    return folder.filename().empty() ? folder.parent_path().filename().string()
                                     : folder.filename().string();
}

// Runs of an experiment that was killed before it wrote its result.
records::StoredResult of_killed(const fs::path& folder, const std::vector<RunOfPoint>& runs) {
    records::ExperimentResult result = result_of(runs, folder);
    result.title = name_of(folder);
    return stored_of(std::move(result), version_in(runs.front().folder), folder.string());
}

records::StoredResult of_several(const fs::path& folder, const std::vector<fs::path>& found) {
    records::StoredResult all;
    all.title = name_of(folder);
    all.file = folder.string();
    all.is_study = true;
    for (const fs::path& each : found) {
        const records::StoredResult one = left_runs(each);
        all.weir_version = one.weir_version;
        all.wall_seconds += one.wall_seconds;
        all.experiments.insert(all.experiments.end(), one.experiments.begin(),
                               one.experiments.end());
    }
    return all;
}

// True if a run of the folder has begun or has left a result.
bool has_runs(const fs::path& folder) {
    if (is_there(folder / kResult)) {
        return true;
    }
    const std::vector<fs::path> found = folders_in(folder);
    return std::any_of(found.begin(), found.end(), is_of_one_run);
}

}  // namespace

records::StoredResult left_runs(const fs::path& folder) {
    std::error_code unknown;
    if (is_of_one_run(folder)) {
        return of_one_run(fs::canonical(folder));
    }
    if (is_there(folder / kResult) || !fs::is_directory(folder, unknown)) {
        return records::read_stored_result(folder);
    }
    std::vector<RunOfPoint> runs;
    std::vector<fs::path> others;
    bool has_unbegun = false;
    for (const fs::path& each : folders_in(folder)) {
        const bool is_named_so = each.filename().string().find(kSeed) != std::string::npos;
        if (is_of_one_run(each)) {
            runs.push_back(read_run(each));
        } else if (!is_named_so && has_runs(each)) {
            others.push_back(each);
        }
        has_unbegun = has_unbegun || is_named_so;
    }
    if (!runs.empty()) {
        return of_killed(folder, runs);
    }
    if (others.empty() && (has_unbegun || fs::is_empty(folder, unknown))) {
        throw setup::UserFault({folder.string()},
                               "this is not a run's folder: no run has begun in it",
                               "a folder written by weir run FILE; weir run FILE --resume FOLDER "
                               "completes an interrupted run");
    }
    return others.empty()
               ? records::read_stored_result(folder)  // throws the fault with the missing file
               : of_several(folder, others);
}

}  // namespace weir::experiments::pages
