#include "experiments/bench/benchmark.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "experiments/running/processes/worker_pool.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::bench {

namespace {

double number_after(const std::string& text, const std::string& label) {
    const std::size_t at = text.find(label);
    if (at == std::string::npos) {
        throw std::runtime_error("valgrind's output lacks \"" + label + "\": " + text);
    }
    return std::stod(text.substr(at + label.size()));
}

struct Count {
    double instructions = 0.0;
    double units = 0.0;
};

Count counted_by_valgrind(const std::string& name, std::int64_t length) {
    int status = 0;
    const std::string output = output_of(
        fmt::format("valgrind --tool=callgrind --callgrind-out-file=/dev/null "
                    "{} bench --simulate {} --length {} 2>&1",
                    quoted(std::filesystem::read_symlink("/proc/self/exe").string()), name, length),
        status);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        throw setup::UserFault({"--instructions"}, "valgrind is not installed",
                               "a machine with it: apt-get install valgrind");
    }
    if (status != 0) {
        throw std::runtime_error("valgrind failed: " + output);
    }
    return {number_after(output, "Collected :"), number_after(output, kUnitsLabel)};
}

}  // namespace

Json in_own_process(const std::function<Json()>& work) {
    running::WorkerPool pool(1);
    const std::vector<running::WorkOutcome> outcomes =
        pool.run(1, [&](std::size_t, const running::WorkerPool::Report&, std::string& message) {
            message = work().dump();
            return 0;
        });
    const running::WorkOutcome& outcome = outcomes.front();
    if (outcome.how != running::WorkOutcome::How::kExited || outcome.status != 0) {
        throw std::runtime_error("a benchmark's process ended early: " + outcome.message);
    }
    return Json::parse(outcome.message);
}

double instructions_a_unit(const std::string& name, const CountedWork& work) {
    const Count once = counted_by_valgrind(name, work.length);
    const Count twice = counted_by_valgrind(name, 2 * work.length);
    return (twice.instructions - once.instructions) / (twice.units - once.units);
}

std::string output_of(const std::string& command, int& status) {
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) {
        throw std::runtime_error("no process could be started for: " + command);
    }
    std::string output;
    std::array<char, 4096> part{};
    for (std::size_t read = 0; (read = std::fread(part.data(), 1, part.size(), pipe)) > 0;) {
        output.append(part.data(), read);
    }
    status = pclose(pipe);
    return output;
}

TimedOutput timed_output_of(const std::string& command) {
    const auto seconds_of_children = [] {
        struct rusage usage {};
        getrusage(RUSAGE_CHILDREN, &usage);
        const auto seconds = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        };
        return seconds(usage.ru_utime) + seconds(usage.ru_stime);
    };
    const double before = seconds_of_children();
    TimedOutput timed;
    timed.output = output_of(command, timed.status);
    timed.seconds = seconds_of_children() - before;
    return timed;
}

std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char character : word) {
        text += character == '\'' ? std::string("'\\''") : std::string(1, character);
    }
    return text + "'";
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::string in_millions(double value) { return fmt::format("{:.3g} M", value / 1e6); }

}  // namespace weir::experiments::bench
