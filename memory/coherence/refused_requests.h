#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace weir::memory {

/// The requests for one thing that its home has refused (BUSY) and not served yet, in two groups.
/// Only those of the first group are served, in whatever order they are asked again. A request that
/// is refused for the first time joins the second group, or the first if that is empty. When the
/// last of the first group has been served, the second becomes the first.
///
/// So a refused request sees each other requester served at most once before its group's turn, and
/// at most once after that, however the requests that are asked again are spaced.
///
/// A home that forwards a request does not serve it itself. The request stays in the first group
/// until the home is told that it has been served. If it is refused instead, it is still there. Its
/// requester may make the next request before that, which is refused, and joins the second group.
///
/// In hardware: two bits a requester, for each line with refused requests. (Assumed: unknown of
/// Alewife. Homes of SGI's later machines compare a refused request's priority with a service level
/// of their own, and so reject newcomers: US patent 8,239,566, abstract.)
class RefusedRequests {
  public:
    using Requester = std::uint32_t;

    [[nodiscard]] bool are_none() const { return first_.empty(); }
    /// Whether a request of `requester` is served if its home can serve it.
    [[nodiscard]] bool may_serve(Requester requester) const {
        return first_.empty() || std::ranges::binary_search(first_, requester);
    }
    void is_served(Requester requester) {
        std::erase(first_, requester);
        if (forwarded_ == requester) {
            forwarded_.reset();
        }
        begin_group();
    }
    void is_refused(Requester requester) {
        if (forwarded_ == requester || !std::ranges::binary_search(first_, requester)) {
            insert(second_, requester);
            begin_group();
        }
    }
    void is_forwarded(Requester requester) {
        insert(first_, requester);
        forwarded_ = requester;
    }
    /// The request that was forwarded last was refused.
    void is_not_served() {
        if (forwarded_) {
            std::erase(second_, *forwarded_);  // it may have been asked again already
            forwarded_.reset();
        }
    }

    [[nodiscard]] const std::vector<Requester>& first() const { return first_; }
    [[nodiscard]] const std::vector<Requester>& second() const { return second_; }
    [[nodiscard]] const std::optional<Requester>& forwarded() const { return forwarded_; }

  private:
    void begin_group() {
        if (first_.empty()) {
            std::swap(first_, second_);
        }
    }
    static void insert(std::vector<Requester>& group, Requester requester) {
        const auto place = std::ranges::lower_bound(group, requester);
        if (place == group.end() || *place != requester) {
            group.insert(place, requester);
        }
    }

    // In ascending order.
    std::vector<Requester> first_;
    std::vector<Requester> second_;
    std::optional<Requester> forwarded_;
};

}  // namespace weir::memory
