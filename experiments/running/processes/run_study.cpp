#include "experiments/running/processes/run_study.h"

#include <chrono>

#include "experiments/records/run_file.h"
#include "experiments/running/processes/run_folder.h"

namespace weir::experiments::running {

namespace {

RunOptions options_of_part(const RunOptions& options, const std::filesystem::path& part,
                           const std::filesystem::path& study_folder) {
    RunOptions of_part = options;
    of_part.file = part;
    of_part.folder = study_folder / part.stem();
    of_part.resume = options.resume && std::filesystem::is_directory(*of_part.folder);
    return of_part;
}

}  // namespace

records::StudyResult run_study(const setup::Study& study, const RunOptions& options,
                               const std::function<void(const records::ExperimentResult&)>& ended) {
    const auto begin = std::chrono::steady_clock::now();
    for (const std::filesystem::path& part : study.parts) {
        check_permitted(options_of_part(options, part, {}));
    }
    const std::unique_ptr<RunFolder> folder = run_folder_for(options);
    records::StudyResult result;
    result.file = options.file.string();
    result.title = study.title;
    result.description = study.description;
    result.folder = folder->path().string();
    for (const std::filesystem::path& part : study.parts) {
        try {
            result.parts.push_back(run_experiment(options_of_part(options, part, folder->path())));
        } catch (const Interruption& interruption) {
            folder->keep();
            throw Interruption(options, folder->path(), interruption.so_far());
        } catch (const RunFailure&) {
            folder->keep();
            throw;
        }
        ended(result.parts.back());
    }
    result.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    records::write_run_file(folder->path() / "result.json", records::json_text_of(result));
    folder->keep();
    return result;
}

}  // namespace weir::experiments::running
