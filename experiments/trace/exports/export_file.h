#pragma once

#include <zlib.h>

#include <memory>
#include <string>
#include <string_view>

namespace weir::experiments::trace {

/// Output file, optionally compressed by gzip. The compressed bytes depend only on the text: the
/// gzip header contains neither time nor file name.
class ExportFile {
  public:
    /// `name` is the file's name in messages. All functions throw TraceError if the file cannot be
    /// written.
    ExportFile(const std::string& path, std::string name, bool compressed);

    void write(std::string_view text);
    /// Writes all buffered text and closes the file.
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
