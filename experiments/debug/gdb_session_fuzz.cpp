#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "experiments/debug/gdb_session.h"
#include "experiments/debug/testing/gdb_client.h"
#include "experiments/debug/testing/table_target.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::debug {
namespace {

// Makes a packet of each line, with the right checksum. A line that begins with '!' is sent
// unchanged.
std::string packets_of(const std::string& input) {
    std::istringstream lines(input);
    std::string bytes;
    for (std::string line; std::getline(lines, line);) {
        bytes += line.starts_with('!') ? line.substr(1) : testing::packet_of(line);
    }
    return bytes;
}

// Serves a debugger that sends all of its packets and then closes the connection.
void read_packets(const std::string& input) {
    constexpr std::size_t kMostBytes = 50'000;  // limit of a socket's buffer
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) {
        throw std::runtime_error("no socket");
    }
    const std::string packets = packets_of(input).substr(0, kMostBytes);
    std::thread debugger([&packets, end = ends[1]] {
        static_cast<void>(::send(end, packets.data(), packets.size(), MSG_NOSIGNAL));
        ::shutdown(end, SHUT_WR);
        std::array<char, 4096> answers{};
        while (::recv(end, answers.data(), answers.size(), 0) > 0) {
        }
    });
    {
        GdbConnection connection(ends[0]);
        testing::TableTarget target;
        GdbSession session(connection, target, 1);
        using Why = Stop::Why;
        constexpr std::array kReasons{Why::kStep, Why::kBreakpoint, Why::kWatchpoint,
                                      Why::kInterrupt, Why::kFault};
        Resume resume = session.stopped({});
        for (std::size_t stops = 0; resume.how == Resume::How::kGo; ++stops) {
            static_cast<void>(session.interrupted());
            resume = session.stopped(
                {.node = static_cast<int>(stops % 4),
                 .why = kReasons[stops % kReasons.size()],
                 .kind = stops % 2 == 0 ? StopPoint::Kind::kRead : StopPoint::Kind::kAccess,
                 .address = 0x40});
        }
        session.print("the end\n");
        session.exited(0);
    }
    debugger.join();
    ::close(ends[1]);
}

const hw::testing::FuzzTarget kGdbFuzz({
    .name = "gdb",
    .sources = {"experiments/debug/gdb_session.cpp", "experiments/debug/gdb_connection.cpp",
                "experiments/debug/hexadecimal.cpp"},
    .read = read_packets,
    .seeds =
        [] {
            return std::vector<std::string>{
                "?\ng\nm10,2\nM8,3:0a0b0c\nP2=deadbeef\np44\nHg4\nT4\nc\ns\nC05\nS05;40\nk\n",
                "qSupported:x+\nQStartNoAckMode\nqC\nqAttached\nqfThreadInfo\nqsThreadInfo\n"
                "qThreadExtraInfo,3\nqRcmd,6379636c65\nqXfer:features:read:target.xml:0,fff\n"
                "qXfer:features:read:a:0,1\nvCont?\nvCont;s:4;c\nvKill;1\n",
                "Z0,100,4\nz0,100,4\nZ1,104,4\nZ2,20,8\nZ3,30,1\nz4,40,2\nX20,4:a}\x03}\x04:\nD\n",
                "!+-$qC#00\n!\x03$qC#b4$\nc200\n"};
        },
    .tests = "GdbSessionTest.*",
    .refuses = false,
    .words = {"ffffffff", "ffffffffffffffff", "vCont;", "qXfer:features:read:target.xml:", "qRcmd,",
              "X0,", "M0,", "m0,", "!$", "#", "}", "\n"},
});

}  // namespace
}  // namespace weir::experiments::debug
