#include "memory/cache_array.h"

#include <algorithm>
#include <bit>

namespace weir::memory {

CacheArray::CacheArray(const CacheLevelParameters& parameters, const hw::RandomStream& random)
    : replacement_(parameters.replacement.value()),
      ways_(static_cast<std::size_t>(parameters.lines_in_a_set())),
      set_mask_(static_cast<std::uint64_t>(parameters.lines()) / ways_ - 1),
      line_shift_(static_cast<unsigned>(
          std::countr_zero(static_cast<std::uint64_t>(parameters.line_bytes.value().count())))),
      lines_(static_cast<std::size_t>(parameters.lines())),
      data_(static_cast<std::size_t>(parameters.bytes.value().count())),
      random_(random),
      random_way_(random_.below(ways_)) {
    if (replacement_ == Replacement::kPseudoLru) {
        trees_.resize(lines_.size());
    }
}

CacheArray::Line* CacheArray::victim(std::uint64_t block, hw::Cycles now) {
    const std::span<Line> set = set_of(block);
    for (Line& line : set) {
        if (line.block == kNoBlock) {
            return &line;
        }
    }
    // The one chosen, or the next whose data are here.
    const std::size_t first = chosen_way(block & set_mask_);
    for (std::size_t step = 0; step < ways_; ++step) {
        Line& line = set[(first + step) % ways_];
        if (line.ready <= now) {
            return &line;
        }
    }
    return nullptr;
}

std::size_t CacheArray::chosen_way(std::uint64_t set) {
    const auto base = static_cast<std::size_t>(set) * ways_;
    switch (replacement_) {
        case Replacement::kRandom:
            return static_cast<std::size_t>(random_way_);
        case Replacement::kPseudoLru: {
            std::size_t node = 1;
            while (node < ways_) {
                node = 2 * node + trees_[base + node];
            }
            return node - ways_;
        }
        default: {
            const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(base);
            const auto oldest =
                std::min_element(first, first + static_cast<std::ptrdiff_t>(ways_),
                                 [](const Line& a, const Line& b) { return a.stamp < b.stamp; });
            return static_cast<std::size_t>(oldest - first);
        }
    }
}

void CacheArray::install(Line& line, std::uint64_t block) {
    line = {.block = block, .stamp = ++clock_};
    if (replacement_ == Replacement::kPseudoLru) {
        point_away_from(line);
    } else if (replacement_ == Replacement::kRandom) {
        random_way_ = random_.below(ways_);
    }
}

// The tree's nodes are numbered from 1, the children of n are 2n and 2n + 1; node n's bit is the
// child that is to make room.
void CacheArray::point_away_from(const Line& line) {
    const auto index = static_cast<std::size_t>(&line - lines_.data());
    const std::size_t base = index / ways_ * ways_;
    for (std::size_t node = index - base + ways_; node > 1; node /= 2) {
        trees_[base + node / 2] = node % 2 == 0 ? 1 : 0;
    }
}

}  // namespace weir::memory
