#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/result.h"

namespace weir::experiments::records {

/// What a search came to.
struct SearchResult {
    /// A round: points that were tried in it, with so many seeds each.
    struct Round {
        std::size_t points = 0;
        std::size_t seeds = 0;
        std::size_t runs = 0;  ///< that it adds to earlier rounds
        std::string best;      ///< that it ended with; empty before it has run
        std::optional<double> mean;
    };
    /// A point of the last round, the best one first.
    struct Finalist {
        std::size_t number = 0;  ///< in the file's order, from 1
        std::string description;
        Estimate value;
        /// By how much it is worse than the best, seed by seed; nothing of the best itself.
        std::optional<Estimate> behind;
        std::optional<double> cost;
    };
    /// A point that is out because a run of it did not end well.
    struct Trouble {
        std::string run;  ///< "point 3 (hop_cycles = 2), seed 1"
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
    std::size_t budget = 0;      ///< runs at most
    std::size_t points = 0;      ///< that the axes span
    std::size_t admissible = 0;  ///< of these, that meet the constraints
    std::size_t full_runs = 0;   ///< of all points with all seeds, which a sweep would do
    std::size_t runs = 0;        ///< that the search is made of
    std::vector<Round> rounds;
    std::vector<Finalist> finalists;  ///< none where no point ended well
    std::vector<Trouble> troubles;
    std::string digest;  ///< of all results in the database
};

}  // namespace weir::experiments::records
