#include "experiments/pages/figures/part_colours.h"

#include <array>
#include <utility>

namespace weir::experiments::pages {

std::string part_colour(std::string_view part) {
    constexpr std::array kPartColours{std::pair{"request_send", "#0072B2"},
                                      std::pair{"request_network_unloaded", "#009E73"},
                                      std::pair{"request_network_contention", "#C22E1F"},
                                      std::pair{"request_notify", "#6B6B70"},
                                      std::pair{"request_queueing", "#E69F00"},
                                      std::pair{"request_handler", "#A3547F"},
                                      std::pair{"reply_send", "#7DB8DA"},
                                      std::pair{"reply_network_unloaded", "#85CDB5"},
                                      std::pair{"reply_network_contention", "#E89A92"},
                                      std::pair{"reply_notify", "#B9B9BE"},
                                      std::pair{"reply_queueing", "#F4D28A"},
                                      std::pair{"reply_handler", "#DDB3CB"},
                                      std::pair{"compute", "#26426B"},
                                      std::pair{"wait", "#D9D9DD"},
                                      std::pair{"interference", "#8C510A"}};
    for (const auto& [name, colour] : kPartColours) {
        if (part == name) {
            return colour;
        }
    }
    return "";
}

}  // namespace weir::experiments::pages
