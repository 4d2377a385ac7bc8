
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "hw/controller/controller.h"

namespace weir::hw {
namespace {

using ::testing::ElementsAre;

// Accesses that a register supports: "r", "w", or "rw" for both.
std::string access_to(const Register<Controller>& entry) {
    return std::string(entry.read != nullptr ? "r" : "") + (entry.write != nullptr ? "w" : "");
}

TEST(ControllerRegistersTest, AreThoseOfTheHeaderInTheOrderOfTheirAddresses) {
    std::vector<std::pair<std::uint32_t, std::string>> found;
    for (const Register<Controller>& entry : Controller::registers()) {
        found.emplace_back(entry.address, access_to(entry));
    }
    using Entry = std::pair<std::uint32_t, std::string>;
    EXPECT_THAT(found,
                ElementsAre(Entry{WEIR_OUTPUT_DESCRIPTOR, "rw"}, Entry{WEIR_INPUT_WINDOW, "r"},
                            Entry{WEIR_LAUNCH, "w"}, Entry{WEIR_DISPOSE, "w"},
                            Entry{WEIR_COMPOSED_WORDS, "r"}, Entry{WEIR_MESSAGE_WAITING, "r"},
                            Entry{WEIR_STORE_BODY, "w"}, Entry{WEIR_STORE_BODY_AND_INTERRUPT, "w"},
                            Entry{WEIR_BODY_BYTES, "r"}, Entry{WEIR_SEND_DMA_IDLE, "r"},
                            Entry{WEIR_RECEIVE_DMA_IDLE, "r"}, Entry{WEIR_DMA_STATUS, "rw"},
                            Entry{WEIR_SAVED_MESSAGES, "w"}, Entry{WEIR_OUTPUT_ROOM, "r"}));
}

TEST(ControllerRegistersTest, ShareNoWordAndEachIsFoundAtAllOfItsWords) {
    const RegisterTable<Controller> table(Controller::registers());
    std::map<std::uint32_t, const Register<Controller>*> by_address;
    for (const Register<Controller>& entry : Controller::registers()) {
        EXPECT_FALSE(std::string(entry.sentence).empty());
        for (std::uint32_t word = 0; word < entry.words; ++word) {
            EXPECT_TRUE(by_address.emplace(entry.address + WEIR_WORD_BYTES * word, &entry).second);
        }
    }
    for (std::uint32_t offset = 0; offset < 2 * WEIR_CONTROLLER_BYTES; offset += WEIR_WORD_BYTES) {
        const std::uint32_t address = WEIR_CONTROLLER_BASE + offset;
        const auto found = by_address.find(address);
        EXPECT_EQ(table.find(address), found == by_address.end() ? nullptr : found->second);
    }
    EXPECT_EQ(table.find(WEIR_CONTROLLER_BASE - WEIR_WORD_BYTES), nullptr);
}

}  // namespace
}  // namespace weir::hw
