#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/setup/text/utf8_text.h"
#include "firmware/kernels/registry.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::weir::testing::Names;

// Mistakes of the user. Each mistake gives one message with the place, the value found and the
// accepted values, and exit status 2. Nothing is written to standard output, and no file or folder
// is made.
class BadInputTest : public ProgramTest {
  protected:
    BadInputTest() { write("remap.toml", kSmallRemap); }

    [[nodiscard]] std::string refused_text(const std::string& text) const {
        write("bad.toml", text);
        return refused({"run", "bad.toml"});
    }
    [[nodiscard]] std::string refused_set(const std::string& option) const {
        return refused({"run", "remap.toml", "--set", option});
    }
    /// Message for a 4 x 4 matrix file with a correct header and this text, which has a fault.
    [[nodiscard]] std::string refused_matrix(const std::string& text) const {
        write("spmv.toml", kSmallSpmv);
        write("a.mtx", text);
        return refused({"run", "spmv.toml", "--set", "workload.matrix=a.mtx"});
    }
    /// Message for a sequence file with this text, on 4 nodes.
    [[nodiscard]] std::string refused_sequence(const std::string& text) const {
        write("dag.toml", kSmallDiamondDag);
        write("a.fa", text);
        return refused({"run", "dag.toml", "--set", "workload.first_sequence=a.fa"});
    }
};

TEST_F(BadInputTest, MisspeltKey) {
    EXPECT_THAT(refused_text("extends = \"alewife\"\n[workload]\nkernel = \"remap\"\n"
                             "[controller]\nnotfy_cycles = 3\n"),
                AllOf(Names("bad.toml:5:1", "[controller]", "notfy_cycles", "output_queue_bytes",
                            "input_queue_bytes"),
                      EndsWith("\"notify_cycles\"?\n")));
    EXPECT_THAT(refused_set("clock.sleping=true"),
                AllOf(Names("--set clock.sleping=true", "[clock]", "sleping", "processor_mhz",
                            "tick_order", "sleeping"),
                      EndsWith("\"sleeping\"?\n")));
}

TEST_F(BadInputTest, ThreadsAndContextsThatDiffer) {
    EXPECT_THAT(refused_set("core.contexts=2"), Names("--set core.contexts=2", "core.contexts", "2",
                                                      "1", "remap", "core.contexts = 1"));
    write("threads.toml",
          "extends = \"alewife\"\n[workload]\nkernel = \"multithread\"\nthreads = 3\n"
          "[core]\ncontexts = 2\n");
    EXPECT_THAT(refused({"run", "threads.toml"}),
                Names("threads.toml:6:12", "core.contexts", "2", "3", "multithread",
                      "core.contexts = 3", "workload.threads = 2"));
}

TEST_F(BadInputTest, AnOverflowBufferAsLargeAsMemory) {
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "controller.overflow_trap=true", "--set",
                         "memory.bytes=1048576"}),
                Names("remap.toml", "firmware.overflow_buffer_bytes", "memory.bytes = 1048576",
                      "memory.bytes"));
}

TEST_F(BadInputTest, AKeyThatThisMachineWouldIgnore) {
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "core.receive_mode=protocol_processor",
                         "--set", "core.poll_period_cycles=8"}),
                Names("--set core.poll_period_cycles=8", "core.poll_period_cycles",
                      "core.receive_mode = \"polling\"", "core.poll_period_cycles"));
    EXPECT_THAT(refused_set("network.delay=constant"),
                Names("--set network.delay=constant", "network.delay", "effect"));
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "network.model=delay", "--set",
                         "network.buffer_flits=9"}),
                Names("--set network.buffer_flits=9", "network.buffer_flits", "effect"));
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "network.model=delay", "--set",
                         "controller.overflow_trap=true"}),
                Names("--set controller.overflow_trap=true", "controller.overflow_trap", "effect"));
    EXPECT_THAT(refused_set("network.delay_cycles=7"),
                Names("--set network.delay_cycles=7", "network.delay_cycles", "effect"));
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "network.model=delay", "--set",
                         "network.delay_cycles=7"}),
                Names("--set network.delay_cycles=7", "network.delay_cycles",
                      "network.delay = \"constant\""));
}

TEST_F(BadInputTest, AKeyOfTheLogpNetworkElsewhereAndOfOthersOnIt) {
    for (const std::string option : {"network.logp_latency_cycles=9", "network.logp_gap_cycles=9",
                                     "network.logp_least_latency_cycles=9"}) {
        const std::string key = option.substr(0, option.find('='));
        for (const std::string model : {"delay", "wormhole"}) {
            EXPECT_THAT(
                refused({"run", "remap.toml", "--set", "network.model=" + model, "--set", option}),
                Names("--set " + option, key, "network.model = \"logp\"", key));
        }
    }
    for (const std::string option :
         {"network.hop_cycles=2", "network.flit_bytes=4", "network.injection_cycles=3",
          "network.ejection_cycles=3", "network.delay=constant", "network.buffer_flits=9",
          "network.flit_by_flit=true", "controller.output_queue_bytes=512"}) {
        EXPECT_THAT(refused({"run", "remap.toml", "--set", "network.model=logp", "--set", option}),
                    Names("--set " + option, option.substr(0, option.find('=')), "effect"));
    }
}

TEST_F(BadInputTest, AKeyOfCachesThatThisMachineHasNot) {
    for (const std::string option : {"l1.bytes=32768", "tlb.entries=64", "memory.dma_stores=update",
                                     "memory_port.access_cycles=5"}) {
        const std::string key = option.substr(0, option.find('='));
        EXPECT_THAT(refused_set(option), Names("--set " + option, key, "memory.caches", "1", key));
    }
    struct Case {
        std::string option;
        std::string accepted_key;
        std::string accepted_value;
    };
    for (const auto& [option, accepted_key, accepted_value] :
         std::vector<Case>{{"l2.bytes=32768", "memory.caches", "2"},
                           {"tlb.page_bytes=8192", "tlb.entries", "1"},
                           {"l1.replacement=random", "l1.ways", "1"},
                           {"l1.access_cycles=3", "level", "first"},
                           {"l1.busy_cycles=3", "level", "first"},
                           {"l1.inclusive=true", "level", "first"},
                           {"memory_port.row_access_cycles=5", "memory_port.row_bytes", "1"}}) {
        const std::string key = option.substr(0, option.find('='));
        EXPECT_THAT(refused({"run", "remap.toml", "--set", "memory.caches=1", "--set", option}),
                    Names("--set " + option, key, accepted_key, accepted_value, key));
    }
    for (const std::string option : {"l2.store_misses_wait=false", "l2.write_allocate=false"}) {
        const std::string key = option.substr(0, option.find('='));
        EXPECT_THAT(refused({"run", "remap.toml", "--set", "memory.caches=2", "--set", option}),
                    Names("--set " + option, key, "[l1]", key));
    }
}

