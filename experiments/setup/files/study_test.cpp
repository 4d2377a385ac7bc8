#include "experiments/setup/files/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/setup/testing/setup_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::setup {
namespace {

using ::testing::ElementsAre;
using ::weir::testing::Names;

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
    const std::string accepted = "[\"figure3.toml\", \"figure4.toml\"]";
    EXPECT_THAT(fault("parts = []\n"), Names("studies/both.toml:1:9", "parts", "empty", accepted));
    EXPECT_THAT(fault("parts = \"one.toml\"\n"),
                Names("studies/both.toml:1:9", "parts", "\"one.toml\"", accepted));
    EXPECT_THAT(fault("parts = [1]\n"), Names("studies/both.toml:1:10", "part", "1", accepted));
    EXPECT_THAT(fault("parts = [\"three.toml\"]\n"),
                Names("studies/both.toml:1:10", "file", "studies/three.toml", accepted));
    EXPECT_THAT(fault("parts = [\"one.toml\", \"one.toml\"]\n"),
                Names("studies/both.toml:1:22", "two", "one", accepted));
    EXPECT_THAT(fault("parts = [\"both.toml\"]\n"),
                Names("studies/both.toml:1:10", "studies/both.toml", "parts", accepted));
}

TEST_F(StudyTest, SaysNothingOfMachines) {
    EXPECT_THAT(fault("parts = [\"one.toml\"]\n[network]\nhop_cycles = 2\n"),
                Names("studies/both.toml:2:2", "\"network\"", "title", "description", "parts"));
    EXPECT_THAT(fault("title = 3\nparts = [\"one.toml\"]\n"),
                Names("studies/both.toml:1:9", "title", "3", "text"));
}

TEST_F(StudyTest, FileThatIsNotThere) {
    EXPECT_THAT(fault_of([] { static_cast<void>(read_study("absent.toml")); }),
                Names("absent.toml:", "exist", "TOML"));
}

}  // namespace
}  // namespace weir::experiments::setup
