#include "experiments/records/run_file.h"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "experiments/setup/surroundings_fault.h"

namespace weir::experiments::records {

RunFile::RunFile(const std::filesystem::path& path)
    : path_(path.string()), file_(std::fopen(path.c_str(), "wb"), std::fclose) {
    if (file_ == nullptr) {
        fail();
    }
}

void RunFile::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
        fail();
    }
}

void RunFile::close() {
    if (std::fclose(file_.release()) != 0) {
        fail();
    }
}

void RunFile::fail() const {
    throw setup::SurroundingsFault(path_, std::generic_category().message(errno));
}

void write_run_file(const std::filesystem::path& path, std::string_view text) {
    RunFile file(path);
    file.write(text);
    file.close();
}

std::string text_of_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace weir::experiments::records
