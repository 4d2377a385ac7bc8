#include "experiments/records/stored_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "experiments/records/json_input.h"
#include "experiments/records/run_file.h"
#include "experiments/setup/user_fault.h"
#include "experiments/setup/version.h"

namespace weir::experiments::records {

using Json = nlohmann::ordered_json;

namespace fs = std::filesystem;

namespace {

std::string text_at(const fs::path& path) {
    std::error_code unknown;
    if (!fs::exists(path.parent_path(), unknown)) {
        throw setup::UserFault({path.parent_path().string()}, "there is no such folder",
                               "the folder of a run");
    }
    if (!fs::is_directory(path.parent_path(), unknown) || !fs::is_regular_file(path, unknown)) {
        throw setup::UserFault({path.parent_path().string()}, "this is no run's folder",
                               "a folder with a result.json that weir run FILE has written; a "
                               "killed run writes it after weir run FILE --resume FOLDER");
    }
    return text_of_file(path);
}

}  // namespace

StoredResult read_stored_result(const fs::path& folder) {
    const fs::path path = folder / "result.json";
    const StoredJson file{
        path.string(), "this is not a result of weir run",
        fmt::format("a result of weir {}; run the experiment again", setup::kVersion)};
    return read_stored_json(text_at(path), file, [&folder](const Json& json) {
        StoredResult stored;
        json.at("weir").get_to(stored.weir_version);
        stored.is_study = json.contains("parts");
        if (stored.is_study) {
            StudyResult study = study_result_from(json);
            stored.file = study.file;
            stored.title = study.title;
            stored.description = study.description;
            stored.wall_seconds = study.wall_seconds;
            stored.experiments = std::move(study.parts);
            for (ExperimentResult& part : stored.experiments) {
                part.folder = (folder / fs::path(part.folder).filename()).string();
            }
        } else {
            ExperimentResult& result =
                stored.experiments.emplace_back(experiment_result_from(json));
            result.folder = folder.string();
            stored.file = result.file;
            stored.title = result.title;
            stored.description = result.description;
            stored.wall_seconds = result.wall_seconds;
        }
        return stored;
    });
}

std::vector<fs::path> folders_of_point(const ExperimentResult& result, const PointResult& point) {
    // Folders have the point numbers of the file, but a run may include only some points. The
    // sorted folders correspond to the result's points.
    std::vector<std::string> names;
    std::error_code unknown;
    for (const fs::directory_entry& entry : fs::directory_iterator(result.folder, unknown)) {
        const std::string name = entry.path().filename().string();
        const std::size_t end = name.find("-seed-");
        if (name.starts_with("point-") && end != std::string::npos) {
            names.push_back(name.substr(0, end));
        }
    }
    // Sorts folder names by number: a number with fewer digits comes first.
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return std::pair(a.size(), a) < std::pair(b.size(), b);
    });
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const auto index = static_cast<std::size_t>(
        std::find_if(result.points.begin(), result.points.end(),
                     [&](const PointResult& each) { return each.label == point.label; }) -
        result.points.begin());
    std::vector<fs::path> folders;
    for (const std::uint64_t seed : point.seeds) {
        if (index < names.size() && names.size() == result.points.size()) {
            folders.push_back(fs::path(result.folder) /
                              fmt::format("{}-seed-{}", names[index], seed));
        }
    }
    return folders;
}

std::string printed_in(const fs::path& folder) {
    const fs::path file = folder / "console.txt";
    std::error_code unknown;
    return fs::is_regular_file(file, unknown) ? text_of_file(file) : "";
}

std::string last_lines(const std::string& text, std::size_t most) {
    std::size_t lines = 0;
    std::size_t begin = text.size();
    while (begin > 0) {
        const std::size_t before = text.rfind('\n', begin - 1);
        if (begin < text.size() && ++lines == most) {
            break;
        }
        begin = before == std::string::npos ? 0 : before;
    }
    return begin == 0 ? text : text.substr(begin + 1);
}

}  // namespace weir::experiments::records
