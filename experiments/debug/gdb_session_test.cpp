// GDB's remote serial protocol over a socket, against a hand-made target.
#include "experiments/debug/gdb_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "experiments/debug/hexadecimal.h"
#include "experiments/debug/testing/gdb_client.h"
#include "experiments/debug/testing/table_target.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::debug {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class GdbSessionTest : public ::testing::Test {
  public:
    GdbSessionTest()
        : listener(0),
          client(listener.port()),
          connection(listener.accept()),
          session(connection, target, 1) {}

    // Answers to `packets` while the machine is stopped; a "c" packet follows them and resumes it.
    std::vector<std::string> answers(const std::vector<std::string>& packets,
                                     const Stop& stop = {}) {
        for (const std::string& packet : packets) {
            hw::testing::note_seed("gdb", packet);
            client.send(packet);
        }
        client.send("c");
        resume = session.stopped(stop);
        std::vector<std::string> all;
        for (std::size_t i = 0; i < packets.size(); ++i) {
            all.push_back(client.receive());
        }
        return all;
    }
    std::string answer(const std::string& packet) { return answers({packet}).front(); }
    // Request that `packet` makes of the machine.
    Resume resumed_by(const std::string& packet, const Stop& stop = {.node = 1}) {
        hw::testing::note_seed("gdb", packet);
        client.send(packet);
        return session.stopped(stop);
    }

    GdbListener listener;
    testing::GdbClient client;
    GdbConnection connection;
    testing::TableTarget target;
    GdbSession session;
    Resume resume;
};

TEST_F(GdbSessionTest, SaysWhyItStandsOnlyWhenAskedBeforeAnythingHasRun) {
    EXPECT_EQ(answer("?"), "T05thread:1;e:0000000e;1e:0000001e;44:00000044;45:00000045;");
}

TEST_F(GdbSessionTest, TellsEveryLaterStopByItself) {
    resumed_by("c");
    answers({}, {.node = 3, .why = Stop::Why::kBreakpoint});
    EXPECT_THAT(client.receive(), StartsWith("T05thread:4;"));
    answers({}, {.node = 2, .why = Stop::Why::kInterrupt});
    EXPECT_THAT(client.receive(), StartsWith("T02thread:3;"));
    answers({}, {.node = 2,
                 .why = Stop::Why::kWatchpoint,
                 .kind = StopPoint::Kind::kAccess,
                 .address = 0x40});
    EXPECT_THAT(client.receive(), StartsWith("T05thread:3;awatch:40;"));
}

TEST_F(GdbSessionTest, RegistersAreThoseOfTheNodeThatHasStoppedOrIsSelected) {
    const auto all = answers({"g", "p44", "Hg4", "g", "p44", "p48"}, {.node = 1});
    EXPECT_EQ(all[0].size(), 72 * 8);
    EXPECT_THAT(all[0], StartsWith("000010000000100100001002"));
    EXPECT_EQ(all[1], "00001044");
    EXPECT_EQ(all[2], "OK");
    EXPECT_THAT(all[3], StartsWith("000030000000300100003002"));
    EXPECT_EQ(all[4], "00003044");
    EXPECT_EQ(all[5], "E01") << "there are 72";
}

TEST_F(GdbSessionTest, WritesRegisters) {
    EXPECT_THAT(answers({"P2=deadbeef", "p2", "P47=00000001", "P2=12"}),
                ElementsAre("OK", "deadbeef", "E02", "E01"));
    EXPECT_EQ(target.read_register(0, 2), 0xdeadbeef);
}

