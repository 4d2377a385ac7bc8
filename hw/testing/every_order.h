#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/clock/clock_domain.h"

namespace weir::hw::testing {

/// One of the ways in which a clock domain may tick its parts; no result may depend on which.
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

/// Runs `experiment` in a process of its own, since SystemC is elaborated once a process, and
/// returns the text it made; an experiment that crashes or fails an expectation returns "failed".
inline std::string result_of_separate_run(const std::function<std::string()>& experiment) {
    std::array<int, 2> channel{};
    if (pipe(channel.data()) != 0) {
        return "failed";
    }
    const pid_t child = fork();
    if (child == 0) {
        close(channel[0]);
        const std::string result = experiment();
        const auto written = write(channel[1], result.data(), result.size());
        const bool good =
            written == static_cast<ssize_t>(result.size()) && !::testing::Test::HasFailure();
        _exit(good ? 0 : 1);
    }
    close(channel[1]);
    std::string result;
    std::array<char, 4096> part{};
    for (ssize_t length = 0; (length = read(channel[0], part.data(), part.size())) > 0;) {
        result.append(part.data(), static_cast<std::size_t>(length));
    }
    close(channel[0]);
    int status = 0;
    const bool ended = waitpid(child, &status, 0) == child && WIFEXITED(status);
    return ended && WEXITSTATUS(status) == 0 ? result : "failed";
}

/// The texts that one experiment makes under each of kTickVariants. Equal texts are the law; a part
/// that reads in a cycle what another writes in it, or counts its ticks, breaks it.
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
