// weir debug: a machine of Sparcle nodes, controlled over a socket and by gdb-multiarch.
#include "experiments/debug/sparcle_debugger.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "experiments/debug/gdb_connection.h"
#include "experiments/debug/hexadecimal.h"
#include "experiments/debug/testing/gdb_client.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "firmware/sparcle/elf_image.h"
#include "hw/testing/names.h"
#include "hw/testing/needed_tool.h"

namespace weir::experiments::debug {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using weir::testing::Names;

constexpr const char* kFourNodes = R"(extends = "sparcle"

[machine]
nodes = 4

[network]
dimensions = [2, 2]

[workload]
kernel = "remap"
iterations = 5
)";

// Four nodes that wait for a debugger, on a port that was free a moment before.
class DebugTest : public ProgramTest {
  protected:
    DebugTest() { write("remap.toml", kFourNodes); }

    static std::uint16_t free_port() { return GdbListener(0).port(); }

    void begin(const Arguments& options = {}) {
        port_ = free_port();
        Arguments arguments{"debug", experiment_, "--out", "out", "--port", std::to_string(port_)};
        arguments.insert(arguments.end(), options.begin(), options.end());
        program_.reset(new RunningProgram(start(arguments)));
        client_ = connect(port_);
        EXPECT_EQ(client_->ask("QStartNoAckMode"), "OK");
        image_ = std::make_unique<firmware::ElfImage>(
            firmware::ElfImage::read_file(file("out/program.elf").string()));
    }
    static std::unique_ptr<testing::GdbClient> connect(std::uint16_t port) {
        for (int tries = 0;; ++tries) {
            try {
                return std::make_unique<testing::GdbClient>(port);
            } catch (const std::system_error&) {
                if (tries == 1000) {
                    throw;
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
        }
    }

    std::string ask(const std::string& packet) { return client_->ask(packet); }
    std::uint32_t address_of(const char* symbol) { return image_->address_of(symbol); }
    std::uint32_t pc() { return word("p44"); }
    std::uint32_t npc() { return word("p45"); }
    std::uint32_t word(const std::string& packet) {
        return static_cast<std::uint32_t>(number_from_hex(ask(packet)).value_or(0xdeadbeef));
    }
    std::int64_t cycle() {
        const auto text = bytes_from_hex(ask("qRcmd," + hex_of("cycle")));
        return std::stoll(std::string(text->begin(), text->end()));
    }
    std::string stop_at(const char* symbol) {
        const std::string where = fmt::format("0,{:x},4", address_of(symbol));
        EXPECT_EQ(ask("Z" + where), "OK");
        const std::string stop = ask("c");
        EXPECT_EQ(ask("z" + where), "OK");
        return stop;
    }
    ProgramEnd end() { return program_->wait(); }

    // Compiles a program of firmware/sparcle/testing for a machine of two nodes with shared memory.
    void compile_sharing(const std::string& source, const Arguments& flags = {}) {
        write("sharing.toml",
              "extends = \"alewife-shared\"\n[machine]\nnodes = 2\n[network]\ndimensions = [2, 1]\n"
              "[core]\nkind = \"sparcle\"\n[workload]\nkernel = \"image\"\n"
              "image = \"program.elf\"\nshares_memory = true\n");
        Arguments compile{"compile", kPrograms + source, "--output", "program.elf",
                          "--shared-memory"};
        compile.insert(compile.end(), flags.begin(), flags.end());
        static_cast<void>(output_of(compile));
        experiment_ = "sharing.toml";
    }
    std::string told(const std::string& monitor) {
        const auto text = bytes_from_hex(ask("qRcmd," + hex_of(monitor)));
        return {text->begin(), text->end()};
    }

    static inline const std::string kPrograms = WEIR_EXPERIMENTS "/../firmware/sparcle/testing/";
    std::string experiment_ = "remap.toml";
    std::uint16_t port_ = 0;
    std::unique_ptr<RunningProgram> program_;
    std::unique_ptr<testing::GdbClient> client_;
    std::unique_ptr<firmware::ElfImage> image_;
};

TEST_F(DebugTest, StopsBeforeTheFirstCycle) {
    begin();
    EXPECT_THAT(ask("?"), StartsWith("T05thread:1;"));
    EXPECT_EQ(ask("qfThreadInfo"), "m1,2,3,4");
    EXPECT_EQ(pc(), 0);
    EXPECT_EQ(cycle(), 0);
    client_->send("k");
    const ProgramEnd killed = end();
    EXPECT_EQ(killed.status, 130);
    EXPECT_THAT(killed.error, HasSubstr("debugger"));
}

TEST_F(DebugTest, ABreakpointStopsTheNodeBeforeItsInstructionAndAllOthersInThatCycle) {
    begin({"--node", "2"});
    EXPECT_THAT(stop_at("main"), StartsWith("T05thread:3;"));
    EXPECT_EQ(pc(), address_of("main"));
    EXPECT_EQ(npc(), address_of("main") + 4);
    const std::int64_t here = cycle();
    EXPECT_GT(here, 100);
    EXPECT_EQ(ask("Hg2"), "OK");
    EXPECT_GT(pc(), 0) << "node 1 has run, too";
    EXPECT_EQ(cycle(), here) << "and stands now";
    client_->send("k");
    EXPECT_EQ(end().status, 130);
}

TEST_F(DebugTest, WithoutANodeTheFirstThatComesThereStops) {
    begin();
    std::string stops;
    const std::string where = fmt::format("0,{:x},4", address_of("main"));
    EXPECT_EQ(ask("Z" + where), "OK");
    for (int i = 0; i < 4; ++i) {
        stops += ask("c").substr(0, 11);
    }
    for (const char* thread : {"thread:1", "thread:2", "thread:3", "thread:4"}) {
        EXPECT_THAT(stops, HasSubstr(thread));
    }
    client_->send("k");
    EXPECT_EQ(end().status, 130);
}

TEST_F(DebugTest, AStepIsOneInstructionOfThatNode) {
    begin({"--node", "1"});
    stop_at("main");
    for (int i = 0; i < 8; ++i) {
        const std::uint32_t next = npc();
        const std::int64_t before = cycle();
        EXPECT_THAT(ask("vCont;s:2;c"), StartsWith("T05thread:2;"));
        // The beginning of main has no annulled delay slot and no trap, so a step leads to npc.
        EXPECT_EQ(pc(), next);
        EXPECT_GT(cycle(), before);
    }
    client_->send("k");
    EXPECT_EQ(end().status, 130);
}

// gdb steps by a breakpoint behind the instruction, and resumes only that thread.
TEST_F(DebugTest, OnlyAThreadThatIsLetGoStops) {
    begin({"--node", "1"});
    stop_at("main");
    EXPECT_EQ(ask("Hg4"), "OK");
    for (int i = 0; i < 8; ++i) {
        const std::string where = fmt::format("0,{:x},4", npc());
        EXPECT_EQ(ask("Z" + where), "OK");
        EXPECT_THAT(ask("vCont;c:4"), StartsWith("T05thread:4;"));
        EXPECT_EQ(ask("z" + where), "OK");
    }
    const std::string everywhere = fmt::format("0,{:x},4", address_of("message_dispatch"));
    EXPECT_EQ(ask("Z" + everywhere), "OK");
    EXPECT_THAT(ask("vCont;c:3"), StartsWith("T05thread:3;"));
    EXPECT_THAT(ask("vCont;c"), StartsWith("T05thread:2;"));
    client_->send("k");
    EXPECT_EQ(end().status, 130);
}

TEST_F(DebugTest, AWatchpointStopsBehindTheStore) {
    begin({"--node", "3"});
    stop_at("main");
    const std::uint32_t watched = address_of("remap_replied");
    EXPECT_EQ(ask(fmt::format("Z2,{:x},4", watched)), "OK");
    EXPECT_THAT(ask("c"),
                AllOf(StartsWith("T05thread:4;"), HasSubstr(fmt::format("watch:{:x};", watched))));
    EXPECT_EQ(ask(fmt::format("m{:x},4", watched)), "00000000") << "main: nobody has, yet";
    EXPECT_THAT(ask("c"), HasSubstr("watch:"));
    EXPECT_EQ(ask(fmt::format("m{:x},4", watched)), "00000001") << "reply(): what it has stored";
    EXPECT_EQ(ask(fmt::format("z2,{:x},4", watched)), "OK");
    EXPECT_EQ(ask(fmt::format("Z3,{:x},4", watched)), "OK");
    EXPECT_THAT(ask("c"), HasSubstr(fmt::format("rwatch:{:x};", watched)));
    client_->send("k");
    EXPECT_EQ(end().status, 130);
}

TEST_F(DebugTest, MemoryAndRegistersOfEachNodeAreItsOwn) {
    begin({"--node", "1"});
    stop_at("main");
    const std::string place = fmt::format("{:x},4", address_of("remap_replied"));
    EXPECT_EQ(ask("M" + place + ":12345678"), "OK");
    EXPECT_EQ(ask("m" + place), "12345678");
    EXPECT_EQ(ask("P8=0000002a"), "OK");
    EXPECT_EQ(ask("p8"), "0000002a");
    const std::string elsewhere = fmt::format("P44={:08x}", address_of("main") + 8);
    EXPECT_EQ(ask("Hg1"), "OK");
    EXPECT_NE(ask("m" + place), "12345678");
    EXPECT_EQ(ask(elsewhere), "E02") << "it may stand within an instruction";
    EXPECT_EQ(ask("Hg2"), "OK");
    EXPECT_EQ(ask(elsewhere), "OK");
    EXPECT_EQ(pc(), address_of("main") + 8);
    EXPECT_EQ(ask("mfffffff0,4"), "E0e") << "no memory";
    client_->send("k");
    EXPECT_EQ(end().status, 130);
}

TEST_F(DebugTest, LookingChangesNoResult) {
    EXPECT_EQ(weir({"run", "remap.toml", "--out", "plain"}).status, 0);
    begin({"--node", "2"});
    stop_at("main");
    for (int i = 0; i < 50; ++i) {
        ask("s");
    }
    stop_at("message_dispatch");
    EXPECT_THAT(ask("c"), StartsWith("O")) << "what became of it";
    EXPECT_EQ(client_->receive(), "W00");
    EXPECT_EQ(end().status, 0);
    EXPECT_EQ(read("out/statistics.csv"), read("plain/point-01-seed-1/statistics.csv"));
}

TEST_F(DebugTest, ControlCStopsIt) {
    begin({"--set", "workload.iterations=100000"});
    client_->send("c");
    client_->send_raw("\x03");
    EXPECT_THAT(client_->receive(), StartsWith("T02thread:"));
    const std::int64_t here = cycle();
    client_->send("c");
    client_->send_raw("\x03");
    EXPECT_THAT(client_->receive(), StartsWith("T02thread:"));
    EXPECT_GT(cycle(), here);
    client_->send("k");
    EXPECT_EQ(end().status, 130);
}

TEST_F(DebugTest, AfterDetachingItRunsToItsEnd) {
    begin();
    EXPECT_EQ(ask("Z0,0,4"), "OK");
    EXPECT_EQ(ask("D"), "OK");
    EXPECT_EQ(end().status, 0);
}

TEST_F(DebugTest, AnotherDebuggerMayFollowOneThatHasGone) {
    begin({"--node", "2"});
    stop_at("main");
    const std::int64_t here = cycle();
    EXPECT_EQ(ask("Z0,0,4"), "OK");
    client_->close();
    client_ = connect(port_);
    EXPECT_THAT(ask("?"), StartsWith("T05thread:3;"));
    EXPECT_EQ(ask("QStartNoAckMode"), "OK");
    EXPECT_EQ(pc(), address_of("main"));
    EXPECT_EQ(cycle(), here);
    EXPECT_THAT(ask("c"), StartsWith("O")) << "nothing stops it any more";
    EXPECT_EQ(client_->receive(), "W00");
    EXPECT_EQ(end().status, 0);
}

// Compares all that a debugger can read of every node.
TEST_F(DebugTest, GoesToACycleInBothDirections) {
    EXPECT_EQ(weir({"run", "remap.toml", "--out", "plain"}).status, 0);
    begin({"--node", "1"});
    const auto state = [this] {
        std::string all = std::to_string(cycle());
        for (int node = 3; node >= 0; --node) {
            const int thread = node == 3 ? 4 : node + 1;
            EXPECT_EQ(ask(fmt::format("Hg{:x}", thread)), "OK");
            all += "\n" + ask("g") + ask(fmt::format("m{:x},400", word("pe"))) +
                   ask(fmt::format("m{:x},100", address_of("remap_replied")));
        }
        EXPECT_EQ(ask("Hg2"), "OK");
        return all;
    };
    const auto go_to = [this](std::int64_t there) {
        const auto text = bytes_from_hex(ask("qRcmd," + hex_of(fmt::format("goto {}", there))));
        return std::string(text->begin(), text->end());
    };
    stop_at("main");
    const std::int64_t at_main = cycle();
    const std::string state_at_main = state();
    stop_at("message_dispatch");
    const std::int64_t at_message = cycle();
    const std::string state_at_message = state();
    EXPECT_THAT(go_to(at_message),
                StartsWith(fmt::format("cycle {}: node 1: message_dispatch+0x0 (", at_message)))
        << "where it is already";
    EXPECT_EQ(state(), state_at_message);
    EXPECT_THAT(go_to(at_main), HasSubstr(fmt::format("cycle {}: node 1: main", at_main)));
    EXPECT_EQ(state(), state_at_main);
    go_to(at_message);
    EXPECT_EQ(state(), state_at_message);
    // A request for a cycle between two instructions leads to the later instruction. The stopped
    // node moves, whichever node is selected.
    go_to(at_main);
    ask("s");
    const std::int64_t behind = cycle();
    EXPECT_EQ(ask("Hg4"), "OK");
    go_to(at_main);
    EXPECT_THAT(go_to(at_main + 1), StartsWith(fmt::format("cycle {}: node 1", behind)));
    EXPECT_THAT(go_to(0), StartsWith("cycle 0: node 1"));
    EXPECT_EQ(pc(), 0);
    // Breakpoints remain in the new process.
    EXPECT_EQ(ask(fmt::format("Z0,{:x},4", address_of("main"))), "OK");
    go_to(at_message);
    go_to(0);
    EXPECT_THAT(ask("c"), StartsWith("T05thread:2;"));
    EXPECT_EQ(cycle(), at_main);
    EXPECT_EQ(ask(fmt::format("z0,{:x},4", address_of("main"))), "OK");
    for (const char* wrong : {"goto", "goto ", "goto -1", "goto 1x", "goto 99999999999999999999"}) {
        const auto text = bytes_from_hex(ask("qRcmd," + hex_of(wrong)));
        EXPECT_THAT(std::string(text->begin(), text->end()), Names("whole", "0"));
    }
    // A cycle beyond the end leads to the last instruction.
    EXPECT_THAT(go_to(1'000'000'000), HasSubstr("nothing"));
    EXPECT_GT(cycle(), at_message);
    EXPECT_EQ(pc(), address_of("weir_idle") + 4);
    EXPECT_EQ(cycle(), cycle());
    EXPECT_THAT(ask("c"), StartsWith("O"));
    EXPECT_EQ(client_->receive(), "W00");
    EXPECT_EQ(end().status, 0);
    EXPECT_EQ(read("out/statistics.csv"), read("plain/point-01-seed-1/statistics.csv"));
}

// Another debugger connects to the process that runs again for the first one.
TEST_F(DebugTest, AfterGoingBackAnotherDebuggerMayFollow) {
    begin({"--node", "2"});
    stop_at("main");
    const std::int64_t here = cycle();
    static_cast<void>(ask("qRcmd," + hex_of("goto 100")));
    client_->close();
    client_ = connect(port_);
    EXPECT_THAT(ask("?"), StartsWith("T05thread:3;"));
    EXPECT_EQ(ask("QStartNoAckMode"), "OK");
    EXPECT_GE(cycle(), 100);
    EXPECT_LT(cycle(), here);
    EXPECT_EQ(ask("D"), "OK");
    EXPECT_EQ(end().status, 0);
}

TEST_F(DebugTest, AFaultOfTheProgramCanBeLookedAt) {
    begin({"--node", "1"});
    stop_at("main");
    const std::uint32_t zeros = address_of("remap_replied");
    EXPECT_EQ(ask(fmt::format("P45={:08x}", zeros + 4)), "OK");
    EXPECT_EQ(ask(fmt::format("P44={:08x}", zeros)), "OK");
    EXPECT_THAT(ask("c"), StartsWith("T04thread:2;"));
    EXPECT_EQ(pc(), zeros);
    EXPECT_THAT(ask("c"), StartsWith("E."));
    client_->send("k");
    const ProgramEnd failed = end();
    EXPECT_EQ(failed.status, 4);
    EXPECT_THAT(failed.error, HasSubstr("illegal"));
}

TEST_F(DebugTest, InstructionsCannotBeWritten) {
    begin({"--node", "1"});
    EXPECT_THAT(told("refused"), HasSubstr("no write"));
    const std::string main = fmt::format("m{:x},4", address_of("main"));
    const std::string before = ask(main);
    const std::string table = ask("m0,10");
    EXPECT_EQ(ask("M0,4:61626300"), "E0e");
    EXPECT_THAT(told("refused"), AllOf(HasSubstr("0x00000000"), HasSubstr("instructions")));
    EXPECT_EQ(ask(fmt::format("X{:x},4:abcd", address_of("main"))), "E0e");
    // The last bytes of the text and the first ones behind it.
    std::uint32_t end_of_text = 0;
    for (const auto& segment : image_->segments()) {
        end_of_text = segment.executable ? segment.address + segment.memory_bytes : end_of_text;
    }
    EXPECT_EQ(ask(fmt::format("M{:x},8:0000000000000000", end_of_text - 4)), "E0e");
    EXPECT_EQ(ask(main), before);
    EXPECT_EQ(ask("m0,10"), table);
    EXPECT_EQ(ask("M" + fmt::format("{:x}", address_of("remap_replied")) + ",4:00000000"), "OK");
    EXPECT_EQ(ask("D"), "OK");
    EXPECT_EQ(end().status, 0);
}

// Node 1 has the only copies, and node 0 is their home.
TEST_F(DebugTest, SharedMemoryIsReadAndWrittenWhereverItIs) {
    compile_sharing("debugged_sharing.c");
    begin({"--node", "0"});
    EXPECT_EQ(ask("m80000000,4"), "00000000") << "before the first cycle";
    stop_at("look");
    const std::uint32_t words = word(fmt::format("m{:x},4", address_of("words")));
    EXPECT_GE(words, 0x80000000U);
    const std::string all = fmt::format("m{:x},20", words);
    const std::string squares = "0000000000000001000000040000000900000010000000190000002400000031";
    EXPECT_EQ(ask(all), squares);
    EXPECT_EQ(ask("Hg2"), "OK");
    EXPECT_EQ(ask(all), squares);
    EXPECT_EQ(ask(fmt::format("M{:x},4:00000063", words + 12)), "OK");
    EXPECT_EQ(ask("Hg1"), "OK");
    EXPECT_EQ(ask(fmt::format("m{:x},4", words + 12)), "00000063");
    // The end of shared memory.
    const std::uint32_t bytes = word(fmt::format("m{:x},4", address_of("weir_shared_memory")));
    std::uint32_t end_of_memory = 0x80000000U + 2 * bytes;
    while (ask(fmt::format("m{:x},4", end_of_memory)) != "E0e") {
        end_of_memory += 16;  // lines of locks
        ASSERT_LT(end_of_memory, 0x80000000U + 2 * bytes + 4096);
    }
    EXPECT_EQ(ask(fmt::format("m{:x},8", end_of_memory - 4)), "00000000");
    EXPECT_EQ(ask(fmt::format("M{:x},8:0000000000000000", end_of_memory - 4)), "E0e");
    EXPECT_EQ(ask("D"), "OK");
    EXPECT_EQ(end().status, 0);
    EXPECT_THAT(read("out/console.txt"),
                AllOf(HasSubstr("0: seen 99 50 4711"), HasSubstr("1: seen 99 50 4711")));
}

TEST_F(DebugTest, WatchpointsInSharedMemoryStopEachWatchedNode) {
    compile_sharing("debugged_sharing.c");
    begin();
    stop_at("look");
    stop_at("look");
    const std::uint32_t words = word(fmt::format("m{:x},4", address_of("words")));
    const auto watch = [&](int kind, std::uint32_t index) {
        return fmt::format("{},{:x},4", kind, words + 4 * index);
    };
    EXPECT_EQ(ask("Z" + watch(2, 5)), "OK");
    EXPECT_THAT(ask("c"), AllOf(StartsWith("T05thread:2;"),
                                HasSubstr(fmt::format("watch:{:x};", words + 20))));
    EXPECT_EQ(ask(fmt::format("m{:x},4", words + 20)), "0000001a") << "26, after the store";
    EXPECT_EQ(ask("z" + watch(2, 5)), "OK");
    EXPECT_EQ(ask("Z" + watch(3, 7)), "OK");
    EXPECT_EQ(ask("Z" + watch(4, 6)), "OK");
    EXPECT_THAT(ask("c"), AllOf(StartsWith("T05thread:2;"),
                                HasSubstr(fmt::format("rwatch:{:x};", words + 28))));
    EXPECT_THAT(ask("c"), AllOf(StartsWith("T05thread:2;"),
                                HasSubstr(fmt::format("awatch:{:x};", words + 24))));
    // Both nodes load the word at the end.
    std::string stops;
    for (int i = 0; i < 2; ++i) {
        stops += ask("c").substr(0, 12);
    }
    EXPECT_THAT(stops, AllOf(HasSubstr("thread:1;"), HasSubstr("thread:2;")));
    EXPECT_EQ(ask("D"), "OK");
    EXPECT_EQ(end().status, 0);
}

TEST_F(DebugTest, LookingAtSharedMemoryChangesNoResult) {
    compile_sharing("debugged_sharing.c");
    EXPECT_EQ(weir({"run", experiment_, "--out", "plain"}).status, 0);
    begin({"--node", "1"});
    stop_at("main");
    for (int i = 0; i < 300; ++i) {
        ask("s");
        EXPECT_NE(ask("m80000000,400"), "E0e");
    }
    stop_at("look");
    for (int i = 0; i < 300; ++i) {
        ask("s");
        EXPECT_NE(ask("m80000000,400"), "E0e");
    }
    EXPECT_EQ(ask("D"), "OK");
    EXPECT_EQ(end().status, 0);
    EXPECT_EQ(read("out/statistics.csv"), read("plain/point-01-seed-1/statistics.csv"));
}

TEST_F(DebugTest, TellsWhatIsWrong) {
    const auto refused = [this](const Arguments& arguments) {
        const ProgramEnd end = weir(arguments);
        EXPECT_EQ(end.status, 2) << end.error;
        return end.error;
    };
    EXPECT_THAT(refused({"debug", "remap.toml", "--node", "4"}), Names("--node 4", "0", "3"));
    write("plain.toml", kSmallRemap);
    EXPECT_THAT(refused({"debug", "plain.toml"}), HasSubstr("core.kind = \"sparcle\""));
    const GdbListener taken(0);
    EXPECT_THAT(refused({"debug", "remap.toml", "--port", std::to_string(taken.port())}),
                HasSubstr("--port " + std::to_string(taken.port())));
    EXPECT_THAT(everything(), ::testing::SizeIs(2)) << "nothing is left behind";
}

TEST_F(DebugTest, GdbItselfStopsStepsAndSeesNodes) {
    WEIR_NEEDS_TOOL("gdb-multiarch");
    const std::uint16_t port = free_port();
    RunningProgram program = start(
        {"debug", "remap.toml", "--out", "out", "--port", std::to_string(port), "--node", "2"});
    while (!fs::exists(file("out/statistics.csv")) && !fs::exists(file("out/program.elf"))) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    write("commands.gdb", fmt::format("target remote :{}\n"
                                      "break main\n"
                                      "continue\n"
                                      "info threads\n"
                                      "print count\n"
                                      "next\n"
                                      "next\n"
                                      "tbreak request\n"
                                      "continue\n"
                                      "backtrace\n"
                                      "delete\n"
                                      "continue\n",
                                      port));
    const std::string command = fmt::format(
        "cd '{}' && timeout 100 gdb-multiarch -nx -batch -x commands.gdb "
        "out/program.elf > gdb.txt 2>&1",
        folder().string());
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(program.wait().status, 0);
    const std::string told = read("gdb.txt");
    EXPECT_THAT(told, HasSubstr("Thread 3 hit Breakpoint 1, main"));
    EXPECT_THAT(told, HasSubstr("* 3    Thread 3 (node 2, main+0x0"));
    EXPECT_THAT(told, HasSubstr("Thread 4 (node 3, "));
    EXPECT_THAT(told, HasSubstr("$1 = 0"));
    EXPECT_THAT(told, HasSubstr("hit Temporary breakpoint 2, request"));
    EXPECT_THAT(told, HasSubstr("#1  <signal "));
    EXPECT_THAT(told, ContainsRegex("#[23]  am_wait .flag="));
    EXPECT_THAT(told, HasSubstr("exited"));
    EXPECT_THAT(told, Not(HasSubstr("warning")));
}

// gdb-multiarch itself, with a list of commands; its output is checked.
class GdbTest : public DebugTest, public ::testing::WithParamInterface<const char*> {
  protected:
    void SetUp() override { WEIR_NEEDS_TOOL("gdb-multiarch"); }
    // Runs gdb's `commands` on a program of firmware/sparcle/testing on two nodes, and returns
    // gdb's output. weir's exit status must be `status_`.
    std::string session(const std::string& optimisation, std::string commands,
                        const std::string& source = "frames.c", const Arguments& flags = {}) {
        write("program.toml",
              "extends = \"sparcle\"\nmachine.nodes = 2\n[workload]\nkernel = \"image\"\n"
              "image = \"program.elf\"\narguments = [4]\n");
        const std::string path =
            fs::exists(file(source)) ? file(source).string() : kPrograms + source;
        Arguments compile{"compile", path, "--output", "program.elf", "--flag=" + optimisation};
        compile.insert(compile.end(), flags.begin(), flags.end());
        static_cast<void>(output_of(compile));
        return session_with("program.toml", std::move(commands));
    }
    // Runs gdb's `commands` on an experiment whose image is program.elf.
    std::string session_with(const std::string& experiment, std::string commands) {
        port_ = free_port();
        RunningProgram program =
            start({"debug", experiment, "--out", "out", "--port", std::to_string(port_)});
        while (!fs::exists(file("out/program.elf"))) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        const std::size_t place = commands.find(kPort);
        if (place != std::string::npos) {
            commands.replace(place, kPort.size(), std::to_string(port_));
        }
        write("commands.gdb",
              fmt::format("set pagination off\nset width 0\nset print entry-values no\n"
                          "source out/refresh.gdb\ntarget remote :{}\n{}kill\n",
                          port_, commands));
        const std::string command = fmt::format(
            "cd '{}' && timeout 100 gdb-multiarch -nx -batch -x commands.gdb out/program.elf "
            "> gdb.txt 2>&1",
            folder().string());
        EXPECT_EQ(std::system(command.c_str()), 0) << read("gdb.txt");
        EXPECT_EQ(program.wait().status, status_);
        return read("gdb.txt");
    }
    static constexpr std::string_view kPort = "%PORT%";
    int status_ = 130;  // killed
};

TEST_P(GdbTest, FramesAreRightAtAnyDepthAndInHandlers) {
    const std::string told = session(GetParam(),
                                     "break bottom\ncontinue\necho HANDLER\\n\nbacktrace\n"
                                     "continue\necho TWENTY\\n\nbacktrace\n"
                                     "frame function main\n"
                                     "continue\necho HUNDREDS\\n\nbacktrace\n"
                                     "frame 151\nprint here\n"
                                     "set variable here = 5000\nprint here\n"
                                     "frame 195\nset variable here = 6000\n"
                                     "frame 3\nset variable here = 7000\n"
                                     "frame 1\nfinish\n"
                                     "up 150\nprint here\n"
                                     "delete\nbreak frames.c:31\ncontinue\nprint come\n");
    const auto part = [&told](const char* from, const char* to) {
        const std::size_t begin = told.find(from);
        return told.substr(begin, told.find(to) - begin);
    };
    const std::string handler = part("HANDLER", "TWENTY");
    const std::string twenty = part("TWENTY", "HUNDREDS");
    const std::string hundreds = told.substr(told.find("HUNDREDS"));
    for (int depth = 0; depth <= 20; ++depth) {
        const std::string frame = fmt::format("descend (depth={})", depth);
        EXPECT_THAT(handler, HasSubstr(frame));
        EXPECT_THAT(twenty, HasSubstr(frame));
    }
    // Frames of the handler, then those of the interrupted program.
    EXPECT_THAT(handler,
                ::testing::ContainsRegex(
                    "descend \\(depth=20\\)[^\n]*\n#22 [^\n]*take [^\n]*\n"
                    "#23 [^\n]*<signal handler called>[^\n]*\n#2[45] [^\n]*am_wait [^\n]*\n"
                    "#2[56] [^\n]*main "));
    for (int depth = 0; depth <= 200; ++depth) {
        EXPECT_THAT(hundreds, HasSubstr(fmt::format("descend (depth={})", depth)));
    }
    EXPECT_THAT(hundreds, ::testing::ContainsRegex("#202 [^\n]*main "));
    EXPECT_THAT(hundreds, HasSubstr("= 150\n"));
    EXPECT_THAT(hundreds, HasSubstr("= 5000\n"));
    EXPECT_THAT(hundreds, HasSubstr("Value returned"));
    EXPECT_THAT(hundreds, HasSubstr(fmt::format("= {}\n", 1000 + 200 * 201 / 2 - 150 - 194 - 2 +
                                                              5000 + 6000 + 7000)));
}

// Each node stops at the breakpoint; a step executes an instruction of the selected thread only.
TEST_P(GdbTest, ThreadsStopAndStepEachForItself) {
    const std::string told = session(GetParam(),
                                     "break main\ncontinue\ncontinue\n"
                                     "delete\nthread 1\nprint $pc\nstepi\nprint $pc\nstepi\n"
                                     "thread 2\nstepi\nstepi\nthread\n"
                                     "tbreak take\ncontinue\n");
    EXPECT_THAT(told, HasSubstr("Thread 1 hit Breakpoint 1, main"));
    EXPECT_THAT(told, HasSubstr("Thread 2 hit Breakpoint 1, main"));
    EXPECT_THAT(told, HasSubstr("2 (Thread 2)]"));
    EXPECT_THAT(told, HasSubstr("Thread 1 hit Temporary breakpoint 2, take"));
}

// Traps of an arriving message, before its handler, and of window overflow and underflow.
TEST_P(GdbTest, TrapsLeadToWhatTheyInterrupt) {
    const std::string told = session(GetParam(),
                                     "break message_dispatch\ncontinue\nbacktrace\ndelete\n"
                                     "tbreak descend if depth == 195\ncontinue\n"
                                     "break *window_overflow\ncontinue\nbacktrace -5\nup\n"
                                     "info frame\n"
                                     "stepi 3\nbacktrace 1\ndelete\n"
                                     "tbreak bottom\ncontinue\n"
                                     "break *window_underflow\ncontinue\nbacktrace -5\n");
    EXPECT_THAT(told, ContainsRegex("#0 [^\n]*<signal handler called>[^\n]*\n#1 [^\n]*am_wait "
                                    "[^\n]*\n#2 [^\n]*main "));
    EXPECT_THAT(told, ContainsRegex("descend \\(depth=199\\)[^\n]*\n#[0-9]+ [^\n]*descend "
                                    "\\(depth=200\\)[^\n]*\n#[0-9]+ [^\n]*main "));
    EXPECT_THAT(told, Not(HasSubstr("corrupt")));
    EXPECT_THAT(told, Not(HasSubstr("Cannot access")));
}

// Threads in contexts, and a handler that interrupts one.
TEST_P(GdbTest, EachContextHasItsFrames) {
    std::string commands = "thread 1\n";
    for (int context = 0; context < 4; ++context) {
        commands += fmt::format(
            "tbreak run_thread thread 1 if context == {}\ncontinue\nbacktrace\n", context);
    }
    commands += "break square thread 1\necho HANDLER\\n\ncontinue\nbacktrace\n";
    const std::string told = session(GetParam(), commands, "contexts.c", {"--contexts"});
    for (int context = 0; context < 4; ++context) {
        EXPECT_THAT(told, ContainsRegex(fmt::format(
                              "#0 [^\n]*run_thread \\(context={}\\)[^\n]*\n#1 [^\n]*{} ", context,
                              context == 0 ? "main" : "context_end")));
    }
    if (GetParam() == std::string("-O0")) {
        return;  // -mflat with a frame pointer: gcc's frame information is wrong
    }
    EXPECT_THAT(told.substr(told.find("HANDLER")),
                ContainsRegex("#0 [^\n]*square [^\n]*\n#1 [^\n]*answer [^\n]*\n#2 [^\n]*<signal "
                              "handler called>[^\n]*\n#3 [^\n]*\n?(#[0-9]+ [^\n]*\n)*#[0-9]+ "
                              "[^\n]*(main|context_end) "));
}

// gdb stops in the requested cycle, earlier or later, and keeps its breakpoints.
TEST_P(GdbTest, GoesToACycleInBothDirections) {
    const std::string told =
        session(GetParam(),
                "break bottom\ncontinue\npython\n"
                "def cycle(): return int(gdb.execute('monitor cycle', to_string=True))\n"
                "def state(): return ''.join(gdb.execute(what, to_string=True) for what in "
                "('backtrace', 'info registers', 'x/64wx $sp', 'thread', 'info threads'))\n"
                "first, first_state = cycle(), state()\n"
                "gdb.execute('continue')\n"
                "second, second_state = cycle(), state()\n"
                "gdb.execute('monitor goto %d' % first)\n"
                "print('BACK', cycle() == first, state() == first_state)\n"
                "gdb.execute('continue')\n"
                "print('AGAIN', cycle() == second, state() == second_state)\n"
                "gdb.execute('monitor goto %d' % first)\n"
                "gdb.execute('monitor goto %d' % second)\n"
                "print('FORTH', cycle() == second, state() == second_state)\n"
                "gdb.execute('stepi')\n"
                "print('STEP', cycle() > second, cycle() < second + 100)\n"
                "print('OTHER', first_state != second_state)\nend\n");
    for (const char* what : {"BACK", "AGAIN", "FORTH", "STEP"}) {
        EXPECT_THAT(told, HasSubstr(std::string(what) + " True True"));
    }
    EXPECT_THAT(told, HasSubstr("OTHER True"));
}

// After disconnect the machine stays stopped in its cycle, and gdb finds the runtime's sources.
TEST_P(GdbTest, ComesAgainAndFindsTheSources) {
    const std::string told =
        session(GetParam(), fmt::format("break take\ncontinue\nprint $pc\ndisconnect\n"
                                        "echo GONE\\n\ntarget remote :%PORT%\nprint $pc\n"
                                        "directory {}\nframe function am_wait\nlist\n",
                                        WEIR_EXPERIMENTS "/.."));
    const auto place = [&told](std::size_t from) {
        const std::size_t begin = told.find(" = (void (*)", from);
        return begin == std::string::npos ? "none"
                                          : told.substr(begin, told.find('\n', begin) - begin);
    };
    EXPECT_EQ(place(0), place(told.find("GONE"))) << told;
    EXPECT_THAT(place(0), HasSubstr("take"));
    EXPECT_THAT(told, HasSubstr("while (*flag == 0) {"));
}

// Attempts a command of gdb, whose failure otherwise ends a list of commands.
constexpr const char* kAttempt =
    "python\n"
    "def attempt(command):\n"
    "    try: print('DID', command, ':', gdb.execute(command, to_string=True))\n"
    "    except gdb.error as failure: print('FAILED', command, ':', failure)\n"
    "end\n";

TEST_P(GdbTest, WhatTheLinkHasDroppedIsNotShown) {
    write("dropped.c",
          "char buf[64] = \"hello\";\n"
          "static volatile int kept = 3;\n"
          "double half(double x) { return x / 2; }\n"
          "__attribute__((noipa)) int twice(int x) { return 2 * x + kept; }\n"
          "int main(void) {\n"
          "    int local = twice(4);\n"
          "    return local - 11;\n"
          "}\n");
    const std::string told =
        session(GetParam(),
                std::string(kAttempt) +
                    "info line *0x10\ntbreak main\ncontinue\ninfo locals\n"
                    "python\n"
                    "for command in ('print &buf', 'print buf', 'set var buf = \"abc\"',\n"
                    "                'print half(3.0)', 'print kept', 'print twice(5)',\n"
                    "                'set var *(int*)0x10 = 1', 'set var *(int*)main = 1',\n"
                    "                'monitor refused', 'x/2xw 0', 'backtrace'):\n"
                    "    attempt(command)\n"
                    "end\nnext\n",
                "dropped.c");
    for (const char* command :
         {"print &buf", "print buf", "set var buf = \"abc\"", "print half(3.0)"}) {
        EXPECT_THAT(told, HasSubstr("FAILED " + std::string(command) + " : No symbol "));
    }
    EXPECT_THAT(told, HasSubstr("DID print kept : $1 = 3"));
    EXPECT_THAT(told, HasSubstr("DID print twice(5) : $2 = 13"));
    EXPECT_THAT(told, HasSubstr("FAILED set var *(int*)0x10 = 1 : Cannot access memory"));
    EXPECT_THAT(told, HasSubstr("FAILED set var *(int*)main = 1 : Cannot access memory"));
    EXPECT_THAT(told, HasSubstr("cannot be written"));
    EXPECT_THAT(told, ::testing::ContainsRegex("DID x/2xw 0 : [^\n]*0xa1480000"));
    EXPECT_THAT(told, HasSubstr("traps.S")) << "the place of 0x10";
}

TEST_P(GdbTest, SharedMemoryIsPrintedWrittenAndWatched) {
    compile_sharing("debugged_sharing.c", {"--flag=" + std::string(GetParam())});
    const std::string told =
        session_with("sharing.toml",
                     "tbreak look thread 1\ncontinue\n"
                     "print *record\nprint record->next->number\nprint record->text\nx/8dw words\n"
                     "print *words@8\nset var words[3] = 99\nset var record->halves[0] = 5\n"
                     "set var record->text[1] = 'z'\n"
                     "thread 2\nprint *words@4\nprint *record\n"
                     "watch -location words[5]\ncontinue\n");
    EXPECT_THAT(told, HasSubstr("number = 4711, text = \"ab\\000"));
    EXPECT_THAT(told, HasSubstr("halves = {0, 77}"));
    EXPECT_THAT(told, HasSubstr("= 4712\n"));
    EXPECT_THAT(told, HasSubstr("= {0, 1, 4, 9, 16, 25, 36, 49}"));
    EXPECT_THAT(told, ::testing::ContainsRegex("0x8[0-9a-f]*:\t0\t1\t4\t9\n"));
    EXPECT_THAT(told, HasSubstr("= {0, 1, 4, 99}"));
    EXPECT_THAT(told, HasSubstr("halves = {5, 77}"));
    EXPECT_THAT(told, HasSubstr("text = \"az\\000"));
    EXPECT_THAT(told, HasSubstr("Thread 2 hit Hardware watchpoint 2: -location words[5]"));
    EXPECT_THAT(told, HasSubstr("Old value = 25\nNew value = 26"));
    EXPECT_THAT(told, Not(HasSubstr("Cannot access")));
}

TEST_P(GdbTest, FramesInSharedMemoryAreSeen) {
    if (GetParam() == std::string("-O0")) {
        GTEST_SKIP() << "-mflat with a frame pointer: gcc's frame information is wrong";
    }
    compile_sharing("debugged_sharing.c", {"--contexts", "--flag=-O2"});
    const std::string told =
        session_with("sharing.toml",
                     "break look thread 1\ncontinue\ncontinue\nprint $sp >= 0x80000000\n"
                     "backtrace 22\nframe 7\nprint here\nset var here = 1000\n"
                     "frame 7\nprint here\n");
    EXPECT_THAT(told, ::testing::ContainsRegex("= (1|true)\n"));
    for (int depth = 0; depth <= 20; ++depth) {
        EXPECT_THAT(told, HasSubstr(fmt::format("descend (depth={})", depth)));
    }
    EXPECT_THAT(told, HasSubstr("= 6\n"));
    EXPECT_THAT(told, HasSubstr("= 1000\n"));
}

INSTANTIATE_TEST_SUITE_P(Optimised, GdbTest, ::testing::Values("-O0", "-O2"),
                         [](const auto& tested) { return std::string(tested.param + 1); });

}  // namespace
}  // namespace weir::experiments::debug