// gdb steps one thread over a breakpoint with all other breakpoints removed: no node runs yet.
TEST_F(GdbSessionTest, AStepOverABreakpointIsOwed) {
    const Stop at_breakpoint{.node = 1, .why = Stop::Why::kBreakpoint};
    EXPECT_THAT(answers({"Z0,1045,4", "vCont;c:2", "z0,1045,4", "Hg3", "p44"}, at_breakpoint),
                ElementsAre("OK", "T05thread:2;44:00001045;45:00001049;", "OK", "OK", "00002044"));
    EXPECT_THAT(resume.nodes, ::testing::IsEmpty());
    // The first access to the thread executes the step.
    client.send("Z0,1045,4");
    client.send("vCont;c:2");
    client.send("p44");
    const Resume step = session.stopped(at_breakpoint);
    EXPECT_EQ(step.step, 1);
    EXPECT_THAT(step.nodes, ElementsAre(1));
    answers({}, {.node = 1, .why = Stop::Why::kStep});
    EXPECT_THAT(client.receive(), StartsWith("T05thread:2;")) << "of the second stop";
    EXPECT_EQ(client.receive(), "OK");
    EXPECT_THAT(client.receive(), StartsWith("T05thread:2;44:"));
    EXPECT_EQ(client.receive(), "00001044");
}

// PSR selects the window of the other registers.
TEST_F(GdbSessionTest, WritesPsrBeforeAllOtherRegisters) {
    std::string all;
    for (int i = 0; i < 71; ++i) {
        all += "00000007";
    }
    EXPECT_THAT(answers({"G" + all + "00000047", "G" + all}), ElementsAre("OK", "E01"));
    EXPECT_EQ(target.order.size(), 72);
    EXPECT_EQ(target.order.front(), kPsr);
}

TEST_F(GdbSessionTest, ReadsMemoryUpToWhereThereIsNone) {
    target.memory[0][0x10] = 0xab;
    target.memory[2][0xff] = 0xcd;
    EXPECT_THAT(answers({"m10,2", "Hg3", "mfe,4", "m100,1", "mzz,1", "m0,0"}),
                ElementsAre("ab00", "OK", "00cd", "E0e", "E01", ""));
}

// gdb reports that the memory cannot be accessed, whatever the reason.
TEST_F(GdbSessionTest, TellsWhyAWriteWasRefused) {
    std::string told;
    session.set_on_refusal([&told](const std::string& text) { told += text; });
    const std::string ask = "qRcmd," + hex_of("refused");
    const auto told_by = answers({ask, "M100,2:0a0b", ask, "M10,1:0a", ask});
    const auto text = [](const std::string& digits) {
        const auto bytes = bytes_from_hex(digits);
        return std::string(bytes->begin(), bytes->end());
    };
    EXPECT_THAT(text(told_by[0]), HasSubstr("no write"));
    EXPECT_EQ(told_by[1], "E0e");
    EXPECT_THAT(text(told_by[2]),
                AllOf(HasSubstr("2 bytes"), HasSubstr("0x00000100"), HasSubstr("no such memory")));
    EXPECT_EQ(told_by[3], "OK");
    EXPECT_EQ(told_by[4], told_by[2]) << "the last one that was refused";
    EXPECT_EQ(told + "\n", text(told_by[2]));
}

// Addresses have 32 bits; a range does not wrap around.
TEST_F(GdbSessionTest, NumbersThatDoNotFitAreNotCut) {
    target.memory[0][0x0] = 0xab;
    EXPECT_THAT(answers({"m100000000,1", "mffffffff,2", "Mffffffff,2:0a0b", "m0,1",
                         "Z2,20,100000008", "Z2,ffffffff,2", "Z2,20,10000000000000008",
                         "m10000000000000000,1", "m-1,1", "m0x0,1"}),
                ElementsAre("E01", "E0e", "E0e", "ab", "E01", "E01", "E01", "E01", "E01", "E01"));
    EXPECT_TRUE(target.points.empty());
}

TEST_F(GdbSessionTest, WritesMemory) {
    EXPECT_THAT(answers({"M8,3:0a0b0c", "m8,3", "Mff,2:0a0b", "M8,3:0a0b"}),
                ElementsAre("OK", "0a0b0c", "E0e", "E01"));
}

