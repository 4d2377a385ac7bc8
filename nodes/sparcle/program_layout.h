#pragma once

#include <cstdint>
#include <vector>

namespace weir::nodes::sparcle {

/// Where a program lies in its node's memory, as far as whoever has loaded it knows.
struct ProgramLayout {
    /// From `begin` up to `end`, which is not in it.
    struct Range {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;

        [[nodiscard]] bool is_empty() const { return begin == end; }
        [[nodiscard]] bool overlaps(std::uint32_t address, std::uint64_t bytes) const {
            return address < end && std::uint64_t{address} + bytes > begin;
        }
    };

    /// Below it is nothing that a program loads, stores or calls; its trap table may be there.
    std::uint32_t null_page_end = 0;
    /// Instructions and constants that it does not say it changes.
    std::vector<Range> text;
    /// Of the main program, which grows downwards; empty where nobody knows.
    Range stack;
};

}  // namespace weir::nodes::sparcle
