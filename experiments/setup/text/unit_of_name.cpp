#include "experiments/setup/text/unit_of_name.h"

#include <array>
#include <cstddef>
#include <utility>

namespace weir::experiments::setup {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kUnits{{{"cycles", "cycles"},
                                                                               {"cycle", "cycles"},
                                                                               {"bytes", "bytes"},
                                                                               {"flits", "flits"},
                                                                               {"words", "words"},
                                                                               {"bits", "bits"},
                                                                               {"mhz", "MHz"},
                                                                               {"percent", "%"}}};

}  // namespace

std::string unit_of_name(std::string_view name) {
    constexpr std::string_view kPer = "_per_";
    if (const std::size_t per = name.find(kPer); per != std::string_view::npos) {
        const std::string unit = unit_of_name(name.substr(0, per));
        return unit.empty() ? unit : unit + " per " + std::string(name.substr(per + kPer.size()));
    }
    const std::string_view last = name.substr(name.rfind('_') + 1);  // npos + 1 is 0
    for (const auto& [suffix, unit] : kUnits) {
        if (last == suffix) {
            return std::string(unit);
        }
    }
    return {};
}

}  // namespace weir::experiments::setup
