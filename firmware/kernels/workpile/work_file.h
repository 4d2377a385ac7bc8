#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::firmware {

/// Reads cycles of work from a file, a whole number on each line. Throws InputFault with file and
/// line.
[[nodiscard]] std::vector<std::int64_t> read_work_file(const std::string& path);

}  // namespace weir::firmware
