#include "experiments/validation/paper_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "experiments/pages/run_page.h"
#include "experiments/records/run_file.h"
#include "experiments/records/stored_result.h"
#include "experiments/running/processes/interruption.h"
#include "experiments/running/sweeps/database/fact_digest.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/setup/files/study.h"
#include "experiments/setup/text/utf8_text.h"
#include "experiments/setup/user_fault.h"
#include "experiments/setup/version.h"
#include "hw/text_streams.h"

namespace weir::experiments::validation {

namespace {

namespace fs = std::filesystem;

/// File beside a run's results with the digest of its inputs.
constexpr const char* kMarker = "made-of.txt";

std::vector<fs::path> toml_files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".toml") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

bool is_same_file(const fs::path& a, const fs::path& b) {
    return a.lexically_normal() == b.lexically_normal();
}

bool is_named_after_the_paper(const fs::path& file) {
    const std::string name = file.stem().string();
    return name.starts_with("figure") || name.starts_with("table") || name.starts_with("section");
}

bool has_published(const setup::ExperimentFile& file) {
    for (std::size_t point = 0; point < file.points().size(); ++point) {
        if (!file.published(setup::SelectedRun(point)).empty()) {
            return true;
        }
    }
    return false;
}

// Unused name for a folder.
std::string free_name(const std::string& name, std::set<std::string>& taken) {
    std::string found = name;
    for (int number = 2; !taken.insert(found).second; ++number) {
        found = fmt::format("{}-{}", name, number);
    }
    return found;
}

// Digest of the program, the file, the presets that it can extend, the overrides and the points.
std::string digest_of(const running::RunOptions& options) {
    running::FactDigest digest;
    digest.add(running::program_digest());
    digest.add(running::file_digest(options.file));
    for (const fs::path& folder : {options.file.parent_path(), options.presets}) {
        for (const fs::path& file : toml_files_in(folder)) {
            digest.add(file.filename().string());
            digest.add(running::file_digest(file));
        }
    }
    for (const std::vector<std::string>* texts : {&options.set_options, &options.points}) {
        digest.add(std::to_string(texts->size()));
        for (const std::string& text : *texts) {
            digest.add(text);
        }
    }
    digest.add(options.with_sensitivity ? "sensitivity" : "");
    return digest.hex();
}

std::string first_line_of(const fs::path& file) {
    hw::FileReader in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

// Result of an earlier call; empty if its inputs were different.
std::optional<records::ExperimentResult> known_result(const fs::path& folder,
                                                      const std::string& digest) {
    if (first_line_of(folder / kMarker) != digest) {
        return std::nullopt;
    }
    return records::read_stored_result(folder).experiments.front();
}

void make_room(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error)) {
        return;
    }
    // A failed or interrupted run has no result and no marker.
    if (!fs::exists(folder / kMarker, error) && fs::exists(folder / "result.json", error)) {
        throw setup::UserFault({folder.string()}, "the folder holds another run",
                               "--out with a new folder");
    }
    fs::remove_all(folder);
}

void run_one(PaperRun& paper_run, const fs::path& folder, bool again) {
    running::RunOptions options = paper_run.options;
    options.folder = folder / paper_run.name;
    const std::string digest = digest_of(options);
    if (auto known = again ? std::nullopt : known_result(*options.folder, digest)) {
        std::cerr << fmt::format("weir: {}: taken from an earlier run\n",
                                 setup::printable(options.file.string()));
        paper_run.result = std::move(known);
        return;
    }
    std::cerr << fmt::format("weir: {}\n", setup::printable(options.file.string()));
    make_room(*options.folder);
    try {
        paper_run.result = running::run_experiment(options);
    } catch (const running::RunFailure& failure) {
        if (running::is_interruption_status(failure.status())) {
            throw;
        }
        paper_run.status = failure.status();
        paper_run.fault = failure.what();
    } catch (const setup::UserFault& fault) {
        paper_run.status = running::kBadInput;
        paper_run.fault = fault.what();
    }
    if (paper_run.result) {
        records::write_run_file(*options.folder / "report.txt",
                                pages::text_page(*paper_run.result));
        records::write_run_file(*options.folder / kMarker, digest + "\n");
    } else {
        std::cerr << fmt::format("weir: {}\n", setup::printable(paper_run.fault));
    }
}

}  // namespace

std::vector<PaperRun> paper_runs(const fs::path& paper_folder, const ClaimValues& claims,
                                 const running::RunOptions& options) {
    std::vector<PaperRun> runs;
    std::set<std::string> taken;
    const auto add = [&](const running::RunOptions& of, bool is_shown) {
        PaperRun& added = runs.emplace_back();
        added.options = of;
        added.options.keep_traces = false;
        added.name = free_name(of.file.stem().string(), taken);
        added.is_shown = is_shown;
    };
    for (const fs::path& path : toml_files_in(paper_folder)) {
        if (setup::read_study(path)) {
            continue;
        }
        const auto file = setup::ExperimentFile::read(path, options.presets, options.set_options);
        const bool is_claimed =
            std::any_of(claims.experiments().begin(), claims.experiments().end(),
                        [&path](const running::RunOptions& claimed) {
                            return is_same_file(claimed.file, path);
                        });
        if (is_claimed || is_named_after_the_paper(path) || has_published(file)) {
            running::RunOptions of = options;
            of.file = path;
            running::check_experiment(of);
            add(of, true);
        }
    }
    for (const running::RunOptions& claimed : claims.experiments()) {
        const bool is_there =
            claimed.set_options == options.set_options &&
            std::any_of(runs.begin(), runs.end(), [&claimed](const PaperRun& known) {
                return known.is_shown && is_same_file(known.options.file, claimed.file);
            });
        if (is_there) {
            continue;
        }
        // An unchanged experiment from another folder belongs to the paper, too; for example,
        // LogP's table of networks.
        const bool is_whole = claimed.set_options == options.set_options;
        running::RunOptions of = claimed;
        if (is_whole) {
            of.points.clear();
            of.with_sensitivity = options.with_sensitivity;
        }
        add(of, is_whole);
    }
    return runs;
}

void run_all(std::span<PaperRun> runs, const fs::path& folder, bool again) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder)) {
        throw setup::UserFault({folder.string()}, "the folder can't be created",
                               "--out with a folder whose parent can be written");
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::cerr << fmt::format("[{}/{}] ", i + 1, runs.size());
        run_one(runs[i], folder, again);
    }
}

std::vector<std::optional<records::ExperimentResult>> results_for(const ClaimValues& claims,
                                                                  std::span<const PaperRun> runs) {
    std::vector<std::optional<records::ExperimentResult>> results;
    for (const running::RunOptions& claimed : claims.experiments()) {
        const auto found = std::find_if(runs.begin(), runs.end(), [&](const PaperRun& each) {
            return is_same_file(each.options.file, claimed.file) &&
                   each.options.set_options == claimed.set_options;
        });
        results.push_back(found == runs.end() ? std::nullopt : found->result);
    }
    return results;
}

}  // namespace weir::experiments::validation
