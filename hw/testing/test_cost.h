#pragma once

#include <string>
#include <vector>

namespace weir::hw::testing {

/// Processor seconds that a test takes: as `./weir test` builds it for CI, and with sanitizers.
struct TestCost {
    double seconds = 0.0;
    double with_sanitizers = 0.0;
};

/// The cost of the tests whose names a regular expression finds, in the test's own file. Tests
/// without one are cheap. `./weir test --most-seconds` leaves out those that cost more.
class TestsCost {
  public:
    TestsCost(std::string names, TestCost cost);
};

/// The highest cost that is declared for the test, in this kind of build; 0 where none is.
[[nodiscard]] double declared_seconds(const std::string& test);

/// Declared names that none of these tests has.
[[nodiscard]] std::vector<std::string> costs_of_no_test(const std::vector<std::string>& tests);

}  // namespace weir::hw::testing

#define WEIR_JOIN_NAMES(a, b) a##b
#define WEIR_NUMBERED(name, number) WEIR_JOIN_NAMES(name, number)
/// WEIR_TESTS_COST("QemuTest", {.seconds = 8, .with_sanitizers = 70});
#define WEIR_TESTS_COST(names, ...)                                                           \
    static const ::weir::hw::testing::TestsCost WEIR_NUMBERED(weir_tests_cost_, __COUNTER__)( \
        names, ::weir::hw::testing::TestCost __VA_ARGS__)
