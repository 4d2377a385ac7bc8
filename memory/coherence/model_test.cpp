#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "memory/coherence/testing/protocol_checker.h"

namespace weir::memory {
namespace {

using ::testing::HasSubstr;
using testing::ProtocolChecker;

/// The model in models/limitless.m, as rumur walks through it.
class ProtocolModelTest : public ::testing::Test {
  protected:
    void SetUp() override {
        if (std::system("command -v rumur >/dev/null") != 0) {
            GTEST_SKIP() << "rumur is not installed";
        }
    }

    /// What models/check says of so many caches, pointers and a fault that is planted.
    static std::string checked(std::size_t caches, std::int32_t pointers, int fault = 0) {
        const std::string command = WEIR_PROTOCOL_MODELS "/check " + std::to_string(caches) + " " +
                                    std::to_string(pointers) + " " + std::to_string(fault) +
                                    " 2>&1";
        std::FILE* pipe = popen(command.c_str(), "r");
        EXPECT_NE(pipe, nullptr);
        std::string said;
        std::array<char, 256> part{};
        while (std::fgets(part.data(), part.size(), pipe) != nullptr) {
            said += part.data();
        }
        pclose(pipe);
        return said;
    }
};

TEST_F(ProtocolModelTest, HasAsManyStatesAsTheTablesOfTheMachine) {
    const struct {
        std::size_t caches;
        std::int32_t pointers;
    } shapes[] = {{2, 1}, {2, 2}, {3, 1}, {3, 3}};
    for (const auto& shape : shapes) {
        const auto walk =
            ProtocolChecker({.caches = shape.caches, .pointers = shape.pointers}).run();
        const std::string said = checked(shape.caches, shape.pointers);
        EXPECT_THAT(said, HasSubstr("No error found"));
        EXPECT_THAT(said, HasSubstr("\t" + std::to_string(walk.states) + " states, "));
    }
}

TEST_F(ProtocolModelTest, SeesEachOfEightPlantedFaults) {
    for (int fault = 1; fault <= 8; ++fault) {
        EXPECT_THAT(checked(3, 1, fault), HasSubstr("1 error(s) found")) << fault;
    }
}

}  // namespace
}  // namespace weir::memory
