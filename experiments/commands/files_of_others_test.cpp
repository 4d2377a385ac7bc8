#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "experiments/kinds/kernel/kernel_library.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/sweeps/database/sweep_connection.h"
#include "firmware/kernels/registry.h"
#include "hw/testing/names.h"

/// Experiments from a hostile sender: each line of experiments/files-of-others.md.
namespace weir::experiments {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

constexpr const char* kExperiment = R"(extends = "alewife"
[machine]
nodes = 4
[network]
dimensions = [2, 2]
[workload]
library = "evil.so"
kernel = "remap"
)";
constexpr const char* kAxis = "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n";

class FilesOfOthersTest : public ProgramTest {
  protected:
    /// Makes a library that describes the kernel remap. Its constructor, which runs when the
    /// library is loaded, leaves the file "attacked".
    void make_evil_library() {
        std::vector<firmware::KernelEntry> kernels;
        for (const firmware::KernelEntry& entry : firmware::kernels()) {
            if (entry.name == "remap") {
                kernels.push_back(entry);
            }
        }
        write("description", kinds::library_description(kernels));
        write("evil.cpp",
              "#include <cstdio>\n"
              "asm(\".pushsection .weir.kernels,\\\"\\\",@progbits\\n\"\n"
              "    \".incbin \\\"description\\\"\\n.popsection\\n\");\n"
              "__attribute__((constructor)) void attack() { std::fopen(\"" +
                  file("attacked").string() + "\", \"w\"); }\n");
        compile("evil.so", "evil.cpp");
    }
    void compile(const std::string& library, const std::string& source) {
        set_program("/usr/bin/g++");
        EXPECT_EQ(weir({"-shared", "-fPIC", "-o", library, source}).status, 0);
        set_program(WEIR_PROGRAM);
    }
    [[nodiscard]] bool is_attacked() const { return fs::exists(file("attacked")); }
    /// Experiment with a compiled program, and further keys of [workload].
    static std::string compiled_program(const std::string& keys) {
        return "extends = \"sparcle\"\n[workload]\nkernel = \"image\"\nimage = \"none.elf\"\n" +
               keys;
    }
};

