#include "experiments/running/prices/synthesis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "experiments/records/run_file.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/run_tool.h"
#include "experiments/setup/files/temporary_folder.h"
#include "experiments/setup/user_fault.h"
#include "hw/testing/names.h"
#include "hw/testing/needed_tool.h"

namespace weir::experiments::running {
namespace {

namespace fs = std::filesystem;
using weir::testing::Names;

class SynthesisTest : public ::testing::Test {
  protected:
    // A part whose only module is `text`. A comment in the module makes it different from all parts
    // whose results are kept.
    [[nodiscard]] hw::Twin part(const std::string& text) const {
        const fs::path file = folder_.path() / "part.sv";
        std::ofstream(file) << "// " << folder_.path().string() << "\n" << text;
        return {"part", {file.string()}};
    }
    [[nodiscard]] fs::path liberty() const {
        fs::path file = folder_.path() / "any \"name's; cells.lib";
        std::ofstream(file) << R"lib(library(cells) {
  cell(INV) { area: 1; pin(A) { direction: input; }
    pin(Y) { direction: output; function: "!A"; } }
  cell(BUF) { area: 1; pin(A) { direction: input; }
    pin(Y) { direction: output; function: "A"; } }
  cell(NAND2) { area: 2; pin(A) { direction: input; } pin(B) { direction: input; }
    pin(Y) { direction: output; function: "!(A&B)"; } }
  cell(NOR2) { area: 2; pin(A) { direction: input; } pin(B) { direction: input; }
    pin(Y) { direction: output; function: "!(A|B)"; } }
  cell(AND2) { area: 3; pin(A) { direction: input; } pin(B) { direction: input; }
    pin(Y) { direction: output; function: "A&B"; } }
  cell(DFF) { area: 10; ff(IQ, IQN) { clocked_on: C; next_state: D; }
    pin(C) { direction: input; clock: true; } pin(D) { direction: input; }
    pin(Q) { direction: output; function: "IQ"; } }
}
)lib";
        return file;
    }

    [[nodiscard]] const fs::path& folder() const { return folder_.path(); }

  private:
    setup::TemporaryFolder folder_{"weir-synthesis-test"};
};

constexpr const char* kNand =
    "module part(input a, input b, output y); assign y = ~(a & b); endmodule\n";
constexpr const char* kRegister =
    "module part #(parameter BITS = 2)(input clk, input [BITS-1:0] d, output logic [BITS-1:0] q);\n"
    "always_ff @(posedge clk) q <= d;\nendmodule\n";

TEST_F(SynthesisTest, ANandGateIsOneNandGate) {
    WEIR_NEEDS_TOOL("yosys");
    const SynthesizedPart gate = synthesize(part(kNand), {});
    EXPECT_DOUBLE_EQ(gate.nand2_equivalents, 1.0);
    EXPECT_EQ(gate.gates, 1);
    EXPECT_EQ(gate.flip_flops, 0);
    EXPECT_EQ(gate.longest_path_levels, 1);
}

TEST_F(SynthesisTest, CountsFlipFlopsAtThePartsSize) {
    WEIR_NEEDS_TOOL("yosys");
    hw::Twin five = part(kRegister);
    five.parameters = {{"BITS", 5}};
    const SynthesizedPart found = synthesize(five, {});
    EXPECT_EQ(found.flip_flops, 5);
    EXPECT_EQ(found.gates, 0);
    EXPECT_EQ(found.longest_path_levels, 0);
    EXPECT_NEAR(found.nand2_equivalents, 5 * 4.522 / 0.798, 1e-9);
}

// A reset and an enable are gates before a plain flip-flop, not a cheaper kind of it.
TEST_F(SynthesisTest, AResetIsMadeOfGates) {
    WEIR_NEEDS_TOOL("yosys");
    const SynthesizedPart found =
        synthesize(part("module part(input clk, input reset, input d, output logic q);\n"
                        "always_ff @(posedge clk) if (reset) q <= 0; else q <= d;\nendmodule\n"),
                   {});
    EXPECT_EQ(found.flip_flops, 1);
    EXPECT_GE(found.gates, 1);
    EXPECT_GE(found.longest_path_levels, 1);
}

