#include "memory/coherence/directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weir::memory {

namespace {

constexpr hw::NodeId kHome(0);

/// A directory's answers as text, such as "INV 2, INV 3; trap". A packet's operand, a third node or
/// a count, follows in parentheses.
class DirectoryTest : public ::testing::Test {
  protected:
    std::string receive(Packet packet, std::int32_t from) {
        const Directory::Outcome* outcome = directory.receive(0, packet, hw::NodeId(from));
        if (outcome == nullptr) {
            return "impossible";
        }
        std::string text;
        for (const Directory::Sent& sent : outcome->sent) {
            text += (text.empty() ? "" : ", ") + std::string(name_of(sent.packet)) + " " +
                    std::to_string(sent.to.index()) +
                    (sent.operand ? " (" + std::to_string(*sent.operand) + ")" : "");
        }
        return text + (outcome->stores_line ? "; line" : "") + (outcome->traps ? "; trap" : "");
    }
    [[nodiscard]] HomeState state() { return directory.entry(0).state; }

    Directory directory{kHome, Protocol::kLimitless, 2};
};

TEST_F(DirectoryTest, ReadersGetCopiesAndAWriterWaitsUntilTheyAreGone) {
    EXPECT_EQ(receive(Packet::kReadRequest, 1), "RDATA 1");
    EXPECT_EQ(receive(Packet::kReadRequest, 2), "RDATA 2");
    EXPECT_EQ(receive(Packet::kWriteRequest, 3), "INV 1, INV 2");
    EXPECT_EQ(receive(Packet::kReadRequest, 4), "BUSY 4");
    EXPECT_EQ(receive(Packet::kAcknowledge, 2), "");
    EXPECT_EQ(receive(Packet::kAcknowledge, 1), "WDATA 3");
    EXPECT_EQ(state(), HomeState::kReadWrite);
}

TEST_F(DirectoryTest, AWriterWithACopyIsGrantedItWithoutTheLine) {
    receive(Packet::kReadRequest, 1);
    EXPECT_EQ(receive(Packet::kModifyRequest, 1), "MODG 1");
    EXPECT_EQ(receive(Packet::kReplaceModified, 1), "; line");
    EXPECT_EQ(state(), HomeState::kReadOnly);
    EXPECT_EQ(receive(Packet::kModifyRequest, 1), "impossible");
}

TEST_F(DirectoryTest, TheHomesOwnCopyTakesNoPointer) {
    EXPECT_EQ(receive(Packet::kReadRequest, 0), "RDATA 0");
    EXPECT_EQ(receive(Packet::kReadRequest, 1), "RDATA 1");
    EXPECT_EQ(receive(Packet::kReadRequest, 2), "RDATA 2");
    EXPECT_EQ(receive(Packet::kReadRequest, 3), "; trap");
    EXPECT_EQ(state(), HomeState::kSoftware);
    EXPECT_EQ(receive(Packet::kWriteRequest, 4), "BUSY 4");
}

TEST_F(DirectoryTest, WithoutPointersTheHomeAloneIsServedUntilAnotherNodeAsks) {
    directory = Directory(kHome, Protocol::kSoftware, 0);
    EXPECT_EQ(receive(Packet::kReadRequest, 0), "RDATA 0");
    EXPECT_EQ(receive(Packet::kModifyRequest, 0), "MODG 0");
    EXPECT_EQ(receive(Packet::kReplaceModified, 0), "; line");
    EXPECT_EQ(receive(Packet::kWriteRequest, 0), "WDATA 0");
    EXPECT_EQ(receive(Packet::kReadRequest, 1), "; trap");
    EXPECT_EQ(state(), HomeState::kSoftware);
    EXPECT_EQ(receive(Packet::kReadRequest, 0), "BUSY 0");
    EXPECT_EQ(receive(Packet::kReplaceModified, 0), "; line; trap");
    directory.entry(0).state = HomeState::kSoftwareTransaction;
    EXPECT_EQ(receive(Packet::kAcknowledge, 0), "; trap");
    directory.entry(0).state = HomeState::kTrapAlways;
    EXPECT_EQ(receive(Packet::kReadRequest, 0), "; trap");
}

TEST_F(DirectoryTest, LimitedPointersTakeTheFirstCopyForAReaderTooMany) {
    directory = Directory(kHome, Protocol::kLimited, 2);
    receive(Packet::kReadRequest, 0);
    receive(Packet::kReadRequest, 1);
    receive(Packet::kReadRequest, 2);
    EXPECT_EQ(receive(Packet::kReadRequest, 3), "INV 1");
    EXPECT_EQ(receive(Packet::kAcknowledge, 1), "RDATA 3");
    EXPECT_THAT(directory.entry(0).pointers,
                ::testing::ElementsAre(hw::NodeId(0), hw::NodeId(2), hw::NodeId(3)));
}

TEST_F(DirectoryTest, AHomeForwardsToWhoHasTheOnlyCopyUntilItIsTold) {
    directory = Directory(kHome, Protocol::kForwarding, 8);
    EXPECT_EQ(receive(Packet::kWriteRequest, 1), "WDATA 1");
    EXPECT_EQ(receive(Packet::kReadRequest, 2), "FREAD 1 (2)");
    EXPECT_EQ(receive(Packet::kWriteRequest, 3), "BUSY 3");
    EXPECT_EQ(receive(Packet::kShare, 1), "; line");
    EXPECT_THAT(directory.entry(0).pointers, ::testing::ElementsAre(hw::NodeId(1), hw::NodeId(2)));
    EXPECT_EQ(receive(Packet::kWriteRequest, 3), "INVR 1 (3), INVR 2 (3), WDATA 3 (2)");
    EXPECT_EQ(receive(Packet::kModifyRequest, 2), "FWRITE 3 (2)");
    EXPECT_EQ(receive(Packet::kNotHere, 3), "");  // node 3 still waits for acknowledgements
    EXPECT_EQ(state(), HomeState::kReadWrite);
    EXPECT_EQ(receive(Packet::kWriteRequest, 2), "FWRITE 3 (2)");
    EXPECT_EQ(receive(Packet::kTransfer, 3), "");
    EXPECT_THAT(directory.entry(0).pointers, ::testing::ElementsAre(hw::NodeId(2)));
    EXPECT_EQ(receive(Packet::kUpdate, 2), "impossible");
}

TEST_F(DirectoryTest, AForwardedRequestMayMeetALineOnItsWayHome) {
    directory = Directory(kHome, Protocol::kForwarding, 8);
    receive(Packet::kWriteRequest, 1);
    receive(Packet::kWriteRequest, 2);
    EXPECT_EQ(receive(Packet::kReplaceModified, 1), "; line");
    EXPECT_EQ(receive(Packet::kWriteRequest, 1), "BUSY 1");
    EXPECT_EQ(receive(Packet::kNotHere, 1), "");
    EXPECT_EQ(state(), HomeState::kReadOnly);
    EXPECT_EQ(receive(Packet::kModifyRequest, 2), "WDATA 2");  // node 2's copy has gone
}

}  // namespace

}  // namespace weir::memory
