// Mutated packets of GDB's protocol against a machine of four nodes in this process.
// WEIR_GDB_PACKETS sets the number of packets (default: 1,000). Each machine takes some hundred
// packets, in a process of its own.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <thread>

#include "experiments/debug/sparcle_debugger.h"
#include "experiments/debug/testing/gdb_client.h"
#include "experiments/kinds/setup.h"
#include "experiments/running/processes/simulation_job.h"
#include "hw/testing/fuzz_target.h"

extern "C" int __lsan_do_recoverable_leak_check() __attribute__((weak));

namespace weir::experiments::debug {
namespace {

namespace fs = std::filesystem;

constexpr int kPacketsAMachine = 500;
constexpr unsigned kLongestSeconds = 60;  // time limit of a machine; then it hangs

constexpr const char* kManyIterations = R"(extends = "sparcle"
machine.nodes = 4
network.dimensions = [2, 2]
workload.kernel = "remap"
workload.iterations = 100000
)";

// Packets that end the session are left out, so that each machine takes all of its packets.
bool ends_visit(const std::string& packet) {
    return packet.starts_with('k') || packet.starts_with('D') || packet.starts_with("vKill");
}
bool lets_go(const std::string& packet) {
    return !packet.empty() && std::string_view("cCsSv").find(packet[0]) != std::string_view::npos;
}

const std::vector<std::string>& known_packets() {
    static const std::vector<std::string> packets{"?",
                                                  "g",
                                                  "G" + std::string(576, '0'),
                                                  "m0,40",
                                                  "m7fffffff,100",
                                                  "M40,4:01020304",
                                                  "X40,4:abcd",
                                                  "P44=00000040",
                                                  "P41=000010c0",
                                                  "P2=deadbeef",
                                                  "p44",
                                                  "Hg3",
                                                  "Hc-1",
                                                  "T2",
                                                  "c",
                                                  "c40",
                                                  "s",
                                                  "S05",
                                                  "C05;40",
                                                  "vCont;c",
                                                  "vCont;s:2;c",
                                                  "vCont?",
                                                  "Z0,40,4",
                                                  "z0,40,4",
                                                  "Z2,100,8",
                                                  "Z3,100,4",
                                                  "Z4,0,ffffffff",
                                                  "z4,0,ffffffff",
                                                  "qfThreadInfo",
                                                  "qThreadExtraInfo,2",
                                                  "qRcmd,6379636c65",
                                                  "qRcmd,7761697473",
                                                  "qC",
                                                  "qXfer:features:read:target.xml:0,fff"};
    return packets;
}

// Sends all packets, with an interrupt behind each packet that resumes the machine, and then kills
// the machine. Returns the number of packets that the machine acknowledged.
int visit(int socket, std::uint64_t seed, int packets) {
    hw::testing::Mutator mutator(known_packets(), {"ffffffff", ",", ":", ";", "-1"}, seed);
    const auto send = [socket](const std::string& bytes) {
        static_cast<void>(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL));
    };
    std::ptrdiff_t acknowledged = 0;
    std::thread answers([socket, &acknowledged] {
        std::array<char, 65'536> bytes{};
        for (ssize_t count = 0; (count = ::recv(socket, bytes.data(), bytes.size(), 0)) > 0;) {
            acknowledged += std::count(bytes.begin(), bytes.begin() + count, '+');
        }
    });
    for (int i = 0; i < packets; ++i) {
        const std::string packet =
            i % 4 == 0 ? known_packets()[(i / 4 + seed) % known_packets().size()] : mutator.next();
        if (!ends_visit(packet)) {
            send(testing::packet_of(packet) + (lets_go(packet) ? "\x03" : ""));
        }
    }
    send(testing::packet_of("k"));
    answers.join();
    return static_cast<int>(std::min<std::ptrdiff_t>(acknowledged, packets));
}

// Runs a machine in a process of its own. Returns the process's exit status: 0 for success. Stores
// the number of acknowledged packets in `taken`, which is shared with the parent process.
int machine_under(const fs::path& folder, std::uint64_t seed, int packets, int& taken) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        return 2;
    }
    ::alarm(kLongestSeconds);
    std::thread gdb([&] { taken = visit(ends[1], seed, packets); });
    {
        GdbConnection connection(ends[0]);
        SparcleDebugger debugger(connection, {});
        const setup::ExperimentFile file = setup::ExperimentFile::read(
            folder / "remap.toml", fs::path(WEIR_EXPERIMENTS) / "machines", {});
        std::string message;
        static_cast<void>(running::simulate_job(
            file, {setup::SelectedRun(0), 1, folder / "run"},
            [](const records::Progress&) { return true; }, &debugger, message,
            [](kinds::Setup& setup) {
                static_cast<void>(setup.machine.sparcle.run_ahead.set(false));
            }));
        debugger.report_end(message, 0);
    }
    gdb.join();
    ::close(ends[1]);
    return __lsan_do_recoverable_leak_check != nullptr && __lsan_do_recoverable_leak_check() != 0
               ? 3
               : 0;
}

TEST(GdbPacketsTest, AMachineTakesAnyPackets) {
    const char* const asked = std::getenv("WEIR_GDB_PACKETS");
    const int all = asked == nullptr ? 1'000 : std::atoi(asked);
    const hw::testing::InputFile experiment("remap.toml");
    experiment.write(kManyIterations);
    void* const shared =
        ::mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    int& taken = *static_cast<int*>(shared);
    int sent = 0;
    std::uint64_t machine = 0;
    while (sent < all) {
        ++machine;
        taken = 0;
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            ::_exit(machine_under(experiment.folder(), machine, kPacketsAMachine, taken));
        }
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_EQ(status, 0) << "of the machine with seed " << machine << " after " << sent
                             << " packets of others";
        std::filesystem::remove_all(experiment.folder() / "run");
        ASSERT_GT(taken, 0) << "of the machine with seed " << machine;
        sent += taken;
    }
    if (asked != nullptr) {
        std::cout << sent << " packets, " << machine << " machines\n";
    }
}

}  // namespace
}  // namespace weir::experiments::debug
