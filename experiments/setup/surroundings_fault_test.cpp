#include "experiments/setup/surroundings_fault.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>

namespace weir::experiments::setup {
namespace {

// As operator new does it.
void be_refused_memory() { std::get_new_handler()(); }

// What may not throw, as libstdc++ 12 compiles it: on its way out nobody has caught the exception.
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