TEST_F(BadInputTest, AKeyOfStoresForACacheOfInstructions) {
    write("compiled.toml",
          "extends = \"sparcle\"\nmemory = { caches = 1, instruction_cache = true }\n"
          "[workload]\nkernel = \"remap\"\n");
    EXPECT_THAT(refused({"run", "compiled.toml", "--set", "l1i.write_policy=write_through"}),
                Names("l1i.write_policy", "[l1i]", "l1i.write_policy"));
    EXPECT_THAT(refused({"run", "compiled.toml", "--set", "l1i.write_allocate=false"}),
                Names("l1i.write_allocate", "[l1]", "l1i.write_allocate"));
}

TEST_F(BadInputTest, AKeyOfWhatIsNotDone) {
    write("spmv.toml", kSmallSpmv);
    write("dag.toml", kSmallDiamondDag);
    EXPECT_THAT(refused_set("firmware.poll_exit_cycles=3"),
                Names("firmware.poll_exit_cycles", "core.receive_mode = \"polling\"",
                      "firmware.poll_exit_cycles"));
    EXPECT_THAT(refused({"run", "spmv.toml", "--set", "workload.half_band=3"}),
                Names("workload.half_band", "workload.pattern = \"band\"", "workload.half_band"));
    EXPECT_THAT(refused({"run", "dag.toml", "--set", "workload.gap_score=-3"}),
                Names("workload.gap_score", "core.kind = \"sparcle\"", "workload.gap_score"));
}

TEST_F(BadInputTest, CachesThatCannotBe) {
    const auto with = [](const std::string& levels, const std::vector<std::string>& options) {
        std::vector<std::string> words{"run", "remap.toml", "--set", "memory.caches=" + levels};
        for (const std::string& option : options) {
            words.insert(words.end(), {"--set", option});
        }
        return words;
    };
    EXPECT_THAT(refused(with("1", {"l1.bytes=3000"})),
                Names("--set l1.bytes=3000", "l1.bytes", "1", "line_bytes * ways * 1", "2", "4"));
    EXPECT_THAT(refused(with("1", {"l1.line_bytes=24"})),
                Names("--set l1.line_bytes=24", "l1.line_bytes", "8", "16", "32", "4096"));
    EXPECT_THAT(refused(with("1", {"l1.line_bytes=128", "l1.bytes=64"})),
                Names("--set l1.bytes=64", "l1.bytes", "l1.line_bytes", "128"));
    EXPECT_THAT(refused(with("2", {"l2.bytes=32768", "l2.ways=1"})),
                Names("--set l2.bytes=32768", "l2.bytes", "32768", "l1.bytes", "65536"));
    EXPECT_THAT(refused(with("2", {"l1.line_bytes=32"})),
                Names("remap.toml", "l2.line_bytes", "16", "l1.line_bytes", "32"));
    EXPECT_THAT(refused(with("1", {"tlb.entries=64", "tlb.page_bytes=5000"})),
                Names("--set tlb.page_bytes=5000", "tlb.page_bytes", "64", "128", "256"));
    EXPECT_THAT(refused(with("5", {})), HasSubstr("memory.caches"));
}

TEST_F(BadInputTest, ALogpNetworkThatCannotBe) {
    const std::vector<std::string> logp{"run", "remap.toml", "--set", "network.model=logp"};
    const auto with = [&logp](const std::string& option) {
        std::vector<std::string> words = logp;
        words.insert(words.end(), {"--set", option});
        return words;
    };
    EXPECT_THAT(refused(with("network.logp_least_latency_cycles=201")),
                Names("--set network.logp_least_latency_cycles=201", "logp_latency_cycles", "200"));
    EXPECT_THAT(refused(with("controller.launch_cycles=0")),
                Names("--set controller.launch_cycles=0", "controller.launch_cycles", "0",
                      "network.model = \"delay\"", "1"));
}

TEST_F(BadInputTest, ABarrierThatThisMachineHasNot) {
    EXPECT_THAT(refused_set("workload.barrier_messages=16"),
                Names("--set workload.barrier_messages=16", "remap", "network.barrier = true"));
    EXPECT_THAT(refused_set("network.barrier_cycles=50"),
                Names("--set network.barrier_cycles=50", "network.barrier_cycles",
                      "network.barrier = true", "network.barrier_cycles"));
}

TEST_F(BadInputTest, ConsecutiveMessagesToRandomDestinations) {
    EXPECT_THAT(
        refused_set("workload.consecutive_messages=2"),
        Names("workload.consecutive_messages", "workload.destinations = \"cyclic\"", "ascending"));
}

TEST_F(BadInputTest, ASpanOfOtherDestinationsOrWiderThanTheMachine) {
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "workload.destinations=\"cyclic\"", "--set",
                         "workload.span_nodes=1"}),
                Names("--set workload.span_nodes=1", "workload.span_nodes",
                      "workload.destinations = \"random\""));
    EXPECT_THAT(refused_set("workload.span_nodes=4"), Names("workload.span_nodes", "4", "8"));
}

TEST_F(BadInputTest, AKeyOfAFloatUnitThatThisMachineHasNot) {
    write("compiled.toml", "extends = \"sparcle\"\n[workload]\nkernel = \"ping\"\n");
    EXPECT_THAT(refused({"run", "compiled.toml", "--set", "sparcle.floating_point_unit=false",
                         "--set", "sparcle.float_add_cycles=3"}),
                Names("--set sparcle.float_add_cycles=3", "sparcle.float_add_cycles",
                      "sparcle.floating_point_unit = true", "sparcle.float_add_cycles"));
    EXPECT_THAT(refused_set("sparcle.floating_point_unit=false"),
                HasSubstr("accepted: core.kind = \"sparcle\""));
}

TEST_F(BadInputTest, AKeyOfTheBehaviouralCoreForCompiledCode) {
    write("compiled.toml", "extends = \"sparcle\"\n[workload]\nkernel = \"remap\"\n");
    EXPECT_THAT(
        refused({"run", "compiled.toml", "--set", "workload.loop_cycles=3"}),
        Names("workload.loop_cycles", "core.kind = \"behavioural\"", "workload.loop_cycles"));
}

