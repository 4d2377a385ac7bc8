#pragma once

#include <string>
#include <vector>

namespace weir::experiments::running {

/// An experiment of a few nodes and a few messages, whose runs show what parameters change.
struct SmallExperiment {
    /// The experiment file. {folder} is where it and small_files() are, {images} where the tests'
    /// programs for Sparcle nodes are, {recorded} a recorded trace.
    std::string text;
    bool may_fault = false;  ///< its program may end by a fault of its own
};

/// Each kernel, each kind of part, and parts under load. They name no parameter that they are for:
/// EveryParameterTest tries a parameter in one after the other until a result changes.
[[nodiscard]] const std::vector<SmallExperiment>& small_experiments();

/// Files that the experiments read.
struct SmallFile {
    std::string name;
    std::string text;
};
[[nodiscard]] const std::vector<SmallFile>& small_files();

}  // namespace weir::experiments::running
