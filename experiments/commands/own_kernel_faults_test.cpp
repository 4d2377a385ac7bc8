#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/processes/exit_status.h"

/// Mistakes in a user's kernel: a message names the line of the call, if there is one, and never
/// blames Weir.
namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// The comment at the end of a line names the mistake that the line makes.
constexpr const char* kKernel = R"(#include <stdexcept>

#include "firmware/collectives.h"
#include "firmware/hardware_barrier.h"
#include "firmware/kernels/own_kernel.h"

namespace weir::firmware {

struct Mistakes : hw::ParameterGroup {
    Mistakes() : ParameterGroup("workload", "mistakes: a kernel that makes one") {}
    hw::Parameter<std::string> mistake{*this, "mistake", "", {}, "Which"};
    [[nodiscard]] bool is(const std::string& name) const { return mistake.value() == name; }
};

struct Program final : OwnProgram<Mistakes> {
    using OwnProgram::OwnProgram;

    nodes::Task thread() override {
        const Mistakes& it = parameters();
        ActiveMessages& am = messages();
        nodes::Processor& core = processor();
        const hw::NodeId next((core.node().index() + 1) % core.node_count());
        const auto end = static_cast<std::uint32_t>(core.memory_bytes().count());
        core.trace_mark(kProgramBegins, 0);
        if (core.node() == hw::NodeId(0)) {
            if (it.is("node")) co_await am.send(hw::NodeId(99), take, {1U});  // node
            if (it.is("node below")) co_await am.send(hw::NodeId(-1), take, {1U});  // node below
            if (it.is("node of 16 bits")) co_await am.send(hw::NodeId(65536), take, {1U});  // node of 16 bits
            if (it.is("handler")) co_await am.send(next, 7, {1U});  // handler
            ActiveMessages::Arguments words;
            for (std::uint32_t i = 0; it.is("arguments") && i < 15; ++i) {
                words.push_back(i);  // arguments
            }
            if (it.is("length")) co_await am.send_body(next, take_body, {}, {0, 12});  // length
            if (it.is("no length")) co_await am.send_body(next, take_body, {}, {0, 0});  // no length
            if (it.is("body")) co_await am.send_body(next, take_body, {}, {4, 8});  // body
            if (it.is("body beyond")) co_await am.send_body(next, take_body, {}, {end - 8, 16});  // body beyond
            if (it.is("bodies")) {
                std::vector<ActiveMessages::Body> bodies(8, ActiveMessages::Body{0, 8});
                co_await am.send_bodies(next, take_body, {}, bodies);  // bodies
            }
            if (it.is("place of a body")) co_await am.send_body(next, misplace_body, {}, {0, 8});
            if (it.is("body that is left")) co_await am.send_body(next, take, {1U}, {0, 8});
            if (it.is("receive")) co_await am.receive_body(0, flag);  // receive
            if (it.is("wait to receive")) co_await am.send(next, wait, {});
            if (it.is("no argument")) co_await am.send(next, take, {});
            if (it.is("argument 14")) co_await am.send(next, take_14, {1U});
            if (it.is("argument here")) co_await am.argument(0);  // argument here
            if (it.is("load")) co_await core.load(end);  // load
            if (it.is("load far")) co_await core.load(0x70000000);  // load far
            if (it.is("odd load")) co_await core.load(2);  // odd load
            if (it.is("odd double")) co_await core.load_real(4);  // odd double
            if (it.is("store")) co_await core.store(end, 1);  // store
            if (it.is("shared")) co_await core.load(0x80000000);  // shared
            if (it.is("prefetch")) co_await core.prefetch(0);  // prefetch
            if (it.is("register")) co_await core.load(0xffff0080);  // register
            if (it.is("full")) co_await core.load_full(0);  // full
            if (it.is("compute")) co_await core.compute(hw::Cycles(-5));  // compute
            if (it.is("compute long")) {
                co_await core.compute(hw::Cycles(1));
                co_await core.compute(hw::Cycles(INT64_MAX));  // compute long
            }
            if (it.is("place")) co_await core.begin_load(0, 1);  // place
            if (it.is("loaded")) co_await core.loaded(0);  // loaded
            if (it.is("barrier")) co_await barrier.meet();  // barrier
            if (it.is("root")) co_await together.broadcast(0, 1, hw::NodeId(8));  // root
            if (it.is("group")) co_await together.broadcast(0, 1, hw::NodeId(0), {0, 0, 8});  // group
            if (it.is("record")) co_await together.reduce_record(0, 9, 64, {}, hw::Cycles(1), together.all());  // record
            if (it.is("parcel")) {
                std::vector<Collectives::Parcel> parcels(1, {hw::NodeId(8), {0, 0, 1}});
                co_await together.exchange(parcels, 0);  // parcel
            }
            if (it.is("exception")) throw std::out_of_range("beyond my vector");
            if (it.is("thrown number")) throw 3;
        }
        core.trace_mark(kProgramEnds, 0);
    }

    nodes::Task take_one() { co_await messages().argument(0); }  // no argument
    nodes::Task take_fourteenth() { co_await messages().argument(14); }  // argument 14
    nodes::Task store_body() { co_await messages().receive_body(0, flag); }
    nodes::Task store_oddly() { co_await messages().receive_body(4, flag); }  // place of a body
    nodes::Task wait_in_it() { co_await processor().wait_for(flag); }  // wait to receive

