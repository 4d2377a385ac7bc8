#include "network/virtual_channels/future_cycles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/random_stream.h"

namespace weir::network {
namespace {

using hw::Cycles;

// Compares FutureCycles with a list of the cycles themselves.
class FutureCyclesTest : public ::testing::Test {
  protected:
    // Adds up to `most` successive cycles, none more than kMost ahead.
    void draw(std::int64_t most, std::int64_t now) {
        const auto farthest = static_cast<std::uint64_t>(FutureCycles::kMost.count());
        count_ = 1 + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(most)));
        first_ = now + 1 +
                 static_cast<std::int64_t>(
                     random_.below(farthest - static_cast<std::uint64_t>(count_) + 1));
    }
    [[nodiscard]] bool is_drawn(std::int64_t cycle) const {
        return cycle >= first_ && cycle < first_ + count_;
    }
    void add(std::int64_t now) {
        draw(random_.below(3) == 0 ? FutureCycles::kMost.count() : 3, now);
        if (std::any_of(cycles_.begin(), cycles_.end(),
                        [&](auto each) { return is_drawn(each); })) {
            return;
        }
        future_.add(Cycles(first_), count_, Cycles(now));
        for (std::int64_t i = 0; i < count_; ++i) {
            cycles_.push_back(first_ + i);
        }
        farthest_ = std::max(farthest_, first_ + count_ - 1 - now);
    }
    void remove(std::int64_t now) {
        draw(8, now);
        removed_ += static_cast<std::int64_t>(
            std::erase_if(cycles_, [this](std::int64_t each) { return is_drawn(each); }));
        future_.remove(Cycles(first_), count_, Cycles(now));
    }
    void compare(std::int64_t now) {
        std::erase_if(cycles_, [now](std::int64_t each) { return each <= now; });
        ASSERT_EQ(future_.count_after(Cycles(now)), static_cast<std::int64_t>(cycles_.size()))
            << now;
        if (!cycles_.empty()) {
            ASSERT_EQ(future_.first_after(Cycles(now)).count(),
                      *std::min_element(cycles_.begin(), cycles_.end()))
                << now;
        }
        for (std::int64_t cycle = now + 1; cycle <= now + FutureCycles::kMost.count(); ++cycle) {
            ASSERT_EQ(future_.has(Cycles(cycle)),
                      std::find(cycles_.begin(), cycles_.end(), cycle) != cycles_.end())
                << now << ", of " << cycle;
        }
    }

    hw::RandomStream random_{1, hw::NodeId(0), "coming cycles"};
    FutureCycles future_;
    std::vector<std::int64_t> cycles_;
    std::int64_t first_ = 0;  // first of the drawn cycles
    std::int64_t count_ = 0;
    std::int64_t farthest_ = 0;
    std::int64_t removed_ = 0;
};

TEST_F(FutureCyclesTest, AreThoseOfAList) {
    for (std::int64_t now = 0; now < 5000;
         now += static_cast<std::int64_t>(random_.below(100)) / 33) {
        if (random_.below(3) == 0) {
            add(now);
        } else if (random_.below(4) == 0) {
            remove(now);
        }
        ASSERT_NO_FATAL_FAILURE(compare(now));
    }
    EXPECT_EQ(farthest_, FutureCycles::kMost.count());
    EXPECT_GT(removed_, 300);
    EXPECT_EQ(future_.count_after(Cycles(1'000'000)), 0);
}

}  // namespace
}  // namespace weir::network
