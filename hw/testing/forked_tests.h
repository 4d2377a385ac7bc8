#pragma once

#include <optional>
#include <string>

namespace weir::hw::testing {

/// Which of a program's tests run, each in a process of its own that is forked from this one. To
/// fork costs a tenth of what it costs to start the program anew, and most tests take less than
/// that.
struct TestShare {
    unsigned number = 1;  ///< the tests number, number + of, … of the program
    unsigned of = 1;
    std::string left_out = {};  ///< a regular expression of tests that don't run; empty: none
    std::optional<double> most_seconds = {};  ///< tests that declare a higher cost don't run
};

/// What `--share=NUMBER/OF` says, if the arguments have it; throws std::invalid_argument where it
/// says something else. The environment's WEIR_LEFT_OUT and WEIR_MOST_SECONDS say what is left out.
[[nodiscard]] std::optional<TestShare> share_of_arguments(int argc, char** argv);

/// After InitGoogleTest. Prints a line a test, with its processor seconds, and after it the output
/// of a test that failed. A further line names a test that took more than most_seconds, and
/// declared less. Throws std::invalid_argument for a declared cost that no test of the program has.
/// \return 0 when all have passed, else 1.
int run_forked(const TestShare& share);

}  // namespace weir::hw::testing
