#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weir::hw::testing {

/// Declared cost of expensive tests, in the test's own file. The cost is in processor seconds per
/// test, in a build at -O1, and in one with sanitizers (by default the same). `./weir test
/// --most-seconds` leaves out tests that cost more in its build; tests without a declaration always
/// run.
class TestsCost {
  public:
    /// `names`: regular expression that is searched in the tests' names.
    TestsCost(std::string names, double seconds, std::optional<double> sanitized_seconds = {});
};

/// Highest cost that is declared for the test; 0 without a declaration.
[[nodiscard]] double declared_seconds(const std::string& test);

/// Declared names that match none of `tests`.
[[nodiscard]] std::vector<std::string> costs_of_no_test(const std::vector<std::string>& tests);

}  // namespace weir::hw::testing

#define WEIR_JOIN_NAMES(a, b) a##b
#define WEIR_NUMBERED(name, number) WEIR_JOIN_NAMES(name, number)
/// WEIR_TESTS_COST("ModelFaultsTest", 47); or, for a program that CI runs with sanitizers,
/// WEIR_TESTS_COST("...", 47, 160);
#define WEIR_TESTS_COST(names, ...)                                                           \
    static const ::weir::hw::testing::TestsCost WEIR_NUMBERED(weir_tests_cost_, __COUNTER__)( \
        names, __VA_ARGS__)
