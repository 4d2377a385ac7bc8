// Building a library, with replacement sources of the C library that compile at once.
#include "experiments/programs/built_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "experiments/running/processes/run_experiment.h"
#include "experiments/setup/files/temporary_folder.h"
#include "hw/testing/names.h"

namespace weir::experiments::programs {
namespace {

namespace fs = std::filesystem;
using weir::testing::Names;

// A configure script that makes a Makefile; its installation makes empty archives, and counts the
// builds.
constexpr const char* kConfigure = R"(#!/bin/sh
[ ! -e "$NEWLIB_TEST_LOG.fails" ] || exit 1
for word; do case $word in --prefix=*) prefix=${word#--prefix=} ;; esac; done
printf 'all:\n\tsleep 0.3\ninstall:\n\tmkdir -p %s/sparc-elf/lib\n' "$prefix" > Makefile
printf '\tcd %s/sparc-elf/lib; for name in c g m; do ar q lib$$name.a; done\n' "$prefix" >> Makefile
printf '\techo built >> %s\n' "$NEWLIB_TEST_LOG" >> Makefile
)";

class BuiltLibraryTest : public ::testing::Test {
  protected:
    BuiltLibraryTest() {
        fs::create_directories(folder_.path() / "top" / "newlib");
        fs::create_directory(folder_.path() / "sources");
        pack_sources();
        setenv("NEWLIB_TEST_LOG", log().c_str(), 1);
    }

    [[nodiscard]] fs::path log() const { return folder_.path() / "log"; }
    void pack_sources() const {
        const fs::path configure = folder_.path() / "top" / "newlib" / "configure";
        std::ofstream(configure) << kConfigure;
        fs::permissions(configure, fs::perms::owner_all);
        const std::string tar = "tar cJf " +
                                (folder_.path() / "sources" / "newlib-1.tar.xz").string() + " -C " +
                                folder_.path().string() + " top";
        ASSERT_EQ(std::system(tar.c_str()), 0);
    }
    [[nodiscard]] LibraryRecipe recipe() const {
        return {.name = "C library",
                .package = "newlib-source",
                .archive = "newlib-",
                .sources = folder_.path() / "sources",
                .processor_time = "a second",
                .folder = folder_.path() / "built",
                .script = WEIR_SOURCE_FOLDER "firmware/sparcle/library/build.sh",
                .compiler = "sparc64-linux-gnu-gcc",
                .compiler_version = "1",
                .flags = {"-O2"}};
    }
    [[nodiscard]] int times_built() const {
        std::ifstream file(log());
        return static_cast<int>(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
    }

    setup::TemporaryFolder folder_{"weir-c-library"};
};

TEST_F(BuiltLibraryTest, IsBuiltOnceForEachCompilerAndItsFlags) {
    const fs::path library = built_library(recipe());
    EXPECT_TRUE(fs::is_directory(library / "lib"));
    EXPECT_EQ(built_library(recipe()), library);
    EXPECT_EQ(times_built(), 1);
    LibraryRecipe other = recipe();
    other.flags.emplace_back("-msoft-float");
    EXPECT_NE(built_library(other), library);
    other.compiler_version = "2";
    static_cast<void>(built_library(other));
    EXPECT_EQ(times_built(), 3);
}

TEST_F(BuiltLibraryTest, IsBuiltByOneOfTwoProcesses) {
    std::array<pid_t, 2> children{};
    for (pid_t& child : children) {
        child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            _exit(fs::is_directory(built_library(recipe()) / "lib") ? 0 : 1);
        }
    }
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(times_built(), 1);
}

TEST_F(BuiltLibraryTest, WhatFailsLeavesNoLibrary) {
    const fs::path fails = log().string() + ".fails";
    std::ofstream(fails) << "yes";
    try {
        static_cast<void>(built_library(recipe()));
        FAIL();
    } catch (const running::RunFailure& failure) {
        EXPECT_EQ(failure.status(), running::kBadInput);
        EXPECT_THAT(failure.what(), Names("library", "built"));
    }
    EXPECT_EQ(times_built(), 0);
    // The files of a failed build are not taken for a library, and do not hinder the next build.
    fs::remove(fails);
    EXPECT_TRUE(fs::is_directory(built_library(recipe()) / "lib"));
    EXPECT_EQ(times_built(), 1);
}

TEST_F(BuiltLibraryTest, SourcesThatAreNotInstalledAreNamed) {
    fs::remove_all(folder_.path() / "sources");
    try {
        static_cast<void>(built_library(recipe()));
        FAIL();
    } catch (const running::RunFailure& failure) {
        EXPECT_EQ(failure.status(), running::kBadInput);
        EXPECT_THAT(failure.what(), Names("apt-get", "newlib-source"));
    }
}

}  // namespace
}  // namespace weir::experiments::programs
