#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weir::hw {

/// Items in the order in which they came. A ring that grows when it is full, and takes no memory
/// before the first item: in a machine of thousands of nodes most stay empty.
template <class Item>
class Fifo {
  public:
    [[nodiscard]] bool empty() const { return begin_ == end_; }
    [[nodiscard]] std::size_t size() const { return end_ - begin_; }
    [[nodiscard]] const Item& front() const { return place(begin_); }
    [[nodiscard]] const Item& back() const { return place(end_ - 1); }
    [[nodiscard]] Item& front() { return places_[index(begin_)]; }
    [[nodiscard]] Item& back() { return places_[index(end_ - 1)]; }
    /// The oldest is item 0.
    [[nodiscard]] const Item& operator[](std::size_t i) const {
        return place(begin_ + static_cast<std::uint32_t>(i));
    }

    void push_back(Item item) {
        if (size() == places_.size()) {
            grow();
        }
        places_[index(end_++)] = std::move(item);
    }
    void pop_front() { ++begin_; }

  private:
    // The counts wrap around; a capacity is 0 or a power of two, so places go on in their order.
    [[nodiscard]] std::size_t index(std::uint32_t count) const {
        return count & (places_.size() - 1);
    }
    [[nodiscard]] const Item& place(std::uint32_t count) const { return places_[index(count)]; }

    [[gnu::cold, gnu::noinline]] void grow() {
        constexpr std::size_t kFirstCapacity = 4;
        Fifo larger;
        larger.places_.resize(places_.empty() ? kFirstCapacity : 2 * places_.size());
        while (!empty()) {
            larger.places_[larger.index(larger.end_++)] = front();
            pop_front();
        }
        *this = std::move(larger);
    }

    std::vector<Item> places_;
    std::uint32_t begin_ = 0;  // items taken out,
    std::uint32_t end_ = 0;    // and put in
};

}  // namespace weir::hw
