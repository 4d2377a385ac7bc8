#include "experiments/commands/trace/trace_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/setup/user_fault.h"
#include "experiments/trace/log/log_format.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

std::vector<fs::path> traces_in(const fs::path& folder) {
    std::vector<fs::path> traces;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().filename() == trace::kTraceFile) {
            traces.push_back(entry.path());
        }
    }
    if (traces.empty()) {
        throw setup::UserFault({folder.string()},
                               fmt::format("no {} in this folder", trace::kTraceFile),
                               "the folder a run has left, or a trace");
    }
    std::sort(traces.begin(), traces.end());
    return traces;
}

fs::path the_trace_of(const fs::path& run) {
    if (!fs::is_directory(run)) {
        return run;
    }
    const std::vector<fs::path> traces = traces_in(run);
    if (traces.size() > 1) {
        std::string list;
        for (const fs::path& trace : traces) {
            list += "\n  " + trace.string();
        }
        throw setup::UserFault({run.string()},
                               fmt::format("there are {} traces in this folder", traces.size()),
                               "one of" + list);
    }
    return traces.front();
}

}  // namespace weir::experiments::commands
