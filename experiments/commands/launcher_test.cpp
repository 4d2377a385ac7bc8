#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"
#include "hw/testing/test_cost.h"

/// The script ./weir in a checkout of its own with stubs as tools; each test sets the duration of a
/// build.
namespace weir::experiments {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using weir::testing::Names;

WEIR_TESTS_COST("LauncherTest.TheFirstCommandInstallsFewPackages", 6);

constexpr std::chrono::milliseconds kMoment(20);
/// List of installed packages, in which each word of ./weir is one.
constexpr const char* kAllInstalled =
    "tr -cs 'a-z0-9+.-' '\\n' <\"${0%/*}/../weir\" | sed 's/^/installed /'\n";

class LauncherTest : public ProgramTest {
  protected:
    LauncherTest() {
        fs::create_directories(file("bin"));
        fs::copy_file(WEIR_SOURCE_FOLDER "weir", file("weir"));
        write("CMakePresets.json", "{}");
        script("bin/dpkg-query", kAllInstalled);
        script("bin/ctest", "true\n");
        // Builds if there is a file `steps` but no file `built` yet.
        script("bin/ninja",
               "folder=$2\n"
               "touch \"$folder/looked\"\n"
               "echo \"${@:3}\" >>\"$folder/asked\"\n"
               "if [[ -e $folder/steps ]]; then\n"
               "    echo '[1/2] one'\n"
               "    until [[ -e $folder/built ]]; do sleep 0.02; done\n"
               "else\n"
               "    until [[ -e $folder/seen ]]; do sleep 0.02; done\n"
               "    echo 'ninja: no work to do.'\n"
               "fi\n");
        for (const char* preset : {"release", "dev", "edit"}) {
            const std::string build = std::string("build/") + preset;
            fs::create_directories(file(build + "/experiments"));
            write(build + "/CMakeCache.txt",
                  "CMAKE_HOME_DIRECTORY:INTERNAL=" + fs::canonical(folder()).string() + "\n");
            write(build + "/options.txt", "\n");
            write(build + "/build.ninja", "");
            script(build + "/experiments/weir", "echo done\n");
        }
        set_program("/usr/bin/env");
    }