TEST_F(GdbSessionTest, WritesBinaryMemoryWithEscapes) {
    EXPECT_THAT(answers({std::string("X20,4:a}\x03}\x04:"), "m20,4", "X0,0:"}),
                ElementsAre("OK", "6123243a", "OK"));
}

TEST_F(GdbSessionTest, InsertsAndRemovesStopPoints) {
    EXPECT_THAT(answers({"Z0,100,4", "Z1,104,4", "Z2,20,8", "Z3,30,1", "Z4,40,2", "z0,100,4",
                         "Z5,0,4", "Z0,x,4"}),
                ElementsAre("OK", "OK", "OK", "OK", "OK", "OK", "", "E01"));
    using Kind = StopPoint::Kind;
    EXPECT_THAT(target.points,
                ElementsAre(StopPoint{Kind::kHardwareBreakpoint, 0x104, 4},
                            StopPoint{Kind::kWrite, 0x20, 8}, StopPoint{Kind::kRead, 0x30, 1},
                            StopPoint{Kind::kAccess, 0x40, 2}));
}

TEST_F(GdbSessionTest, NodesAreThreads) {
    EXPECT_THAT(answers({"qfThreadInfo", "qsThreadInfo", "qC", "T4", "T5", "T0", "Hg5", "Hc-1",
                         "Hg0", "qThreadExtraInfo,3"}),
                ElementsAre("m1,2,3,4", "l", "QC1", "OK", "E01", "E01", "E01", "OK", "OK",
                            "6e6f646520322c206974732070726f6772616d2068617320656e646564"));
}

TEST_F(GdbSessionTest, SaysWhatItCan) {
    EXPECT_THAT(answers({"qSupported:multiprocess+", "vCont?", "qAttached", "vMustReplyEmpty",
                         "nonsense", "qRcmd,6379636c65", "qRcmd,63"}),
                ElementsAre(HasSubstr("qXfer:features:read+"), StartsWith("vCont;c"), "0", "", "",
                            "313233340a", ""));
}

TEST_F(GdbSessionTest, ItsTargetIsASparc) {
    const std::string file = "qXfer:features:read:target.xml:";
    EXPECT_THAT(
        answers(
            {file + "0,1000", file + "2,3", file + "1000,3", "qXfer:features:read:other.xml:0,3"}),
        ElementsAre(AllOf(StartsWith("l<?xml"), HasSubstr("<architecture>sparc</architecture>")),
                    "mxml", "l", "E00"));
}

TEST_F(GdbSessionTest, GoesOn) {
    EXPECT_EQ(resumed_by("c").how, Resume::How::kGo);
    EXPECT_EQ(resumed_by("c").step, std::nullopt);
    EXPECT_EQ(resumed_by("C05").step, std::nullopt);
    EXPECT_EQ(resumed_by("s").step, 1);
    EXPECT_EQ(resumed_by("vCont;c").step, std::nullopt);
    EXPECT_EQ(resumed_by("vCont;s:4;c").step, 3);
    EXPECT_EQ(resumed_by("vCont;c:1;s:3").step, 2);
    EXPECT_EQ(resumed_by("vCont;s").step, 1);
    EXPECT_EQ(resumed_by("D").how, Resume::How::kDetach);
    EXPECT_EQ(resumed_by("k").how, Resume::How::kKill);
    EXPECT_EQ(resumed_by("vKill;1").how, Resume::How::kKill);
}

// "monitor goto" moves the stopped node, not the selected one. The answer to "monitor goto" is sent
// when the cycle is reached.
TEST_F(GdbSessionTest, GoesToACycle) {
    client.send("Hg3");
    const Resume resumed = resumed_by("qRcmd," + hex_of("goto  77"));
    EXPECT_EQ(resumed.how, Resume::How::kGoTo);
    EXPECT_EQ(resumed.go_to, 77);
    EXPECT_EQ(client.receive(), "OK");
    answers({}, {.node = 2, .why = Stop::Why::kBreakpoint});
    EXPECT_EQ(client.receive(), hex_of("cycle 1002: node 2: its program has ended\n"));
    answers({}, {.node = 1, .why = Stop::Why::kBreakpoint});
    EXPECT_THAT(client.receive(), StartsWith("T05thread:2;")) << "only once";
}

