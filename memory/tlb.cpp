#include "memory/tlb.h"

#include <algorithm>
#include <bit>

namespace weir::memory {

Tlb::Tlb(const TlbParameters& parameters)
    : page_shift_(static_cast<unsigned>(
          std::countr_zero(static_cast<std::uint64_t>(parameters.page_bytes.value().count())))),
      ways_(parameters.entries_in_a_set()),
      walk_cycles_(parameters.walk_cycles.value()),
      entries_(parameters.entries.value()) {
    if (!entries_.empty()) {
        set_mask_ = entries_.size() / ways_ - 1;
    }
}

hw::Cycles Tlb::look_up(std::uint64_t page) {
    last_page_ = page;
    const auto first = entries_.begin() + static_cast<std::ptrdiff_t>((page & set_mask_) * ways_);
    const auto end = first + static_cast<std::ptrdiff_t>(ways_);
    auto entry = std::find_if(first, end, [page](const Entry& e) { return e.page == page; });
    const bool is_there = entry != end;
    if (!is_there) {
        entry = std::min_element(first, end,
                                 [](const Entry& a, const Entry& b) { return a.used < b.used; });
        entry->page = page;
        statistics_.misses += 1;
        statistics_.walk_cycles += walk_cycles_.count();
    }
    entry->used = ++clock_;
    return is_there ? hw::Cycles(0) : walk_cycles_;
}

}  // namespace weir::memory
