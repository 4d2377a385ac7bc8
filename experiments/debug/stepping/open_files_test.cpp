#include "experiments/debug/stepping/open_files.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "hw/testing/test_folder.h"

namespace weir::experiments::debug {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

class OpenFilesTest : public ::testing::Test {
  protected:
    static void write(const File& file, const char* text) {
        std::fputs(text, file.get());
        std::fflush(file.get());
    }
    hw::testing::TestFolder folder_;
    hw::testing::TestFolder other_folder_;
};

TEST_F(OpenFilesTest, WrittenFilesAreSetBack) {
    const auto path = folder_.path() / "file";
    const File file(std::fopen(path.c_str(), "wb"), std::fclose);
    write(file, "first");
    const OpenFiles before = OpenFiles::in(folder_.path());
    write(file, " and more");
    before.restore();
    EXPECT_EQ(std::filesystem::file_size(path), 5U);
    write(file, "!");
    EXPECT_EQ(std::filesystem::file_size(path), 6U);
}

// A database of a sweep is open in the processes of its runs, too.
TEST_F(OpenFilesTest, FilesElsewhereStay) {
    const auto path = other_folder_.path() / "file";
    const File file(std::fopen(path.c_str(), "wb"), std::fclose);
    write(file, "first");
    const OpenFiles before = OpenFiles::in(folder_.path());
    write(file, " and more");
    before.restore();
    EXPECT_EQ(std::filesystem::file_size(path), 14U);
}

}  // namespace
}  // namespace weir::experiments::debug
