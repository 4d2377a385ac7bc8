#include "experiments/commands/new_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "experiments/analyses/testing/fault_text.h"
#include "hw/testing/names.h"
#include "hw/testing/test_folder.h"

namespace weir::experiments::commands {
namespace {

using weir::testing::Names;

namespace fs = std::filesystem;

class NewFileTest : public testing::Test {
  protected:
    [[nodiscard]] std::string path(const std::string& name) const { return folder_.path() / name; }
    [[nodiscard]] std::string text_of(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(path(name)).rdbuf();
        return text.str();
    }
    static void write(const std::string& path, const std::string& text) {
        std::ofstream(path) << text;
    }
    [[nodiscard]] std::ptrdiff_t files() const {
        return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
    }

  private:
    hw::testing::TestFolder folder_;
};

TEST_F(NewFileTest, TakesItsPlaceWhenItIsFinished) {
    write(path("a"), "old");
    {
        NewFile file(path("a"), "--plot a");
        write(file.unfinished_path(), "new");
        EXPECT_EQ(text_of("a"), "old");
        file.finish();
    }
    EXPECT_EQ(text_of("a"), "new");
    EXPECT_EQ(files(), 1);
}

TEST_F(NewFileTest, LeavesNothingWhenItIsNotFinished) {
    {
        const NewFile file(path("a"), "--plot a");
        write(file.unfinished_path(), "half");
        EXPECT_EQ(files(), 1);
    }
    EXPECT_EQ(files(), 0);
}

TEST_F(NewFileTest, CanBeReadByThoseWhoCanReadOtherFiles) {
    const mode_t before = umask(022);
    NewFile file(path("a"), "--plot a");
    file.finish();
    umask(before);
    EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0644));
}

TEST_F(NewFileTest, NamesTheOptionWhenItCanNotBeMade) {
    EXPECT_THAT(analyses::fault_of([&] { const NewFile file(path("no/a"), "--plot no/a"); }),
                Names("--plot no/a", std::strerror(ENOENT)));
    fs::create_directory(path("folder"));
    EXPECT_THAT(analyses::fault_of([&] { const NewFile file(path("folder"), "--plot folder"); }),
                Names("--plot folder", std::strerror(EISDIR)));
}

}  // namespace
}  // namespace weir::experiments::commands
