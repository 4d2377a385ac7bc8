#pragma once

#include <cstdint>
#include <cstring>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "hw/units.h"

namespace weir::memory {

/// A load saw other bytes than those that were stored last, anywhere in the machine.
class CoherenceViolation : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

/// What shared memory, and the full/empty bit of each of its words, would hold if there were one
/// memory and no copies: a store changes it in the cycle in which it is performed, and a load must
/// see it as it is then. A machine does not need one; with one, every load is compared. It is exact
/// where a store is performed only when all other copies are gone, since then nobody else's access
/// to the same bytes falls into its cycle.
class GoldenMemory {
  public:
    void store(std::uint64_t address, std::span<const std::uint8_t> bytes) {
        const std::lock_guard one_tile(mutex_);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes_[address + i] = bytes[i];
        }
    }
    /// Throws CoherenceViolation.
    void check_load(hw::NodeId node, hw::Cycles now, std::uint64_t address,
                    std::span<const std::uint8_t> bytes) const {
        const std::lock_guard one_tile(mutex_);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const auto stored = bytes_.find(address + i);
            const std::uint8_t last = stored == bytes_.end() ? 0 : stored->second;
            if (last != bytes[i]) {
                throw CoherenceViolation(
                    "node " + std::to_string(node.index()) + ", cycle " +
                    std::to_string(now.count()) + ": the byte at shared address " +
                    std::to_string(address + i) + " is loaded as " + std::to_string(bytes[i]) +
                    ", but " + std::to_string(last) + " was stored last");
            }
        }
    }

    /// Of the word at the address.
    void set_bit(std::uint64_t word, bool is_full) {
        const std::lock_guard one_tile(mutex_);
        if (is_full) {
            empty_.erase(word);
        } else {
            empty_.insert(word);
        }
    }
    /// Throws CoherenceViolation.
    void check_bit(hw::NodeId node, hw::Cycles now, std::uint64_t word, bool is_full) const {
        const std::lock_guard one_tile(mutex_);
        if (is_full == empty_.contains(word)) {
            const char* const state = is_full ? "full" : "empty";
            const char* const other = is_full ? "empty" : "full";
            throw CoherenceViolation("node " + std::to_string(node.index()) + ", cycle " +
                                     std::to_string(now.count()) + ": the word at shared address " +
                                     std::to_string(word) + " is found " + state +
                                     ", but was made " + other + " last");
        }
    }

  private:
    mutable std::mutex mutex_;  // of a machine of several tiles (hw::ClockTiles)
    std::unordered_map<std::uint64_t, std::uint8_t> bytes_;
    std::unordered_set<std::uint64_t> empty_;  // words; all are full at first
};

}  // namespace weir::memory
