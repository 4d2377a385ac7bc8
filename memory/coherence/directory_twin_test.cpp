// The twin of a line's directory entry against the model: every protocol, with random packets and
// writes of software.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "hw/random_stream.h"
#include "hw/testing/test_cost.h"
#include "hw/testing/test_folder.h"
#include "hw/testing/twin/twin.h"
#include "memory/coherence/directory.h"
#include "memory/coherence/home_table_module.h"

namespace weir::memory {
namespace {

using hw::NodeId;
using hw::RandomStream;
using hw::twin::compare;
using hw::twin::complaints;
using hw::twin::Direction;
using hw::twin::expect_equal;
using hw::twin::expect_found;
using hw::twin::Fault;
using hw::twin::PortRecording;

WEIR_TESTS_COST("^DirectoryTwinTest\\.EqualForLimitLESS", 14);
WEIR_TESTS_COST("^DirectoryTwinTest\\.EqualForEveryProtocol", 30);
WEIR_TESTS_COST("^DirectoryTwinTest\\.EveryPlantedFaultIsFound", 40);

struct Sizes {
    Protocol protocol = Protocol::kLimitless;
    std::int32_t nodes = 8;
    std::int32_t pointers = 2;
    std::int32_t home = 0;
};

// Sends random packets to one line of a directory, a packet in each cycle, and records the ports
// of directory.sv.
class RandomLine {
  public:
    RandomLine(const Sizes& sizes, std::uint64_t seed)
        : sizes_(sizes),
          directory_(NodeId(sizes.home), sizes.protocol, sizes.pointers),
          random_(seed, NodeId(0), "packets"),
          recording_(ports_of(sizes.nodes)) {}

    const PortRecording& run(int cycles) {
        for (int i = 0; i < cycles; ++i) {
            record_entry();
            bool replies = false;
            if (is_for_software() && random_.below(4) == 0) {
                write_entry();
            } else if (random_.below(10) != 0) {
                replies = send_packet();
            }
            if (!replies) {
                ignore_reply();
            }
            recording_.end_cycle();
        }
        return recording_;
    }

  private:
    enum PortNumber : std::size_t {
        kReceive,
        kPacket,
        kFrom,
        kImpossible,
        kStoresLine,
        kTraps,
        kReplies,
        kReply,
        kReplyTo,
        kReplyCounts,
        kInvalidated,
        kAcknowledgeToSender,
        kState,
        kPointers,
        kAcknowledgements,
        kRequester,
        kIsModify,
        kWrite,
        kWrittenState,
        kWrittenPointers,
        kWrittenAcknowledgements,
        kWrittenRequester,
        kWrittenIsModify
    };
    static std::vector<hw::twin::Port> ports_of(int nodes) {
        const int number = std::bit_width(static_cast<unsigned>(nodes - 1));
        const int count = std::bit_width(static_cast<unsigned>(nodes));
        constexpr Direction kIn = Direction::kInput;
        constexpr Direction kOut = Direction::kOutput;
        return {{"receive", 1, kIn},
                {"packet", 4, kIn},
                {"from", number, kIn},
                {"impossible", 1, kOut},
                {"stores_line", 1, kOut},
                {"traps", 1, kOut},
                {"replies", 1, kOut},
                {"reply", 5, kOut},
                {"reply_to", number, kOut},
                {"reply_counts", 1, kOut},
                {"invalidated", nodes, kOut},
                {"acknowledge_to_sender", 1, kOut},
                {"state", 4, kOut},
                {"pointers", nodes, kOut},
                {"acknowledgements", count, kOut},
                {"requester", number, kOut},
                {"is_modify", 1, kOut},
                {"write", 1, kIn},
                {"written_state", 4, kIn},
                {"written_pointers", nodes, kIn},
                {"written_acknowledgements", count, kIn},
                {"written_requester", number, kIn},
                {"written_is_modify", 1, kIn}};
    }

