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

/// The tags, the data and the replacement of one level of cache: what it holds, not when.
///
/// A block is an address divided by line_bytes. Which line makes room the level's replacement
/// policy says (memory/replacement/); a set of one line leaves it nothing to choose, and it is not
/// asked.
class CacheArray {
  public:
    static constexpr std::uint64_t kNoBlock = UINT64_MAX;

    struct Line {
        std::uint64_t block = kNoBlock;
        hw::Cycles ready;      ///< its data are here from then on; kNever while that is not known
        hw::Cycles hits_from;  ///< the same, but kNever also while a hit has more to do
        bool dirty = false;
        bool prefetched = false;       ///< and not used since
        std::uint8_t empty_words = 0;  ///< of a shared line: its full/empty bits
    };

    /// Of checked parameters; `random` is what a policy draws from that replaces lines at random.
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

    /// Whether a block can be in one line only.
    [[nodiscard]] bool is_direct_mapped() const { return ways_ == 1; }
    /// Of a direct-mapped array.
    [[nodiscard]] inline DirectMappedLines direct_mapped_lines(bool takes_stores);

    /// An access has used the line; `is_hit`: its data were here, not on their way.
    void touch(const Line& line, bool is_hit) {
        if (ways_ > 1) {
            std::visit([&](auto& policy) { policy.used(index_of(line), is_hit); }, replacement_);
        }
    }
    /// The line that is to make room for the block: one without a block, else by replacement; null
    /// while the data of all lines of the set are still on their way at `now`. Asked again before
    /// anything else is done with the set, the answer is the same.
    [[nodiscard]] Line* victim(std::uint64_t block, hw::Cycles now);
    /// The block takes the line's place, clean.
    void install(Line& line, std::uint64_t block);
    /// Its block, if it has one, goes.
    void clear(Line& line);

    [[nodiscard]] std::span<Line> set_of(std::uint64_t block) {
        return {&lines_[(block & set_mask_) * ways_], ways_};
    }
    [[nodiscard]] std::span<Line> lines() { return lines_; }
    /// No line has a block: nothing needs to be looked for.
    [[nodiscard]] bool is_unused() const { return lines_in_use_ == 0; }

  private:
    // In a set of more ways a block is looked up in a table, as an associative memory of the
    // hardware finds it: not line by line.
    static constexpr std::size_t kSearchedWays = 16;

    [[nodiscard]] std::size_t index_of(const Line& line) const { return &line - lines_.data(); }
    [[nodiscard, gnu::noinline]] Line* find_in_table(std::uint64_t block);
    [[nodiscard]] std::size_t chosen_way(std::uint64_t set) const;

    std::size_t ways_;
    std::uint64_t set_mask_;
    unsigned line_shift_;
    std::vector<Line> lines_;
    std::size_t lines_in_use_ = 0;
    std::unordered_map<std::uint64_t, std::size_t> places_;  // where sets have many ways
    std::vector<std::uint8_t> data_;
    AnyReplacement replacement_;
};

/// What an access hits in, where a block can be in one line only; while no line comes or goes. No
/// replacement policy has to know of a hit there.
class DirectMappedLines {
  public:
    static constexpr std::uint32_t kFetchedBytes = 16;  ///< see HitPort

    /// See HitPort.
    [[nodiscard]] PlainHit hit(std::uint64_t address, bool is_store, hw::Cycles at) const {
        const std::uint64_t block = address >> shift_;
        CacheArray::Line& line = lines_[block & set_mask_];
        if (line.block != block || line.hits_from > at || (is_store && !takes_stores_)) {
            return {};
        }
        return {&data_[address & data_mask_], &line.dirty};
    }
    /// The same of a line that other nodes may have, too, which only the one that has it alone
    /// stores to: there it is dirty.
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
