#include "firmware/kernels/registry.h"

#include <gtest/gtest.h>

#include "firmware/kernels/ping/ping.h"

namespace weir::firmware {
namespace {

TEST(RegistryTest, AKernelOfOnesOwnIsFoundAfterWeirs) {
    add_kernels({kernel_entry<Ping>("own", "as ping")});
    EXPECT_EQ(kernels().back().sentence, "as ping");
    EXPECT_NE(dynamic_cast<Ping*>(make_kernel("own").get()), nullptr);
    EXPECT_NE(make_kernel("ping"), nullptr);
}

TEST(RegistryTest, ANameIsGivenOnce) {
    const std::size_t before = kernels().size();
    EXPECT_THROW(add_kernels({kernel_entry<Ping>("ping", "another")}), InputFault);
    EXPECT_EQ(kernels().size(), before);
}

}  // namespace
}  // namespace weir::firmware
