#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/testing/separate_run.h"

namespace weir::hw::testing {

/// One order in which a clock domain may tick its parts; no result may depend on it.
struct TickVariant {
    const char* order;
    bool sleeping;
    std::uint64_t seed;
};

inline constexpr std::array<TickVariant, 8> kTickVariants{{{"wake", true, 1},
                                                           {"reversed", true, 1},
                                                           {"shuffled", true, 1},
                                                           {"shuffled", true, 2},
                                                           {"wake", false, 1},
                                                           {"reversed", false, 1},
                                                           {"shuffled", false, 1},
                                                           {"shuffled", false, 2}}};

/// Results of one experiment under each of kTickVariants. By law they are equal. A part that reads
/// in a cycle what another one writes in it, or that counts its ticks, breaks the law.
inline std::vector<std::string> results_in_every_order(
    const std::function<std::string(ClockDomain&)>& experiment) {
    std::vector<std::string> results;
    results.reserve(kTickVariants.size());
    for (const TickVariant& variant : kTickVariants) {
        results.push_back(result_of_separate_run([&] {
            ClockDomainParameters parameters;
            EXPECT_TRUE(parameters.tick_order.set(std::string(variant.order)));
            EXPECT_TRUE(parameters.sleeping.set(variant.sleeping));
            ClockDomain domain("clock", parameters, variant.seed);
            return experiment(domain);
        }));
    }
    return results;
}

}  // namespace weir::hw::testing