// Keys of parts that move bodies, on a machine without routers and DMA engines.
TEST_F(BadInputTest, AKeyOfTheEnginesOnAnIdealNetwork) {
    const std::vector<std::string> options{
        "dma.setup_cycles=11",          "dma.burst_bytes=64",
        "dma.turnaround_cycles=3",      "memory_port.beat_bytes=16",
        "memory_port.beat_cycles=3",    "firmware.body_send=blocking",
        "firmware.body_receive=status", "firmware.status_loop_cycles=3"};
    for (const std::string& option : options) {
        const std::string key = option.substr(0, option.find('='));
        const std::string caches = key.starts_with("memory_port.") ? "memory.caches" : "";
        EXPECT_THAT(refused({"run", "remap.toml", "--set", "network.model=delay", "--set", option}),
                    Names("--set " + option, key, caches, "network.model = \"wormhole\"", key));
    }
}

TEST_F(BadInputTest, BodiesOnAnIdealNetwork) {
    write("body.toml", "extends = \"alewife\"\n[workload]\nkernel = \"body-ping\"\n");
    write("dag.toml", kSmallDiamondDag);
    const auto names_kernel = [](const std::string& kernel) {
        return Names("--set network.model=delay", kernel, "DMA", "network.model = \"wormhole\"");
    };
    EXPECT_THAT(refused({"run", "body.toml", "--set", "network.model=delay"}),
                names_kernel("body-ping"));
    EXPECT_THAT(refused({"run", "dag.toml", "--set", "network.model=delay"}),
                names_kernel("diamond-dag"));
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "workload.body_bytes=64", "--set",
                         "network.model=delay"}),
                names_kernel("remap"));
    EXPECT_EQ(refused_text("extends = \"lopc\"\n[workload]\nkernel = \"remap\"\n"
                           "body_bytes = 64\n")
                  .substr(0, 6),
              "weir: ");
}

TEST_F(BadInputTest, BodiesOfLengthsThatNoEngineMoves) {
    write("body.toml", "extends = \"alewife\"\n[workload]\nkernel = \"body-ping\"\n");
    EXPECT_THAT(refused({"run", "body.toml", "--set", "workload.body_bytes=[8, 12]"}),
                Names("workload.body_bytes", "12", "8"));
    EXPECT_THAT(refused({"run", "body.toml", "--set", "workload.body_bytes=[0]"}),
                StartsWith("weir: --set workload.body_bytes=[0]: workload.body_bytes is "));
    EXPECT_THAT(refused_set("workload.body_bytes=12"),
                Names("--set workload.body_bytes=12", "workload.body_bytes", "12", "0", "8"));
    EXPECT_THAT(refused_set("workload.body_bytes=-8"),
                StartsWith("weir: --set workload.body_bytes=-8: workload.body_bytes is "));
    write("dag.toml", kSmallDiamondDag);
    EXPECT_THAT(refused({"run", "dag.toml", "--set", "workload.message_bytes=100"}),
                Names("--set workload.message_bytes=100", "workload.message_bytes", "100", "8"));
    EXPECT_THAT(
        refused({"run", "dag.toml", "--set", "workload.message_bytes=56"}),
        Names("--set workload.message_bytes=56", "workload.message_bytes", "56", "0", "64"));
    EXPECT_THAT(refused_set("dma.burst_bytes=12"),
                Names("--set dma.burst_bytes=12", "dma.burst_bytes", "multiple", "8"));
}

TEST_F(BadInputTest, BodiesThatDoNotFitIntoMemory) {
    write("body.toml",
          "extends = \"alewife\"\n[workload]\nkernel = \"body-ping\"\n"
          "pairs = \"one\"\nbody_bytes = [4096]\n[memory]\nbytes = 4096\n");
    EXPECT_THAT(refused({"run", "body.toml"}),
                Names("workload.body_bytes", "8192", "4096", "memory.bytes"));
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "workload.body_bytes=4096", "--set",
                         "memory.bytes=4096"}),
                Names("workload.body_bytes", "4", "4096", "memory.bytes = 4096", "1024",
                      "memory.bytes", "16384"));
}

TEST_F(BadInputTest, BuffersForBodiesThatThereAreNot) {
    EXPECT_THAT(refused_set("workload.receive_buffers=2"),
                Names("--set workload.receive_buffers=2", "workload.receive_buffers",
                      "workload.body_bytes", "0", "workload.receive_buffers"));
    EXPECT_THAT(refused_set("workload.send_buffers=2"),
                Names("--set workload.send_buffers=2", "workload.send_buffers", "effect"));
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "workload.body_bytes=8", "--set",
                         "workload.argument_words=13"}),
                Names("--set workload.argument_words=13", "workload.argument_words", "13", "12"));
}

TEST_F(BadInputTest, NoMessages) {
    EXPECT_THAT(
        refused_set("workload.iterations=0"),
        Names("--set workload.iterations=0", "workload.iterations", "0", "1", "1000000000"));
}

TEST_F(BadInputTest, AWarmUpLongerThanTheRun) {
    EXPECT_THAT(refused_set("run.warmup_cycles=100_000_000"),
                Names("run.warmup_cycles = 100000000", "cycles"));
}

TEST_F(BadInputTest, KeyOfAnotherKernel) {
    EXPECT_THAT(refused_text("[workload]\nkernel = \"flood\"\niterations = 5\n"),
                Names("bad.toml:3:1", "[workload]", "flood", "iterations", "kernel", "pattern",
                      "messages", "argument_words"));
}

TEST_F(BadInputTest, MisspeltTable) {
    EXPECT_THAT(refused_text("[workload]\nkernel = \"remap\"\n[netwrok]\nhop_cycles = 2\n"),
                AllOf(Names("bad.toml:3:2", "[netwrok]", "extends", "title", "description",
                            "[machine]", "[network]", "[workload]", "[trace]"),
                      EndsWith("\"network\"?\n")));
}

TEST_F(BadInputTest, WrongType) {
    EXPECT_THAT(refused_text("[workload]\nkernel = \"remap\"\n[network]\nhop_cycles = \"two\"\n"),
                Names("bad.toml:4:14", "network.hop_cycles", "two", "1", "10000"));
    EXPECT_THAT(refused_set("clock.sleeping=1"),
                Names("--set clock.sleeping=1", "clock.sleeping", "1", "true", "false"));
}

