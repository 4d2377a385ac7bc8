#include "hw/trace_probe.h"

#include <array>

namespace weir::hw {

std::string_view core_state_name(CoreState state) {
    constexpr std::array<std::string_view, 6> names{"compute", "send",    "blocked",
                                                    "wait",    "handler", "done"};
    return names[static_cast<std::size_t>(state)];
}

}  // namespace weir::hw
