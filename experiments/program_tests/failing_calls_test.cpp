#include "experiments/program_tests/testing/failing_calls.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/trace/database/trace_digest.h"

/// Repeats a complete small run and a complete small sweep. In each repetition, another call for
/// memory, disk space or a file is refused, or kills its process. The command must then end with
/// one message and status 2, or as if nothing had failed. All files that exist must be intact, and
/// resuming must give the same result.
///
/// With WEIR_TORTURE_SECONDS each of these tests continues for this time, call by call until all
/// have been tried, from a place that WEIR_TORTURE_SEED selects. The last line reports the
/// progress.
namespace weir::experiments {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Memory shared with the program by a mapped file.
class Ledger {
  public:
    explicit Ledger(const fs::path& path) : path_(path) {
        const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0 || ftruncate(file, sizeof(FailingCalls)) != 0) {
            throw std::system_error(errno, std::generic_category(), path.string());
        }
        memory_ = mmap(nullptr, sizeof(FailingCalls), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        if (memory_ == MAP_FAILED) {
            throw std::system_error(errno, std::generic_category(), "mmap");
        }
    }
    Ledger(const Ledger&) = delete;
    Ledger& operator=(const Ledger&) = delete;
    ~Ledger() { munmap(memory_, sizeof(FailingCalls)); }

    /// Resets the ledger for another start of the program.
    FailingCalls& anew() { return *new (memory_) FailingCalls; }
    [[nodiscard]] const fs::path& path() const { return path_; }

  private:
    fs::path path_;
    void* memory_;
};

struct Command {
    std::string name;
    std::string result;  ///< path of the command's result
    std::vector<std::string> begin;
    std::vector<std::string> resume;
};

// Output and files of a command, without times of the host.
struct Outcome {
    std::string page;
    std::map<std::string, std::string> files;
    bool operator==(const Outcome&) const = default;
};

struct Trial {
    const Command* command;
    CallKind kind;
    Caller caller;
    std::int64_t number;
    int error;  ///< 0: the process is killed
    bool and_after;
};

// Yields each number from 1 to count once, evenly spread from the beginning.
class SpreadNumbers {
  public:
    SpreadNumbers(std::int64_t count, std::uint64_t start) : count_(count) {
        constexpr double kGoldenRatio = 0.618;
        step_ = std::max<std::int64_t>(
            1, static_cast<std::int64_t>(kGoldenRatio * static_cast<double>(count)));
        while (std::gcd(step_, count_) != 1) {
            ++step_;
        }
        next_ =
            count == 0 ? 0 : static_cast<std::int64_t>(start % static_cast<std::uint64_t>(count));
    }
    [[nodiscard]] bool is_over() const { return taken_ == count_; }
    [[nodiscard]] std::int64_t taken() const { return taken_; }
    [[nodiscard]] std::int64_t count() const { return count_; }
    std::int64_t take() {
        ++taken_;
        const std::int64_t number = next_ + 1;
        next_ = (next_ + step_) % count_;
        return number;
    }

  private:
    std::int64_t count_;
    std::int64_t step_ = 1;
    std::int64_t next_ = 0;
    std::int64_t taken_ = 0;
};

const char* name_of(CallKind kind) {
    constexpr std::array kNames{"memory", "write", "open"};
    return kNames[static_cast<std::size_t>(kind)];
}

nlohmann::json without_times(nlohmann::json json) {
    if (json.is_object()) {
        json.erase("wall_seconds");
        json.erase("machine_seconds");
        json.erase("processor_seconds");
    }
    for (auto& item : json) {
        if (item.is_structured()) {
            item = without_times(item);
        }
    }
    return json;
}

std::string without_time_lines(const std::string& page) {
    std::istringstream lines(page);
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("  took ") && !line.starts_with("  speed ")) {
            kept += line + "\n";
        }
    }
    return kept;
}