TEST_F(BadInputTest, ValueOutOfRange) {
    EXPECT_THAT(refused_text("[workload]\nkernel = \"remap\"\n[network]\nhop_cycles = 0\n"),
                Names("bad.toml:4:14", "network.hop_cycles", "0", "1", "10000"));
    EXPECT_THAT(refused_set("clock.tick_order=random"),
                Names("--set clock.tick_order=random", "clock.tick_order", "random", "wake",
                      "reversed", "shuffled"));
}

TEST_F(BadInputTest, BurstThatNoQueueHasRoomFor) {
    write("body.toml", "extends = \"alewife\"\n[workload]\nkernel = \"body-ping\"\n");
    EXPECT_THAT(refused({"run", "body.toml", "--set", "dma.burst_bytes=128", "--set",
                         "controller.input_queue_bytes=64"}),
                Names("--set dma.burst_bytes=128", "dma.burst_bytes", "128", "64",
                      "controller.output_queue_bytes", "input_queue_bytes"));
    // The 16 bytes before the body are three flits of 5 bytes and one byte, which waits for the
    // body.
    EXPECT_THAT(refused({"run", "body.toml", "--set", "dma.burst_bytes=64", "--set",
                         "controller.output_queue_bytes=64", "--set", "network.flit_bytes=5"}),
                Names("--set dma.burst_bytes=64", "dma.burst_bytes", "64", "64", "4", "60",
                      "controller.output_queue_bytes", "input_queue_bytes"));
    // The first flit has three bytes, so the bytes after it have odd positions.
    EXPECT_THAT(refused({"run", "body.toml", "--set", "dma.burst_bytes=64", "--set",
                         "controller.output_queue_bytes=64", "--set", "network.tag_bytes=1"}),
                Names("--set dma.burst_bytes=64", "dma.burst_bytes", "64", "64", "1", "63",
                      "controller.output_queue_bytes", "input_queue_bytes"));
    // The first flit has nine bytes, a header eight.
    EXPECT_THAT(refused({"run", "body.toml", "--set", "dma.burst_bytes=64", "--set",
                         "controller.output_queue_bytes=71", "--set", "network.tag_bytes=7"}),
                Names("--set dma.burst_bytes=64", "63", "controller.output_queue_bytes"));
}

TEST_F(BadInputTest, KeysOfWhatIsNotThere) {
    write("remap.toml", kSmallRemap);
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "dma.setup_cycles=20"}),
                Names("--set dma.setup_cycles=20", "dma.setup_cycles", "dma.setup_cycles"));
    EXPECT_THAT(
        refused({"run", "remap.toml", "--set", "controller.overflow_timeout_cycles=99"}),
        Names("--set controller.overflow_timeout_cycles=99", "controller.overflow_timeout_cycles",
              "controller.overflow_trap = true", "controller.overflow_timeout_cycles"));
}

TEST_F(BadInputTest, UnknownKernel) {
    std::string names;
    for (const firmware::KernelEntry& entry : firmware::kernels()) {
        names += "\"" + entry.name + "\", ";
    }
    EXPECT_THAT(refused_text("[workload]\nkernel = \"rmap\"\n"),
                AllOf(Names("bad.toml:2:10", "rmap", names + "\"open-loop\"", "replay"),
                      EndsWith("\"remap\"?\n")));
}

TEST_F(BadInputTest, NoKernel) {
    EXPECT_THAT(refused_text("extends = \"alewife\"\n"),
                Names("bad.toml", "workload.kernel", "[workload]", "kernel"));
}

TEST_F(BadInputTest, MisspeltTableOfTheKernel) {
    EXPECT_THAT(refused_text("extends = \"alewife\"\n[worklod]\nkernel = \"remap\"\n"),
                AllOf(Names("bad.toml:2:2", "[worklod]", "extends"), HasSubstr("[network]"),
                      EndsWith("\"workload\"?\n")));
}

TEST_F(BadInputTest, MisspeltKeyThatNamesTheKernel) {
    EXPECT_THAT(refused_text("extends = \"alewife\"\n[workload]\nkernl = \"remap\"\n"),
                AllOf(Names("bad.toml:3:1", "[workload]", "kernl"), HasSubstr("\"kernel\""),
                      EndsWith("\"kernel\"?\n")));
}

TEST_F(BadInputTest, NotToml) {
    EXPECT_THAT(refused_text("[workload]\nkernel \"remap\"\n"),
                Names("bad.toml:2:8", "TOML", "'='", "'\"'"));
}

TEST_F(BadInputTest, MissingFile) {
    EXPECT_THAT(refused({"run", "remp.toml"}),
                AllOf(Names("remp.toml", "TOML"), EndsWith("\"remap.toml\"?\n")));
}

TEST_F(BadInputTest, DirectoryInPlaceOfAFile) {
    EXPECT_THAT(
        refused({"run", "."}),
        AllOf(StartsWith("weir: .: "), Names("TOML", "weir list experiments", "weir report")));
}

TEST_F(BadInputTest, UnreadableFile) {
    // /proc/self/mem can be opened, but its first read fails, even for root.
    std::filesystem::create_symlink("/proc/self/mem", file("unreadable.toml"));
    EXPECT_THAT(refused({"run", "unreadable.toml"}),
                Names("unreadable.toml", "Input/output", "TOML"));
}

TEST_F(BadInputTest, UnknownPreset) {
    EXPECT_THAT(refused_text("extends = \"alewive\"\n[workload]\nkernel = \"remap\"\n"),
                AllOf(Names("bad.toml:1:11", "alewive", "alewife"), EndsWith("\"alewife\"?\n")));
}

TEST_F(BadInputTest, ExtendsInACircle) {
    write("a.toml", "extends = \"b.toml\"\n");
    write("b.toml", "title = \"b\"\nextends = \"a.toml\"\n");
    EXPECT_THAT(refused({"run", "a.toml"}),
                Names("b.toml:2:11", "a.toml", "->", "b.toml", "->", "a.toml"));
}

