#include "experiments/program_tests/testing/program_fixture.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <system_error>
#include <thread>

namespace weir::experiments {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// Runs in the child between fork and exec: only async-signal-safe calls are allowed.
void redirect(int descriptor, const char* path, int flags) {
    const int file = open(path, flags, 0600);
    if (file < 0 || dup2(file, descriptor) < 0) {
        _exit(127);
    }
    close(file);
}

// On a slow host, a command without a terminal prints lines of progress.
std::string without_progress(const std::string& error) {
    static const std::regex kProgress("^weir: [0-9]+ of [0-9]+ runs ");
    std::istringstream lines(error);
    std::string others;
    for (std::string line; std::getline(lines, line);) {
        if (!std::regex_search(line, kProgress)) {
            others += line + "\n";
        }
    }
    return others;
}

}  // namespace

RunningProgram::RunningProgram(const std::string& program,
                               const std::vector<std::string>& arguments,
                               const fs::path& working_folder, const fs::path& output_folder)
    : output_folder_(output_folder) {
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) {
        argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    const std::string out = (output_folder / "stdout").string();
    const std::string error = (output_folder / "stderr").string();
    process_ = fork();
    if (process_ < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (process_ == 0) {
        setpgid(0, 0);
        constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC;
        redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
        redirect(STDOUT_FILENO, out.c_str(), kNew);
        redirect(STDERR_FILENO, error.c_str(), kNew);
        if (chdir(working_folder.c_str()) != 0) {
            _exit(127);
        }
        execv(program.c_str(), argv.data());
        _exit(127);
    }
    // The child makes the same call, so that the group exists before any signal is sent.
    setpgid(process_, process_);
}

RunningProgram::~RunningProgram() {
    if (!ended_) {
        kill(-process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
}

void RunningProgram::press_control_c() const { kill(-process_, SIGINT); }

void RunningProgram::kill_all() {
    kill(-process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    ended_ = true;
}

ProgramEnd RunningProgram::wait(std::chrono::seconds limit) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    int status = 0;
    while (waitpid(process_, &status, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > deadline) {
            ADD_FAILURE() << "still running after " << limit.count() << " s";
            kill(-process_, SIGKILL);
            waitpid(process_, &status, 0);
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ended_ = true;
    ProgramEnd end;
    end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    end.output = text_of(output_folder_ / "stdout");
    end.error = text_of(output_folder_ / "stderr");
    return end;
}

std::string system_message(std::errc error) { return std::make_error_code(error).message(); }

std::string words_of(const std::string& page) {
    std::istringstream in(page);
    std::string words = " ";
    for (std::string word; in >> word;) {
        words += word + " ";
    }
    return words;
}

ProgramTest::ProgramTest() : program_(WEIR_PROGRAM) {
    working_folder_ = test_folder_.path() / "work";
    output_folder_ = test_folder_.path() / "output";
    fs::create_directory(working_folder_);
    fs::create_directory(output_folder_);
    // The program's settings are the test's own.
    setenv("XDG_CONFIG_HOME", (test_folder_.path() / "settings").c_str(), 1);
}

void ProgramTest::write(const std::string& name, const std::string& text) const {
    std::ofstream out(file(name), std::ios::binary);
    out << text;
    ASSERT_TRUE(out.good()) << name;
}

std::string ProgramTest::read(const std::string& name) const {
    EXPECT_TRUE(fs::is_regular_file(file(name))) << name;
    return text_of(file(name));
}

RunningProgram ProgramTest::start(const Arguments& arguments) const {
    return {program_, arguments, working_folder_, output_folder_};
}

ProgramEnd ProgramTest::weir(const Arguments& arguments) const { return start(arguments).wait(); }

std::string ProgramTest::output_of(const Arguments& arguments) const {
    const ProgramEnd end = weir(arguments);
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_EQ(without_progress(end.error), "");
    return end.output;
}

nlohmann::json ProgramTest::result_of(const std::string& experiment, Arguments options) const {
    options.insert(options.begin(), {"run", experiment, "--json"});
    return nlohmann::json::parse(output_of(options));
}

std::string ProgramTest::digests_of(const std::string& run_folder) const {
    std::istringstream lines(output_of({"trace", "digest", run_folder}));
    std::string digests;
    for (std::string line; std::getline(lines, line);) {
        digests += line.substr(0, line.find(' ')) + "\n";
    }
    return digests;
}

std::vector<std::string> ProgramTest::names_in(const std::string& name) const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(file(name))) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string ProgramTest::refused(const Arguments& arguments) const {
    const std::vector<std::string> before = everything();
    const ProgramEnd end = weir(arguments);
    EXPECT_EQ(end.status, 2) << end.error;
    EXPECT_EQ(end.output, "");
    const std::string message = without_progress(end.error);
    EXPECT_TRUE(message.starts_with("weir: ")) << message;
    // Further lines list the accepted values.
    std::istringstream lines(message);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        EXPECT_TRUE(line.starts_with("  ")) << message;
    }
    EXPECT_TRUE(message.ends_with('\n')) << message;
    EXPECT_EQ(everything(), before);
    return message;
}

std::vector<std::string> ProgramTest::everything() const {
    std::vector<std::string> paths;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(working_folder_)) {
        paths.push_back(fs::relative(entry.path(), working_folder_).string());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

}  // namespace weir::experiments
