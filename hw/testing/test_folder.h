#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace weir::hw::testing {

/// A temporary folder of a test, removed with the object.
class TestFolder {
  public:
    /// Throws std::system_error if the folder can't be made.
    explicit TestFolder(
        const std::filesystem::path& place = std::filesystem::temp_directory_path()) {
        std::string made = (place / "weir-test-XXXXXX").string();
        if (mkdtemp(made.data()) == nullptr) {
            throw std::system_error(errno, std::generic_category(), made);
        }
        path_ = made;
    }
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;
    ~TestFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// A temporary folder that is the current one while the object exists, so that messages have short
/// paths.
class CurrentTestFolder {
  public:
    CurrentTestFolder() : previous_(std::filesystem::current_path()) {
        std::filesystem::current_path(folder_.path());
    }
    CurrentTestFolder(const CurrentTestFolder&) = delete;
    CurrentTestFolder& operator=(const CurrentTestFolder&) = delete;
    ~CurrentTestFolder() { std::filesystem::current_path(previous_); }

  private:
    TestFolder folder_;
    std::filesystem::path previous_;
};

}  // namespace weir::hw::testing
