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
    std::string
        left_out;  ///< of which nothing runs that this regular expression finds; empty: all run
};

/// What `--share=NUMBER/OF` says, if the arguments have it; throws std::invalid_argument where it
/// says something else. What is left out is the environment's WEIR_LEFT_OUT.
[[nodiscard]] std::optional<TestShare> share_of_arguments(int argc, char** argv);

/// After InitGoogleTest. Prints a line a test, and after it what a test that failed has printed.
/// \return 0 when all have passed, else 1.
int run_forked(const TestShare& share);

}  // namespace weir::hw::testing
