#include "experiments/trace/exports/export_file.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include "experiments/trace/rows/trace_error.h"

namespace weir::experiments::trace {

ExportFile::ExportFile(const std::string& path, std::string name, bool compressed)
    : name_(std::move(name)), file_(gzopen(path.c_str(), compressed ? "wb" : "wbT")) {
    if (!file_) {
        fail();
    }
}

void ExportFile::write(std::string_view text) {
    if (!text.empty() &&
        gzwrite(file_.get(), text.data(), static_cast<unsigned>(text.size())) == 0) {
        fail();
    }
}

void ExportFile::close() {
    if (gzclose(file_.release()) != Z_OK) {
        fail();
    }
}

void ExportFile::fail() const {
    throw TraceError(name_ +
                     ": the file can't be written: " + std::generic_category().message(errno));
}

}  // namespace weir::experiments::trace
