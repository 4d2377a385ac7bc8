#include "memory/cache_array.h"

#include <bit>

namespace weir::memory {

CacheArray::CacheArray(const CacheLevelParameters& parameters, const hw::RandomStream& random)
    : ways_(parameters.lines_in_a_set()),
      set_mask_(static_cast<std::uint64_t>(parameters.lines()) / ways_ - 1),
      line_shift_(static_cast<unsigned>(
          std::countr_zero(static_cast<std::uint64_t>(parameters.line_bytes.value().count())))),
      lines_(parameters.lines()),
      data_(parameters.bytes.value().count()),
      replacement_(make_replacement(*parameters.replacement.value(),
                                    {.sets = set_mask_ + 1, .ways = ways_}, random)) {}

CacheArray::Line* CacheArray::find_in_table(std::uint64_t block) {
    const auto place = places_.find(block);
    return place == places_.end() ? nullptr : &lines_[place->second];
}

CacheArray::Line* CacheArray::victim(std::uint64_t block, hw::Cycles now) {
    const std::span<Line> set = set_of(block);
    if (lines_in_use_ < lines_.size()) {
        for (Line& line : set) {
            if (line.block == kNoBlock) {
                return &line;
            }
        }
    }
    // Returns the line that the policy chooses or, if its data are in flight, the next line whose
    // data have arrived.
    const std::size_t first = chosen_way(block & set_mask_);
    for (std::size_t step = 0; step < ways_; ++step) {
        Line& line = set[(first + step) % ways_];
        if (line.ready <= now) {
            return &line;
        }
    }
    return nullptr;
}

std::size_t CacheArray::chosen_way(std::uint64_t set) const {
    return ways_ == 1
               ? 0
               : std::visit([set](const auto& policy) { return policy.victim(set); }, replacement_);
}

void CacheArray::install(Line& line, std::uint64_t block) {
    const bool makes_room = line.block != kNoBlock;
    clear(line);
    line.block = block;
    lines_in_use_ += 1;
    if (ways_ > kSearchedWays) {
        places_[block] = index_of(line);
    }
    if (ways_ > 1) {
        std::visit([&](auto& policy) { policy.filled(index_of(line), makes_room); }, replacement_);
    }
}

void CacheArray::clear(Line& line) {
    if (line.block != kNoBlock) {
        lines_in_use_ -= 1;
        if (ways_ > kSearchedWays) {
            places_.erase(line.block);
        }
    }
    line = {};
}

}  // namespace weir::memory
