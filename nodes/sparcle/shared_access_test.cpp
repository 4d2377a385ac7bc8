// Loads and stores of shared memory by instructions, at the line's home.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "firmware/testing/program_bench.h"
#include "hw/testing/names.h"
#include "memory/coherence/address_map.h"

namespace weir::nodes::sparcle {
namespace {

using firmware::testing::append;
using firmware::testing::end_program;
using firmware::testing::ProgramBench;
using firmware::testing::set_register;
using hw::Cycles;
using weir::testing::Names;
using namespace testing;  // NOLINT(google-build-using-namespace): an assembler's mnemonics

// %g1 is the first address of shared memory; node 1's program ends at once.
class SharedAccessTest : public ::testing::Test {
  protected:
    SharedAccessTest() {
        bench_.configuration.shares_memory = true;
        bench_.set(bench_.configuration.memory, "caches", std::int64_t{1});
        bench_.set(bench_.configuration.coherence, "shared_bytes", std::int64_t{4096});
        append(program_, {operation_immediate(kWrpsr, 0, g(0), kPsrSupervisor | kPsrTraps), kNop,
                          kNop, kNop});
        append(program_, set_register(g(7), WEIR_HOST_BASE));
        append(program_,
               {access(kLd, g(6), g(7), 0), operation_immediate(kSubcc, g(0), g(6), 0), 0, kNop});
        branch_ = program_.size() - 2;
        append(program_, set_register(g(1), memory::kSharedBase));
    }
    // Address of the next instruction of the program.
    [[nodiscard]] std::uint32_t next() const {
        return static_cast<std::uint32_t>(4 * program_.size());
    }
    std::uint32_t add(std::uint32_t word) {
        program_.push_back(word);
        return next() - 4;
    }
    // Runs the program, and returns the final value of register `result`.
    std::uint32_t run(unsigned result) {
        const std::size_t end = program_.size();
        append(program_, end_program(result));
        program_[branch_] =
            branch(kBicc, kNotEqual, false, static_cast<std::int32_t>(end - branch_));
        bench_.put(0, program_);
        EXPECT_EQ(bench_.run(), RunEnd::kFinished);
        return bench_.exits[0];
    }
    Cycles cycles_at(std::uint32_t pc) { return bench_.recorder(0).at(pc).cycles(); }

