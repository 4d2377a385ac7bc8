#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/random_machines/recorded_run.h"

namespace weir::experiments::random_machines {

/// Violation of a law by a run, with its description.
struct Violation {
    std::string law;  ///< name of the law: "conservation"
    std::string what;
};

/// A law that holds for every run of every machine.
struct Law {
    std::string name;
    std::string sentence;
    /// Description of the run's violation; empty if the run keeps the law.
    std::optional<std::string> (*broken)(const EndedRun& run);
};

/// All laws, in the order of their checks; the first broken law is the most specific.
[[nodiscard]] const std::vector<Law>& laws();
[[nodiscard]] std::optional<Violation> broken_law(const EndedRun& run);

/// Laws that compare runs, and laws about runs without a result.
inline constexpr const char* kSameResults = "same results";
inline constexpr const char* kEnds = "ends by itself";
inline constexpr const char* kMessages = "refused with a message";
inline constexpr const char* kMeasured = "can be measured";

}  // namespace weir::experiments::random_machines
