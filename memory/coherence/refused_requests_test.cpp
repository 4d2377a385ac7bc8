#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "hw/random_stream.h"
#include "memory/coherence/directory.h"

namespace weir::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(RefusedRequestsTest, ServeAnyoneWhileNoneIsRefused) {
    RefusedRequests requests;
    EXPECT_TRUE(requests.are_none());
    EXPECT_TRUE(requests.may_serve(3));
    requests.is_served(3);
    EXPECT_TRUE(requests.may_serve(4));
}

TEST(RefusedRequestsTest, NewcomersWaitUntilThoseOfTheFirstGroupWereServed) {
    RefusedRequests requests;
    requests.is_refused(2);
    requests.is_refused(1);
    requests.is_refused(2);
    EXPECT_THAT(requests.first(), ElementsAre(2));
    EXPECT_THAT(requests.second(), ElementsAre(1));
    EXPECT_FALSE(requests.may_serve(1));
    EXPECT_FALSE(requests.may_serve(5));
    requests.is_refused(5);
    requests.is_served(2);
    EXPECT_THAT(requests.first(), ElementsAre(1, 5));
    EXPECT_TRUE(requests.may_serve(5));
    EXPECT_FALSE(requests.may_serve(2));
    requests.is_served(5);
    requests.is_served(1);
    EXPECT_TRUE(requests.are_none());
}

TEST(RefusedRequestsTest, ARequestThatIsForwardedGoesBeforeNewcomersUntilItIsServed) {
    RefusedRequests requests;
    requests.is_forwarded(1);
    requests.is_refused(4);
    requests.is_refused(1);  // node 1 asks again before the home knows that it was not served
    requests.is_not_served();
    EXPECT_THAT(requests.first(), ElementsAre(1));
    EXPECT_THAT(requests.second(), ElementsAre(4));
    EXPECT_TRUE(requests.may_serve(1));
    requests.is_forwarded(1);
    requests.is_served(1);
    EXPECT_THAT(requests.first(), ElementsAre(4));
    EXPECT_THAT(requests.second(), IsEmpty());
}

// The owner has answered requester 1, which asks again before the home knows of the answer.
TEST(RefusedRequestsTest, TheNextRequestOfOneThatIsForwardedIsANewOne) {
    RefusedRequests requests;
    requests.is_forwarded(1);
    requests.is_refused(1);
    requests.is_served(1);
    EXPECT_THAT(requests.first(), ElementsAre(1));
    requests.is_served(1);
    EXPECT_TRUE(requests.are_none());
}

// Requesters ask at random, some a hundred times as often as others.
TEST(RefusedRequestsTest, NoRequestSeesMoreThanTwoOfEachOtherServed) {
    constexpr std::uint32_t kRequesters = 6;
    hw::RandomStream chance(1, hw::NodeId(0), "requests");
    RefusedRequests requests;
    std::array<bool, kRequesters> is_refused{};
    std::array<std::int64_t, kRequesters> passed{};
    std::int64_t most_passed = 0;
    for (int i = 0; i < 100'000; ++i) {
        const bool is_rare = chance.below(100) != 0;
        const auto requester =
            static_cast<std::uint32_t>(is_rare ? chance.below(2) : chance.below(kRequesters));
        const bool is_busy = chance.below(3) == 0;
        if (is_busy || !requests.may_serve(requester)) {
            requests.is_refused(requester);
            is_refused.at(requester) = true;
            continue;
        }
        requests.is_served(requester);
        is_refused.at(requester) = false;
        passed.at(requester) = 0;
        for (std::uint32_t other = 0; other < kRequesters; ++other) {
            passed.at(other) += is_refused.at(other) ? 1 : 0;
            most_passed = std::max(most_passed, passed.at(other));
        }
    }
    EXPECT_LE(most_passed, 2 * kRequesters - 2);
    EXPECT_GE(most_passed, kRequesters - 1);
}

}  // namespace
}  // namespace weir::memory