    ProgramBench bench_;
    ProgramBench::Words program_;
    std::size_t branch_ = 0;
};

// Without the fetch of its instruction, a miss waits 9 cycles for its line. A hit takes 2 cycles
// for a load, 3 for a store, and one more for two words.
TEST_F(SharedAccessTest, HitsTakeWhatPrivateOnesTake) {
    const std::uint32_t miss = add(access(kLd, g(2), g(1), 0));
    const std::uint32_t hit = add(access(kLd, g(2), g(1), 4));
    const std::uint32_t upgrade = add(access(kSt, g(7), g(1), 8));
    const std::uint32_t store = add(access(kSt, g(7), g(1), 12));
    const std::uint32_t pair = add(access(kLdd, g(2), g(1), 8));
    const std::uint32_t store_pair = add(access(kStd, g(4), g(1), 0));
    EXPECT_EQ(run(g(3)), WEIR_HOST_BASE);
    const auto without_fetch = [&](std::uint32_t pc) {
        return cycles_at(pc) - bench_.recorder(0).at(pc).fetch_stall;
    };
    EXPECT_EQ(without_fetch(miss), Cycles(9 + 2));
    EXPECT_EQ(bench_.recorder(0).at(miss).data_stall, Cycles(9));
    EXPECT_EQ(without_fetch(hit), Cycles(2));
    EXPECT_EQ(without_fetch(upgrade), Cycles(6 + 3)) << "a grant without the line: no memory";
    EXPECT_EQ(without_fetch(store), Cycles(3));
    EXPECT_EQ(without_fetch(pair), Cycles(3));
    EXPECT_EQ(without_fetch(store_pair), Cycles(4));
    EXPECT_EQ(bench_.recorder(0).at(store_pair).data_stall, Cycles(0));
}

// A load that empties its word requests the only copy, and takes the cycles of a load.
TEST_F(SharedAccessTest, ALoadMayEmptyItsWordAndAStoreFillIt) {
    add(operation_immediate(kOr, g(2), g(0), 77));
    add(access(kSt, g(2), g(1), 0));
    const std::uint32_t take = add(alternate(kLd, g(3), g(1), 0, SPARCLE_ASI_TAKE_FULL));
    add(operation_immediate(kOr, g(4), g(0), 5));
    const std::uint32_t fill = add(alternate(kSt, g(4), g(1), 0, SPARCLE_ASI_FILL_IF_EMPTY));
    add(alternate(kLd, g(5), g(1), 0, SPARCLE_ASI_LOAD_FULL));
    add(kNop);
    add(operation(kAdd, g(3), g(3), g(5)));
    EXPECT_EQ(run(g(3)), 77U + 5U);
    EXPECT_EQ(cycles_at(take) - bench_.recorder(0).at(take).fetch_stall, Cycles(2));
    EXPECT_EQ(cycles_at(fill) - bench_.recorder(0).at(fill).fetch_stall, Cycles(3));
}

// A load in either state reports the state, and a coprocessor branch tests it.
TEST_F(SharedAccessTest, ALoadTellsTheStateItHasFound) {
    constexpr unsigned kIfEmpty = 9;
    const auto found = [&] {
        add(alternate(kLd, g(2), g(1), 0, SPARCLE_ASI_LOAD_FOUND));
        add(kNop);
        add(branch(kCbccc, kIfEmpty, true, 2));
        add(operation_immediate(kAdd, g(3), g(3), 1));  // annulled unless the word was empty
    };
    add(operation_immediate(kOr, g(3), g(0), 0));
    found();
    add(alternate(kLd, g(2), g(1), 0, SPARCLE_ASI_TAKE_FULL));
    add(operation_immediate(kAdd, g(3), g(3), 16));
    found();
    EXPECT_EQ(run(g(3)), 16U + 1U);
}

TEST_F(SharedAccessTest, AnAtomicAccessExchanges) {
    add(operation_immediate(kOr, g(2), g(0), 77));
    add(access(kSt, g(2), g(1), 0));
    add(operation_immediate(kOr, g(2), g(0), 5));
    const std::uint32_t swap = add(access(kSwap, g(2), g(1), 0));
    add(access(kLd, g(3), g(1), 0));
    add(kNop);
    add(operation(kAdd, g(3), g(3), g(2)));
    EXPECT_EQ(run(g(3)), 77U + 5U);
    EXPECT_EQ(cycles_at(swap) - bench_.recorder(0).at(swap).fetch_stall, Cycles(4));
}

// With one context, every window belongs to it.
TEST_F(SharedAccessTest, InWhicheverWindowTheAccessIsTheThreads) {
    bench_.traced.shared_accesses = true;
    add(operation(kSave, g(0), g(0), g(0)));
    add(operation(kSave, g(0), g(0), g(0)));
    add(access(kSt, g(1), g(1), 16));
    run(g(0));
    ASSERT_FALSE(bench_.trace.shared_accesses.empty());
    for (const hw::SharedAccess& shared : bench_.trace.shared_accesses) {
        EXPECT_EQ(shared.context, 0);
    }
}

TEST_F(SharedAccessTest, RegistersAreNotSharedMemory) {
    add(alternate(kLd, g(2), g(1), 0, SPARCLE_ASI_IO));
    append(program_, end_program(g(0)));
    program_[branch_] = branch(kBicc, kNotEqual, false, 6);
    bench_.put(0, program_);
    const std::string fault = bench_.fault();
    EXPECT_THAT(fault, Names("0x80000000", "shared", "registers"));
}

}  // namespace
}  // namespace weir::nodes::sparcle
