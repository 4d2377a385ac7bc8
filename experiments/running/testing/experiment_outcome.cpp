#include "experiments/running/testing/experiment_outcome.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/setup/user_fault.h"
#include "experiments/trace/database/trace_digest.h"
#include "experiments/trace/log/read_log.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;

std::string file_text(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string facts_of_result(const fs::path& file) {
    nlohmann::json result = nlohmann::json::parse(file_text(file));
    for (const char* key : {"seed", "facts", "model_inputs", "wall_seconds", "machine_seconds",
                            "processor_seconds"}) {
        result.erase(key);
    }
    return result.dump(1);
}

// The requested window is not a fact about the run.
std::string facts_of_trace(const fs::path& file) {
    trace::Trace trace = trace::read_log(file);
    trace.run.erase("window_begin_cycle");
    trace.run.erase("window_end_cycle");
    return trace::trace_digest(trace);
}

// Some counters of parts depend on the emulation, not on the machine.
std::string facts_of_file(const fs::path& file, bool is_of_run) {
    const std::string name = file.filename().string();
    if (!is_of_run || name == "configuration.toml" || name.starts_with("statistics.")) {
        return {};
    }
    if (name == "result.json") {
        return facts_of_result(file);
    }
    return name == trace::kTraceFile ? facts_of_trace(file) : file_text(file);
}

std::string facts_in(const fs::path& folder) {
    std::map<std::string, std::string> facts;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) {
            const bool is_of_run = entry.path().parent_path() != folder;
            facts[entry.path().lexically_relative(folder).string()] =
                facts_of_file(entry.path(), is_of_run);
        }
    }
    std::string text;
    for (const auto& [file, fact] : facts) {
        text += file + "\n" + fact + "\n";
    }
    return text;
}

}  // namespace

ExperimentOutcome outcome_of(const RunOptions& options, const std::string& expected) {
    ExperimentOutcome outcome;
    try {
        const records::ExperimentResult result = run_experiment(options);
        outcome.text = facts_in(result.folder);
    } catch (const setup::UserFault& fault) {
        outcome = {true, fault.what()};
    } catch (const RunFailure& failure) {
        const bool is_expected = std::string(failure.what()).find(expected) != std::string::npos;
        if (failure.status() == kBug || (failure.status() == kWrongAnswer && !is_expected)) {
            throw;
        }
        outcome.text = failure.what();
    }
    fs::remove_all(options.folder.value());
    return outcome;
}

}  // namespace weir::experiments::running
