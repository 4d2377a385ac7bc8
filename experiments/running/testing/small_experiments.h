#pragma once

#include <string>
#include <vector>

namespace weir::experiments::running {

/// Experiment with few nodes and messages, to find which parameters change its results.
struct SmallExperiment {
    /// Experiment file. {folder} stands for the folder of the file and of small_files(), {images}
    /// for that of the tests' Sparcle programs, {recorded} for a recorded trace.
    std::string text;
    bool may_fault = false;  ///< true if the program may end by its own fault
};

/// Experiments with each kernel, each kind of part, and parts under load. The experiments are not
/// assigned to parameters: EveryParameterTest tries a parameter in one after the other until a
/// result changes.
[[nodiscard]] const std::vector<SmallExperiment>& small_experiments();

/// File that experiments read.
struct SmallFile {
    std::string name;
    std::string text;
};
[[nodiscard]] const std::vector<SmallFile>& small_files();

}  // namespace weir::experiments::running
