#include "experiments/run/run_study.h"

#include <chrono>
#include <fstream>

#include "experiments/config/wrapped_text.h"
#include "experiments/run/report.h"
#include "experiments/run/run_folder.h"
#include "experiments/run/unloaded_report.h"
#include "experiments/run/version.h"

namespace weir::experiments::run {

namespace {

RunOptions options_of_part(const RunOptions& options, const std::filesystem::path& part,
                           const std::filesystem::path& study_folder) {
    RunOptions of_part = options;
    of_part.file = part;
    of_part.folder = study_folder / part.stem();
    return of_part;
}

}  // namespace

StudyResult run_study(const config::Study& study, const RunOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    for (const std::filesystem::path& part : study.parts) {
        check_experiment(options_of_part(options, part, {}));
    }
    RunFolder folder(options.folder, options.file.stem().string());
    StudyResult result;
    result.file = options.file.string();
    result.title = study.title;
    result.description = study.description;
    result.folder = folder.path().string();
    for (const std::filesystem::path& part : study.parts) {
        try {
            result.parts.push_back(run_experiment(options_of_part(options, part, folder.path())));
        } catch (const RunFailure&) {
            folder.keep();
            throw;
        }
        const ExperimentResult& done = result.parts.back();
        std::ofstream(std::filesystem::path(done.folder) / "report.txt") << report(done);
    }
    result.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::ofstream(folder.path() / "result.json") << to_json(result).dump(1) << "\n";
    folder.keep();
    return result;
}

nlohmann::ordered_json to_json(const StudyResult& result) {
    nlohmann::ordered_json json{{"weir", kVersion},
                                {"study", result.file},
                                {"title", result.title},
                                {"description", result.description},
                                {"wall_seconds", result.wall_seconds},
                                {"folder", result.folder},
                                {"parts", nlohmann::ordered_json::array()}};
    for (const ExperimentResult& part : result.parts) {
        json["parts"].push_back(to_json(part));
    }
    return json;
}

std::string report(const StudyResult& result) {
    std::string page =
        config::wrapped(result.title, "", "") + config::wrapped(result.description, "", "");
    page += unloaded_tables(result.parts);
    for (const ExperimentResult& part : result.parts) {
        page += std::string(config::kPageColumns, '-') + "\n" + report(part) + "\n";
    }
    return page + "all of it is in " + result.folder + "\n";
}

}  // namespace weir::experiments::run