    DirectoryEntry& entry() { return directory_.entry(0); }
    NodeId any_node() { return NodeId(static_cast<std::int32_t>(random_.below(sizes_.nodes))); }
    bool is_for_software() {
        return entry().state == HomeState::kSoftware || entry().state == HomeState::kTrapAlways ||
               entry().state == HomeState::kSoftwareTransaction ||
               (entry().state == HomeState::kTrapOnWrite && random_.below(20) == 0);
    }
    void set_entry(PortNumber state, PortNumber pointers, PortNumber acknowledgements,
                   PortNumber requester, PortNumber is_modify) {
        recording_.set(state, static_cast<std::uint64_t>(entry().state));
        for (const NodeId node : entry().pointers) {
            recording_.set(pointers, 1, node.index(), 1);
        }
        recording_.set(acknowledgements, entry().acknowledgements);
        recording_.set(requester, entry().requester.index());
        recording_.set(is_modify, entry().is_modify ? 1 : 0);
    }
    void record_entry() { set_entry(kState, kPointers, kAcknowledgements, kRequester, kIsModify); }
    void ignore_reply() {
        recording_.ignore(kReply, 0, 5);
        recording_.ignore(kReplyTo, 0, recording_.ports()[kReplyTo].bits);
        recording_.ignore(kReplyCounts, 0, 1);
    }

    // Software ends its work with the line: copies are known to the pointers, to software alone, or
    // are being invalidated for a requester.
    void write_entry() {
        constexpr std::array kStates{HomeState::kReadOnly, HomeState::kTrapOnWrite,
                                     HomeState::kWriteTransaction};
        constexpr std::array kStatesWithoutPointers{HomeState::kReadOnly, HomeState::kTrapAlways,
                                                    HomeState::kSoftwareTransaction};
        const bool has_pointers = sizes_.protocol != Protocol::kSoftware;
        entry().state = has_pointers ? kStates[random_.below(kStates.size())]
                                     : kStatesWithoutPointers[random_.below(kStates.size())];
        entry().pointers.clear();
        for (std::uint64_t i = random_.below(sizes_.pointers + 2); has_pointers && i > 0; --i) {
            add_pointer(entry(), any_node());
        }
        entry().acknowledgements = 1 + static_cast<std::int32_t>(random_.below(sizes_.nodes));
        entry().requester = any_node();
        if (entry().state == HomeState::kWriteTransaction) {
            entry().pointers.assign(1, entry().requester);
        }
        entry().is_modify = random_.below(2) == 0;
        recording_.set(kWrite, 1);
        set_entry(kWrittenState, kWrittenPointers, kWrittenAcknowledgements, kWrittenRequester,
                  kWrittenIsModify);
    }
    // Returns whether a packet other than INV answers.
    bool send_packet() {
        const bool is_request = random_.below(2) == 0;
        const auto packet =
            static_cast<Packet>(is_request ? random_.below(3) : random_.below(kPacketsToMemory));
        const bool is_pointed_to = !entry().pointers.empty() && random_.below(2) == 0;
        const NodeId from =
            is_pointed_to ? entry().pointers[random_.below(entry().pointers.size())] : any_node();
        recording_.set(kReceive, 1);
        recording_.set(kPacket, static_cast<std::uint64_t>(packet));
        recording_.set(kFrom, from.index());
        const Directory::Outcome* outcome = directory_.receive(0, packet, from);
        recording_.set(kImpossible, outcome == nullptr ? 1 : 0);
        if (outcome == nullptr) {
            return false;
        }
        recording_.set(kStoresLine, outcome->stores_line ? 1 : 0);
        recording_.set(kTraps, outcome->traps ? 1 : 0);
        bool invalidates = false;
        bool replies = false;
        for (const Directory::Sent& sent : outcome->sent) {
            if (sent.packet == Packet::kInvalidate || sent.packet == Packet::kInvalidateFor) {
                invalidates = true;
                recording_.set(kInvalidated, 1, sent.to.index(), 1);
                recording_.set(kAcknowledgeToSender, sent.packet == Packet::kInvalidateFor ? 1 : 0);
            } else {
                replies = true;
                recording_.set(kReplies, 1);
                recording_.set(kReply, static_cast<std::uint64_t>(sent.packet));
                recording_.set(kReplyTo, sent.to.index());
                const bool is_forward =
                    sent.packet == Packet::kForwardRead || sent.packet == Packet::kForwardWrite;
                recording_.set(kReplyCounts, sent.operand && !is_forward ? 1 : 0);
            }
        }
        if (!invalidates) {
            recording_.ignore(kAcknowledgeToSender, 0, 1);
        }
        return replies;
    }

