#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <variant>
#include <vector>

#include "hw/random_stream.h"
#include "hw/units.h"
#include "memory/cache_parameters.h"
#include "memory/hit_port.h"
#include "memory/replacement/replacement_policies.h"

namespace weir::memory {

class DirectMappedLines;

/// Tags, data and replacement state of one level of cache, without time.
///
/// A block is an address divided by line_bytes. The level's replacement policy
/// (memory/replacement/) chooses the line to replace. In a direct-mapped cache there is no choice,
/// and the policy is not used.
class CacheArray {
  public:
    static constexpr std::uint64_t kNoBlock = UINT64_MAX;

    struct Line {
        std::uint64_t block = kNoBlock;
        hw::Cycles ready;      ///< cycle from which the data are valid; kNever while unknown
        hw::Cycles hits_from;  ///< first cycle of plain hits; kNever while unknown, or if a hit has
                               ///< further effects
        bool dirty = false;
        bool prefetched = false;       ///< prefetched, and not used since
        std::uint8_t empty_words = 0;  ///< full/empty bits of a shared line: a bit is set for an
                                       ///< empty word
    };

    /// The parameters must have passed their check(). `random`: random numbers for a policy that
    /// uses them.
    CacheArray(const CacheLevelParameters& parameters, const hw::RandomStream& random);

    [[nodiscard]] std::uint64_t block_of(std::uint64_t address) const {
        return address >> line_shift_;
    }
    [[nodiscard]] std::uint64_t address_of(const Line& line) const {
        return line.block << line_shift_;
    }
    [[nodiscard]] std::uint64_t line_bytes() const { return std::uint64_t{1} << line_shift_; }

    [[nodiscard]] Line* find(std::uint64_t block) {
        if (ways_ > kSearchedWays) {
            return find_in_table(block);
        }
        Line* line = &lines_[(block & set_mask_) * ways_];
        for (std::size_t way = 0; way < ways_; ++way, ++line) {
            if (line->block == block) {
                return line;
            }
        }
        return nullptr;
    }
    [[nodiscard]] std::uint8_t* data(const Line& line) {
        return data_.data() + (index_of(line) << line_shift_);
    }
    [[nodiscard]] std::span<std::uint8_t> bytes_of(const Line& line) {
        return {data(line), line_bytes()};
    }

    /// True if each block has only one possible line.
    [[nodiscard]] bool is_direct_mapped() const { return ways_ == 1; }
    /// View of a direct-mapped array for plain hits.
    [[nodiscard]] inline DirectMappedLines direct_mapped_lines(bool takes_stores);

    /// Notes that an access has used the line. `is_hit`: the data had already arrived.
    void touch(const Line& line, bool is_hit) {
        if (ways_ > 1) {
            std::visit([&](auto& policy) { policy.used(index_of(line), is_hit); }, replacement_);
        }
    }
    /// Returns the line to replace by the block: an empty line, else the policy's choice. Null
    /// while the data of all lines of the set are in flight at `now`. A repeated call, without
    /// other uses of the set in between, returns the same line.
    [[nodiscard]] Line* victim(std::uint64_t block, hw::Cycles now);
    /// Puts the block into the line, which is clean afterwards.
    void install(Line& line, std::uint64_t block);
    /// Empties the line.
    void clear(Line& line);

    [[nodiscard]] std::span<Line> set_of(std::uint64_t block) {
        return {&lines_[(block & set_mask_) * ways_], ways_};
    }
    [[nodiscard]] std::span<Line> lines() { return lines_; }
    /// True if all lines are empty.
    [[nodiscard]] bool is_unused() const { return lines_in_use_ == 0; }

  private:
    // Ways of the largest set that is searched way by way; larger sets use a table of blocks, in
    // place of the hardware's associative search.
    static constexpr std::size_t kSearchedWays = 16;

    [[nodiscard]] std::size_t index_of(const Line& line) const { return &line - lines_.data(); }
    [[nodiscard, gnu::noinline]] Line* find_in_table(std::uint64_t block);
    [[nodiscard]] std::size_t chosen_way(std::uint64_t set) const;

    std::size_t ways_;
    std::uint64_t set_mask_;
    unsigned line_shift_;
    std::vector<Line> lines_;
    std::size_t lines_in_use_ = 0;
    std::unordered_map<std::uint64_t, std::size_t> places_;  // table of blocks, for large sets
    std::vector<std::uint8_t> data_;
    AnyReplacement replacement_;
};

/// Plain hits in a direct-mapped cache; valid while lines neither come nor go. A direct-mapped
/// cache needs no replacement state, so a hit changes only the line.
class DirectMappedLines {
  public:
    static constexpr std::uint32_t kFetchedBytes = 16;  ///< bytes of a fetch; see HitPort

    /// Looks up a plain hit; see HitPort.
    [[nodiscard]] PlainHit hit(std::uint64_t address, bool is_store, hw::Cycles at) const {
        const std::uint64_t block = address >> shift_;
        CacheArray::Line& line = lines_[block & set_mask_];
        if (line.block != block || line.hits_from > at || (is_store && !takes_stores_)) {
            return {};
        }
        return {&data_[address & data_mask_], &line.dirty};
    }
    /// Looks up a plain hit in a line of shared memory. A store hits only a dirty line: the node
    /// then has the only copy.
    [[nodiscard]] PlainHit shared_hit(std::uint64_t address, bool is_store) const {
        const std::uint64_t block = address >> shift_;
        CacheArray::Line& line = lines_[block & set_mask_];
        if (line.block != block || (is_store && !line.dirty)) {
            return {};
        }
        return {&data_[address & data_mask_], &line.dirty};
    }

  private:
    friend class CacheArray;
    DirectMappedLines(std::span<CacheArray::Line> lines, std::span<std::uint8_t> data,
                      unsigned shift, bool takes_stores)
        : lines_(lines.data()),
          data_(data.data()),
          set_mask_(lines.size() - 1),
          data_mask_(data.size() - 1),
          shift_(shift),
          takes_stores_(takes_stores) {}

    CacheArray::Line* lines_;
    std::uint8_t* data_;
    std::uint64_t set_mask_;
    std::uint64_t data_mask_;
    unsigned shift_;
    bool takes_stores_;
};

inline DirectMappedLines CacheArray::direct_mapped_lines(bool takes_stores) {
    return {lines_, data_, line_shift_, takes_stores};
}

}  // namespace weir::memory
