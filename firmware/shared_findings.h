#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "hw/units.h"

namespace weir::firmware {

// Data that the programs of a kernel's nodes share for its check. Programs of several tiles
// (hw::ClockTiles) may access it at the same time; the result does not depend on the order.

using SharedCount = std::atomic<std::int64_t>;

/// First fault that any node has found, in the order of the program's steps.
class SharedFault {
  public:
    /// Records a fault. Faults of a node's later steps must have higher numbers.
    void note(std::int64_t step, hw::NodeId node, std::string what) {
        const std::lock_guard one(mutex_);
        Found found{step, node, std::move(what)};
        if (!first_ || found < *first_) {
            first_ = std::move(found);
        }
    }
    /// The first fault, or nothing; call after the run. Among faults of one step, the fault of the
    /// node with the lowest number.
    [[nodiscard]] std::optional<std::string> fault() const {
        return first_ ? std::optional(std::get<std::string>(*first_)) : std::nullopt;
    }

  private:
    using Found = std::tuple<std::int64_t, hw::NodeId, std::string>;
    std::mutex mutex_;
    std::optional<Found> first_;
};

}  // namespace weir::firmware
