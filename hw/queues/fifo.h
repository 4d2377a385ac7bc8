#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace weir::hw {

/// A first-in first-out queue: a ring that grows when it is full. It takes no memory before the
/// first item, since most stay empty in a machine of thousands of nodes.
template <class Item>
class Fifo {
  public:
    [[nodiscard]] bool empty() const { return begin_ == end_; }
    [[nodiscard]] std::size_t size() const { return end_ - begin_; }
    [[nodiscard]] const Item& front() const { return place(begin_); }
    [[nodiscard]] const Item& back() const { return place(end_ - 1); }
    [[nodiscard]] Item& front() { return places_[index(begin_)]; }
    [[nodiscard]] Item& back() { return places_[index(end_ - 1)]; }
    /// Item 0 is the oldest.
    [[nodiscard]] const Item& operator[](std::size_t i) const {
        return place(begin_ + static_cast<std::uint32_t>(i));
    }

    void push_back(Item item) {
        if (size() == capacity_) {
            grow();
        }
        places_[index(end_++)] = std::move(item);
    }
    void pop_front() { ++begin_; }
    void pop_back() { --end_; }
    void clear() { begin_ = end_; }

  private:
    // The counts of items wrap around at 2^32. Indices remain consecutive, since a capacity is 0 or
    // a power of two.
    [[nodiscard]] std::size_t index(std::uint32_t count) const { return count & (capacity_ - 1); }
    [[nodiscard]] const Item& place(std::uint32_t count) const { return places_[index(count)]; }

    [[gnu::cold, gnu::noinline]] void grow() {
        constexpr std::uint32_t kFirstCapacity = 4;
        Fifo larger;
        larger.capacity_ = capacity_ == 0 ? kFirstCapacity : 2 * capacity_;
        larger.places_ = std::make_unique<Places>(larger.capacity_);
        while (!empty()) {
            larger.places_[larger.index(larger.end_++)] = front();
            pop_front();
        }
        *this = std::move(larger);
    }

    // A plain array: std::vector would compute its size by a division at each access.
    using Places = Item[];  // NOLINT(modernize-avoid-c-arrays)
    std::unique_ptr<Places> places_;
    std::uint32_t capacity_ = 0;
    std::uint32_t begin_ = 0;  // number of items taken out
    std::uint32_t end_ = 0;    // number of items put in
};

}  // namespace weir::hw
