#pragma once

#include <zlib.h>

#include <memory>
#include <string>
#include <string_view>

namespace weir::experiments::trace {

/// A file being written, compressed by gzip or not. The compressed bytes depend on the text alone:
/// the header names no time and no file.
class ExportFile {
  public:
    /// `name` is what messages call the file. All throw TraceError when the file can't be written.
    ExportFile(const std::string& path, std::string name, bool compressed);

    void write(std::string_view text);
    /// What was written is in the file then, and nothing more can be.
    void close();

  private:
    struct Close {
        void operator()(gzFile file) const { gzclose(file); }
    };

    [[noreturn]] void fail() const;

    std::string name_;
    std::unique_ptr<gzFile_s, Close> file_;
};

}  // namespace weir::experiments::trace
