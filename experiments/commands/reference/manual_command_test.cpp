#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using weir::testing::Names;

class ManualCommandTest : public ProgramTest {};

TEST_F(ManualCommandTest, HasTheSectionsOfAManualPage) {
    const std::string page = output_of({"man"});
    EXPECT_THAT(page, StartsWith(".TH WEIR 1 "));
    for (const char* section : {"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS",
                                "EXIT STATUS", "FILES", "ENVIRONMENT", "EXAMPLES"}) {
        EXPECT_THAT(page, HasSubstr(std::string("\n.SH ") + section + "\n"));
    }
    EXPECT_THAT(page,
                AllOf(HasSubstr("\\fBweir sweep\\fR"), HasSubstr("\\fB\\-\\-set\\fR"),
                      HasSubstr("\\fB\\-\\-sensitivity\\fR"), HasSubstr("\\fIKEY=VALUE\\fR")));
}

// The formatted page has no escapes, so that names can be copied, and groff prints no warning.
TEST_F(ManualCommandTest, GroffFormatsItWithoutAWarning) {
    write("weir.1", output_of({"man"}));
    set_program("/usr/bin/groff");
    const std::string text =
        output_of({"-man", "-Tascii", "-P-cbou", "-ww", "-rLL=100n", file("weir.1").string()});
    EXPECT_THAT(text, AllOf(Names("weir", "run"), HasSubstr("--set KEY=VALUE"),
                            HasSubstr("tolerance"), HasSubstr("runs/NAME-NNN/")));
    EXPECT_THAT(text, Not(HasSubstr("\\")));
}

}  // namespace
}  // namespace weir::experiments
