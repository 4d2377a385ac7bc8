#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/records/machine_price.h"
#include "experiments/setup/user_fault.h"
#include "hw/parameter.h"

namespace weir::experiments::kinds {
struct Setup;
}

namespace weir::experiments::running {

/// Prices in gates of the machines of a file's points, each different machine once, titled by its
/// first point. Parts without a twin have the reason instead of a price. Throws as synthesize(),
/// and setup::UserFault for a file with faults.
[[nodiscard]] std::vector<records::MachinePrice> prices_of(const std::filesystem::path& file,
                                                           const std::filesystem::path& presets,
                                                           std::span<const std::string> settings,
                                                           const std::filesystem::path& liberty);

/// Beginning of names such as "price.router" in costs: NAND2 equivalents of all parts of this kind
/// in the machine.
inline constexpr const char* kPricePrefix = "price.";

/// How prices in costs are computed: by synthesis, or not at all, each as 0, to check a file.
enum class GatePrices : std::uint8_t { kSynthesized, kChecked };

/// Appends the prices among `names` that are not in the list yet; other names are ignored. Throws
/// setup::UserFault, with this place, for an unknown kind of part and for a part without a twin.
void add_prices(std::span<const std::string> names, kinds::Setup& setup, const setup::Place& place,
                GatePrices computed,
                std::vector<std::pair<std::string, hw::ParameterValue>>& prices);

}  // namespace weir::experiments::running
