#include "experiments/commands/new_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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

TEST_F(NewFileTest, APipeReceivesTheCompleteFile) {
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    const int reader = open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
    {
        NewFile file(path("pipe"), "--plot pipe");
        write(file.unfinished_path(), "new");
        file.finish();
    }
    std::string bytes(10, ' ');
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read(reader, bytes.data(), 10))));
    close(reader);
    EXPECT_EQ(bytes, "new");
    EXPECT_TRUE(fs::is_fifo(path("pipe")));
    EXPECT_EQ(files(), 1);
}

TEST_F(NewFileTest, ReplacesTheFileOfALink) {
    write(path("a"), "old");
    fs::create_symlink("a", path("link"));
    NewFile file(path("link"), "--plot link");
    write(file.unfinished_path(), "new");
    file.finish();
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(text_of("a"), "new");
}

}  // namespace
}  // namespace weir::experiments::commands
