#pragma once

#include <string>

namespace weir::experiments::commands {

/// A file that is there whole or not at all: it is written beside its place under another name and
/// takes the place when it is finished. What was there before stays until then.
class NewFile {
  public:
    /// `option` is how the user named the file, for messages. Throws setup::UserFault when no file
    /// can be made there.
    NewFile(std::string path, std::string option);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    /// Removes what was not finished.
    ~NewFile();

    /// Where to write until it is finished.
    [[nodiscard]] const std::string& unfinished_path() const { return unfinished_path_; }
    /// Puts it in its place. Throws setup::UserFault.
    void finish();

  private:
    std::string path_;
    std::string option_;
    std::string unfinished_path_;
    bool is_finished_ = false;
};

}  // namespace weir::experiments::commands