TEST_F(BadInputTest, MeshThatDoesNotMatchTheNodes) {
    EXPECT_THAT(
        refused_text("machine.nodes = 9\nnetwork.dimensions = [4, 2]\n"
                     "workload.kernel = \"remap\"\n"),
        Names("bad.toml:2:22", "network.dimensions", "8", "machine.nodes", "9", "machine.nodes"));
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "network.dimensions=[3, 3]", "--set",
                         "machine.nodes=8"}),
                Names("network.dimensions", "9", "machine.nodes", "8"));
    // A number of nodes without dimensions is allowed: it determines the dimensions.
    EXPECT_EQ(weir({"run", "remap.toml", "--out", "run", "--set", "machine.nodes=6", "--set",
                    "workload.iterations=2"})
                  .status,
              0);
    EXPECT_THAT(read("run/point-01-seed-1/configuration.toml"), HasSubstr("dimensions = [3, 2]"));
    EXPECT_THAT(refused_set("machine.nodes=1"),
                Names("--set machine.nodes=1", "1", "workload.kernel", "2"));
}

TEST_F(BadInputTest, ZeroNodes) {
    EXPECT_THAT(refused_text("machine.nodes = 0\nworkload.kernel = \"remap\"\n"),
                Names("bad.toml:1:17", "machine.nodes", "0", "1", "16384"));
    EXPECT_THAT(refused_set("network.dimensions=[]"),
                Names("--set network.dimensions=[]", "network.dimensions", "1", "16384"));
}

TEST_F(BadInputTest, MeshTooLargeToCount) {
    EXPECT_THAT(refused_set("network.dimensions=[4096, 4096, 4096, 4096, 4096, 4096]"),
                Names("--set network.dimensions=[4096, 4096, 4096, 4096, 4096, 4096]",
                      "network.dimensions", "16384", "2", "16384"));
}

TEST_F(BadInputTest, SeedTwice) {
    EXPECT_THAT(refused_set("run.seeds=[1, 2, 1]"),
                Names("--set run.seeds=[1, 2, 1]", "run.seeds", "twice"));
}

TEST_F(BadInputTest, FaultInALaterPointIsFoundBeforeTheFirstRuns) {
    EXPECT_THAT(refused_text(std::string(kSmallRemap) +
                             "[[point]]\nlabel = \"good\"\n"
                             "[[point]]\nlabel = \"bad\"\nnetwork.buffer_flits = 0\n"),
                Names("bad.toml:17:24", "network.buffer_flits", "0", "1", "4096"));
}

TEST_F(BadInputTest, UnknownModel) {
    const std::string refusal = refused_set("models.compare=[\"lopcc\"]");
    EXPECT_THAT(refusal, StartsWith("weir: --set models.compare=[\"lopcc\"]: "));
    EXPECT_THAT(refusal, EndsWith("\"lopc\"?\n"));
    for (const std::string& model : analyses::compared_model_names()) {
        EXPECT_THAT(refusal, HasSubstr("\"" + model + "\""));
    }
}

TEST_F(BadInputTest, UnknownModelInput) {
    EXPECT_THAT(refused_set("models.inputs.handler=100"),
                Names("--set models.inputs.handler=100", "handler", "latency_cycles",
                      "handler_cycles", "switch_cycles"));
}

TEST_F(BadInputTest, UnknownPublishedMetric) {
    EXPECT_THAT(refused_text(std::string(kSmallRemap) + "[published.cycles_per_iteraton]\n"
                                                        "value = 486\nsource = \"Table 4\"\n"),
                AllOf(Names("bad.toml:13:12", "cycles_per_iteraton", "cycles_per_iteration"),
                      EndsWith("\"cycles_per_iteration\"?\n")));
}

TEST_F(BadInputTest, WarmUpLongerThanTheRun) {
    EXPECT_THAT(refused_text(std::string(kSmallRemap) + "[run]\nwarmup_cycles = 1_000_000\n"),
                AllOf(Names("bad.toml:14:17", "run.warmup_cycles = 1000000"),
                      ContainsRegex(" [0-9]+ cycles")));
}

TEST_F(BadInputTest, MatrixFileThatIsNotThere) {
    write("spmv.toml", kSmallSpmv);
    EXPECT_THAT(refused({"run", "spmv.toml", "--set", "workload.matrix=none.mtx"}),
                Names("none.mtx", "Matrix Market"));
}

TEST_F(BadInputTest, MalformedMatrix) {
    EXPECT_THAT(refused_matrix("4 4 1\n1 1 1.0\n"),
                Names("a.mtx:1", "Matrix Market", "%%MatrixMarket"));
    EXPECT_THAT(refused_matrix("%%MatrixMarket matrix array real general\n4 4\n"),
                Names("a.mtx:3", "0", "16"));
    EXPECT_THAT(refused_matrix("%%MatrixMarket matrix coordinate real general\n4 4 2\n"
                               "1 1 1.0\n5 1 2.0\n"),
                Names("a.mtx:4", "5 1 2.0", "1", "4"));
    EXPECT_THAT(refused_matrix("%%MatrixMarket matrix coordinate real general\n4 4 2\n1 1 1.0\n"),
                Names("a.mtx:4", "1", "2"));
}

TEST_F(BadInputTest, MatrixThatDoesNotFitIntoMemory) {
    write("spmv.toml", kSmallSpmv);
    EXPECT_THAT(
        refused({"run", "spmv.toml", "--set", "workload.rows=4000", "--set", "memory.bytes=4096"}),
        Names("0", "8000", "0x8", "firmware/kernels/spmv/spmv.cpp", "memory.bytes"));
}

TEST_F(BadInputTest, MoreNonzerosThanPlaces) {
    EXPECT_THAT(refused_text("[workload]\nkernel = \"spmv\"\nrows = 3\nnonzeros = 10\n"),
                Names("bad.toml:4:12", "workload.nonzeros", "rows x rows"));
}

TEST_F(BadInputTest, MoreNonzerosThanPlacesOfThePattern) {
    EXPECT_THAT(refused_text("[workload]\nkernel = \"spmv\"\npattern = \"triangle\"\nrows = 3\n"
                             "nonzeros = 7\n"),
                Names("bad.toml:5:12", "workload.nonzeros", "6"));
}

TEST_F(BadInputTest, MoreChannelsUpThanDown) {
    EXPECT_THAT(refused_text("[network]\ntopology = \"fat_tree\"\narity = 2\nchannels_up = [2, 3]\n"
                             "[workload]\nkernel = \"remap\"\n"),
                Names("network.channels_up", "3", "network.arity", "2"));
}

