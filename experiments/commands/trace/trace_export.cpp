#include "experiments/commands/trace/trace_export.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "experiments/commands/new_file.h"
#include "experiments/commands/number_option.h"
#include "experiments/commands/trace/trace_files.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/user_fault.h"
#include "experiments/trace/exports/export_file.h"
#include "experiments/trace/exports/perfetto_export.h"
#include "experiments/trace/exports/vcd_export.h"
#include "experiments/trace/log/log_format.h"
#include "hw/clock/clock_parameters.h"
#include "hw/input_limits.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

namespace {

using Export = std::function<std::int64_t(const trace::Timeline&, const trace::TimeScale&,
                                          trace::ExportFile&)>;

/// A written file that is renamed only when all files of the export are complete.
struct WrittenFile {
    std::unique_ptr<NewFile> file;
    std::string what;  ///< message to print
};

WrittenFile write_export(const trace::Timeline& timeline, const trace::TimeScale& scale,
                         const std::string& path, const std::string& option,
                         std::string_view counted, const Export& write) {
    const std::string option_text = option + " " + path;
    auto file = std::make_unique<NewFile>(path, option_text);
    trace::ExportFile text(file->unfinished_path(), option_text, path.ends_with(".gz"));
    const std::int64_t count = write(timeline, scale, text);
    text.close();
    const trace::CycleWindow window = timeline.window();
    if (count == 0) {
        throw setup::UserFault({option_text},
                               fmt::format("the trace has nothing from cycle {} to {}",
                                           window.begin.count(), window.end.count()));
    }
    return {std::move(file), fmt::format("{}: {} {} of cycles {} to {}, {}\n", path, count, counted,
                                         window.begin.count(), window.end.count(), scale.text())};
}

}  // namespace

void TraceExport::declare(CommandSyntax command) {
    command
        .add_option("RUN", run_, fmt::format("A {} file, or a folder with one", trace::kTraceFile))
        .required();
    command
        .add_option("-o,--out", timeline_file_, "Timeline for ui.perfetto.dev: .json.gz or .json")
        .type_name("FILE");
    command.add_option("--vcd", waveform_file_, "Waveform for GTKWave: .vcd").type_name("FILE");
    const ValueCheck cycles = whole_number(0, hw::kNever.count());
    command.add_option("--begin", begin_cycle_, "First cycle [the trace's first]")
        .type_name("CYCLE")
        .check(cycles);
    end_option_ =
        command.add_option("--end", end_cycle_, "First cycle after the window [the trace's end]")
            .type_name("CYCLE")
            .check(cycles);
}

int TraceExport::execute() const {
    require_sound_options();
    const fs::path trace_file = the_trace_of(run_);
    const trace::TraceDatabase database = trace::TraceDatabase::open(trace_file);
    trace::CycleWindow window{.begin = hw::Cycles(begin_cycle_)};
    if (end_option_.is_given()) {
        window.end = hw::Cycles(end_cycle_);
    }
    const trace::Timeline timeline(database, window);
    const trace::TimeScale scale = time_scale_beside(trace_file);
    std::vector<WrittenFile> written;
    if (!timeline_file_.empty()) {
        written.push_back(write_export(timeline, trace::perfetto_time_scale(scale), timeline_file_,
                                       "-o", "events", trace::export_to_perfetto));
    }
    if (!waveform_file_.empty()) {
        written.push_back(write_export(timeline, scale, waveform_file_, "--vcd", "value changes",
                                       trace::export_to_vcd));
    }
    for (const WrittenFile& one : written) {
        one.file->finish();
        std::cout << one.what;
    }
    return running::kSuccess;
}

void TraceExport::require_sound_options() const {
    if (timeline_file_.empty() && waveform_file_.empty()) {
        throw setup::UserFault({"weir trace export"}, "no output file is given",
                               "-o FILE.json.gz, -o FILE.json or --vcd FILE.vcd");
    }
    if (!timeline_file_.empty() && !timeline_file_.ends_with(".json.gz") &&
        !timeline_file_.ends_with(".json")) {
        throw setup::UserFault({"-o " + timeline_file_},
                               "the file's name is not that of a timeline",
                               "a name that ends in .json.gz or .json");
    }
    if (!waveform_file_.empty() && !waveform_file_.ends_with(".vcd")) {
        throw setup::UserFault({"--vcd " + waveform_file_},
                               "the file's name is not that of a waveform",
                               "a name that ends in .vcd");
    }
    if (end_option_.is_given() && begin_cycle_ >= end_cycle_) {
        throw setup::UserFault({fmt::format("--begin {} --end {}", begin_cycle_, end_cycle_)},
                               "the window contains no cycle", "an end after the begin");
    }
}

trace::TimeScale time_scale_beside(const fs::path& trace_file) {
    const fs::path file = trace_file.parent_path() / "configuration.toml";
    if (!fs::exists(file)) {
        return {.source = "default; there is no configuration.toml beside the trace"};
    }
    std::ifstream in(file, std::ios::binary);
    const std::string text = hw::text_of(in, hw::kTomlLimits);
    if (!in.is_open() || in.bad()) {
        throw setup::UserFault({file.string()}, "the file can't be read");
    }
    const setup::TomlEntry configuration = setup::parse_toml(text, file.string());
    const setup::TomlEntry* const clock = configuration.as_table()->find("clock");
    const setup::TomlEntry* const rate = clock == nullptr || clock->as_table() == nullptr
                                             ? nullptr
                                             : clock->as_table()->find("processor_mhz");
    if (rate == nullptr) {
        return {.source =
                    "default; there is no clock.processor_mhz in the trace's configuration.toml"};
    }
    const std::optional<double> mhz = rate->as_number();
    hw::ClockDomainParameters accepted;
    if (!mhz || !accepted.processor_mhz.set(*mhz)) {
        throw setup::UserFault(rate->place, setup::described(*rate),
                               accepted.processor_mhz.accepted());
    }
    constexpr double kPicosecondsPerMicrosecond = 1e6;
    return {.cycle_picoseconds = std::llround(kPicosecondsPerMicrosecond / *mhz),
            .source = fmt::format("clock.processor_mhz = {:g} in configuration.toml", *mhz)};
}

}  // namespace weir::experiments::commands
