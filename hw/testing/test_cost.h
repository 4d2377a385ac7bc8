#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weir::hw::testing {

/// The cost of tests that are expensive, stated in their own file: the processor seconds that each
/// takes in a build at -O1, and with sanitizers (the same where nothing is said). `./weir test
/// --most-seconds` leaves out those that cost more in its build; tests without a declaration always
/// run.
class TestsCost {
  public:
    /// `names`: a regular expression that the tests' names are searched for.
    TestsCost(std::string names, double seconds, std::optional<double> sanitized_seconds = {});
};

/// The highest cost that is declared for the test; 0 where none is.
[[nodiscard]] double declared_seconds(const std::string& test);

/// Declared names that none of these tests has.
[[nodiscard]] std::vector<std::string> costs_of_no_test(const std::vector<std::string>& tests);

}  // namespace weir::hw::testing

#define WEIR_JOIN_NAMES(a, b) a##b
#define WEIR_NUMBERED(name, number) WEIR_JOIN_NAMES(name, number)
/// WEIR_TESTS_COST("ModelFaultsTest", 47); or, for a program that CI runs with sanitizers,
/// WEIR_TESTS_COST("...", 47, 160);
#define WEIR_TESTS_COST(names, ...)                                                           \
    static const ::weir::hw::testing::TestsCost WEIR_NUMBERED(weir_tests_cost_, __COUNTER__)( \
        names, __VA_ARGS__)