std::string answer_of(const fs::path& database, const char* sql) {
    sqlite3* opened = nullptr;
    std::string rows;
    const auto add = [](void* all, int columns, char** values, char** /*names*/) {
        for (int i = 0; i < columns; ++i) {
            *static_cast<std::string*>(all) += values[i] == nullptr ? "-" : values[i];
            *static_cast<std::string*>(all) += "|";
        }
        return 0;
    };
    if (sqlite3_open(database.c_str(), &opened) != SQLITE_OK ||
        sqlite3_exec(opened, sql, add, &rows, nullptr) != SQLITE_OK) {
        rows = sqlite3_errmsg(opened);
    }
    sqlite3_close(opened);
    return rows;
}

class FailingCallsTest : public ProgramTest {
  protected:
    FailingCallsTest() : ledger_(folder().parent_path() / "ledger") {
#ifdef WEIR_NO_FAILING_CALLS
        is_skipped_ = true;
#endif
        const std::string tiny =
            "extends = \"alewife\"\nmachine.nodes = 2\nnetwork.dimensions = [2, 1]\n"
            "[workload]\nkernel = \"remap\"\niterations = 3\n";
        write("run.toml", tiny);
        write("sweep.toml", tiny + "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n");
        commands_ = {{"run",
                      "it",
                      {"run", "run.toml", "-j", "1", "--out", "it"},
                      {"run", "run.toml", "-j", "1", "--resume", "it"}},
                     {"sweep",
                      "it.db",
                      {"sweep", "sweep.toml", "-j", "1", "--out", "it.db"},
                      {"sweep", "sweep.toml", "-j", "1", "--out", "it.db", "--resume"}}};
        seconds_ = number_in("WEIR_TORTURE_SECONDS", 0);
        seed_ = static_cast<std::uint64_t>(number_in("WEIR_TORTURE_SEED", 1));
    }

    static std::int64_t number_in(const char* variable, std::int64_t otherwise) {
        const char* text = std::getenv(variable);
        return text == nullptr ? otherwise : std::atoll(text);
    }

    /// Runs a command with its calls counted, one of which may fail.
    ProgramEnd preloaded(const Command& command) {
        Arguments arguments{"LD_PRELOAD=" WEIR_FAILING_CALLS,
                            std::string(kFailingCallsVariable) + "=" + ledger_.path().string(),
                            WEIR_PROGRAM};
        arguments.insert(arguments.end(), command.begin.begin(), command.begin.end());
        RunningProgram program("/usr/bin/env", arguments, folder(), folder().parent_path());
        return program.wait(std::chrono::seconds(60));
    }

    void remove_results() const {
        for (const fs::directory_entry& entry : fs::directory_iterator(folder())) {
            if (entry.path().extension() != ".toml") {
                fs::remove_all(entry.path());
            }
        }
    }

    [[nodiscard]] Outcome outcome_of(const Command& command, const std::string& page) const {
        Outcome outcome{without_time_lines(page), {}};
        for (const std::string& name : everything()) {
            const fs::path path = file(name);
            if (!fs::is_regular_file(path)) {
                continue;
            }
            std::string& text = outcome.files[name];
            if (path.extension() == ".json") {
                text = without_times(nlohmann::json::parse(read(name))).dump();
            } else if (path.extension() == ".sqlite") {
                text = trace::trace_digest(path);
            } else if (name == command.result) {
                text = running::SweepDatabase::open(path, running::SweepConnection::Access::kRead)
                           .digest() +
                       answer_of(path, "SELECT * FROM results ORDER BY 1, 2, 3, 4, 5, 6");
            } else {
                text = without_time_lines(read(name));
            }
        }
        return outcome;
    }