TEST_F(GdbSessionTest, AnswersTheCycleThatAnEarlierSessionWasAskedFor) {
    session.go_on({StopPoint{StopPoint::Kind::kWrite, 0x20, 8}});
    EXPECT_THAT(target.points, ElementsAre(StopPoint{StopPoint::Kind::kWrite, 0x20, 8}));
    answers({}, {.node = 1, .why = Stop::Why::kEnd});
    EXPECT_EQ(client.receive(), hex_of("cycle 1001: node 1: main+0x10 (main.c:3), after "
                                       "which it executes nothing\n"));
}

TEST_F(GdbSessionTest, GoesOnFromAnotherPlace) {
    resumed_by("c200");
    EXPECT_EQ(target.read_register(1, kPc), 0x200);
    EXPECT_EQ(target.read_register(1, kNpc), 0x204);
}

TEST_F(GdbSessionTest, AfterAFaultItCanOnlyBeLookedAt) {
    client.send("c");
    client.send("s");
    client.send("vCont;c");
    client.send("p44");
    client.send("k");
    EXPECT_EQ(session.stopped({.node = 2, .why = Stop::Why::kFault}).how, Resume::How::kKill);
    for (int i = 0; i < 3; ++i) {
        EXPECT_THAT(client.receive(), StartsWith("E."));
    }
    EXPECT_EQ(client.receive(), "00002044");
}

TEST_F(GdbSessionTest, ADebuggerThatGoesAwayHasKilledIt) {
    client.close();
    EXPECT_EQ(session.stopped({}).how, Resume::How::kKill);
    EXPECT_TRUE(session.interrupted());
}

TEST_F(GdbSessionTest, AnInterruptIsSeenWhileItRuns) {
    EXPECT_FALSE(session.interrupted());
    client.send_raw("+\x03");
    EXPECT_TRUE(session.interrupted());
    EXPECT_FALSE(session.interrupted());
}

TEST_F(GdbSessionTest, AnInterruptThatComesTooLateIsNone) {
    client.send_raw("\x03");
    EXPECT_EQ(answer("qC"), "QC1");
    EXPECT_FALSE(session.interrupted());
}

TEST_F(GdbSessionTest, SaysHowItEnded) {
    session.print("deadlock\n");
    session.exited(3);
    EXPECT_EQ(client.receive(), "O646561646c6f636b0a");
    EXPECT_EQ(client.receive(), "W03");
}

TEST_F(GdbSessionTest, APacketWithAWrongChecksumIsAskedForAgain) {
    client.send_raw("$qC#00");
    client.send("qC");
    client.send("c");
    session.stopped({});
    EXPECT_EQ(client.next_byte(), '-');
    EXPECT_EQ(client.next_byte(), '+');
    EXPECT_EQ(client.receive(), "QC1");
}

TEST_F(GdbSessionTest, AnAnswerThatWasNotUnderstoodIsRepeated) {
    client.send("qC");
    client.send_raw("-");
    client.send("c");
    session.stopped({});
    EXPECT_EQ(client.receive(), "QC1");
    EXPECT_EQ(client.receive(), "QC1");
}

TEST_F(GdbSessionTest, AcknowledgementsEndWhenAskedFor) {
    client.send("QStartNoAckMode");
    client.send_raw("+$qC#00");
    client.send("c");
    session.stopped({});
    EXPECT_EQ(client.next_byte(), '+');
    EXPECT_EQ(client.receive(), "OK");
    EXPECT_EQ(client.next_byte(), '$') << "no acknowledgement, nor a look at the checksum";
}

}  // namespace
}  // namespace weir::experiments::debug