TEST_F(SynthesisTest, ALibertyFileGivesItsOwnAreas) {
    WEIR_NEEDS_TOOL("yosys");
    hw::Twin four = part(kRegister);
    four.parameters = {{"BITS", 4}};
    const SynthesizedPart found = synthesize(four, liberty());
    EXPECT_EQ(found.flip_flops, 4);
    EXPECT_DOUBLE_EQ(found.nand2_equivalents, 4 * 10.0 / 2.0);
}

TEST_F(SynthesisTest, ALibertyFileWithoutANandGateIsRefused) {
    WEIR_NEEDS_TOOL("yosys");
    std::string text = records::text_of_file(liberty());
    for (const char* cell : {"NAND2", "AND2"}) {
        const std::size_t at = text.find(std::string("cell(") + cell);
        text.erase(at, text.find("cell(", at + 1) - at);
    }
    const fs::path file = folder() / "no-nand.lib";
    std::ofstream(file) << text;
    try {
        static_cast<void>(synthesize(part(kNand), file));
        FAIL() << "no fault";
    } catch (const setup::UserFault& fault) {
        EXPECT_THAT(fault.what(), Names("--liberty", "no-nand.lib", "NAND", "flip-flop"));
    }
}

TEST_F(SynthesisTest, ALibertyFileThatIsMissingIsNamed) {
    WEIR_NEEDS_TOOL("yosys");
    EXPECT_THROW(static_cast<void>(synthesize(part(kNand), folder() / "absent.lib")),
                 setup::UserFault);
}

TEST_F(SynthesisTest, ADamagedKeptResultIsMadeAgain) {
    WEIR_NEEDS_TOOL("yosys");
    const hw::Twin gate = part(kNand);
    static_cast<void>(synthesize(gate, {}));
    fs::path newest;
    for (const auto& each : fs::directory_iterator(cache_folder("prices", "test"))) {
        if (newest.empty() || each.last_write_time() > fs::last_write_time(newest)) {
            newest = each.path();
        }
    }
    std::ofstream(newest) << "{\"gates\": null";
    EXPECT_EQ(synthesize(gate, {}).gates, 1);
}

TEST_F(SynthesisTest, AnUnchangedPartIsNotSynthesizedAgain) {
    WEIR_NEEDS_TOOL("yosys");
    const hw::Twin gate = part(kNand);
    const SynthesizedPart first = synthesize(gate, {});
    ASSERT_EQ(setenv("PATH", "/nonexistent", 1), 0);
    EXPECT_EQ(synthesize(gate, {}).gates, first.gates);
}

TEST_F(SynthesisTest, WithoutYosysSaysWhichPackageHasIt) {
    ASSERT_EQ(setenv("PATH", "/nonexistent", 1), 0);
    try {
        static_cast<void>(synthesize(part(kNand), {}));
        FAIL() << "no failure";
    } catch (const RunFailure& failure) {
        EXPECT_EQ(failure.status(), kBadInput);
        EXPECT_THAT(failure.what(), Names("yosys", "apt-get install yosys"));
    }
}

TEST_F(SynthesisTest, NamesAPartThatYosysRefuses) {
    WEIR_NEEDS_TOOL("yosys");
    hw::Twin other = part(kNand);
    other.module = "absent";
    try {
        static_cast<void>(synthesize(other, {}));
        FAIL() << "no failure";
    } catch (const RunFailure& failure) {
        EXPECT_EQ(failure.status(), kBadInput);
        EXPECT_THAT(failure.what(), Names("yosys", "absent"));
    }
}

}  // namespace
}  // namespace weir::experiments::running