    /// Fault after a trial; empty if there is none.
    std::string fault_of(const Trial& trial) {
        remove_results();
        FailingCalls& calls = ledger_.anew();
        calls.kind = trial.kind;
        calls.caller = trial.caller;
        calls.at = trial.number;
        calls.error = trial.error;
        calls.and_after = trial.and_after ? 1 : 0;
        const ProgramEnd end = preloaded(*trial.command);
        if (calls.failed == 0) {
            return "";  // some calls are not made in every run
        }
        const std::string told = fault_of_end(trial, end);
        const std::string left = fault_of_files();
        const std::string resumed = end.status == 0 ? "" : fault_of_resuming(*trial.command);
        if (told.empty() && left.empty() && resumed.empty()) {
            (end.status == 0 ? absorbed_ : refused_) += 1;
            return "";
        }
        return fmt::format("{}{}{}; status {}, function {}, stderr:\n{}", told, left, resumed,
                           end.status, static_cast<const char*>(calls.function), end.error);
    }

    [[nodiscard]] std::string fault_of_end(const Trial& trial, const ProgramEnd& end) const {
        std::istringstream lines(end.error);
        std::vector<std::string> messages;
        static const std::regex kProgress("^weir: [0-9]+ of [0-9]+ runs ");
        for (std::string line; std::getline(lines, line);) {
            if (!std::regex_search(line, kProgress)) {
                messages.push_back(line);
            }
        }
        if (end.status == 0) {
            const bool is_equal =
                outcome_of(*trial.command, end.output) == expected(*trial.command);
            return !messages.empty() ? "a message and success; "
                   : is_equal        ? ""
                                     : "success with another result; ";
        }
        if (trial.error == 0 && trial.caller == Caller::kProgram) {
            return end.status == 128 + SIGKILL && messages.empty() ? "" : "not killed; ";
        }
        const bool is_told_as_result =
            trial.error == 0 && end.output.find("signal 9") != std::string::npos;
        if (end.status != 2) {
            return "neither success nor refusal; ";
        }
        if (messages.size() != (is_told_as_result ? 0 : 1)) {
            return fmt::format("{} messages; ", messages.size());
        }
        return is_told_as_result || (messages[0].starts_with("weir: ") && messages[0].size() > 10 &&
                                     messages[0].find("Weir's") == std::string::npos)
                   ? ""
                   : "a message that says nothing; ";
    }

    [[nodiscard]] std::string fault_of_files() const {
        for (const std::string& name : everything()) {
            const fs::path path = file(name);
            if (path.extension() == ".json" && !nlohmann::json::accept(read(name)) &&
                name.find(".running") == std::string::npos) {
                return name + " is broken; ";
            }
            if ((path.extension() == ".sqlite" || path.extension() == ".db") &&
                answer_of(path, "PRAGMA integrity_check") != "ok|") {
                return name + " is broken: " + answer_of(path, "PRAGMA integrity_check") + "; ";
            }
        }
        return "";
    }

    std::string fault_of_resuming(const Command& command) {
        const bool is_begun = fs::exists(file(command.result));
        const ProgramEnd end = weir(is_begun ? command.resume : command.begin);
        if (end.status != 0) {
            return fmt::format("resumed with status {}: {}; ", end.status, end.error);
        }
        const Outcome outcome = outcome_of(command, end.output);
        const Outcome& wanted = expected(command);
        for (const auto& [name, text] : outcome.files) {
            const auto found = wanted.files.find(name);
            if (found == wanted.files.end() || found->second != text) {
                return fmt::format("resumed with another {}; ", name);
            }
        }
        return outcome == wanted ? "" : "resumed with another page, or less files; ";
    }

    const Outcome& expected(const Command& command) const { return expected_.at(command.name); }

    // Runs the command without a fault; records its outcome and the number of its calls.
    void look_at(const Command& command) {
        remove_results();
        FailingCalls& calls = ledger_.anew();
        const ProgramEnd end = preloaded(command);
        ASSERT_EQ(end.status, 0) << end.error;
        expected_[command.name] = outcome_of(command, end.output);
        for (std::size_t kind = 0; kind < kCallKinds; ++kind) {
            for (const Caller caller : {Caller::kProgram, Caller::kWorkers}) {
                const std::int64_t count = calls.calls[kind][caller == Caller::kProgram ? 0 : 1];
                ASSERT_GT(count, 0) << command.name << name_of(static_cast<CallKind>(kind));
                places_.push_back({&command, static_cast<CallKind>(kind), caller,
                                   SpreadNumbers(count, seed_ * 7919 + kind)});
            }
        }
    }

