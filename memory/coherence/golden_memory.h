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

/// A load returned other bytes than those last stored in the machine.
class CoherenceViolation : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

/// Reference for shared memory and its full/empty bits: the contents of a single memory without
/// copies. A store changes it in the cycle in which the store is performed, and a load must see the
/// contents of its cycle.
///
/// The machine does not need it; with it, every load is compared. The comparison is exact if a
/// store is performed only after all other copies are gone. No other access to the same bytes then
/// falls into the store's cycle.
class GoldenMemory {
  public:
    void store(std::uint64_t address, std::span<const std::uint8_t> bytes) {
        const std::lock_guard one_tile(mutex_);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes_[address + i] = bytes[i];
        }
    }
    /// Throws CoherenceViolation if the loaded bytes differ from those last stored.
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

    /// Sets the full/empty bit of a word.
    void set_bit(std::uint64_t word, bool is_full) {
        const std::lock_guard one_tile(mutex_);
        if (is_full) {
            empty_.erase(word);
        } else {
            empty_.insert(word);
        }
    }
    /// Throws CoherenceViolation if the state of the word differs.
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
    mutable std::mutex mutex_;  // several tiles (hw::ClockTiles) have a thread each
    std::unordered_map<std::uint64_t, std::uint8_t> bytes_;
    std::unordered_set<std::uint64_t> empty_;  // addresses of empty words; all are full at first
};

}  // namespace weir::memory
