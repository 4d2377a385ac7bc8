#include "experiments/pages/kernel_sections/kernel_sections.h"

#include <array>

namespace weir::experiments::pages {

std::span<const KernelSection> kernel_sections() {
    static constexpr std::array<KernelSection, 9> kSections{
        load_curves_section,     unloaded_section,    long_messages_section,
        idle_processors_section, hot_records_section, packed_message_section,
        product_costs_section,   remap_rates_section, memory_transfers_section};
    return kSections;
}

}  // namespace weir::experiments::pages