    /// In each round, lets one call of each place (command, kind of call and process) fail. Ends
    /// after `rounds` rounds, or when the time is over.
    void try_all(const std::string& what, int rounds, bool kills) {
        if (is_skipped_) {
            GTEST_SKIP() << "sanitizers have calls of their own";
        }
        for (const Command& command : commands_) {
            look_at(command);
        }
        const auto deadline = Clock::now() + std::chrono::seconds(seconds_);
        const auto goes_on = [&](int round) {
            return seconds_ == 0 ? round < rounds : Clock::now() < deadline;
        };
        bool is_any_left = true;
        for (int round = 0; is_any_left && goes_on(round); ++round) {
            is_any_left = false;
            for (Place& place : places_) {
                if (place.numbers.is_over() || !goes_on(round) ||
                    (kills && place.kind == CallKind::kOpen)) {
                    continue;
                }
                is_any_left = true;
                try_next(place, round, kills);
                if (violations_ == kMostTold) {
                    FAIL() << "and perhaps more";
                }
            }
        }
        fmt::print("torture: {}: tried {}, absorbed {}, refused {}, violations {}", what, tried_,
                   absorbed_, refused_, violations_);
        for (const Place& place : places_) {
            fmt::print("; {} {} of the {} {} of {}", place.command->name, name_of(place.kind),
                       place.caller == Caller::kProgram ? "program" : "workers",
                       place.numbers.taken(), place.numbers.count());
        }
        fmt::print("\n");
    }

  private:
    static constexpr int kMostTold = 10;

    struct Place {
        const Command* command;
        CallKind kind;
        Caller caller;
        SpreadNumbers numbers;
    };

    void try_next(Place& place, int round, bool kills) {
        static constexpr std::array<std::array<int, 3>, kCallKinds> kErrors{
            {{ENOMEM, ENOMEM, ENOMEM}, {ENOSPC, EIO, EDQUOT}, {EMFILE, EACCES, ENFILE}}};
        const auto kind = static_cast<std::size_t>(place.kind);
        const Trial trial{place.command,
                          place.kind,
                          place.caller,
                          place.numbers.take(),
                          kills ? 0 : kErrors[kind][static_cast<std::size_t>(round) % 3],
                          !kills && place.kind == CallKind::kWrite && round % 4 == 3};
        ++tried_;
        const std::string fault = fault_of(trial);
        if (!fault.empty()) {
            ++violations_;
            ADD_FAILURE() << fmt::format("weir {}, {} {} of the {}, error {}{}: {}",
                                         trial.command->name, name_of(trial.kind), trial.number,
                                         trial.caller == Caller::kProgram ? "program" : "workers",
                                         trial.error, trial.and_after ? " and after" : "", fault);
        }
    }

    bool is_skipped_ = false;
    Ledger ledger_;
    std::vector<Command> commands_;
    std::map<std::string, Outcome> expected_;
    std::vector<Place> places_;
    std::int64_t seconds_ = 0;
    std::uint64_t seed_ = 0;
    std::int64_t tried_ = 0;
    std::int64_t absorbed_ = 0;
    std::int64_t refused_ = 0;
    int violations_ = 0;
};

TEST_F(FailingCallsTest, ARefusedCallIsOneMessageAndNothingIsCorrupt) {
    try_all("refused calls", 3, false);
}

TEST_F(FailingCallsTest, AKillAtAnyCallLosesNothingThatWasFinished) { try_all("kills", 3, true); }

}  // namespace
}  // namespace weir::experiments