TEST_F(BadInputTest, ChannelsUpOfAMesh) {
    EXPECT_THAT(refused_text("[network]\nchannels_up = [2]\n[workload]\nkernel = \"remap\"\n"),
                Names("bad.toml:2:15", "network.channels_up", "effect"));
}

TEST_F(BadInputTest, PollingToSendWithoutPolling) {
    EXPECT_THAT(refused_text("[firmware]\npoll_to_send = false\n[workload]\nkernel = \"remap\"\n"),
                Names("bad.toml:2:16", "firmware.poll_to_send", "effect"));
}

TEST_F(BadInputTest, SequenceFileThatIsNotThere) {
    write("dag.toml", kSmallDiamondDag);
    EXPECT_THAT(refused({"run", "dag.toml", "--set", "workload.first_sequence=none.fa"}),
                Names("none.fa", "FASTA", "DNA"));
}

TEST_F(BadInputTest, MalformedSequence) {
    EXPECT_THAT(refused_sequence("ACGT\n"), Names("a.fa:1", "ACGT", "'>'"));
    EXPECT_THAT(refused_sequence(">a\nACGT\nACXT\n"), Names("a.fa:3", "'X'", "3", "A, C, G, T, N"));
    EXPECT_THAT(refused_sequence(">a\nACGT\n>b\nACGT\n"), Names("a.fa:3", ">b", "one"));
    EXPECT_THAT(refused_sequence(""), Names("a.fa:1", "end", "'>'"));
}

TEST_F(BadInputTest, SequenceWithoutLetters) {
    EXPECT_THAT(refused_sequence(">a\n\n"), Names("a.fa:3", "end", "A, C, G, T, N"));
    write("b.fa", ">b\nAC-T\n");
    EXPECT_THAT(refused({"run", "dag.toml", "--set", "workload.second_sequence=b.fa"}),
                Names("b.fa:2", "'-'", "3", "A, C, G, T, N"));
    EXPECT_THAT(refused({"run", "dag.toml", "--set", "workload.second_sequence=."}),
                AllOf(StartsWith("weir: .: "), Names("FASTA", "DNA")));
}

TEST_F(BadInputTest, SequencesThatDoNotDivide) {
    EXPECT_THAT(refused_sequence(">a\nACGTA\n"), Names("a.fa", "5", "4", "4", "8"));
    write("b.fa", ">b\nACGTA\n");
    EXPECT_THAT(refused({"run", "dag.toml", "--set", "workload.second_sequence=b.fa"}),
                Names("b.fa", "workload.blocks", "4", "5", "5"));
    EXPECT_THAT(refused_text("[workload]\nkernel = \"diamond-dag\"\nblocks = 60\n"),
                Names("bad.toml:3:10", "workload.blocks", "60", "1024", "1024"));
}

TEST_F(BadInputTest, MessagesThatDoNotFitIntoMemory) {
    write("dag.toml", kSmallDiamondDag);
    EXPECT_THAT(refused({"run", "dag.toml", "--set", "workload.message_bytes=1024", "--set",
                         "memory.bytes=4096"}),
                Names("workload.message_bytes", "8", "1024", "memory.bytes = 4096", "512",
                      "memory.bytes", "8192"));
}

TEST_F(BadInputTest, RunFolderThatExists) {
    std::filesystem::create_directory(file("mine"));
    EXPECT_THAT(refused({"run", "remap.toml", "--out", "mine"}), Names("mine", "exists", "--out"));
    EXPECT_THAT(refused({"run", "remap.toml", "--out", "mine/"}), Names("mine", "exists", "--out"));
}

TEST_F(BadInputTest, RunFolderThatCannotBeMade) {
    EXPECT_THAT(refused({"run", "remap.toml", "--out", "remap.toml/mine"}),
                Names("remap.toml/mine", system_message(std::errc::not_a_directory), "--out"));
    // No user can make a folder in /proc, not even root.
    EXPECT_THAT(refused({"run", "remap.toml", "--out", "/proc/mine"}),
                Names("/proc/mine", system_message(std::errc::no_such_file_or_directory), "--out"));
}

TEST_F(BadInputTest, FoldersMadeOnTheWayToTheRunFolderAreRemovedAgain) {
    const std::string too_long(300, 'x');
    EXPECT_THAT(
        refused({"run", "remap.toml", "--out", "new/folder/" + too_long}),
        Names("new/folder/" + too_long, system_message(std::errc::filename_too_long), "--out"));
    EXPECT_THAT(
        refused({"run", "remap.toml", "--out", "new/folder/run", "--set",
                 "run.warmup_cycles=1_000_000"}),
        Names("--set run.warmup_cycles=1_000_000", "run.warmup_cycles = 1000000", "cycles"));
}

TEST_F(BadInputTest, SetWithoutAValue) {
    EXPECT_THAT(refused_set("network.hop_cycles"),
                Names("--set network.hop_cycles", "\"=\"", "--set network.hop_cycles=VALUE"));
}

TEST_F(BadInputTest, SetWithABlankInPlaceOfItsEqualsSign) {
    const auto set = [this](Arguments words) {
        words.insert(words.begin(), {"run", "remap.toml", "--set"});
        return refused(words);
    };
    const auto told = Names("--set network.hop_cycles", "\"=\"", "--set network.hop_cycles=2");
    EXPECT_THAT(set({"network.hop_cycles", "2"}), told);
    EXPECT_THAT(set({"network.hop_cycles", "=", "2"}), told);
    EXPECT_THAT(set({"network.hop_cycles", "=2"}), told);
    EXPECT_THAT(refused({"run", "--set=network.hop_cycles", "2", "remap.toml"}), told);
    EXPECT_THAT(refused({"run", "--set", "network.hop_cycles", "remap.toml"}),
                HasSubstr("--set network.hop_cycles=VALUE"));
    EXPECT_THAT(refused({"sweep", "remap.toml", "--set", "network.hop_cycles", "2"}),
                HasSubstr("network.hop_cycles=2"));
    EXPECT_THAT(refused({"model", "logp-broadcast", "--set", "processors", "8"}),
                HasSubstr("--set processors=8"));
}

// These commands set a key to one value; a list of values needs a sweep.
TEST_F(BadInputTest, SetToSeveralValues) {
    for (const Arguments& command : std::vector<Arguments>{{"run", "remap.toml"},
                                                           {"compare", "remap.toml", "remap.toml"},
                                                           {"sweep", "remap.toml"},
                                                           {"profile", "remap.toml"}}) {
        Arguments words = command;
        words.insert(words.end(), {"--set", "network.hop_cycles=[1,2]"});
        EXPECT_THAT(refused(words), AllOf(HasSubstr("sweep"), HasSubstr("[[sweep.axis]]")))
            << command.front();
    }
}

