#pragma once

#include <string>

namespace weir::experiments::commands {

/// Output file that is written under a temporary name in the same folder and renamed when it is
/// complete. An existing file of that name stays unchanged until then. A symbolic link is followed,
/// and a device or a pipe receives the bytes of the complete file.
class NewFile {
  public:
    /// `option` is the option that names the file, for messages. Throws setup::UserFault if the
    /// file cannot be created.
    NewFile(std::string path, std::string option);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    /// Removes an unfinished file.
    ~NewFile();

    /// Path to write to until finish().
    [[nodiscard]] const std::string& unfinished_path() const { return unfinished_path_; }
    /// Brings the file to its final path. Throws setup::UserFault if this fails.
    void finish();

  private:
    void copy_into_device();

    std::string path_;
    std::string option_;
    std::string unfinished_path_;
    bool is_device_ = false;
    bool is_finished_ = false;
};

}  // namespace weir::experiments::commands
