#include "experiments/setup/parameters/name_pattern.h"

namespace weir::experiments::setup {

bool fits_pattern(std::string_view text, std::string_view pattern) {
    if (pattern.empty()) {
        return text.empty();
    }
    if (pattern.front() == '*') {
        return fits_pattern(text, pattern.substr(1)) ||
               (!text.empty() && fits_pattern(text.substr(1), pattern));
    }
    return !text.empty() && (pattern.front() == '?' || pattern.front() == text.front()) &&
           fits_pattern(text.substr(1), pattern.substr(1));
}

}  // namespace weir::experiments::setup
