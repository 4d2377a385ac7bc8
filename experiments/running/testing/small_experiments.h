#pragma once

#include <string>
#include <vector>

namespace weir::experiments::running {

/// An experiment of a few nodes and a few messages, whose runs show what parameters change.
struct SmallExperiment {
    /// Patterns (`weir params`) of the parameters it is for: "network.*", and, of kernels'
    /// [workload], "remap.*".
    std::vector<std::string> parameters;
    /// The experiment file. {folder} is where it and small_files() are, {images} where the tests'
    /// programs for Sparcle nodes are.
    std::string text;
    /// What the other run is given, as by --set; empty: other values of the parameter, one by one.
    std::vector<std::string> other = {};
    /// Part of the message, where the other run is to be refused.
    std::string refusal = {};
    /// Part of the message, where the program of one of the runs ends by a fault of its own.
    std::string fault = {};
};

/// For a parameter the first is taken of which a run changes with it. What a parameter says of its
/// own effect (effective_when) need not be here: it is set where the experiment has it not.
[[nodiscard]] const std::vector<SmallExperiment>& small_experiments();

/// What they read.
struct SmallFile {
    std::string name;
    std::string text;
};
[[nodiscard]] const std::vector<SmallFile>& small_files();

}  // namespace weir::experiments::running