TEST_F(BadInputTest, NumbersOnTheCommandLineThatAreNone) {
    for (const char* number : {"0", "-1", "010", "0x2", "1e1", " 2", "2.0", "12abc", "nan", "１",
                               "99999999999999999999"}) {
        EXPECT_THAT(refused({"run", "remap.toml", "-j", number}), HasSubstr("from 1 to 4096"))
            << number;
        EXPECT_THAT(refused({"topology", "distances", "--nodes", number}), HasSubstr("2 to 16384"))
            << number;
    }
    for (const char* shard :
         {"1/-1", "+1/2", "1/ 2", " 1/2", "1/2x", "0/2", "3/2", "1", "/", "1/99999999"}) {
        EXPECT_THAT(refused({"sweep", "remap.toml", "--shard", shard}), HasSubstr("I/N")) << shard;
    }
}

// mpirun sets this variable for its processes.
TEST_F(BadInputTest, ANumberOfProcessesThatIsNone) {
    for (const char* number : {"", "0", "-1", "2x", " 2", "99999999999999999999"}) {
        ASSERT_EQ(setenv("OMPI_COMM_WORLD_SIZE", number, 1), 0);
        EXPECT_THAT(refused({"list"}), HasSubstr("OMPI_COMM_WORLD_SIZE=")) << number;
    }
    unsetenv("OMPI_COMM_WORLD_SIZE");
}

TEST_F(BadInputTest, TablesThatAreGivenTwiceOrAsAList) {
    for (const char* table : {"network", "workload", "run", "machine"}) {
        const std::string name = table;
        write("list.toml", "extends = \"remap.toml\"\n[[" + name + "]]\nx = 1\n");
        const auto told =
            Names("list.toml:2:3", name, "[[" + name + "]]", "[" + name + "]", "once");
        EXPECT_THAT(refused({"run", "list.toml"}), told);
        EXPECT_THAT(weir({"check", "list.toml"}).output, told);
    }
}

TEST_F(BadInputTest, CommandLine) {
    EXPECT_THAT(refused({"rnu", "remap.toml"}),
                AllOf(Names("rnu", "run", "sweep"), EndsWith("\"run\"?\n")));
    EXPECT_THAT(refused({"model", "memory"}),
                Names("memory", "memory-logp", "memory-logp-measured"));
    EXPECT_THAT(refused({"run"}), Names("FILE", "weir run --help"));
    EXPECT_THAT(refused({"run", "remap.toml", "-j", "0"}), Names("--jobs", "0", "1", "4096"));
    EXPECT_THAT(refused({"trace"}), Names("trace", "missing", "digest", "export"));
    EXPECT_THAT(refused({"trace", "exprot"}),
                AllOf(Names("trace", "exprot"), EndsWith("\"export\"?\n")));
    EXPECT_THAT(refused({"run", "--jsn"}), AllOf(Names("run", "--jsn"), EndsWith("\"--json\"?\n")));
    EXPECT_THAT(refused({"run", "remap.toml", "twice.toml"}),
                Names("run", "twice.toml", "weir run --help"));
    EXPECT_THAT(refused({"topology", "show", "--topology", "mesh", "--dimensions", "8x4"}),
                Names("--dimensions", "8x4", "1", "16384"));
    EXPECT_THAT(refused({"topology", "show", "--topology", "mesh", "--dimensions", "4,,4"}),
                HasSubstr("found \"\""));
    EXPECT_THAT(refused({"hlep", "run"}), AllOf(Names("command", "hlep"), EndsWith("\"help\"?\n")));
    EXPECT_THAT(refused({"sweep", "shwo", "remap.db"}), EndsWith("\"show\"?\n"));
    EXPECT_THAT(refused({"version"}), EndsWith("\"--version\"?\n"));
    EXPECT_THAT(refused({"run", "remap.toml", "--set"}), Names("--set", "KEY=VALUE"));
    EXPECT_THAT(refused({"run", "remap.toml", "--seed", "3"}),
                EndsWith("\"--set run.seeds=VALUE\"?\n"));
    EXPECT_THAT(refused({"run", "remap.toml", "--hop-cycles=3"}),
                EndsWith("\"--set network.hop_cycles=VALUE\"?\n"));
    EXPECT_THAT(refused({"help", "rnu"}), AllOf(Names("help", "rnu"), EndsWith("\"run\"?\n")));
    EXPECT_THAT(refused({"help", "trace", "exprot"}), EndsWith("\"export\"?\n"));
    EXPECT_THAT(refused({"help", "run", "more"}), Names("run", "more", "none"));
    EXPECT_THAT(refused({"report", "runs", "--png", ""}), Names("--png \"\"", "FOLDER"));
    for (const char* option : {"--html", "-o"}) {
        const bool is_report = option == std::string("-o");
        EXPECT_THAT(refused({is_report ? "report" : "search", "remap.toml", option, "remap.toml"}),
                    Names("remap.toml", ".html"));
    }
}

// Messages on the terminal are UTF-8, whatever the arguments.
TEST_F(BadInputTest, ArgumentsThatAreNoUtf8) {
    for (const ProgramTest::Arguments& arguments :
         {ProgramTest::Arguments{"run", "no\xff.toml"},
          {"run", "remap.toml", "--set", "workload.kernel=\xff"},
          {"run", "remap.toml", "--set", "network.graph_file=\xff.dot"},
          {"sweep", "show", "no\xff.db"},
          {"compare", "remap.toml", "no\xff.toml"},
          {"report", "no\xff"},
          {"trace", "digest", "no\xff"},
          {"topology", "show", "no\xff.dot"},
          {"import", "booksim", "no\xff.cfg"},
          {"\xff"}}) {
        EXPECT_THAT(refused(arguments), HasSubstr("\\xff")) << arguments.back();
    }
}

