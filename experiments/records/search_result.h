#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/result.h"

namespace weir::experiments::records {

/// Result of a search.
struct SearchResult {
    /// Round of a search: runs a number of points with a number of seeds each.
    struct Round {
        std::size_t points = 0;
        std::size_t seeds = 0;
        std::size_t runs = 0;  ///< number of runs that earlier rounds did not include
        std::string best;      ///< best point after the round; empty until the round has run
        std::optional<double> mean;
    };
    /// Point of the last round; the best point comes first.
    struct Finalist {
        std::size_t number = 0;  ///< number in the file's order, from 1
        std::string description;
        Estimate value;
        /// Difference to the best point, paired by seed; empty for the best point.
        std::optional<Estimate> behind;
        std::optional<double> cost;
    };
    /// Point that was excluded because a run of it did not end well.
    struct Trouble {
        std::string run;  ///< point and seed, for example "point 3 (hop_cycles = 2), seed 1"
        std::string status;
        std::string message;
        int exit_status = 0;
        bool is_killed = false;
    };

    std::string title;
    std::string file;
    std::string database;
    std::string metric;
    bool is_maximised = false;
    std::vector<std::string> constraints;
    std::size_t budget = 0;      ///< largest number of runs that the search may make
    std::size_t points = 0;      ///< number of points that the axes span
    std::size_t admissible = 0;  ///< number of these points that meet the constraints
    std::size_t full_runs = 0;   ///< runs of a sweep: all points with all seeds
    std::size_t runs = 0;        ///< number of runs that the search made
    std::vector<Round> rounds;
    std::vector<Finalist> finalists;  ///< points of the last round; empty if no point ended well
    std::vector<Trouble> troubles;
    std::string digest;  ///< digest of all results in the database
};

}  // namespace weir::experiments::records