    Sizes sizes_;
    Directory directory_;
    RandomStream random_;
    PortRecording recording_;
};

class DirectoryTwinTest : public ::testing::Test {
  public:
    [[nodiscard]] hw::Twin twin(const Sizes& sizes) const { return twin(sizes, sizes.protocol); }
    // With the table of some protocol.
    [[nodiscard]] hw::Twin twin(const Sizes& sizes, Protocol table) const {
        const auto folder = folder_.path() / std::to_string(static_cast<int>(table));
        std::filesystem::create_directories(folder);
        const auto file = folder / "home_table.sv";
        std::ofstream(file) << home_table_module(table);
        return {"directory",
                {file.string(), "memory/coherence/directory.sv"},
                {{"NODES", sizes.nodes}, {"POINTERS", sizes.pointers}, {"HOME", sizes.home}}};
    }

  private:
    hw::testing::TestFolder folder_;
};

TEST_F(DirectoryTwinTest, EqualForLimitLESS) {
    WEIR_NEEDS_VERILATOR();
    const Sizes sizes;
    expect_equal(compare(twin(sizes), {RandomLine(sizes, 1).run(5000)}), 5000);
    EXPECT_EQ(complaints(twin(sizes)), "");
}

TEST_F(DirectoryTwinTest, EqualForEveryProtocol) {
    WEIR_NEEDS_VERILATOR();
    RandomStream random(64, NodeId(0), "sizes");
    for (std::size_t protocol = 0; protocol < kProtocols; ++protocol) {
        for (int i = 0; i < 2; ++i) {
            Sizes sizes{.protocol = static_cast<Protocol>(protocol),
                        .nodes = 2 + static_cast<std::int32_t>(random.below(32))};
            const bool has_all =
                sizes.protocol == Protocol::kFullMap || sizes.protocol == Protocol::kForwarding;
            sizes.pointers = has_all ? sizes.nodes : 1 + static_cast<int>(random.below(5));
            sizes.home = static_cast<std::int32_t>(random.below(sizes.nodes));
            SCOPED_TRACE(::testing::PrintToString(twin(sizes).parameters));
            expect_equal(compare(twin(sizes), {RandomLine(sizes, random.next()).run(10'000)}),
                         10'000);
        }
    }
}

TEST_F(DirectoryTwinTest, EveryPlantedFaultIsFound) {
    WEIR_NEEDS_VERILATOR();
    const auto expect_all_found = [this](Protocol protocol, const std::vector<Fault>& faults) {
        const Sizes sizes{
            .protocol = protocol, .pointers = protocol == Protocol::kForwarding ? 8 : 2, .home = 3};
        expect_found(twin(sizes), {RandomLine(sizes, 7).run(10'000)}, faults);
    };
    expect_all_found(
        Protocol::kLimitless,
        {{"the home's copy takes a pointer", "pointers & ~HOME_BIT) <", "pointers) <"},
         {"a pointer more than there are", "< MOST_POINTERS", "<= MOST_POINTERS"},
         {"the writer's own copy is invalidated", "others = pointers & ~sender",
          "others = pointers"},
         {"acknowledgements are not counted", "awaited - COUNT_BITS'(counts)", "awaited"},
         {"the requester is the sender of the last acknowledgement", "begins ? from : requester",
          "from"},
         {"a grant always carries the line", "reply = is_modify ? MODIFY_GRANT : WRITE_DATA",
          "reply = WRITE_DATA"},
         {"refused requests get no turn", "is_turn = first == 0 ||", "is_turn = 1'b1 ||"},
         {"the second group never becomes the first", "first_after = second_after;",
          "first_after = '0;"},
         {"a served request stays among the refused", "first_after = first & ~(ONE << served)",
          "first_after = first"}});
    expect_all_found(
        Protocol::kLimited,
        {{"the victim keeps its pointer", "~(invalidates == VICTIM ? victim : '0)", "~('0)"},
         {"the victim may be the home", "candidates = others & ~HOME_BIT", "candidates = others"}});
    expect_all_found(Protocol::kForwarding,
                     {{"invalidated copies acknowledge to the home",
                       "acknowledge_to_sender = acts && invalidates == OTHERS_FOR_SENDER",
                       "acknowledge_to_sender = 1'b0"},
                      {"a forwarded request is forgotten at once", "first_after = first | sender",
                       "first_after = first"},
                      {"a request that the owner refused is repeated in vain",
                       "second_after = second & ~(ONE << forwarded)", "second_after = second"}});
    const Sizes limited{.protocol = Protocol::kLimited};
    EXPECT_GT(
        compare(twin(limited, Protocol::kFullMap), {RandomLine(limited, 7).run(10'000)}).differing,
        0)
        << "another protocol's table";
}

}  // namespace
}  // namespace weir::memory
