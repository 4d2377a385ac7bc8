#include "hw/refusal.h"

namespace weir::hw {

std::string text_of(const Fault& fault) {
    std::string text = fault.found;
    if (!fault.accepted.empty()) {
        text += "; accepted: " + fault.accepted;
    }
    if (fault.nearest) {
        text += "; did you mean \"" + *fault.nearest + "\"?";
    }
    return text;
}

}  // namespace weir::hw
