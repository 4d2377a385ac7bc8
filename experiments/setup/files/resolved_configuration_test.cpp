#include "experiments/setup/files/resolved_configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "experiments/setup/files/experiment_file.h"
#include "experiments/setup/files/path_text.h"
#include "experiments/setup/testing/setup_fixture.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::setup {
namespace {

using ResolvedConfigurationTest = ConfigTest;

TEST_F(ResolvedConfigurationTest, TextHasEveryParameter) {
    const std::vector<std::string> comments = {"weir 0.1.0", "seed 1\nand 2"};
    EXPECT_EQ(resolved_toml(remap_machine_, "remap", comments),
              "# weir 0.1.0\n"
              "# seed 1 and 2\n"
              "\n"
              "[network]\n"
              "hop_cycles = 1\n"
              "dimensions = [4, 8]\n"
              "routing = \"dimension_order\"\n"
              "\n"
              "[controller]\n"
              "queue_bytes = 256\n"
              "dma_cycles_per_byte = 0.25\n"
              "overflow_trap = false\n"
              "\n"
              "[trace]\n"
              "file = \"trace.sqlite\"\n"
              "\n"
              "[workload]\n"
              "kernel = \"remap\"\n"
              "messages = 100\n");
}

TEST_F(ResolvedConfigurationTest, ReadsBackToTheSameValues) {
    write("a.toml",
          "[network]\nhop_cycles = 64\ndimensions = [64]\nrouting = 'adaptive'\n"
          "[controller]\nqueue_bytes = 16\ndma_cycles_per_byte = 0.1\noverflow_trap = true\n"
          "[trace]\nfile = \"a \\\"b\\\"\\\\ \\n\\t µ.sqlite\"\n"
          "[workload]\nkernel = 'remap'\nmessages = 3\n");
    ExperimentFile::read("a.toml", "presets").apply(0, remap_machine_);
    const auto values = resolved_values(remap_machine_, "remap");
    write("resolved.toml", resolved_toml(remap_machine_, "remap"));

    write("empty.toml", "");
    ExperimentFile::read("empty.toml", "presets").apply(0, remap_machine_);
    ASSERT_NE(resolved_values(remap_machine_, "remap"), values);

    const ExperimentFile back = ExperimentFile::read("resolved.toml", "presets");
    back.apply(0, remap_machine_);
    EXPECT_EQ(back.workload_kernel(0).name, "remap");
    EXPECT_EQ(resolved_values(remap_machine_, "remap"), values);
}

TEST_F(ResolvedConfigurationTest, AFilesPathIsWrittenAsSeenFromTheFilesFolder) {
    std::filesystem::create_directories("runs/first");
    for (const std::string path : {"a.mtx", "studies/a.mtx", "../a.mtx", "/a.mtx", ""}) {
        ASSERT_TRUE(spmv_.matrix.set(path));
        write("runs/first/a.toml", resolved_toml(spmv_machine_, "spmv", {}, "runs/first"));
        ASSERT_TRUE(spmv_.matrix.set("other"));
        ExperimentFile::read("runs/first/a.toml", "presets").apply(0, spmv_machine_);
        EXPECT_EQ(spmv_.matrix.value(), path);
    }
}

TEST_F(ResolvedConfigurationTest, ANumberThatHappensToBeWholeStaysANumber) {
    write("a.toml", "[controller]\ndma_cycles_per_byte = 2\n");
    ExperimentFile::read("a.toml", "presets").apply(0, remap_machine_);
    EXPECT_NE(resolved_toml(remap_machine_, "remap").find("dma_cycles_per_byte = 2.0\n"),
              std::string::npos);
}

TEST_F(ResolvedConfigurationTest, ValuesAreInTheOrderOfTheGroups) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : resolved_values(fft_machine_, "fft")) {
        keys.push_back(key);
    }
    EXPECT_EQ(keys, (std::vector<std::string>{"network.hop_cycles", "network.dimensions",
                                              "network.routing", "controller.queue_bytes",
                                              "controller.dma_cycles_per_byte",
                                              "controller.overflow_trap", "trace.file",
                                              "workload.kernel", "workload.samples"}));
    EXPECT_EQ(resolved_values(fft_machine_, "fft").back().second,
              hw::ParameterValue(std::int64_t{1024}));
}

TEST_F(ResolvedConfigurationTest, KernelWithoutParametersStillHasItsTable) {
    const std::vector<hw::ParameterGroup*> machine = {&trace_};
    EXPECT_EQ(resolved_toml(machine, "ping"),
              "[trace]\nfile = \"trace.sqlite\"\n\n[workload]\nkernel = \"ping\"\n");
    EXPECT_EQ(resolved_toml(machine, ""), "[trace]\nfile = \"trace.sqlite\"\n");
}

TEST_F(ResolvedConfigurationTest, KernelIsWrittenOnce) {
    struct Chooser : hw::ParameterGroup {
        Chooser() : ParameterGroup("workload", "A kernel that names itself.") {}
        hw::Parameter<std::string> kernel{*this, "kernel", "ping", {}, "The kernel."};
    } chooser;
    const std::vector<hw::ParameterGroup*> machine = {&chooser};
    EXPECT_EQ(resolved_toml(machine, "pong"), "[workload]\nkernel = \"pong\"\n");
    EXPECT_EQ(resolved_toml(machine, ""), "[workload]\nkernel = \"ping\"\n");
}

// No TOML file can contain the bytes of such a path.
TEST_F(ResolvedConfigurationTest, APathThatIsNoUtf8IsAUri) {
    struct Matrix : hw::ParameterGroup {
        Matrix() : ParameterGroup("workload", "A file.") {}
        hw::Parameter<hw::FilePath> matrix{*this, "matrix", "a.mtx", {}, "The matrix."};
    } matrix;
    const std::vector<hw::ParameterGroup*> machine = {&matrix};
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("weir-\xfe-" + std::to_string(getpid()));
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::create_directory(folder);
    std::filesystem::current_path(folder);
    EXPECT_EQ(resolved_values(machine, "", folder / "runs").front().second,
              hw::ParameterValue(std::string("../a.mtx")));
    const auto seen_from_root =
        std::get<std::string>(resolved_values(machine, "", "/").front().second);
    EXPECT_THAT(seen_from_root, ::testing::AllOf(::testing::StartsWith("file:///"),
                                                 ::testing::HasSubstr("/weir-%FE-"),
                                                 ::testing::EndsWith("/a.mtx")));
    EXPECT_EQ(path_of_uri({}, seen_from_root), (folder / "a.mtx").string());
    std::filesystem::current_path(before);
    std::filesystem::remove(folder);
}

TEST_F(ResolvedConfigurationTest, GroupsOfOneTableAreWrittenTogether) {
    TraceFileParameters first;
    struct MoreTrace : hw::ParameterGroup {
        MoreTrace() : ParameterGroup("trace", "More of it.") {}
        hw::Parameter<bool> states{*this, "states", true, {}, "Core states."};
    } second;
    const std::vector<hw::ParameterGroup*> machine = {&first, &remap_, &second};
    EXPECT_EQ(resolved_toml(machine, "remap"),
              "[trace]\nfile = \"trace.sqlite\"\nstates = true\n\n"
              "[workload]\nkernel = \"remap\"\nmessages = 100\n");
}

}  // namespace
}  // namespace weir::experiments::setup