TEST_F(FilesOfOthersTest, CommandsThatRunNothingLoadNoLibrary) {
    make_evil_library();
    write("it.toml", kExperiment);
    write("sweep.toml", std::string(kExperiment) + kAxis);
    write("search.toml", std::string(kExperiment) + kAxis +
                             "[search]\nminimise = \"cycles_per_iteration\"\nbudget = 4\n");
    for (const Arguments& command : {Arguments{"check", "it.toml", "sweep.toml", "search.toml"},
                                     {"run", "it.toml", "--dry-run"},
                                     {"run", "it.toml", "--dry-run", "--allow-library", "evil.so"},
                                     {"sweep", "sweep.toml", "--dry-run"},
                                     {"search", "search.toml", "--dry-run"},
                                     {"topology", "show", "it.toml"}}) {
        const ProgramEnd end = weir(command);
        EXPECT_EQ(end.status, 0) << command.front() << end.error;
        EXPECT_FALSE(is_attacked()) << command.front();
    }
    // Its parameters are known, and a mistake in them is found.
    EXPECT_THAT(weir({"check", "it.toml"}).output,
                AllOf(HasSubstr("evil.so"), HasSubstr("--allow-library")));
    write("it.toml", std::string(kExperiment) + "iteratoins = 3\n");
    const ProgramEnd end = weir({"check", "it.toml"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.output, Names("it.toml:9", "iteratoins", "\"iterations\""));
    EXPECT_FALSE(is_attacked());
}

TEST_F(FilesOfOthersTest, ARunSaysWhichLibraryItWouldLoad) {
    make_evil_library();
    write("it.toml", kExperiment);
    write("sweep.toml", std::string(kExperiment) + kAxis);
    write("search.toml", std::string(kExperiment) + kAxis +
                             "[search]\nminimise = \"cycles_per_iteration\"\nbudget = 4\n");
    write("study.toml", "parts = [\"it.toml\"]\n");
    write("hidden.toml",
          "extends = \"alewife\"\nmachine.nodes = 4\nnetwork.dimensions = [2, 2]\n"
          "workload.kernel = \"remap\"\n[[sweep.axis]]\n"
          "workload.library = [\"evil.so\"]\n");
    for (const Arguments& command : {Arguments{"run", "it.toml"},
                                     {"run", "study.toml"},
                                     {"sweep", "sweep.toml"},
                                     {"sweep", "hidden.toml"},
                                     {"search", "search.toml"},
                                     {"sweep", "submit", "sweep.toml", "--slurm"},
                                     {"validate", "it.toml"},
                                     {"compare", "it.toml", "it.toml"},
                                     {"run", "it.toml", "--allow-library", "evil.cpp"}}) {
        EXPECT_THAT(refused(command),
                    AllOf(HasSubstr("runs the code of"), HasSubstr("evil.so"),
                          HasSubstr("workload.library"), HasSubstr("--allow-library")))
            << command.front();
    }
    EXPECT_THAT(refused({"run", "it.toml", "--allow-library", "none.so"}), HasSubstr("none.so"));
    EXPECT_FALSE(is_attacked());

    // The library has no kernel behind its description.
    EXPECT_THAT(weir({"run", "it.toml", "--allow-library", "./evil.so"}).error,
                Names("evil.so", "kernels"));
    EXPECT_TRUE(is_attacked());
}

TEST_F(FilesOfOthersTest, JobsOfABatchSystemGetTheOptions) {
    make_evil_library();
    write("sweep.toml", std::string(kExperiment) + kAxis);
    EXPECT_THAT(output_of({"sweep", "submit", "sweep.toml", "--slurm", "--dry-run",
                           "--allow-library", "evil.so", "--allow-folder", "/"}),
                HasSubstr("--allow-library evil.so --allow-folder /"));
    EXPECT_FALSE(is_attacked());
}

// The library on the page firmware/README.md, which the build has made as this user.
TEST_F(FilesOfOthersTest, OwnLibrariesAreKnownByPathAndContent) {
    const fs::path built = WEIR_README_KERNEL;
    setenv("XDG_CONFIG_HOME", (built / "settings").c_str(), 1);
    fs::copy(built / "token_ring.so", file("token_ring.so"));
    write("it.toml", "extends = \"" + (built / "token-ring.toml").string() +
                         "\"\n[workload]\nrounds = 1\nlibrary = \"token_ring.so\"\n");
    EXPECT_THAT(refused({"run", "it.toml"}), Names("token_ring.so", "--allow-library"));
    EXPECT_NE(output_of({"run", "it.toml", "--allow-library", "token_ring.so"}), "");
    // Its description is the kernel's own.
    EXPECT_THAT(refused({"run", "it.toml", "--dry-run", "--set", "workload.rounds=0"}),
                Names("workload.rounds", "1", "1000000"));
    const std::string own = "--set=workload.library=" + (built / "token_ring.so").string();
    EXPECT_NE(output_of({"run", "it.toml", own}), "");
    // Settings of another user.
    setenv("XDG_CONFIG_HOME", file("none").c_str(), 1);
    EXPECT_THAT(refused({"run", "it.toml", own}), HasSubstr("--allow-library"));
}

TEST_F(FilesOfOthersTest, AProgramReadsTheExperimentsFolderAlone) {
    fs::create_directories(file("sent/inner"));
    fs::create_directories(file("private"));
    fs::create_directory_symlink(file("private"), file("sent/link"));
    write("private/base.toml", compiled_program("files = \".\"\n"));
    write("private/secret.txt", "secret");
    for (const std::string keys :
         {"files = \"/\"", "files = \"..\"", "files = \"../private\"", "files = \"link\"",
          "files = \"inner/../../private\"", "stdin = \"../private/secret.txt\"",
          "stdin = \"link/secret.txt\"", "stdin = \"/etc/passwd\"",
          "arguments = [1]\n[[point]]\nlabel = \"a\"\nworkload.files = \"/\"",
          "arguments = [1]\n[[sensitivity]]\nwhat = \"a\"\n"
          "points = [{ label = \"b\", workload.files = \"/\" }]"}) {
        write("sent/it.toml", compiled_program(keys + "\n"));
        EXPECT_THAT(
            refused({"run", "sent/it.toml", "--sensitivity"}),
            AllOf(HasSubstr("reads"), HasSubstr("--allow-folder"), HasSubstr("sent/it.toml:")))
            << keys;
    }
    write("sent/it.toml", "extends = \"../private/base.toml\"\n");
    EXPECT_THAT(refused({"run", "sent/it.toml"}), Names("private", "--allow-folder"));
    write("sent/it.toml",
          compiled_program("arguments = [1]\n[[sweep.axis]]\nworkload.files = [\"/\"]\n"));
    EXPECT_THAT(refused({"sweep", "sent/it.toml"}), HasSubstr("--allow-folder /"));

    // Permitted runs fail later, because there is no program.
    const auto is_permitted = [this](Arguments options) {
        options.insert(options.begin(), {"run", "sent/it.toml"});
        const std::string message = weir(options).error;
        EXPECT_THAT(message, HasSubstr("none.elf"));
        return message.find("--allow-folder") == std::string::npos;
    };
    write("sent/it.toml", compiled_program("files = \"inner\"\n"));
    EXPECT_TRUE(is_permitted({}));
    write("sent/it.toml", compiled_program("files = \"link\"\n"));
    EXPECT_TRUE(is_permitted({"--allow-folder", "private"}));
    EXPECT_TRUE(is_permitted({"--files", "private"}));
    EXPECT_TRUE(is_permitted({"--set", "workload.files=private"}));
    EXPECT_THAT(refused({"run", "sent/it.toml", "--allow-folder", "sent"}),
                HasSubstr("--allow-folder"));
    EXPECT_THAT(weir({"check", "sent/it.toml"}).output, HasSubstr("--allow-folder"));
}

// Settings of a file of claims are not typed by the user.
TEST_F(FilesOfOthersTest, AFileOfClaimsGivesNoAccess) {
    write("it.toml", compiled_program(""));
    write("claims.toml",
          "title = \"Claims\"\n[claim.a]\nwhat = \"A\"\nsource = \"B\"\npublished = 1\n"
          "status = \"reproduced\"\ntolerance = 0.1\nours = { experiment = \"it.toml\", metric = "
          "\"run_cycles\", "
          "set = { workload.files = \"/\" } }\n");
    EXPECT_THAT(weir({"validate", "claims.toml"}).error, HasSubstr("--allow-folder"));
}

TEST_F(FilesOfOthersTest, AFileSystemWithoutLocksIsNamedAtOnce) {
    write("locks.cpp",
          "#include <cerrno>\n#include <cstdarg>\n#include <fcntl.h>\n#include <sys/syscall.h>\n"
          "#include <unistd.h>\n"
          "extern \"C\" int flock(int, int) { errno = ENOLCK; return -1; }\n"
          "extern \"C\" int fcntl64(int file, int command, ...) {\n"
          "    va_list rest; va_start(rest, command);\n"
          "    void* argument = va_arg(rest, void*); va_end(rest);\n"
          "    if (command == F_SETLK) { errno = ENOLCK; return -1; }\n"
          "    return syscall(SYS_fcntl, file, command, argument);\n}\n"
          "extern \"C\" int fcntl(int file, int command, ...) {\n"
          "    va_list rest; va_start(rest, command);\n"
          "    void* argument = va_arg(rest, void*); va_end(rest);\n"
          "    return fcntl64(file, command, argument);\n}\n");
    compile("locks.so", "locks.cpp");
    write("sweep.toml", std::string(kSmallRemap) + kAxis);
    static_cast<void>(weir({"sweep", "sweep.toml", "--out", "there.db"}));
    write("run.toml", kSmallRemap);
    static_cast<void>(weir({"run", "run.toml", "--out", "run"}));
    setenv("LD_PRELOAD", file("locks.so").c_str(), 1);
    for (const Arguments& command : {Arguments{"sweep", "sweep.toml", "--out", "new.db"},
                                     {"sweep", "show", "there.db"},
                                     {"run", "run.toml", "--resume", "run"}}) {
        const auto begin = std::chrono::steady_clock::now();
        EXPECT_THAT(refused(command), AllOf(HasSubstr("no locks"), Not(HasSubstr("--resume to"))));
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
    }
    unsetenv("LD_PRELOAD");
}

TEST_F(FilesOfOthersTest, ADeletedFolderIsNotResumed) {
    write("long.toml", std::string(kSmallRemap) + "[run]\nseeds = [1]\n");
    RunningProgram program =
        start({"run", "long.toml", "--out", "gone", "--set", "workload.iterations=20000"});
    while (!fs::exists(file("gone/point-01-seed-1/configuration.toml"))) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    fs::remove_all(file("gone"));
    const ProgramEnd end = program.wait();
    EXPECT_EQ(end.status, 2) << end.error;
    EXPECT_THAT(end.error, AllOf(HasSubstr("gone"), HasSubstr("deleted"),
                                 Not(HasSubstr("--resume")), Not(HasSubstr("fault of Weir"))));
}

// Labels of a database that somebody has edited. Before they were escaped, gnuplot ran the second
// line of a label as a command.
TEST_F(FilesOfOthersTest, TextsOfADatabaseDoNothing) {
    write("sweep.toml", std::string(kSmallRemap) +
                            "[[point]]\nlabel = \"a\"\n[[point]]\nlabel = \"b\"\n"
                            "network.hop_cycles = 2\n");
    static_cast<void>(weir({"sweep", "sweep.toml", "--out", "it.db"}));
    {
        const running::SweepConnection database(file("it.db"),
                                                running::SweepConnection::Access::kWrite);
        running::Query label(database, "UPDATE points SET label = ? WHERE number = ?");
        label.bind("x\nsystem 'touch " + file("attacked").string() + "'\n")
            .bind(std::int64_t{1})
            .execute();
        label.bind("\x1b[2J\u009b31m<script>").bind(std::int64_t{2}).execute();
    }
    const std::string escapes = "\x1b";
    for (const Arguments& command :
         {Arguments{"sweep", "show", "it.db"}, {"sweep", "show", "it.db", "--csv"}}) {
        EXPECT_THAT(output_of(command), AllOf(Not(HasSubstr(escapes)), Not(HasSubstr("\u009b")),
                                              HasSubstr("\\x1b[2J")));
    }
    EXPECT_EQ(weir({"report", "it.db", "--out", "it.html"}).status, 0);
    EXPECT_FALSE(is_attacked());
    EXPECT_THAT(read("it.html"), AllOf(Not(HasSubstr(escapes)), Not(HasSubstr("31m<script>"))));
}

TEST_F(FilesOfOthersTest, ASweepRemovesNothingBehindALink) {
    write("sweep.toml", std::string(kSmallRemap) + kAxis);
    fs::create_directory(file("private"));
    write("private/letter.txt", "dear");
    fs::create_directory_symlink(file("private"), file("it.db.running"));
    EXPECT_THAT(refused({"sweep", "sweep.toml", "--out", "it.db"}), Names("it.db.running", "link"));
    EXPECT_EQ(read("private/letter.txt"), "dear");
}

}  // namespace
}  // namespace weir::experiments
