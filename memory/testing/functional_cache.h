#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "hw/random_stream.h"
#include "hw/units.h"

namespace weir::memory::testing {

/// A load or store.
struct Reference {
    std::uint64_t address;
    unsigned bytes;
    bool is_store;
    std::uint64_t data;
};

/// A mixture of access patterns: runs through arrays, and random accesses to a small and to a large
/// area.
class ReferenceStream {
  public:
    static constexpr std::uint64_t kMemoryBytes = 1 << 20;

    explicit ReferenceStream(std::uint64_t seed) : random_(seed, hw::NodeId(0), "references") {}

    Reference next() {
        if (left_ == 0) {
            left_ = 1 + random_.below(64);
            address_ = random_.below((random_.below(8) == 0 ? kMemoryBytes : kUsedMost) / 8) * 8;
            stride_ = random_.below(8) == 0 ? 8 * (1 + random_.below(128)) : 4;
            spread_ = random_.below(4) == 0 ? (random_.below(16) == 0 ? kMemoryBytes : 1 << 12) : 0;
        }
        --left_;
        address_ = spread_ > 0 ? random_.below(spread_) : address_ + stride_;
        const unsigned bytes = random_.below(4) == 0 ? 8 : 4;
        return {address_ % kMemoryBytes / bytes * bytes, bytes, random_.below(3) == 0,
                random_.next()};
    }

  private:
    static constexpr std::uint64_t kUsedMost = 1 << 16;

    hw::RandomStream random_;
    std::uint64_t left_ = 0;
    std::uint64_t address_ = 0;
    std::uint64_t stride_ = 4;
    std::uint64_t spread_ = 0;
};

/// A write-back, write-allocate cache without time: hits, replacements and bytes. A reference for
/// CacheHierarchy, written independently of it. Sets are kept in the order of use or of arrival,
/// and data are copied from level to level. Sets of RRIP are kept in the order of their ways, and
/// aged step by step as in the paper.
class FunctionalCache {
  public:
    enum class Order : std::uint8_t { kUse, kArrival, kRrip };
    struct Shape {
        std::uint64_t bytes;
        std::uint64_t line_bytes;
        std::uint64_t ways;
        Order order = Order::kUse;
    };
    struct Counts {
        std::int64_t hits = 0;
        std::int64_t misses = 0;
        std::int64_t evictions = 0;
        std::int64_t write_backs = 0;
        bool operator==(const Counts&) const = default;
    };

    FunctionalCache(const std::vector<Shape>& shapes, std::uint64_t memory_bytes)
        : memory_(memory_bytes) {
        for (const Shape& shape : shapes) {
            levels_.push_back({shape, {}, {}});
            levels_.back().sets.resize(shape.bytes / shape.line_bytes / shape.ways);
        }
    }

    std::uint64_t load(std::uint64_t address, unsigned bytes) {
        std::uint64_t value = 0;
        std::memcpy(&value, line_with(0, address) + offset(0, address), bytes);
        return value;
    }
    void store(std::uint64_t address, std::uint64_t value, unsigned bytes) {
        std::memcpy(line_with(0, address) + offset(0, address), &value, bytes);
        levels_[0].sets[set(0, address)].line_of(address / levels_[0].shape.line_bytes).dirty =
            true;
    }
    [[nodiscard]] const Counts& counts(std::size_t level) const { return levels_[level].counts; }
    /// The byte that a program would read, through all levels.
    [[nodiscard]] std::uint8_t byte(std::uint64_t address) const {
        for (std::size_t i = 0; i < levels_.size(); ++i) {
            const std::uint64_t line_bytes = levels_[i].shape.line_bytes;
            for (const Line& line : levels_[i].sets[set(i, address)].lines) {
                if (line.number == address / line_bytes) {
                    return line.data[address % line_bytes];
                }
            }
        }
        return memory_[address];
    }

  private:
    struct Line {
        std::uint64_t number;
        bool dirty;
        std::vector<std::uint8_t> data;
        int prediction = 2;  // prediction of RRIP, of two bits
    };
    struct Set {
        std::vector<Line> lines;  // the next line to replace is last, except for RRIP
        Line& line_of(std::uint64_t number) {
            for (Line& line : lines) {
                if (line.number == number) {
                    return line;
                }
            }
            return lines.front();
        }
    };
    struct Level {
        Shape shape;
        std::vector<Set> sets;
        Counts counts;
    };

    [[nodiscard]] std::uint64_t set(std::size_t i, std::uint64_t address) const {
        return address / levels_[i].shape.line_bytes % levels_[i].sets.size();
    }
    [[nodiscard]] std::uint64_t offset(std::size_t i, std::uint64_t address) const {
        return address % levels_[i].shape.line_bytes;
    }

    std::uint8_t* line_with(std::size_t i, std::uint64_t address) {
        Level& level = levels_[i];
        std::vector<Line>& lines = level.sets[set(i, address)].lines;
        const std::uint64_t number = address / level.shape.line_bytes;
        for (std::size_t place = 0; place < lines.size(); ++place) {
            if (lines[place].number == number) {
                ++level.counts.hits;
                lines[place].prediction = 0;
                if (level.shape.order == Order::kUse && place > 0) {
                    Line line = std::move(lines[place]);
                    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(place));
                    lines.insert(lines.begin(), std::move(line));
                    place = 0;
                }
                return lines[place].data.data();
            }
        }
        ++level.counts.misses;
        Line line{number, false, std::vector<std::uint8_t>(level.shape.line_bytes)};
        const std::uint64_t begin = number * level.shape.line_bytes;
        const std::uint8_t* source = i + 1 < levels_.size()
                                         ? line_with(i + 1, begin) + offset(i + 1, begin)
                                         : memory_.data() + begin;
        std::memcpy(line.data.data(), source, line.data.size());
        if (level.shape.order == Order::kRrip && lines.size() < level.shape.ways) {
            lines.push_back(std::move(line));
            return lines.back().data.data();
        }
        if (lines.size() == level.shape.ways) {
            ++level.counts.evictions;
            const std::size_t place =
                level.shape.order == Order::kRrip ? distant(lines) : lines.size() - 1;
            throw_out(i, lines[place]);
            if (level.shape.order == Order::kRrip) {
                lines[place] = std::move(line);
                return lines[place].data.data();
            }
            lines.pop_back();
        }
        lines.insert(lines.begin(), std::move(line));
        return lines.front().data.data();
    }

    static std::size_t distant(std::vector<Line>& lines) {
        for (;;) {
            for (std::size_t place = 0; place < lines.size(); ++place) {
                if (lines[place].prediction == 3) {
                    return place;
                }
            }
            for (Line& line : lines) {
                ++line.prediction;
            }
        }
    }

    void throw_out(std::size_t i, const Line& line) {
        if (line.dirty) {
            ++levels_[i].counts.write_backs;
            write(i + 1, line.number * levels_[i].shape.line_bytes, line.data);
        }
    }
    // Writes a line back into the first outer level that holds it, else into memory.
    void write(std::size_t i, std::uint64_t address, const std::vector<std::uint8_t>& data) {
        for (; i < levels_.size(); ++i) {
            for (Line& line : levels_[i].sets[set(i, address)].lines) {
                if (line.number == address / levels_[i].shape.line_bytes) {
                    std::memcpy(line.data.data() + offset(i, address), data.data(), data.size());
                    line.dirty = true;
                    return;
                }
            }
        }
        std::memcpy(memory_.data() + address, data.data(), data.size());
    }

    std::vector<Level> levels_;
    std::vector<std::uint8_t> memory_;
};

}  // namespace weir::memory::testing
