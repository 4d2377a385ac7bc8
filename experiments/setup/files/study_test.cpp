#include "experiments/setup/files/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/setup/testing/setup_fixture.h"

namespace weir::experiments::setup {
namespace {

using ::testing::ElementsAre;

class StudyTest : public ConfigTest {
  protected:
    StudyTest() {
        std::filesystem::create_directory("studies");
        write("studies/one.toml", "title = \"one\"\n");
        write("studies/two.toml", "title = \"two\"\n");
    }
    static std::optional<Study> study(const std::string& text) {
        write("studies/both.toml", text);
        return read_study("studies/both.toml");
    }
    static std::string fault(const std::string& text) {
        return fault_of([&text] { static_cast<void>(study(text)); });
    }
};

TEST_F(StudyTest, NamesItsPartsBesideItself) {
    const auto both =
        study("title = \"T\"\ndescription = \"D\"\nparts = [\"one.toml\", \"two.toml\"]\n");
    ASSERT_TRUE(both.has_value());
    EXPECT_EQ(both->title, "T");
    EXPECT_EQ(both->description, "D");
    EXPECT_THAT(both->parts, ElementsAre("studies/one.toml", "studies/two.toml"));
}

TEST_F(StudyTest, WithoutPartsItIsAnExperiment) {
    EXPECT_FALSE(study("title = \"T\"\n").has_value());
}

TEST_F(StudyTest, SaysWhatIsWrongWithAPart) {
    const std::string accepted =
        "; accepted: a list of experiment files beside this one: [\"figure3.toml\", "
        "\"figure4.toml\"]";
    EXPECT_EQ(fault("parts = []\n"), "studies/both.toml:1:9: parts is an empty list" + accepted);
    EXPECT_EQ(fault("parts = \"one.toml\"\n"),
              "studies/both.toml:1:9: parts is the string \"one.toml\"" + accepted);
    EXPECT_EQ(fault("parts = [1]\n"),
              "studies/both.toml:1:10: a part is the whole number 1" + accepted);
    EXPECT_EQ(fault("parts = [\"three.toml\"]\n"),
              "studies/both.toml:1:10: no file studies/three.toml" + accepted);
    EXPECT_EQ(fault("parts = [\"one.toml\", \"one.toml\"]\n"),
              "studies/both.toml:1:22: a second part one" + accepted);
    EXPECT_EQ(fault("parts = [\"both.toml\"]\n"),
              "studies/both.toml:1:10: studies/both.toml has parts itself" + accepted);
}

TEST_F(StudyTest, SaysNothingOfMachines) {
    EXPECT_EQ(
        fault("parts = [\"one.toml\"]\n[network]\nhop_cycles = 2\n"),
        "studies/both.toml:2:2: no key \"network\" in a file with parts; accepted: \"title\", "
        "\"description\", \"parts\"; all else stands in the parts");
    EXPECT_EQ(fault("title = 3\nparts = [\"one.toml\"]\n"),
              "studies/both.toml:1:9: title is the whole number 3; accepted: a text in quotes");
}

TEST_F(StudyTest, FileThatIsNotThere) {
    EXPECT_EQ(fault_of([] { static_cast<void>(read_study("absent.toml")); }),
              "absent.toml: does not exist; accepted: a TOML file");
}

}  // namespace
}  // namespace weir::experiments::setup