// A path is any bytes that the system takes.
TEST_F(BadInputTest, PathsThatAreNoUtf8Work) {
    const auto succeeds = [this](const ProgramTest::Arguments& arguments) {
        const ProgramEnd end = weir(arguments);
        EXPECT_EQ(end.status, 0) << arguments.front() << ": " << end.error;
        EXPECT_TRUE(setup::is_utf8(end.output + end.error)) << arguments.front();
        return end.output;
    };
    std::filesystem::create_directory(file("d\xff"));
    std::filesystem::copy(file("remap.toml"), file("d\xff/\xfe.toml"));
    write("d\xff/ring.dot", "graph { a -- b; b -- c; c -- d; d -- a; }");
    const std::string ring =
        "extends = \"alewife\"\nmachine.nodes = 4\nnetwork.topology = \"graph\"\n"
        "network.graph_file = \"ring.dot\"\nworkload.kernel = \"remap\"\n"
        "workload.iterations = 4\n";
    write("d\xff/ring.toml", ring);
    write("d\xff/sweep.toml", ring + "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n");
    succeeds({"check", "d\xff/\xfe.toml"});
    EXPECT_TRUE(nlohmann::json::accept(
        succeeds({"run", "d\xff/\xfe.toml", "--json", "--out", "d\xff/run\xfe"})));
    succeeds({"report", "d\xff/run\xfe"});
    succeeds({"report", "d\xff/run\xfe", "-o", "\xff.html"});
    EXPECT_TRUE(setup::is_utf8(read("\xff.html") + read("d\xff/run\xfe/report.txt")));
    succeeds({"trace", "digest", "d\xff/run\xfe"});
    succeeds({"sweep", "d\xff/sweep.toml", "--out", "s\xff.db"});
    succeeds({"sweep", "show", "s\xff.db"});
    succeeds({"sweep", "d\xff/sweep.toml", "--out", "s\xff.db", "--resume"});
    succeeds({"topology", "show", "d\xff/ring.dot", "--svg", "\xfe.svg"});
    write("d\xff/mesh.cfg", "topology = mesh; k = 4; n = 2; routing_function = dor;");
    succeeds({"import", "booksim", "d\xff/mesh.cfg", "-o", "d\xff/mesh\xfe.toml"});
    succeeds({"run", "d\xff/mesh\xfe.toml", "--dry-run"});

    // The resolved configuration names the graph by a URI, and runs again.
    succeeds({"run", "d\xff/ring.toml", "--out", "ring"});
    const std::string configuration = "ring/point-01-seed-1/configuration.toml";
    EXPECT_THAT(read(configuration), HasSubstr("/d%FF/ring.dot\""));
    succeeds({"run", configuration, "--out", "again"});
}

// A run copies texts of its files into its result and page, which are UTF-8.
TEST_F(BadInputTest, TextsOfFilesThatAreNoUtf8) {
    write("title.toml", read("remap.toml") + "title = \"\xff\"\n");
    EXPECT_THAT(refused({"run", "title.toml"}), HasSubstr("title.toml"));
    write("ring.dot", "graph { \"\xff\" -- b; b -- c; c -- d; d -- \"\xff\"; }");
    write("ring.toml",
          "extends = \"alewife\"\nmachine.nodes = 4\nnetwork.topology = \"graph\"\n"
          "network.graph_file = \"ring.dot\"\nworkload.kernel = \"remap\"\n"
          "workload.iterations = 4\n");
    const ProgramEnd end = weir({"run", "ring.toml", "--json", "--out", "ring"});
    EXPECT_TRUE(end.status == 0 || end.status == 2) << end.error;
    if (end.status == 0) {
        EXPECT_TRUE(nlohmann::json::accept(end.output));
        EXPECT_EQ(weir({"report", "ring"}).status, 0);
    }
}

TEST_F(BadInputTest, PatternThatFitsNoParameter) {
    EXPECT_THAT(refused({"params", "hop_cyles"}),
                AllOf(Names("hop_cyles", "table.key", "*", "?", "machine", "network", "traffic"),
                      EndsWith("\"hop_cycles\"?\n")));
}

TEST_F(BadInputTest, DigestOfWhatIsNoTrace) {
    EXPECT_THAT(refused({"trace", "digest", "remap.toml"}),
                Names("remap.toml", "trace", "database"));
    EXPECT_THAT(refused({"trace", "digest", "none.sqlite"}), Names("none.sqlite", "open", "trace"));
    EXPECT_THAT(refused({"trace", "digest", "."}),
                AllOf(StartsWith("weir: .: "), Names("trace.weir", "folder")));
}

// Deep nesting would overflow the stack of the parsing library.
TEST_F(BadInputTest, WhatIsNestedTooDeep) {
    constexpr int kDeep = 20'000;
    std::string key = "a";
    std::string braces = "digraph {";
    std::string elements = "<graphml><graph>";
    for (int i = 0; i < kDeep; ++i) {
        key += ".a";
        braces += "subgraph {";
        elements += "<node>";
    }
    write("key.toml", "extends = \"alewife\"\n" + key + " = 1\n");
    EXPECT_THAT(refused({"run", "key.toml"}), Names("key.toml:2:1", "key", "parts", "50"));
    write("table.toml", "extends = \"alewife\"\n[" + key + "]\n");
    EXPECT_THAT(refused({"run", "table.toml"}), Names("table.toml:2:1", "key", "parts", "50"));
    write("graph.dot", braces + std::string(kDeep, '}') + "}");
    write("graph.graphml", elements);
    const auto refused_graph = [&](const std::string& graph) {
        return refused({"run", "remap.toml", "--set", "network.topology=graph", "--set",
                        "network.graph_file=" + graph});
    };
    EXPECT_THAT(refused_graph("graph.dot"),
                Names("--set network.graph_file=graph.dot", "graph.dot:1:", "100"));
    EXPECT_THAT(refused_graph("graph.graphml"),
                Names("--set network.graph_file=graph.graphml", "graph.graphml:1:", "accepted"));
}

TEST_F(BadInputTest, AMessageIsShortAndObeysNoFile) {
    std::string list = "[8";
    for (int i = 0; i < 9'000; ++i) {
        list += ", -8";
    }
    write("list.toml", "extends = \"alewife\"\n[workload]\nkernel = \"body-ping\"\nbody_bytes = " +
                           list + "]\n");
    EXPECT_LT(refused({"run", "list.toml"}).size(), 500U);
    write("escape.mtx", "%%MatrixMarket matrix coordinate real general\n\x1b[2Jgone 1 1\n");
    write("escape.toml", std::string(kSmallSpmv) + "matrix = \"escape.mtx\"\n");
    EXPECT_THAT(refused({"run", "escape.toml"}), HasSubstr("\\x1b[2Jgone 1 1"));
}

}  // namespace
}  // namespace weir::experiments
