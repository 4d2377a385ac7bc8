#include "experiments/setup/files/extends_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/setup/testing/setup_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::setup {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::weir::testing::Names;

class ExtendsChainTest : public ConfigTest {
  protected:
    static std::vector<std::string> files(const std::string& file) {
        std::vector<std::string> names;
        for (const TomlEntry& tree : read_extends_chain(file, "presets")) {
            names.push_back(tree.place.source);
        }
        return names;
    }
    static std::string fault(const std::string& file) {
        return fault_of([&] { (void)read_extends_chain(file, "presets"); });
    }
};

using Files = std::vector<std::string>;

TEST_F(ExtendsChainTest, AFileAloneIsItsChain) {
    write("a.toml", "");
    EXPECT_EQ(files("a.toml"), Files{"a.toml"});
}

TEST_F(ExtendsChainTest, ANameIsAPreset) {
    write("presets/base.toml", "");
    write("presets/alewife.toml", "extends = 'base'");
    write("a.toml", "extends = 'alewife'");
    EXPECT_EQ(files("a.toml"), (Files{"presets/base.toml", "presets/alewife.toml", "a.toml"}));
}

TEST_F(ExtendsChainTest, APathIsRelativeToTheFileItStandsIn) {
    std::filesystem::create_directory("paper");
    write("paper/base.toml", "");
    write("paper/figure.toml", "extends = 'base.toml'");
    write("a.toml", "extends = 'paper/figure.toml'");
    EXPECT_EQ(files("a.toml"), (Files{"paper/base.toml", "paper/figure.toml", "a.toml"}));
}

TEST_F(ExtendsChainTest, AnExperimentMayBeNamedAsThePresetItExtends) {
    write("presets/alewife.toml", "");
    write("alewife.toml", "extends = 'alewife'");
    EXPECT_EQ(files("alewife.toml"), (Files{"presets/alewife.toml", "alewife.toml"}));
}

TEST_F(ExtendsChainTest, UnknownPreset) {
    write("presets/alewife.toml", "");
    write("presets/logp.toml", "");
    write("a.toml", "title = 'x'\nextends = \"alewive\"\n");
    EXPECT_THAT(fault("a.toml"), AllOf(Names("a.toml:2:11", "alewive", "alewife", "logp"),
                                       EndsWith("\"alewife\"?")));
}

TEST_F(ExtendsChainTest, UnknownPresetWithoutAnyPresets) {
    std::filesystem::remove("presets");
    write("a.toml", "extends = \"alewife\"\n");
    EXPECT_THAT(fault("a.toml"), Names("a.toml:1:11", "preset", "\"alewife\"", "presets", ".toml"));
}

TEST_F(ExtendsChainTest, ExtendsIsAString) {
    write("a.toml", "extends = [1]\n");
    EXPECT_THAT(fault("a.toml"), Names("a.toml:1:11", "extends", "[1]", "preset", ".toml"));
}

TEST_F(ExtendsChainTest, MissingFile) {
    write("figure.toml", "");
    EXPECT_THAT(fault("figrue.toml"),
                AllOf(Names("figrue.toml:", "exist"), EndsWith("\"figure.toml\"?")));
    EXPECT_THAT(fault("no/such.toml"), AllOf(Names("no/such.toml:", "exist"), Not(HasSubstr("?"))));
}

TEST_F(ExtendsChainTest, MissingExtendedFile) {
    write("presets/figure.toml", "");
    write("a.toml", "extends = 'presets/figures.toml'\n");
    EXPECT_THAT(fault("a.toml"), AllOf(Names("a.toml:1:11", "presets/figures.toml", "exist"),
                                       EndsWith("\"presets/figure.toml\"?")));
}

TEST_F(ExtendsChainTest, DirectoryInPlaceOfAFile) {
    write("a.toml", "extends = 'dir.toml'\n");
    std::filesystem::create_directory("dir.toml");
    EXPECT_THAT(fault("presets"), Names("presets:", "directory", "TOML", "weir report"));
    EXPECT_THAT(fault("a.toml"), Names("a.toml:1:11", "dir.toml", "directory", "TOML"));
}

TEST_F(ExtendsChainTest, UnreadableFile) {
    // /proc/self/mem can be opened, but its first read fails, even for root.
    std::filesystem::create_symlink("/proc/self/mem", "a.toml");
    EXPECT_THAT(fault("a.toml"),
                Names("a.toml:", std::make_error_code(std::errc::io_error).message(), "TOML"));
}

TEST_F(ExtendsChainTest, FaultOfSyntaxIsInTheFileThatHasIt) {
    write("presets/alewife.toml", "\n[network\n");
    write("a.toml", "extends = 'alewife'\n");
    EXPECT_THAT(fault("a.toml"), Names("presets/alewife.toml:2:9", "TOML", "']'", "'\\n'"));
}

TEST_F(ExtendsChainTest, CircleIsPrinted) {
    write("a.toml", "extends = 'b.toml'\n");
    write("b.toml", "\nextends = 'c.toml'\n");
    write("c.toml", "\n\nextends = './b.toml'\n");
    EXPECT_THAT(fault("a.toml"), Names("c.toml:3:11", "b.toml -> c.toml -> ./b.toml"));
    write("self.toml", "extends = 'self.toml'\n");
    EXPECT_THAT(fault("self.toml"), Names("self.toml:1:11", "self.toml -> self.toml"));
}

}  // namespace
}  // namespace weir::experiments::setup
