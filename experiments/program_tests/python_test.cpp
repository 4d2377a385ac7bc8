#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments {
namespace {

// Tests of the package of experiments/python with the built program.
class PythonTest : public ProgramTest {
  protected:
    ProgramEnd python(const std::vector<std::string>& arguments) const {
        const std::string sources = std::string(WEIR_EXPERIMENTS) + "/python";
        std::vector<std::string> words{std::string("WEIR=") + WEIR_PROGRAM,
                                       "PYTHONPATH=" + sources + ":" + sources + "/testing",
                                       "PYTHONDONTWRITEBYTECODE=1", "/usr/bin/python3"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        return RunningProgram("/usr/bin/env", words, folder(), folder().parent_path()).wait();
    }
};

TEST_F(PythonTest, ItsOwnTestsPass) {
    const ProgramEnd end = python({"-m", "unittest", "weir_test"});
    EXPECT_EQ(end.status, 0) << end.error;
}

TEST_F(PythonTest, NotebooksPrintWhatTheyShow) {
    const std::string python_folder = std::string(WEIR_EXPERIMENTS) + "/python";
    for (const char* notebook : {"first-study", "sweeps", "machines", "models"}) {
        const ProgramEnd end = python(
            {python_folder + "/testing/notebook.py", python_folder + "/" + notebook + ".ipynb"});
        EXPECT_EQ(end.status, 0) << notebook << "\n" << end.output << end.error;
    }
}

}  // namespace
}  // namespace weir::experiments
