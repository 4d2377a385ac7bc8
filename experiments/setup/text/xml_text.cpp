#include "experiments/setup/text/xml_text.h"

#include "experiments/setup/text/utf8_text.h"

namespace weir::experiments::setup {

std::string xml_escaped(std::string_view text) {
    std::string out;
    for (const char letter : printable(text)) {
        switch (letter) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += letter;
        }
    }
    return out;
}

}  // namespace weir::experiments::setup
