#include "hw/testing/test_cost.h"

#include <algorithm>
#include <regex>
#include <utility>

namespace weir::hw::testing {

namespace {

struct Declared {
    std::string names;
    std::regex pattern;
    double seconds;
};

// A static of a function, since other files declare their costs before main(), in any order.
std::vector<Declared>& declared() {
    static std::vector<Declared> all;
    return all;
}

}  // namespace

TestsCost::TestsCost(std::string names, double seconds,
                     [[maybe_unused]] std::optional<double> sanitized_seconds) {
#ifdef WEIR_HAS_SANITIZERS
    seconds = sanitized_seconds.value_or(seconds);
#endif
    std::regex pattern(names);
    declared().push_back({std::move(names), std::move(pattern), seconds});
}

double declared_seconds(const std::string& test) {
    double seconds = 0.0;
    for (const Declared& one : declared()) {
        if (std::regex_search(test, one.pattern)) {
            seconds = std::max(seconds, one.seconds);
        }
    }
    return seconds;
}

std::vector<std::string> costs_of_no_test(const std::vector<std::string>& tests) {
    std::vector<std::string> unused;
    for (const Declared& one : declared()) {
        const bool is_used = std::any_of(tests.begin(), tests.end(), [&](const std::string& test) {
            return std::regex_search(test, one.pattern);
        });
        if (!is_used) {
            unused.push_back(one.names);
        }
    }
    return unused;
}

}  // namespace weir::hw::testing
