#pragma once

#include <optional>
#include <string>

namespace weir::hw::testing {

/// A share of a program's tests; each test runs in a process that is forked from this one. Forking
/// costs a tenth of starting the program anew, and most tests take less time than that.
struct TestShare {
    unsigned number = 1;  ///< runs the program's tests number, number + of, number + 2 of and so on
    unsigned of = 1;
    std::string left_out = {};  ///< regular expression of tests that don't run; empty: none
    std::optional<double> most_seconds = {};  ///< tests that declare a higher cost don't run
};

/// The share given by `--share=NUMBER/OF`, if any; throws std::invalid_argument for an argument of
/// another form. The environment variables WEIR_LEFT_OUT and WEIR_MOST_SECONDS give the tests that
/// are left out.
[[nodiscard]] std::optional<TestShare> share_of_arguments(int argc, char** argv);

/// Runs the tests; to be called after InitGoogleTest. Prints a line per test, with its processor
/// seconds, and the output of failed tests. A further line names each test that took more than
/// most_seconds and declares less. Throws std::invalid_argument for a declared cost that no test of
/// the program has. \return 0 when all tests have passed, else 1.
int run_forked(const TestShare& share);

}  // namespace weir::hw::testing
