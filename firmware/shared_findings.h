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

// What the programs of a kernel's nodes keep together for its check. Those of several tiles
// (hw::ClockTiles) do so at the same time; what is kept does not depend on who comes first.

using SharedCount = std::atomic<std::int64_t>;

/// What nodes have found wrong: the first thing, by the program's steps.
class SharedFault {
  public:
    /// In a step: what comes later has a higher number, or is another node's.
    void note(std::int64_t step, hw::NodeId node, std::string what) {
        const std::lock_guard one(mutex_);
        Found found{step, node, std::move(what)};
        if (!first_ || found < *first_) {
            first_ = std::move(found);
        }
    }
    /// After the run; of one step what the node of the lowest number has found.
    [[nodiscard]] std::optional<std::string> fault() const {
        return first_ ? std::optional(std::get<std::string>(*first_)) : std::nullopt;
    }

  private:
    using Found = std::tuple<std::int64_t, hw::NodeId, std::string>;
    std::mutex mutex_;
    std::optional<Found> first_;
};

}  // namespace weir::firmware
