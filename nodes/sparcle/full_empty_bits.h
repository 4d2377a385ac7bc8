#pragma once

#include <bitset>
#include <cstdint>
#include <unordered_map>

namespace weir::nodes::sparcle {

/// The full/empty bits of a node's private memory, one for every 32-bit word; all are full at
/// first.
class FullEmptyBits {
  public:
    [[nodiscard]] bool is_full(std::uint32_t address) const {
        const auto page = empty_.find(address / kPageBytes);
        return page == empty_.end() || !page->second.test(word_of(address));
    }
    void set(std::uint32_t address, bool is_full) {
        if (is_full && empty_.empty()) {
            return;
        }
        empty_[address / kPageBytes].set(word_of(address), !is_full);
    }

  private:
    static constexpr std::uint32_t kPageBytes = 4096;
    static std::size_t word_of(std::uint32_t address) { return address % kPageBytes / 4; }

    std::unordered_map<std::uint32_t, std::bitset<kPageBytes / 4>> empty_;
};

}  // namespace weir::nodes::sparcle
