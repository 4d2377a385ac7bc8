#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/random_machines/recorded_run.h"

namespace weir::experiments::random_machines {

/// A law that a machine has broken, and how.
struct Violation {
    std::string law;  ///< "conservation"
    std::string what;
};

/// A law that holds for every run of every machine.
struct Law {
    std::string name;
    std::string sentence;
    /// How the run breaks it, or nothing.
    std::optional<std::string> (*broken)(const EndedRun& run);
};

/// In the order in which they are asked: the first that is broken says most.
[[nodiscard]] const std::vector<Law>& laws();
[[nodiscard]] std::optional<Violation> broken_law(const EndedRun& run);

/// Laws between runs, and about runs that leave nothing to look at.
inline constexpr const char* kSameResults = "same results";
inline constexpr const char* kEnds = "ends by itself";
inline constexpr const char* kMessages = "refused with a message";
inline constexpr const char* kMeasured = "can be measured";

}  // namespace weir::experiments::random_machines
