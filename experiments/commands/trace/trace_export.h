#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>

#include "experiments/trace/measurements/time_scale.h"

namespace weir::experiments::commands {

/// `weir trace export RUN`: a window of a cycle trace as a timeline for Perfetto and as a waveform
/// for GTKWave.
class TraceExport {
  public:
    /// Declares options and arguments.
    void declare(CLI::App& command);
    /// Writes the files and returns the exit status. A file that exists is replaced when all of the
    /// new one is written. Throws setup::UserFault and trace::TraceError.
    int execute() const;

  private:
    void require_sound_options() const;

    std::string run_;
    std::string timeline_file_;
    std::string waveform_file_;
    std::int64_t begin_cycle_ = 0;
    std::int64_t end_cycle_ = 0;
    CLI::Option* end_option_ = nullptr;
};

/// The clock's period by the configuration.toml beside the trace; without it the default.
/// Throws setup::UserFault when that file can't be read or its clock can't be.
trace::TimeScale time_scale_beside(const std::filesystem::path& trace_file);

}  // namespace weir::experiments::commands
