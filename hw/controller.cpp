#include "hw/controller.h"

#include <sstream>

namespace weir::hw {

std::optional<std::string> ConservationAccount::fault(bool finished) const {
    std::ostringstream text;
    const auto differ = [&text](const char* what, std::int64_t in, std::int64_t out) {
        if (in != out) {
            text << what << ": " << in << " went in, " << out << " are accounted for; ";
        }
    };
    differ("bytes through the output queues", bytes_launched,
           bytes_injected + bytes_in_output_queues);
    differ("flits through the network", flits_injected, flits_ejected + flits_in_channels);
    differ("bytes into the input queues", bytes_ejected, bytes_into_input_queues);
    if (finished) {
        differ("messages", messages_launched, messages_disposed);
        differ("flits left in channels", 0, flits_in_channels);
        differ("messages left", 0, messages_held);
        differ("bytes through the network", bytes_injected, bytes_ejected);
    }
    std::string found = text.str();
    if (found.empty()) {
        return std::nullopt;
    }
    return "conservation is broken: " + found.substr(0, found.size() - 2);
}

}  // namespace weir::hw
