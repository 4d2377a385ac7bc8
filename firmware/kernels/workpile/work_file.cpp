#include "firmware/kernels/workpile/work_file.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "firmware/kernel.h"
#include "hw/input_limits.h"

namespace weir::firmware {

std::vector<std::int64_t> read_work_file(const std::string& path) {
    constexpr std::int64_t kMostWork = 1'000'000'000;
    std::ifstream file(path);
    std::error_code ignored;
    if (!file || std::filesystem::is_directory(path, ignored)) {
        throw InputFault(path, "can't be read", "a file with a whole number of cycles a line");
    }
    hw::skip_byte_order_mark(file);
    std::vector<std::int64_t> work;
    std::string line;
    for (std::int64_t number = 1; hw::next_line(file, line, hw::kWorkLimits); ++number) {
        const std::string place = path + ":" + std::to_string(number);
        if (const auto fault = hw::line_fault(line, hw::kWorkLimits)) {
            throw InputFault(place, fault->found, fault->accepted);
        }
        if (line.ends_with('\r')) {
            line.pop_back();
        }
        std::int64_t cycles = -1;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), cycles);
        if (error != std::errc{} || end != line.data() + line.size() || cycles < 0 ||
            cycles > kMostWork) {
            throw InputFault(place, "found \"" + line + "\"",
                             "a whole number of cycles, 0 to " + std::to_string(kMostWork));
        }
        work.push_back(cycles);
    }
    if (work.empty()) {
        throw InputFault(path, "is empty", "a whole number of cycles a line");
    }
    return work;
}

}  // namespace weir::firmware
