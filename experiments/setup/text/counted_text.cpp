#include "experiments/setup/text/counted_text.h"

#include <fmt/format.h>

namespace weir::experiments::setup {

std::string counted(std::size_t count, const std::string& what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace weir::experiments::setup
