#include "experiments/setup/text/wrapped_text.h"

#include <algorithm>

namespace weir::experiments::setup {

std::size_t width_of(std::string_view text) {
    return std::count_if(text.begin(), text.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    });
}

std::string wrapped(std::string_view text, const std::string& first_indent,
                    const std::string& indent, std::size_t columns) {
    std::string lines;
    std::string line = first_indent;
    bool line_is_empty = true;
    std::size_t at = 0;
    while ((at = text.find_first_not_of(" \n", at)) != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
        const std::string_view word = text.substr(at, end - at);
        if (!line_is_empty && width_of(line) + 1 + width_of(word) > columns) {
            lines += line + "\n";
            line = indent;
            line_is_empty = true;
        }
        line += line_is_empty ? "" : " ";
        line += word;
        line_is_empty = false;
        at = end;
    }
    return lines + line + "\n";
}

}  // namespace weir::experiments::setup
