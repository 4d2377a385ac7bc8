#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "hw/testing/names.h"
#include "hw/wait_report.h"

namespace weir::nodes::testing {

/// Lines of explain() (nodes/wait_cycle.h), divided into steps, which are indented, and sentences.
struct ExplainedWaits {
    explicit ExplainedWaits(const std::string& text) {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            (line.starts_with("  ") ? steps : sentences).push_back(line);
        }
    }
    std::vector<std::string> sentences;
    std::vector<std::string> steps;
};

/// Matches the step that describes a wait.
inline weir::testing::NamesMatcher names_wait(const hw::Wait& wait) {
    return weir::testing::Names(wait.who, wait.for_whom, ": " + wait.why);
}

}  // namespace weir::nodes::testing
