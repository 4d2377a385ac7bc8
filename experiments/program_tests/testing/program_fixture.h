#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "hw/testing/test_folder.h"

namespace weir::experiments {

/// Output and exit status of a program.
struct ProgramEnd {
    int status = -1;     ///< exit status; 128 + the number of the signal that killed it, as in a
                         ///< shell
    std::string output;  ///< standard output
    std::string error;   ///< standard error
};

/// The built program in a process group of its own, as a shell starts it. A program that still runs
/// at the end of the test is killed.
class RunningProgram {
  public:
    /// `output_folder` gets the files with the program's output. Throws std::system_error if the
    /// program cannot be started.
    RunningProgram(const std::string& program, const std::vector<std::string>& arguments,
                   const std::filesystem::path& working_folder,
                   const std::filesystem::path& output_folder);
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;
    ~RunningProgram();

    /// Sends SIGINT to every process of the group, as a terminal does on Ctrl-C.
    void press_control_c() const;

    /// Sends SIGKILL to every process of the group; waits for the end.
    void kill_all();
    [[nodiscard]] pid_t process() const { return process_; }

    /// Waits for the program's end; fails the test if it takes longer than `limit`.
    ProgramEnd wait(std::chrono::seconds limit = std::chrono::minutes(5));

  private:
    std::filesystem::path output_folder_;
    pid_t process_ = -1;
    bool ended_ = false;
};

/// The system's text for an error.
[[nodiscard]] std::string system_message(std::errc error);

/// The words of a page, with one blank before and after each; columns are ignored.
[[nodiscard]] std::string words_of(const std::string& page);

/// Runs the built program as a user does, in the test's own working folder, which is removed
/// afterwards. Experiments are small: kSmallRemap has 8 nodes.
class ProgramTest : public ::testing::Test {
  protected:
    ProgramTest();

    using Arguments = std::vector<std::string>;

    static constexpr const char* kSmallRemap = R"(extends = "alewife"
title = "Remap on eight nodes"

[machine]
nodes = 8

[network]
dimensions = [4, 2]

[workload]
kernel = "remap"
iterations = 40
)";
    static constexpr const char* kSmallSpmv = R"(extends = "alewife"

[machine]
nodes = 4

[network]
dimensions = [2, 2]

[workload]
kernel = "spmv"
rows = 30
nonzeros = 200
)";
    static constexpr const char* kSmallDiamondDag = R"(extends = "alewife"

[machine]
nodes = 4

[network]
dimensions = [2, 2]

[workload]
kernel = "diamond-dag"
tasks_per_side = 32
blocks = 4
)";

    /// Replaces the built program by another one.
    void set_program(const std::string& program) { program_ = program; }

    [[nodiscard]] const std::filesystem::path& folder() const { return working_folder_; }
    [[nodiscard]] std::filesystem::path file(const std::string& name) const {
        return working_folder_ / name;
    }
    void write(const std::string& name, const std::string& text) const;
    [[nodiscard]] std::string read(const std::string& name) const;

    [[nodiscard]] ProgramEnd weir(const Arguments& arguments) const;
    /// Standard output of a command that must succeed.
    [[nodiscard]] std::string output_of(const Arguments& arguments) const;
    /// Message of a command that must end with status 2, print only this message and leave no
    /// files.
    [[nodiscard]] std::string refused(const Arguments& arguments) const;
    /// The object that `weir run FILE --json ...` prints.
    [[nodiscard]] nlohmann::json result_of(const std::string& experiment,
                                           Arguments options = {}) const;
    /// Digests of all traces of a run, one on each line, without the traces' paths.
    [[nodiscard]] std::string digests_of(const std::string& run_folder) const;
    [[nodiscard]] RunningProgram start(const Arguments& arguments) const;

    /// Names in a folder, sorted.
    [[nodiscard]] std::vector<std::string> names_in(const std::string& name) const;
    /// Paths of all files and folders in the working folder, sorted.
    [[nodiscard]] std::vector<std::string> everything() const;

  private:
    std::string program_;
    hw::testing::TestFolder test_folder_;
    std::filesystem::path working_folder_;
    std::filesystem::path output_folder_;
};

}  // namespace weir::experiments
