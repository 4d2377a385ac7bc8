#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "experiments/setup/files/experiment_file.h"

namespace weir::experiments::kinds {

/// Costs of a Sparcle experiment's programs, as parameters of a behavioural core. Each is a sum of
/// instruction cycles, with every access hitting, between the points at which the behavioural
/// core's active-message layer accesses the controller.
struct FirmwareCosts {
    double entry_cycles = 0.0;     ///< firmware.entry_cycles
    double dispatch_cycles = 0.0;  ///< firmware.dispatch_cycles
    double exit_cycles = 0.0;      ///< firmware.exit_cycles
    /// firmware.save_cycles and save_word_cycles; absent if no composition was interrupted.
    std::optional<double> save_cycles;
    std::optional<double> save_word_cycles;
    /// workload.handler_work_cycles: time of handlers' bodies without controller accesses; the mean
    /// over all handlers, and the mean for each number of message words.
    double handler_work_cycles = 0.0;
    std::map<std::int32_t, double> handler_work_by_words;
    /// Whether the kernel has a handler for each number of message words.
    bool works_by_words = false;
    /// workload.loop_cycles: time from a launch, or from the end of the reply's handler, to the
    /// thread's next message. Absent unless a thread sends several messages.
    std::optional<double> loop_cycles;
    std::int64_t messages = 0;  ///< number of measured messages, which interrupted no composition
};

/// Runs the first point of a Sparcle experiment on two or four nodes without caches, for a few
/// messages. Measures the costs of the executed instructions. Throws setup::UserFault,
/// firmware::InputFault, nodes::ProgramFault.
FirmwareCosts measure_firmware_costs(const std::filesystem::path& file,
                                     const std::filesystem::path& presets,
                                     std::span<const std::string> set_options);

/// The costs as tables of an experiment file.
std::string to_toml(const FirmwareCosts& costs, const std::string& of_file);

}  // namespace weir::experiments::kinds
