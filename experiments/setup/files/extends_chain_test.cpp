#include "experiments/setup/files/extends_chain.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/setup/testing/setup_fixture.h"

namespace weir::experiments::setup {
namespace {

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
    EXPECT_EQ(fault("a.toml"),
              "a.toml:2:11: no preset \"alewive\"; accepted: \"alewife\", \"logp\" or a path that "
              "ends in .toml; did you mean \"alewife\"?");
}

TEST_F(ExtendsChainTest, UnknownPresetWithoutAnyPresets) {
    std::filesystem::remove("presets");
    write("a.toml", "extends = \"alewife\"\n");
    EXPECT_EQ(fault("a.toml"),
              "a.toml:1:11: no preset \"alewife\"; accepted: (there are no presets in presets) or "
              "a path that ends in .toml");
}

TEST_F(ExtendsChainTest, ExtendsIsAString) {
    write("a.toml", "extends = [1]\n");
    EXPECT_EQ(fault("a.toml"),
              "a.toml:1:11: extends is the list [1]; accepted: the name of a preset, or a path "
              "that ends in .toml");
}

TEST_F(ExtendsChainTest, MissingFile) {
    write("figure.toml", "");
    EXPECT_EQ(fault("figrue.toml"),
              "figrue.toml: does not exist; accepted: a TOML file; did you mean \"figure.toml\"?");
    EXPECT_EQ(fault("no/such.toml"), "no/such.toml: does not exist; accepted: a TOML file");
}

TEST_F(ExtendsChainTest, MissingExtendedFile) {
    write("presets/figure.toml", "");
    write("a.toml", "extends = 'presets/figures.toml'\n");
    EXPECT_EQ(fault("a.toml"),
              "a.toml:1:11: extends presets/figures.toml, which does not exist; accepted: a TOML "
              "file; did you mean \"presets/figure.toml\"?");
}

TEST_F(ExtendsChainTest, DirectoryInPlaceOfAFile) {
    write("a.toml", "extends = 'dir.toml'\n");
    std::filesystem::create_directory("dir.toml");
    EXPECT_EQ(fault("presets"),
              "presets: is a directory; accepted: a TOML file (weir list experiments); weir report "
              "takes a run's folder");
    EXPECT_EQ(fault("a.toml"),
              "a.toml:1:11: extends dir.toml, which is a directory; accepted: a TOML file");
}

TEST_F(ExtendsChainTest, UnreadableFile) {
    // Opens, and fails in the first read, even for root.
    std::filesystem::create_symlink("/proc/self/mem", "a.toml");
    EXPECT_EQ(fault("a.toml"), "a.toml: can't be read: Input/output error; accepted: a TOML file");
}

TEST_F(ExtendsChainTest, FaultOfSyntaxIsInTheFileThatHasIt) {
    write("presets/alewife.toml", "\n[network\n");
    write("a.toml", "extends = 'alewife'\n");
    EXPECT_EQ(fault("a.toml"),
              "presets/alewife.toml:2:9: not valid TOML: error while parsing table header: "
              "expected ']', saw '\\n'");
}

TEST_F(ExtendsChainTest, CircleIsPrinted) {
    write("a.toml", "extends = 'b.toml'\n");
    write("b.toml", "\nextends = 'c.toml'\n");
    write("c.toml", "\n\nextends = './b.toml'\n");
    EXPECT_EQ(fault("a.toml"),
              "c.toml:3:11: extends in a circle: b.toml -> c.toml -> ./b.toml; accepted: a chain "
              "that ends");
    write("self.toml", "extends = 'self.toml'\n");
    EXPECT_EQ(fault("self.toml"),
              "self.toml:1:11: extends in a circle: self.toml -> self.toml; accepted: a chain that "
              "ends");
}

}  // namespace
}  // namespace weir::experiments::setup
