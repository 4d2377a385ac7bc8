#include "experiments/setup/files/permissions.h"

#include <gtest/gtest.h>

#include "hw/testing/test_folder.h"

namespace weir::experiments::setup {
namespace {

namespace fs = std::filesystem;

class PermissionsTest : public ::testing::Test {
  protected:
    PermissionsTest() {
        fs::create_directories(at("own/inner"));
        fs::create_directories(at("others"));
        fs::create_directory_symlink(at("others"), at("own/link"));
    }
    [[nodiscard]] fs::path at(const std::string& name) const { return folder_.path() / name; }

    hw::testing::TestFolder folder_;
};

TEST_F(PermissionsTest, AFolderHoldsWhatIsBelowIt) {
    EXPECT_TRUE(is_inside(at("own"), at("own")));
    EXPECT_TRUE(is_inside(at("own/"), at("own")));
    EXPECT_TRUE(is_inside(at("own/inner/none.txt"), at("own/")));
    EXPECT_TRUE(is_inside(at("own/inner"), "/"));
    EXPECT_TRUE(is_inside("none.txt", ""));
    EXPECT_FALSE(is_inside(at("own"), at("own/inner")));
    EXPECT_FALSE(is_inside(at("own2"), at("own")));
    EXPECT_FALSE(is_inside("/", at("own")));
}

TEST_F(PermissionsTest, LinksAndDotsLeadOutOfAFolder) {
    EXPECT_FALSE(is_inside(at("own/inner/../../others"), at("own")));
    EXPECT_FALSE(is_inside(at("own/none/../../others"), at("own")));
    EXPECT_FALSE(is_inside(at("own/link"), at("own")));
    EXPECT_FALSE(is_inside(at("own/link/file.txt"), at("own")));
    EXPECT_TRUE(is_inside(at("own/link/file.txt"), at("others")));
    EXPECT_TRUE(is_inside(at("others/file.txt"), at("own/link")));
}

TEST_F(PermissionsTest, NothingIsAllowedUnasked) {
    EXPECT_FALSE(Permissions().allows_library(at("own/a.so")));
    EXPECT_FALSE(Permissions().allows_reading(at("own")));
    const Permissions permissions{.libraries = {at("own/inner/../a.so").string()},
                                  .folders = {at("others").string()}};
    EXPECT_TRUE(permissions.allows_library(at("own/a.so")));
    EXPECT_FALSE(permissions.allows_library(at("own/b.so")));
    EXPECT_FALSE(permissions.allows_library(at("own")));
    EXPECT_TRUE(permissions.allows_reading(at("own/link/file.txt")));
    EXPECT_FALSE(permissions.allows_reading(at("own/file.txt")));
}

}  // namespace
}  // namespace weir::experiments::setup
