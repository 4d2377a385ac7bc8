#include "hw/testing/forked_tests.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <regex>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include "hw/testing/test_cost.h"

namespace weir::hw::testing {

namespace {

constexpr unsigned kMostSeconds = 600;  // time limit of one test

std::regex pattern_of(const std::string& left_out) {
    try {
        return std::regex(left_out);
    } catch (const std::regex_error& fault) {
        throw std::invalid_argument("tests to leave out: found '" + left_out +
                                    "', accepted is a regular expression: " + fault.what());
    }
}

void require_costs_of_tests(const std::vector<std::string>& names) {
    for (const std::string& unused : costs_of_no_test(names)) {
        throw std::invalid_argument("WEIR_TESTS_COST: found '" + unused +
                                    "', accepted are names of this program's tests");
    }
}

std::vector<std::string> names_in(const TestShare& share) {
    const std::regex left_out = pattern_of(share.left_out);
    std::vector<std::string> all;
    std::vector<std::string> names;
    unsigned count = 0;
    const auto& program = *::testing::UnitTest::GetInstance();
    for (int suite = 0; suite < program.total_test_suite_count(); ++suite) {
        const auto& tests = *program.GetTestSuite(suite);
        for (int test = 0; test < tests.total_test_count(); ++test) {
            const std::string name =
                std::string(tests.name()) + "." + tests.GetTestInfo(test)->name();
            const bool is_disabled = name.find("DISABLED_") != std::string::npos;
            const bool runs = !is_disabled || GTEST_FLAG_GET(also_run_disabled_tests);
            all.push_back(name);
            const bool is_left_out =
                (!share.left_out.empty() && std::regex_search(name, left_out)) ||
                (share.most_seconds && declared_seconds(name) > *share.most_seconds);
            if (runs && !is_left_out && count++ % share.of == share.number - 1) {
                names.push_back(name);
            }
        }
    }
    require_costs_of_tests(all);
    return names;
}

// Output of a test, kept until the test has ended.
class KeptOutput {
  public:
    KeptOutput() : file_(::memfd_create("output of a test", MFD_CLOEXEC)) {
        if (file_ < 0) {
            throw std::system_error(errno, std::generic_category(), "memfd_create");
        }
    }
    ~KeptOutput() { ::close(file_); }
    KeptOutput(const KeptOutput&) = delete;
    KeptOutput& operator=(const KeptOutput&) = delete;

    void take_from_this_process() const {
        ::dup2(file_, STDOUT_FILENO);
        ::dup2(file_, STDERR_FILENO);
    }
    [[nodiscard]] std::string text() const {
        std::string text;
        std::array<char, 4096> part{};
        ssize_t count = 0;
        while ((count = ::pread(file_, part.data(), part.size(), static_cast<off_t>(text.size()))) >
               0) {
            text.append(part.data(), count);
        }
        return text;
    }

  private:
    int file_;
};

int run_here(const std::string& name, const KeptOutput& output) {
    output.take_from_this_process();
    ::alarm(kMostSeconds);
    GTEST_FLAG_SET(filter, name);
    return RUN_ALL_TESTS();
}

std::string fault_of(int status) {
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return signal == SIGALRM
                   ? "not done after " + std::to_string(kMostSeconds) + " s"
                   : "ended by signal " + std::to_string(signal) + ", " + ::strsignal(signal);
    }
    return WEXITSTATUS(status) == 0 ? "" : "status " + std::to_string(WEXITSTATUS(status));
}

// Result of run_in_fork(), in the parent and in the child.
struct Forked {
    bool is_test = false;  ///< in the child: the test has run, and the process ends with `status`
    int status = 0;
    bool has_passed = false;
    double seconds = 0.0;  ///< processor seconds, including those of its own child processes
};

double processor_seconds(const rusage& use) {
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(use.ru_utime) + seconds(use.ru_stime);
}

Forked run_in_fork(const std::string& name) {
    const KeptOutput output;
    std::cout.flush();
    const pid_t child = ::fork();
    if (child < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (child == 0) {
        return {.is_test = true, .status = run_here(name, output)};
    }
    int status = 0;
    rusage use{};
    while (::wait4(child, &status, 0, &use) < 0) {
        if (errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "wait4");
        }
    }
    const std::string fault = fault_of(status);
    const double seconds = processor_seconds(use);
    const bool is_skipped = output.text().find("[  SKIPPED ]") != std::string::npos;
    std::cout << (!fault.empty() ? "FAILED "
                  : is_skipped   ? "skipped "
                                 : "passed ")
              << name << " (" << std::llround(1000.0 * seconds) << " ms"
              << (fault.empty() ? "" : ", ") << fault << ")\n";
    if (!fault.empty()) {
        std::cout << output.text() << std::flush;
    }
    return {.has_passed = fault.empty(), .seconds = seconds};
}

}  // namespace

std::optional<TestShare> share_of_arguments(int argc, char** argv) {
    constexpr std::string_view kOption = "--share=";
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (!argument.starts_with(kOption)) {
            continue;
        }
        const std::regex form("([1-9][0-9]{0,3})/([1-9][0-9]{0,3})");
        std::smatch parts;
        const std::string said = argument.substr(kOption.size());
        TestShare share;
        if (std::regex_match(said, parts, form)) {
            share.number = static_cast<unsigned>(std::stoul(parts[1]));
            share.of = static_cast<unsigned>(std::stoul(parts[2]));
        }
        if (parts.empty() || share.number > share.of) {
            throw std::invalid_argument("--share: found '" + said +
                                        "', accepted is NUMBER/OF, as 2/8");
        }
        if (const char* left_out = std::getenv("WEIR_LEFT_OUT")) {
            share.left_out = left_out;
        }
        if (const char* most_seconds = std::getenv("WEIR_MOST_SECONDS")) {
            share.most_seconds = std::stod(most_seconds);
        }
        return share;
    }
    return std::nullopt;
}

int run_forked(const TestShare& share) {
    const std::vector<std::string> names = names_in(share);
    std::size_t failed = 0;
    for (const std::string& name : names) {
        // The child returns through all callers, among them libsystemc's part, which frees its
        // memory. At an exit() from here, a sanitizer would report that memory as leaked.
        const Forked forked = run_in_fork(name);
        if (forked.is_test) {
            return forked.status;
        }
        failed += forked.has_passed ? 0 : 1;
        if (share.most_seconds && forked.seconds > *share.most_seconds) {
            std::cout << "costs more than " << *share.most_seconds
                      << " s and declares less: " << name << '\n';
        }
    }
    std::cout << names.size() - failed << " of " << names.size() << " tests passed\n";
    return failed == 0 ? 0 : 1;
}

}  // namespace weir::hw::testing
