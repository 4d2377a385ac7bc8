#pragma once

#include <cstdint>
#include <vector>

#include "hw/statistics.h"
#include "hw/units.h"
#include "memory/cache_parameters.h"

namespace weir::memory {

/// TLB: the pages whose translations are held. The least recently used page of a set is replaced.
class Tlb {
  public:
    /// The parameters must have passed their check().
    explicit Tlb(const TlbParameters& parameters);

    /// Returns the cycles that the translation of `address` adds to its access.
    [[nodiscard]] hw::Cycles translate(std::uint64_t address) {
        const std::uint64_t page = address >> page_shift_;
        if (page == last_page_ || entries_.empty()) {
            return hw::Cycles(0);
        }
        return look_up(page);
    }

    /// True if there is a TLB; without one, translation adds no cycles and changes no state.
    [[nodiscard]] bool translates() const { return !entries_.empty(); }

    /// True if both addresses are on one page; always true without a TLB.
    [[nodiscard]] bool is_same_page(std::uint64_t a, std::uint64_t b) const {
        return entries_.empty() || a >> page_shift_ == b >> page_shift_;
    }

    struct Statistics : hw::StatisticsGroup {
        hw::Counter misses{*this, "misses", "Accesses whose page was not in the TLB"};
        hw::Counter walk_cycles{*this, "walk_cycles", "Cycles of page-table walks"};
    };
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

  private:
    struct Entry {
        std::uint64_t page = UINT64_MAX;
        std::uint64_t used = 0;
    };
    [[nodiscard]] hw::Cycles look_up(std::uint64_t page);

    unsigned page_shift_;
    std::size_t ways_;
    std::uint64_t set_mask_ = 0;
    hw::Cycles walk_cycles_;
    std::vector<Entry> entries_;
    std::uint64_t last_page_ = UINT64_MAX;  // the most recently used page of all sets
    std::uint64_t clock_ = 0;
    Statistics statistics_;
};

}  // namespace weir::memory
