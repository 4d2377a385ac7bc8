#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "experiments/commands/command_syntax.h"
#include "experiments/trace/measurements/time_scale.h"

namespace weir::experiments::commands {

/// `weir trace export RUN`: writes a window of a cycle trace as a timeline for Perfetto and as a
/// waveform for GTKWave.
class TraceExport {
  public:
    /// Declares options and arguments.
    void declare(CommandSyntax command);
    /// Writes the files and returns the exit status. Replaces existing files only when all new ones
    /// are complete. Throws setup::UserFault and trace::TraceError.
    int execute() const;

  private:
    void require_sound_options() const;

    std::string run_;
    std::string timeline_file_;
    std::string waveform_file_;
    std::int64_t begin_cycle_ = 0;
    std::int64_t end_cycle_ = 0;
    Option end_option_;
};

/// Clock period from the configuration.toml beside the trace; the default without that file or its
/// clock.processor_mhz. Throws setup::UserFault if the file or its clock is invalid.
trace::TimeScale time_scale_beside(const std::filesystem::path& trace_file);

}  // namespace weir::experiments::commands
