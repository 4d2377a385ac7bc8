#include "network/router/oldest_first_router.h"

#include <gtest/gtest.h>

#include "network/testing/fabric_ends.h"

namespace weir::network {
namespace {

class OldestFirstRouterTest : public testing::RouterRowTest {
  public:
    OldestFirstRouterTest() { design.router_kind = &oldest_first_router_kind(); }
};

TEST_F(OldestFirstRouterTest, DeliversAMessage) {
    row();
    bench->send(0, 2, 3, 0);
    bench->run();
    EXPECT_EQ(bench->end(2).arrivals.size(), 1U);
}

}  // namespace
}  // namespace weir::network