    void script(const std::string& name, const std::string& text) const {
        write(name, "#!/usr/bin/env bash\n" + text);
        fs::permissions(file(name), fs::perms::owner_all);
    }
    [[nodiscard]] std::unique_ptr<RunningProgram> launch(Arguments arguments,
                                                         const char* output) const {
        fs::create_directories(file(output));
        arguments.insert(
            arguments.begin(),
            {"-u", "WEIR_RELEASE_OPTIONS", "-u", "WEIR_DEV_OPTIONS",
             "PATH=" + file("bin").string() + ":" + std::getenv("PATH"), file("weir").string()});
        return std::make_unique<RunningProgram>("/usr/bin/env", arguments, folder(), file(output));
    }
    void wait_for(const std::string& name) const {
        for (int i = 0; i < 1500 && !fs::exists(file(name)); ++i) {
            std::this_thread::sleep_for(kMoment);
        }
        ASSERT_TRUE(fs::exists(file(name))) << name;
    }
    void wait_for_text(const std::string& name, const std::string& text) const {
        const auto is_there = [this, &name, &text] {
            return fs::exists(file(name)) && read(name).find(text) != std::string::npos;
        };
        for (int i = 0; i < 1500 && !is_there(); ++i) {
            std::this_thread::sleep_for(kMoment);
        }
        ASSERT_TRUE(is_there()) << name << ": " << text;
    }
};

TEST_F(LauncherTest, NothingIsSaidOfAnotherThatOnlyLooks) {
    const auto first = launch({"kernels"}, "first");
    wait_for("build/release/looked");
    const auto second = launch({"kernels"}, "second");
    std::this_thread::sleep_for(25 * kMoment);  // the second launcher waits
    write("build/release/seen", "");
    for (const auto* each : {&first, &second}) {
        const ProgramEnd end = (*each)->wait();
        EXPECT_EQ(end.status, 0);
        EXPECT_EQ(end.output, "done\n");
        EXPECT_EQ(end.error, "");
    }
}

TEST_F(LauncherTest, CompilersGiveAllWordsToWeir) {
    script("weir", "printf '<%s>' \"$@\"\n");
    for (const auto& [name, option] :
         {std::pair("weir-cc", "--as-gcc"), std::pair("weir-c++", "--as-g++")}) {
        fs::copy_file(std::string(WEIR_SOURCE_FOLDER) + name, file(name));
        set_program(file(name).string());
        EXPECT_EQ(weir({"-c", "two words.c", "-DTEXT=\"a b\""}).output,
                  std::string("<compile><") + option + "><-c><two words.c><-DTEXT=\"a b\">");
    }
}

TEST_F(LauncherTest, CxxProgramsNeedTheirCompilerAndTheSourcesOfTheLibrary) {
    std::string others = kAllInstalled;
    others.back() = ' ';
    script("bin/dpkg-query", others + "| grep -v '^installed g.*-source'\n");
    write("build/release/seen", "");
    for (const Arguments& words : {Arguments{"a.c", "b.C"}, {"a.cpp"}, {"--as-g++", "a.o"}}) {
        Arguments call{"--no-install", "compile"};
        call.insert(call.end(), words.begin(), words.end());
        const ProgramEnd end = launch(call, "cxx")->wait();
        EXPECT_EQ(end.status, 2);
        EXPECT_THAT(end.error, HasSubstr("gcc-12-source"));
    }
    EXPECT_EQ(launch({"--no-install", "compile", "a.c"}, "c")->wait().status, 0);
}

TEST_F(LauncherTest, TheCrossCompilerIsInstalledByCommandsThatCompile) {
    std::string others = kAllInstalled;
    others.back() = ' ';
    script("bin/dpkg-query", others + "| grep -v '^installed gcc-sparc64'\n");
    write("build/release/options.txt", "-DWEIR_BUILT_IN_IMAGES=OFF;\n");
    write("build/release/seen", "");
    EXPECT_EQ(launch({"--no-install", "run", "a.toml"}, "run")->wait().status, 0);
    for (const Arguments& words : {Arguments{"images"}, {"compile", "a.c"}}) {
        Arguments call{"--no-install"};
        call.insert(call.end(), words.begin(), words.end());
        const ProgramEnd end = launch(call, "compile")->wait();
        EXPECT_EQ(end.status, 2);
        EXPECT_THAT(end.error, HasSubstr("gcc-sparc64-linux-gnu"));
    }
}

// Images that a command needed once are compiled again with the program.
TEST_F(LauncherTest, ImagesFollowTheirSources) {
    write("build/release/seen", "");
    EXPECT_EQ(launch({"images"}, "images")->wait().status, 0);
    EXPECT_EQ(launch({"run", "a.toml"}, "before")->wait().status, 0);
    fs::create_directories(file("build/release/firmware/sparcle"));
    write("build/release/firmware/sparcle/images.made", "");
    EXPECT_EQ(launch({"run", "a.toml"}, "after")->wait().status, 0);
    EXPECT_EQ(read("build/release/asked"), "sparcle_images\nweir\nweir sparcle_images\n");
}

// Limits of the first command on a bare Debian 12.
TEST_F(LauncherTest, TheFirstCommandInstallsFewPackages) {
    const ProgramEnd end = launch({"--count-packages", "run", "a.toml"}, "count")->wait();
    if (end.status != 0) {
        GTEST_SKIP() << "apt has no lists of packages here: " << end.error;
    }
    int packages = 0;
    int fetched = 0;
    int installed = 0;
    ASSERT_EQ(std::sscanf(end.output.c_str(), "%d packages, %d MB to fetch, %d MB on disk",
                          &packages, &fetched, &installed),
              3)
        << end.output;
    EXPECT_LE(packages, 90);
    EXPECT_LE(fetched, 110);
    EXPECT_LE(installed, 530);
    EXPECT_GT(installed, 300) << "g++ and CMake alone are more";
}

// weir.deb depends on the libraries that the program links, beside those of a bare Debian 12.
TEST_F(LauncherTest, TheDebianPackageDependsOnFewPackages) {
    write("build/release/seen", "");
    fs::create_directories(file("build/release/experiments"));
    script("bin/dpkg-query",
           std::string("case $* in *--search*) exec /usr/bin/dpkg-query \"$@\" ;; esac\n") +
               kAllInstalled);
    fs::copy_file(WEIR_PROGRAM, file("build/release/experiments/weir"),
                  fs::copy_options::overwrite_existing);
    const ProgramEnd end = launch({"--count-packages", "package"}, "count")->wait();
    if (end.status != 0) {
        GTEST_SKIP() << "apt has no lists of packages here: " << end.error;
    }
    int packages = 0;
    ASSERT_EQ(std::sscanf(end.output.c_str(), "%d packages", &packages), 1) << end.output;
    EXPECT_GE(packages, 5) << "SystemC, fmt, SQLite and others";
    EXPECT_LE(packages, 10);
}

TEST_F(LauncherTest, AnotherThatBuildsIsWaitedForAndTold) {
    write("build/release/steps", "");
    const auto first = launch({"kernels"}, "first");
    wait_for_text("build/release.lock", "building");
    const auto second = launch({"kernels"}, "second");
    wait_for_text("second/stderr", "waiting");
    write("build/release/built", "");
    EXPECT_EQ(first->wait().status, 0);
    const ProgramEnd end = second->wait();
    EXPECT_EQ(end.status, 0);
    EXPECT_EQ(end.output, "done\n");
}

TEST_F(LauncherTest, ABuildInAnotherFolderHoldsNobodyUp) {
    write("build/dev/steps", "");
    const auto first = launch({"test", "--preset", "dev"}, "first");
    wait_for_text("build/dev.lock", "building");
    write("build/release/seen", "");
    const ProgramEnd end = launch({"kernels"}, "second")->wait();
    EXPECT_EQ(end.status, 0);
    EXPECT_EQ(end.error, "");
    write("build/dev/built", "");
    EXPECT_EQ(first->wait().status, 0);
}

TEST_F(LauncherTest, AKilledOneLeavesNothingBehind) {
    write("build/release/steps", "");
    const auto first = launch({"kernels"}, "first");
    wait_for_text("build/release.lock", "building");
    first->kill_all();
    fs::remove(file("build/release/steps"));
    write("build/release/seen", "");
    const ProgramEnd end = launch({"kernels"}, "second")->wait();
    EXPECT_EQ(end.status, 0);
    EXPECT_EQ(end.error, "");
}

// The name of b_test's suite has the same beginning; b_test is neither built nor run.
TEST_F(LauncherTest, ATestsWholeNameBuildsAndRunsThatTestAlone) {
    write("a_test.cpp", "TEST_P(Every, Holds) {}\nINSTANTIATE_TEST_SUITE_P(All, Every, 0);\n");
    write("b_test.cpp", "TEST(EveryOther, Holds) {}\n");
    write("build/edit/test_programs.txt", "a_test " + file("a_test.cpp").string() + "\nb_test " +
                                              file("b_test.cpp").string() + "\n");
    write("build/edit/seen", "");
    script("bin/ctest", "echo \"$@\"\n");
    const auto asked = [this](const char* name, const char* output) {
        write("build/edit/asked", "");
        return launch({"test", "--preset", "edit", "-R", name}, output)->wait().output;
    };
    EXPECT_THAT(asked("Every", "suite"), HasSubstr("Every([^A-Za-z0-9_.][^.]+)?[.]\n"));
    EXPECT_EQ(read("build/edit/asked"), "build.ninja\na_test\n");
    EXPECT_THAT(asked("Every.Holds", "test"), HasSubstr("[.]Holds([^A-Za-z0-9_.].*)?$\n"));
    EXPECT_EQ(read("build/edit/asked"), "build.ninja\na_test\n");
    EXPECT_THAT(asked("Ever", "pattern"), HasSubstr("-R Ever\n"));
    EXPECT_EQ(read("build/edit/asked"), "build.ninja\na_test b_test\n");
}

TEST_F(LauncherTest, WhatTestsMayCostIsANumber) {
    EXPECT_THAT(launch({"test", "--most-seconds", "few"}, "few")->wait().error,
                Names("--most-seconds", "few", "5", "0.5"));
    EXPECT_THAT(launch({"test", "--most-seconds", "5", "-N"}, "with")->wait().error,
                Names("-N", "--exclude-regex"));
}

}  // namespace
}  // namespace weir::experiments