    using Address = ActiveMessages::HandlerAddress;
    Collectives together{processor(), messages()};
    HardwareBarrier barrier{processor()};
    Address take = messages().add_handler([this] { return take_one(); });
    Address take_14 = messages().add_handler([this] { return take_fourteenth(); });
    Address take_body = messages().add_handler([this] { return store_body(); });
    Address misplace_body = messages().add_handler([this] { return store_oddly(); });
    Address wait = messages().add_handler([this] { return wait_in_it(); });
    bool flag = false;
};

struct MistakenKernel final : OwnKernel<Mistakes, Program> {
    void prepare(const nodes::MachineShape& machine, std::uint64_t /*seed*/,
                 nodes::MemoryAccess& memory) override {
        const std::uint32_t word = 1;
        if (values().is("prepare")) memory.write<std::uint32_t>(hw::NodeId(99), 0, {&word, 1});  // prepare
        if (values().is("home")) word_at = machine.shared_address(hw::NodeId(0), 0);  // home
        if (values().is("exception at first")) throw std::runtime_error("no data");
    }
    std::optional<std::string> check(nodes::MemoryAccess& memory) override {
        std::uint32_t word = 0;
        if (values().is("check")) memory.read<std::uint32_t>(hw::NodeId(-1), 0, {&word, 1});  // check
        if (values().is("exception at last")) throw std::runtime_error("no answer");
        return std::nullopt;
    }
    bool sends_bodies() const override { return true; }
    std::uint32_t word_at = 0;
};

}  // namespace weir::firmware

WEIR_KERNELS(weir::firmware::kernel_entry<weir::firmware::MistakenKernel>("mistakes", "makes one"))
)";

constexpr const char* kExperiment = R"(extends = "alewife"
[machine]
nodes = 8
[network]
dimensions = [4, 2]
[workload]
library = "mistakes.so"
kernel = "mistakes"
)";

struct Mistake {
    const char* name;
    const char* key_words;
    int status = running::kWrongAnswer;
};

std::string place_of(const std::string& name) {
    const std::string text = kKernel;
    const std::size_t at = text.find("  // " + name + "\n");
    EXPECT_NE(at, std::string::npos) << name;
    const auto lines =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return "mistakes.cpp:" + std::to_string(lines + 1);
}

class OwnKernelFaultsTest : public ProgramTest {
  protected:
    OwnKernelFaultsTest() {
        write("mistakes.cpp", kKernel);
        write("mistakes.toml", kExperiment);
        EXPECT_EQ(weir({"build-kernel", "mistakes.cpp"}).status, 0);
    }
    [[nodiscard]] ProgramEnd end_with(const std::string& mistake) const {
        return weir({"run", "mistakes.toml", "--set", "workload.mistake=" + mistake});
    }
};

TEST_F(OwnKernelFaultsTest, EachNamesItsLine) {
    ASSERT_EQ(end_with("none").status, 0) << end_with("none").error;
    for (const Mistake& mistake : std::vector<Mistake>{
             {"node", "node 99"},
             {"node below", "node -1"},
             {"node of 16 bits", "node 65536"},
             {"handler", "handler 7"},
             {"arguments", "at most 14"},
             {"length", "multiples of 8"},
             {"no length", "no bytes"},
             {"body", "multiples of 8"},
             {"body beyond", "beyond"},
             {"bodies", "8 blocks"},
             {"place of a body", "node 1, "},
             {"receive", "receive_body()"},
             {"wait to receive", "in a handler"},
             {"no argument", "word"},
             {"argument 14", "0 to 13"},
             {"argument here", "handler"},
             {"load", "memory"},
             {"load far", "0x70000000"},
             {"odd load", "0x2 "},
             {"odd double", "0x4 "},
             {"store", "memory"},
             {"shared", "0x80000000"},
             {"prefetch", "prefetch of address 0x0"},
             {"register", "only stored to"},
             {"full", "full/empty"},
             {"compute", "-5 cycles"},
             {"compute long", "cycles"},
             {"place", "core.loads_in_flight"},
             {"loaded", "place 0"},
             {"barrier", "network.barrier"},
             {"root", "the root 8"},
             {"group", "8 nodes"},
             {"record", "at most 8"},
             {"parcel", "node 8"},
             {"prepare", "node 99", running::kBadInput},
             {"home", "share memory", running::kBadInput},
             {"check", "node -1"},
         }) {
        const ProgramEnd end = end_with(mistake.name);
        EXPECT_EQ(end.status, mistake.status) << mistake.name;
        EXPECT_THAT(end.error, AllOf(HasSubstr(mistake.key_words),
                                     HasSubstr(place_of(mistake.name)), Not(HasSubstr("Weir's"))))
            << mistake.name;
    }
}

TEST_F(OwnKernelFaultsTest, WhatHasNoCallToNameIsTheKernelsToo) {
    for (const auto& [name, key_words] : {std::pair{"body that is left", "receive_body"},
                                          {"exception", "beyond my vector"},
                                          {"thrown number", "exception"},
                                          {"exception at first", "prepare() ends with"},
                                          {"exception at last", "check() ends with"}}) {
        const ProgramEnd end = end_with(name);
        EXPECT_EQ(end.status, running::kWrongAnswer) << name;
        EXPECT_THAT(end.error, AllOf(HasSubstr(key_words), Not(HasSubstr("Weir's")))) << name;
    }
}

}  // namespace
}  // namespace weir::experiments
