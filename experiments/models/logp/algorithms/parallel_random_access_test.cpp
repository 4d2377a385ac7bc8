#include "experiments/models/logp/algorithms/parallel_random_access.h"

#include <gtest/gtest.h>

#include "experiments/models/logp/algorithms/broadcast.h"
#include "experiments/models/logp/algorithms/summation.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

TEST(ParallelRandomAccess, TakesTheTextbooksSteps) {
    EXPECT_EQ(pram_broadcast_steps(1), 0);
    EXPECT_EQ(pram_broadcast_steps(8), 3);
    EXPECT_EQ(pram_broadcast_steps(9), 4);
    EXPECT_EQ(pram_summation_steps(1, 79), 78);
    EXPECT_EQ(pram_summation_steps(8, 79), 9 + 3);
    EXPECT_EQ(pram_summation_steps(1000, 8), 3);
    EXPECT_EQ(pram_fft_steps(8, 1024), 1280);
    EXPECT_EQ(pram_fft_steps(1024, 1024), 10);
    EXPECT_EQ(pram_lu_steps(1, 4), 2 * (9 + 4 + 1));
    EXPECT_EQ(pram_lu_steps(9, 4), 2 * 3);
}

// LogP (1993), section 6.1: a PRAM is LogP with g = L = o = 0, its steps a cycle each. A broadcast
// with a message a cycle is the exclusive-read one; a summation pays for its additions only.
TEST(ParallelRandomAccess, IsLogpWithoutCommunicationCosts) {
    for (int processors = 1; processors <= 70; ++processors) {
        EXPECT_EQ(logp_optimal_broadcast({.latency_cycles = 1.0,
                                          .overhead_cycles = 0.0,
                                          .gap_cycles = 1.0,
                                          .processors = processors})
                      .finish_cycles,
                  static_cast<double>(pram_broadcast_steps(processors)));
    }
    for (const int processors : {1, 2, 4, 16, 64}) {
        for (const std::int64_t each : {1, 2, 10, 1000}) {
            EXPECT_EQ(logp_least_summation_cycles({0, 0, 0, processors}, each * processors),
                      pram_summation_steps(processors, each * processors))
                << "P " << processors << " n/P " << each;
        }
    }
    // Spread unevenly, LogP's schedule may save a step where P does not divide the work so well.
    for (std::int64_t values = 1; values <= 300; ++values) {
        EXPECT_LE(logp_least_summation_cycles({0, 0, 0, 7}, values),
                  pram_summation_steps(7, values));
    }
}

TEST(ParallelRandomAccess, RefusesCountsOutOfRange) {
    EXPECT_THROW(pram_broadcast_steps(0), ModelError);
    EXPECT_THROW(pram_summation_steps(8, 0), ModelError);
    EXPECT_THROW(pram_fft_steps(8, 1000), ModelError);
    EXPECT_THROW(pram_lu_steps(8, 100001), ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
