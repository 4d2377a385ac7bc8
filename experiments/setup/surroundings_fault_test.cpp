#include "experiments/setup/surroundings_fault.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>

namespace weir::experiments::setup {
namespace {

// Does the same as operator new without memory.
void be_refused_memory() { std::get_new_handler()(); }

// Acts as a noexcept function that libstdc++ 12 has compiled: terminates while the exception
// unwinds, before it is caught.
struct EndsOnTheWayOut {
    ~EndsOnTheWayOut() { std::terminate(); }
};

TEST(EndWithoutMemoryDeathTest, WhereNobodyCanCatchItIsOneMessage) {
    EXPECT_EXIT(
        {
            end_without_memory(2, true);
            const EndsOnTheWayOut guard;
            be_refused_memory();
        },
        ::testing::ExitedWithCode(2), "^weir: [^\n]* memory [^\n]*\n$");
}

TEST(EndWithoutMemoryDeathTest, WhereItIsCaughtItIsAnException) {
    EXPECT_EXIT(
        {
            end_without_memory(2, true);
            try {
                be_refused_memory();
            } catch (const std::bad_alloc&) {
                std::_Exit(7);
            }
        },
        ::testing::ExitedWithCode(7), "");
}

TEST(EndWithoutMemoryDeathTest, AnotherEndIsNone) {
    EXPECT_EXIT(
        {
            end_without_memory(2, true);
            std::terminate();
        },
        ::testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
}  // namespace weir::experiments::setup
