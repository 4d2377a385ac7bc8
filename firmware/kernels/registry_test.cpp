#include "firmware/kernels/registry.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "firmware/kernels/ping/ping.h"

namespace weir::firmware {
namespace {

TEST(RegistryTest, ANameIsGivenOnce) {
    std::set<std::string> names;
    for (const KernelEntry& entry : kernels()) {
        EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    }
    EXPECT_NE(make_kernel("ping"), nullptr);
    EXPECT_EQ(make_kernel("pong"), nullptr);
}

TEST(RegistryTest, KernelsOfOnesOwnAreFoundAmongThemselves) {
    const std::vector<KernelEntry> own{kernel_entry<Ping>("own", "as ping")};
    EXPECT_NE(dynamic_cast<Ping*>(make_kernel("own", own).get()), nullptr);
    EXPECT_EQ(make_kernel("remap", own), nullptr);
    EXPECT_EQ(make_kernel("own"), nullptr);
}

}  // namespace
}  // namespace weir::firmware
