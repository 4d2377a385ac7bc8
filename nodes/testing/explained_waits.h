#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "hw/testing/names.h"
#include "hw/wait_report.h"

namespace weir::nodes::testing {

/// Lines of explain() (nodes/wait_cycle.h): a step is indented, a sentence about the steps is not.
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

/// Matcher of the step that a wait is.
inline weir::testing::NamesMatcher names_wait(const hw::Wait& wait) {
    return weir::testing::Names(wait.who, wait.for_whom, ": " + wait.why);
}

}  // namespace weir::nodes::testing
