#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments {

/// Programs compiled by `weir compile` and executed by Sparcle nodes; run.toml runs program.elf.
class CompiledProgramTest : public ProgramTest {
  protected:
    explicit CompiledProgramTest(int nodes) {
        write("run.toml", "extends = \"sparcle\"\nmachine.nodes = " + std::to_string(nodes) +
                              "\n[workload]\nkernel = \"image\"\nimage = \"program.elf\"\n");
    }

    /// Compiles a source to program.elf. The first program with the C library builds the library,
    /// which takes long.
    void compile(const std::filesystem::path& source, const Arguments& options = {}) const {
        Arguments words{"compile", source, "--output", "program.elf"};
        words.insert(words.end(), options.begin(), options.end());
        const ProgramEnd end = start(words).wait(std::chrono::minutes(10));
        ASSERT_EQ(end.status, 0) << end.error;
    }
};

}  // namespace weir::experiments
