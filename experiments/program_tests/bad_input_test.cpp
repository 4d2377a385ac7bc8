#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "firmware/kernels/registry.h"

namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

// A mistake of the user's: one message with the place, what was found and what is accepted; exit
// status 2; nothing on standard output and no file or folder made.
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
    /// A matrix of 4 x 4 that begins well and goes wrong in its text.
    [[nodiscard]] std::string refused_matrix(const std::string& text) const {
        write("spmv.toml", kSmallSpmv);
        write("a.mtx", text);
        return refused({"run", "spmv.toml", "--set", "workload.matrix=a.mtx"});
    }
    /// A sequence for 4 nodes with this text.
    [[nodiscard]] std::string refused_sequence(const std::string& text) const {
        write("dag.toml", kSmallDiamondDag);
        write("a.fa", text);
        return refused({"run", "dag.toml", "--set", "workload.first_sequence=a.fa"});
    }
};

TEST_F(BadInputTest, MisspeltKey) {
    EXPECT_EQ(refused_text("extends = \"alewife\"\n[workload]\nkernel = \"remap\"\n"
                           "[controller]\nnotfy_cycles = 3\n"),
              "weir: bad.toml:5:1: [controller] has no key \"notfy_cycles\"; accepted: "
              "\"output_queue_bytes\", \"input_queue_bytes\", \"store_cycles\", \"launch_cycles\", "
              "\"load_cycles\", \"consecutive_load_cycles\", \"double_cycles\", \"notify_cycles\", "
              "\"overflow_trap\", \"overflow_timeout_cycles\"; did you mean "
              "\"notify_cycles\"?\n");
    EXPECT_EQ(refused_set("clock.sleping=true"),
              "weir: --set clock.sleping=true: [clock] has no key \"sleping\"; accepted: "
              "\"processor_mhz\", \"tick_order\", \"sleeping\"; did you mean \"sleeping\"?\n");
}

TEST_F(BadInputTest, ThreadsAndContextsThatDiffer) {
    EXPECT_EQ(refused_set("core.contexts=2"),
              "weir: --set core.contexts=2: more contexts than threads: core.contexts is 2, and a "
              "node runs 1 of this kernel's (\"remap\") threads; accepted: core.contexts = 1\n");
    write("threads.toml",
          "extends = \"alewife\"\n[workload]\nkernel = \"multithread\"\nthreads = 3\n"
          "[core]\ncontexts = 2\n");
    EXPECT_EQ(refused({"run", "threads.toml"}),
              "weir: threads.toml:6:12: more threads than contexts: core.contexts is 2, and a node "
              "runs 3 of this kernel's (\"multithread\") threads; accepted: core.contexts = 3, or "
              "workload.threads = 2\n");
}

TEST_F(BadInputTest, AnOverflowBufferAsLargeAsMemory) {
    EXPECT_EQ(refused({"run", "remap.toml", "--set", "controller.overflow_trap=true", "--set",
                       "memory.bytes=1048576"}),
              "weir: remap.toml: firmware.overflow_buffer_bytes leaves nothing of memory.bytes = "
              "1048576; accepted: less than memory.bytes\n");
}

TEST_F(BadInputTest, AKeyThatThisMachineWouldIgnore) {
    EXPECT_EQ(
        refused({"run", "remap.toml", "--set", "core.receive_mode=protocol_processor", "--set",
                 "core.poll_period_cycles=8"}),
        "weir: --set core.poll_period_cycles=8: core.poll_period_cycles has no effect on this "
        "machine; accepted: core.receive_mode = \"polling\", or no "
        "core.poll_period_cycles\n");
    EXPECT_THAT(refused_set("network.delay=constant"),
                HasSubstr("network.delay has no effect on this machine"));
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "network.model=delay", "--set",
                         "network.buffer_flits=9"}),
                HasSubstr("network.buffer_flits has no effect on this machine"));
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "network.model=delay", "--set",
                         "controller.overflow_trap=true"}),
                HasSubstr("controller.overflow_trap has no effect on this machine"));
    EXPECT_THAT(refused_set("network.delay_cycles=7"),
                HasSubstr("network.delay_cycles has no effect on this machine"));
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "network.model=delay", "--set",
                         "network.delay_cycles=7"}),
                HasSubstr("accepted: network.delay = \"constant\", or no"));
}

TEST_F(BadInputTest, AKeyOfTheLogpNetworkElsewhereAndOfOthersOnIt) {
    for (const std::string option : {"network.logp_latency_cycles=9", "network.logp_gap_cycles=9",
                                     "network.logp_least_latency_cycles=9"}) {
        const std::string key = option.substr(0, option.find('='));
        for (const std::string model : {"delay", "wormhole"}) {
            EXPECT_EQ(
                refused({"run", "remap.toml", "--set", "network.model=" + model, "--set", option}),
                "weir: --set " + option + ": " + key +
                    " has no effect on this machine; accepted: network.model = \"logp\", or "
                    "no " +
                    key + "\n");
        }
    }
    for (const std::string option :
         {"network.hop_cycles=2", "network.flit_bytes=4", "network.injection_cycles=3",
          "network.ejection_cycles=3", "network.delay=constant", "network.buffer_flits=9",
          "network.flit_by_flit=true", "controller.output_queue_bytes=512"}) {
        EXPECT_THAT(
            refused({"run", "remap.toml", "--set", "network.model=logp", "--set", option}),
            HasSubstr(option.substr(0, option.find('=')) + " has no effect on this machine"));
    }
}

TEST_F(BadInputTest, AKeyOfCachesThatThisMachineHasNot) {
    for (const auto& [option, where] : std::vector<std::pair<std::string, std::string>>{
             {"l1.bytes=32768", "memory.caches of 1 or more"},
             {"tlb.entries=64", "memory.caches of 1 or more"},
             {"memory.dma_stores=update",
              "memory.caches of 1 or more and a kernel whose messages have bodies"},
             {"memory_port.access_cycles=5",
              "memory.caches of 1 or more, or a kernel whose messages have bodies"}}) {
        const std::string key = option.substr(0, option.find('='));
        EXPECT_EQ(refused_set(option), "weir: --set " + option + ": " + key +
                                           " has no effect on this machine; accepted: " + where +
                                           ", or no " + key + "\n");
    }
    for (const auto& [option, where] : std::vector<std::pair<std::string, std::string>>{
             {"l2.bytes=32768", "memory.caches of 2 or more"},
             {"tlb.page_bytes=8192", "tlb.entries of 1 or more"},
             {"l1.replacement=random", "l1.ways other than 1"},
             {"l1.access_cycles=3", "another level than the first"},
             {"l1.busy_cycles=3", "another level than the first"},
             {"l1.inclusive=true", "another level than the first"},
             {"memory_port.row_access_cycles=5", "memory_port.row_bytes of 1 or more"}}) {
        const std::string key = option.substr(0, option.find('='));
        EXPECT_EQ(refused({"run", "remap.toml", "--set", "memory.caches=1", "--set", option}),
                  "weir: --set " + option + ": " + key +
                      " has no effect on this machine; accepted: " + where + ", or no " + key +
                      "\n");
    }
    for (const std::string option : {"l2.store_misses_wait=false", "l2.write_allocate=false"}) {
        const std::string key = option.substr(0, option.find('='));
        EXPECT_EQ(refused({"run", "remap.toml", "--set", "memory.caches=2", "--set", option}),
                  "weir: --set " + option + ": " + key +
                      " has no effect on this machine; accepted: [l1], or no " + key + "\n");
    }
}

TEST_F(BadInputTest, AKeyOfStoresForACacheOfInstructions) {
    write("compiled.toml",
          "extends = \"sparcle\"\nmemory = { caches = 1, instruction_cache = true }\n"
          "[workload]\nkernel = \"remap\"\n");
    EXPECT_THAT(refused({"run", "compiled.toml", "--set", "l1i.write_policy=write_through"}),
                HasSubstr("accepted: another level than [l1i], or no l1i.write_policy\n"));
    EXPECT_THAT(refused({"run", "compiled.toml", "--set", "l1i.write_allocate=false"}),
                HasSubstr("accepted: [l1], or no l1i.write_allocate\n"));
}

TEST_F(BadInputTest, AKeyOfWhatIsNotDone) {
    write("spmv.toml", kSmallSpmv);
    write("dag.toml", kSmallDiamondDag);
    EXPECT_THAT(refused_set("firmware.poll_exit_cycles=3"),
                HasSubstr("accepted: core.receive_mode = \"polling\", or no firmware.poll_exit"));
    EXPECT_THAT(refused({"run", "spmv.toml", "--set", "workload.half_band=3"}),
                HasSubstr("accepted: workload.pattern = \"band\", or no workload.half_band\n"));
    EXPECT_THAT(refused({"run", "dag.toml", "--set", "workload.gap_score=-3"}),
                HasSubstr("accepted: core.kind = \"sparcle\", or no workload.gap_score\n"));
}

TEST_F(BadInputTest, CachesThatCannotBe) {
    const auto with = [](const std::string& levels, const std::vector<std::string>& options) {
        std::vector<std::string> words{"run", "remap.toml", "--set", "memory.caches=" + levels};
        for (const std::string& option : options) {
            words.insert(words.end(), {"--set", option});
        }
        return words;
    };
    EXPECT_EQ(refused(with("1", {"l1.bytes=3000"})),
              "weir: --set l1.bytes=3000: l1.bytes: makes no sets of 1 lines whose number is a "
              "power of two; accepted: line_bytes * ways * 1, 2, 4, ...\n");
    EXPECT_EQ(
        refused(with("1", {"l1.line_bytes=24"})),
        "weir: --set l1.line_bytes=24: l1.line_bytes: is no power of two; accepted: 8, 16, 32 "
        "... 4096\n");
    EXPECT_EQ(
        refused(with("1", {"l1.line_bytes=128", "l1.bytes=64"})),
        "weir: --set l1.bytes=64: l1.bytes: is less than a line; accepted: l1.line_bytes (128) "
        "or more\n");
    EXPECT_EQ(refused(with("2", {"l2.bytes=32768", "l2.ways=1"})),
              "weir: --set l2.bytes=32768: l2.bytes is 32768, less than l1.bytes; accepted: 65536 "
              "or more\n");
    EXPECT_EQ(refused(with("2", {"l1.line_bytes=32"})),
              "weir: remap.toml: l2.line_bytes is 16, less than l1.line_bytes; accepted: 32 or "
              "more\n");
    EXPECT_EQ(refused(with("1", {"tlb.entries=64", "tlb.page_bytes=5000"})),
              "weir: --set tlb.page_bytes=5000: tlb.page_bytes: is no power of two; accepted: 64, "
              "128, 256, ...\n");
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
                HasSubstr("is more than logp_latency_cycles; accepted: at most 200"));
    EXPECT_EQ(refused(with("controller.launch_cycles=0")),
              "weir: --set controller.launch_cycles=0: controller.launch_cycles is 0, which only "
              "network.model = \"delay\" can do; accepted: at least 1\n");
}

TEST_F(BadInputTest, ABarrierThatThisMachineHasNot) {
    EXPECT_EQ(refused_set("workload.barrier_messages=16"),
              "weir: --set workload.barrier_messages=16: the nodes of this kernel (\"remap\") meet "
              "at the hardware barrier, which this machine has not; accepted: network.barrier = "
              "true, or a kernel without barriers\n");
    EXPECT_EQ(refused_set("network.barrier_cycles=50"),
              "weir: --set network.barrier_cycles=50: network.barrier_cycles has no effect on this "
              "machine; accepted: network.barrier = true, or no network.barrier_cycles\n");
}

TEST_F(BadInputTest, ConsecutiveMessagesToRandomDestinations) {
    EXPECT_THAT(refused_set("workload.consecutive_messages=2"),
                HasSubstr("workload.consecutive_messages has no effect on this run; accepted: "
                          "workload.destinations = \"cyclic\" or \"ascending\", or no"));
}

TEST_F(BadInputTest, ASpanOfOtherDestinationsOrWiderThanTheMachine) {
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "workload.destinations=\"cyclic\"", "--set",
                         "workload.span_nodes=1"}),
                HasSubstr("workload.span_nodes has no effect on this run; accepted: "
                          "workload.destinations = \"random\", or no"));
    EXPECT_THAT(refused_set("workload.span_nodes=4"),
                HasSubstr("workload.span_nodes: found 4; accepted: less than half of the 8 nodes"));
}

TEST_F(BadInputTest, AKeyOfAFloatUnitThatThisMachineHasNot) {
    write("compiled.toml", "extends = \"sparcle\"\n[workload]\nkernel = \"ping\"\n");
    EXPECT_EQ(refused({"run", "compiled.toml", "--set", "sparcle.floating_point_unit=false",
                       "--set", "sparcle.float_add_cycles=3"}),
              "weir: --set sparcle.float_add_cycles=3: sparcle.float_add_cycles has no effect on "
              "this machine; accepted: sparcle.floating_point_unit = true, or no "
              "sparcle.float_add_cycles\n");
    EXPECT_THAT(refused_set("sparcle.floating_point_unit=false"),
                HasSubstr("accepted: core.kind = \"sparcle\""));
}

TEST_F(BadInputTest, AKeyOfTheBehaviouralCoreForCompiledCode) {
    write("compiled.toml", "extends = \"sparcle\"\n[workload]\nkernel = \"remap\"\n");
    EXPECT_THAT(refused({"run", "compiled.toml", "--set", "workload.loop_cycles=3"}),
                HasSubstr("workload.loop_cycles has no effect on this run; accepted: core.kind = "
                          "\"behavioural\", or no workload.loop_cycles"));
}

// Keys of what moves bodies, on a machine that has no routers and no DMA engines.
TEST_F(BadInputTest, AKeyOfTheEnginesOnAnIdealNetwork) {
    const std::vector<std::string> options{
        "dma.setup_cycles=11",          "dma.burst_bytes=64",
        "dma.turnaround_cycles=3",      "memory_port.beat_bytes=16",
        "memory_port.beat_cycles=3",    "firmware.body_send=blocking",
        "firmware.body_receive=status", "firmware.status_loop_cycles=3"};
    for (const std::string& option : options) {
        const std::string key = option.substr(0, option.find('='));
        const std::string caches =
            key.starts_with("memory_port.") ? "memory.caches of 1 or more, or " : "";
        const std::string engines =
            "network.model = \"wormhole\" and a kernel whose messages have bodies";
        EXPECT_EQ(refused({"run", "remap.toml", "--set", "network.model=delay", "--set", option}),
                  "weir: --set " + option + ": " + key +
                      " has no effect on this machine; accepted: " + caches + engines + ", or no " +
                      key + "\n");
    }
}

TEST_F(BadInputTest, BodiesOnAnIdealNetwork) {
    write("body.toml", "extends = \"alewife\"\n[workload]\nkernel = \"body-ping\"\n");
    write("dag.toml", kSmallDiamondDag);
    const auto message = [](const std::string& kernel) {
        return "weir: --set network.model=delay: the messages of this kernel (\"" + kernel +
               "\") have bodies, which need DMA engines; accepted: network.model = \"wormhole\", "
               "or messages without a body\n";
    };
    EXPECT_EQ(refused({"run", "body.toml", "--set", "network.model=delay"}), message("body-ping"));
    EXPECT_EQ(refused({"run", "dag.toml", "--set", "network.model=delay"}), message("diamond-dag"));
    EXPECT_EQ(refused({"run", "remap.toml", "--set", "workload.body_bytes=64", "--set",
                       "network.model=delay"}),
              message("remap"));
    EXPECT_EQ(refused_text("extends = \"lopc\"\n[workload]\nkernel = \"remap\"\n"
                           "body_bytes = 64\n")
                  .substr(0, 6),
              "weir: ");
}

TEST_F(BadInputTest, BodiesOfLengthsThatNoEngineMoves) {
    write("body.toml", "extends = \"alewife\"\n[workload]\nkernel = \"body-ping\"\n");
    EXPECT_EQ(refused({"run", "body.toml", "--set", "workload.body_bytes=[8, 12]"}),
              "weir: workload.body_bytes: found 12; accepted: multiples of 8\n");
    EXPECT_THAT(refused({"run", "body.toml", "--set", "workload.body_bytes=[0]"}),
                StartsWith("weir: --set workload.body_bytes=[0]: workload.body_bytes is "));
    EXPECT_EQ(refused_set("workload.body_bytes=12"),
              "weir: --set workload.body_bytes=12: workload.body_bytes: found 12; accepted: 0 "
              "(short messages), or a multiple of 8\n");
    EXPECT_THAT(refused_set("workload.body_bytes=-8"),
                StartsWith("weir: --set workload.body_bytes=-8: workload.body_bytes is "));
    write("dag.toml", kSmallDiamondDag);
    EXPECT_EQ(refused({"run", "dag.toml", "--set", "workload.message_bytes=100"}),
              "weir: --set workload.message_bytes=100: workload.message_bytes: found 100 bytes, "
              "which are not whole values; accepted: a multiple of 8\n");
    EXPECT_EQ(refused({"run", "dag.toml", "--set", "workload.message_bytes=56"}),
              "weir: --set workload.message_bytes=56: workload.message_bytes: found 56 bytes, "
              "which do not hold a block's edge; accepted: 0 (just the edge), or at least 64\n");
    EXPECT_THAT(refused_set("dma.burst_bytes=12"),
                AllOf(StartsWith("weir: --set dma.burst_bytes=12: "), HasSubstr("multiple of 8")));
}

TEST_F(BadInputTest, BodiesThatDoNotFitIntoMemory) {
    write("body.toml",
          "extends = \"alewife\"\n[workload]\nkernel = \"body-ping\"\n"
          "pairs = \"one\"\nbody_bytes = [4096]\n[memory]\nbytes = 4096\n");
    EXPECT_EQ(refused({"run", "body.toml"}),
              "weir: workload.body_bytes: all bodies together take 8192 bytes of a node's memory, "
              "which has 4096; accepted: fewer or shorter bodies, or a larger memory.bytes\n");
    EXPECT_EQ(refused({"run", "remap.toml", "--set", "workload.body_bytes=4096", "--set",
                       "memory.bytes=4096"}),
              "weir: workload.body_bytes: 4 buffers of 4096 bytes do not fit into memory.bytes = "
              "4096; accepted: bodies of at most 1024 bytes, fewer buffers, or memory.bytes of at "
              "least 16384\n");
}

TEST_F(BadInputTest, BuffersForBodiesThatThereAreNot) {
    EXPECT_EQ(refused_set("workload.receive_buffers=2"),
              "weir: --set workload.receive_buffers=2: workload.receive_buffers has no effect on "
              "this run; accepted: workload.body_bytes above 0, or no workload.receive_buffers\n");
    EXPECT_THAT(refused_set("workload.send_buffers=2"),
                HasSubstr("workload.send_buffers has no effect on this run"));
    EXPECT_EQ(refused({"run", "remap.toml", "--set", "workload.body_bytes=8", "--set",
                       "workload.argument_words=13"}),
              "weir: --set workload.argument_words=13: workload.argument_words: found 13 in "
              "messages with a body; accepted: at most 12\n");
}

TEST_F(BadInputTest, NoMessages) {
    EXPECT_EQ(refused_set("workload.iterations=0"),
              "weir: --set workload.iterations=0: workload.iterations is the whole number 0; "
              "accepted: a whole number from 1 to 1000000000\n");
}

TEST_F(BadInputTest, AWarmUpLongerThanTheRun) {
    EXPECT_THAT(refused_set("run.warmup_cycles=100_000_000"),
                AllOf(HasSubstr("run.warmup_cycles = 100000000 leaves nothing to measure"),
                      EndsWith("accepted: a warm-up shorter than the run\n")));
}

TEST_F(BadInputTest, KeyOfAnotherKernel) {
    EXPECT_EQ(refused_text("[workload]\nkernel = \"flood\"\niterations = 5\n"),
              "weir: bad.toml:3:1: [workload] of kernel \"flood\" has no key \"iterations\"; "
              "accepted: \"kernel\", \"pattern\", \"messages\", \"argument_words\"\n");
}

TEST_F(BadInputTest, MisspeltTable) {
    EXPECT_THAT(refused_text("[workload]\nkernel = \"remap\"\n[netwrok]\nhop_cycles = 2\n"),
                AllOf(StartsWith("weir: bad.toml:3:2: an experiment has no table [netwrok]; "
                                 "accepted: \"extends\", \"title\", \"description\", \"point\", "
                                 "\"sensitivity\", \"published\", \"models\", \"sweep\", \"cost\", "
                                 "\"search\" and the tables [machine], [clock], [network], "),
                      EndsWith(", [workload], [run], [trace]; did you mean \"network\"?\n")));
}

TEST_F(BadInputTest, WrongType) {
    EXPECT_EQ(refused_text("[workload]\nkernel = \"remap\"\n[network]\nhop_cycles = \"two\"\n"),
              "weir: bad.toml:4:14: network.hop_cycles is the string \"two\"; accepted: a whole "
              "number from 1 to 10000\n");
    EXPECT_EQ(refused_set("clock.sleeping=1"),
              "weir: --set clock.sleeping=1: clock.sleeping is the whole number 1; accepted: true "
              "or false\n");
}

TEST_F(BadInputTest, ValueOutOfRange) {
    EXPECT_EQ(refused_text("[workload]\nkernel = \"remap\"\n[network]\nhop_cycles = 0\n"),
              "weir: bad.toml:4:14: network.hop_cycles is the whole number 0; accepted: a whole "
              "number from 1 to 10000\n");
    EXPECT_EQ(refused_set("clock.tick_order=random"),
              "weir: --set clock.tick_order=random: clock.tick_order is the string \"random\"; "
              "accepted: one of \"wake\", \"reversed\", \"shuffled\"\n");
}

TEST_F(BadInputTest, BurstThatNoQueueHasRoomFor) {
    write("body.toml", "extends = \"alewife\"\n[workload]\nkernel = \"body-ping\"\n");
    EXPECT_EQ(refused({"run", "body.toml", "--set", "dma.burst_bytes=128", "--set",
                       "controller.input_queue_bytes=64"}),
              "weir: --set dma.burst_bytes=128: dma.burst_bytes is 128, for which a queue of 64 "
              "bytes never has room; accepted: at most controller.output_queue_bytes and "
              ".input_queue_bytes\n");
    // The 16 bytes before the body are three flits of 5 and a byte, which waits for the body.
    EXPECT_EQ(
        refused({"run", "body.toml", "--set", "dma.burst_bytes=64", "--set",
                 "controller.output_queue_bytes=64", "--set", "network.flit_bytes=5"}),
        "weir: --set dma.burst_bytes=64: dma.burst_bytes is 64, for which a queue of 64 bytes "
        "never has room beside a part of a flit of 5 bytes; accepted: at most 60, or larger "
        "controller.output_queue_bytes and .input_queue_bytes\n");
    // The first flit has three bytes, and those behind it are at odd places.
    EXPECT_EQ(
        refused({"run", "body.toml", "--set", "dma.burst_bytes=64", "--set",
                 "controller.output_queue_bytes=64", "--set", "network.tag_bytes=1"}),
        "weir: --set dma.burst_bytes=64: dma.burst_bytes is 64, for which a queue of 64 bytes "
        "never has room beside a part of a flit of 2 bytes; accepted: at most 63, or larger "
        "controller.output_queue_bytes and .input_queue_bytes\n");
    // The first flit has nine bytes, and a header is eight.
    EXPECT_THAT(refused({"run", "body.toml", "--set", "dma.burst_bytes=64", "--set",
                         "controller.output_queue_bytes=71", "--set", "network.tag_bytes=7"}),
                HasSubstr("accepted: at most 63, or"));
}

TEST_F(BadInputTest, KeysOfWhatIsNotThere) {
    write("remap.toml", kSmallRemap);
    EXPECT_EQ(refused({"run", "remap.toml", "--set", "dma.setup_cycles=20"}),
              "weir: --set dma.setup_cycles=20: dma.setup_cycles has no effect on this machine; "
              "accepted: a kernel whose messages have bodies, or no dma.setup_cycles\n");
    EXPECT_EQ(refused({"run", "remap.toml", "--set", "controller.overflow_timeout_cycles=99"}),
              "weir: --set controller.overflow_timeout_cycles=99: "
              "controller.overflow_timeout_cycles has no effect on this machine; accepted: "
              "controller.overflow_trap = true, or no controller.overflow_timeout_cycles\n");
}

TEST_F(BadInputTest, UnknownKernel) {
    std::string names;
    for (const firmware::KernelEntry& entry : firmware::kernels()) {
        names += "\"" + entry.name + "\", ";
    }
    EXPECT_EQ(refused_text("[workload]\nkernel = \"rmap\"\n"),
              "weir: bad.toml:2:10: no kernel \"rmap\"; accepted: " + names +
                  "\"open-loop\", \"replay\"; did you mean \"remap\"?\n");
}

TEST_F(BadInputTest, NoKernel) {
    EXPECT_EQ(refused_text("extends = \"alewife\"\n"),
              "weir: bad.toml: workload.kernel is not given; accepted: [workload] with kernel = "
              "\"the kernel's name\"\n");
}

TEST_F(BadInputTest, MisspeltTableOfTheKernel) {
    EXPECT_THAT(refused_text("extends = \"alewife\"\n[worklod]\nkernel = \"remap\"\n"),
                AllOf(StartsWith("weir: bad.toml:2:2: an experiment has no table [worklod]; "
                                 "accepted: \"extends\", "),
                      HasSubstr("[network]"), EndsWith("; did you mean \"workload\"?\n")));
}

TEST_F(BadInputTest, MisspeltKeyThatNamesTheKernel) {
    EXPECT_THAT(refused_text("extends = \"alewife\"\n[workload]\nkernl = \"remap\"\n"),
                AllOf(StartsWith("weir: bad.toml:3:1: [workload] has no key \"kernl\"; accepted: "),
                      HasSubstr("\"kernel\""), EndsWith("; did you mean \"kernel\"?\n")));
}

TEST_F(BadInputTest, NotToml) {
    EXPECT_EQ(refused_text("[workload]\nkernel \"remap\"\n"),
              "weir: bad.toml:2:8: not valid TOML: error while parsing key-value pair: expected "
              "'=', saw '\"'\n");
}

TEST_F(BadInputTest, MissingFile) {
    EXPECT_EQ(refused({"run", "remp.toml"}),
              "weir: remp.toml: does not exist; accepted: a TOML file; did you mean "
              "\"remap.toml\"?\n");
}

TEST_F(BadInputTest, DirectoryInPlaceOfAFile) {
    EXPECT_EQ(refused({"run", "."}),
              "weir: .: is a directory; accepted: a TOML file (weir list experiments); weir report "
              "takes a run's folder\n");
}

TEST_F(BadInputTest, UnreadableFile) {
    // Opens, and fails in the first read, even for root.
    std::filesystem::create_symlink("/proc/self/mem", file("unreadable.toml"));
    EXPECT_EQ(refused({"run", "unreadable.toml"}),
              "weir: unreadable.toml: can't be read: Input/output error; accepted: a TOML file\n");
}

TEST_F(BadInputTest, UnknownPreset) {
    EXPECT_THAT(refused_text("extends = \"alewive\"\n[workload]\nkernel = \"remap\"\n"),
                AllOf(StartsWith("weir: bad.toml:1:11: no preset \"alewive\"; accepted: "
                                 "\"alewife\""),
                      EndsWith(" or a path that ends in .toml; did you mean \"alewife\"?\n")));
}

TEST_F(BadInputTest, ExtendsInACircle) {
    write("a.toml", "extends = \"b.toml\"\n");
    write("b.toml", "title = \"b\"\nextends = \"a.toml\"\n");
    EXPECT_EQ(refused({"run", "a.toml"}),
              "weir: b.toml:2:11: extends in a circle: a.toml -> b.toml -> a.toml; accepted: a "
              "chain that ends\n");
}

TEST_F(BadInputTest, MeshThatDoesNotMatchTheNodes) {
    EXPECT_EQ(refused_text("machine.nodes = 9\nnetwork.dimensions = [4, 2]\n"
                           "workload.kernel = \"remap\"\n"),
              "weir: bad.toml:2:22: network.dimensions makes 8 nodes, but machine.nodes is 9; "
              "accepted: dimensions whose product is machine.nodes\n");
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "network.dimensions=[3, 3]", "--set",
                         "machine.nodes=8"}),
                HasSubstr("network.dimensions makes 9 nodes, but machine.nodes is 8"));
    // One that is given higher up alone says how many there are.
    EXPECT_EQ(weir({"run", "remap.toml", "--out", "run", "--set", "machine.nodes=6", "--set",
                    "workload.iterations=2"})
                  .status,
              0);
    EXPECT_THAT(read("run/point-01-seed-1/configuration.toml"), HasSubstr("dimensions = [3, 2]"));
    EXPECT_EQ(refused_set("machine.nodes=1"),
              "weir: --set machine.nodes=1: the machine has 1 node, and what workload.kernel names "
              "sends messages to others; accepted: at least 2\n");
}

TEST_F(BadInputTest, ZeroNodes) {
    EXPECT_EQ(refused_text("machine.nodes = 0\nworkload.kernel = \"remap\"\n"),
              "weir: bad.toml:1:17: machine.nodes is the whole number 0; accepted: a whole number "
              "from 1 to 16384\n");
    EXPECT_EQ(refused_set("network.dimensions=[]"),
              "weir: --set network.dimensions=[]: network.dimensions is an empty list; accepted: a "
              "list, each entry a whole number from 1 to 16384\n");
}

TEST_F(BadInputTest, MeshTooLargeToCount) {
    EXPECT_EQ(
        refused_set("network.dimensions=[4096, 4096, 4096, 4096, 4096, 4096]"),
        "weir: --set network.dimensions=[4096, 4096, 4096, 4096, 4096, 4096]: "
        "network.dimensions: makes more than 16384 nodes; accepted: 2 to 16384 nodes in all\n");
}

TEST_F(BadInputTest, SeedTwice) {
    EXPECT_EQ(refused_set("run.seeds=[1, 2, 1]"),
              "weir: --set run.seeds=[1, 2, 1]: run.seeds has a seed twice; accepted: a list of "
              "different whole numbers\n");
}

TEST_F(BadInputTest, FaultInALaterPointIsFoundBeforeTheFirstRuns) {
    EXPECT_EQ(refused_text(std::string(kSmallRemap) +
                           "[[point]]\nlabel = \"good\"\n"
                           "[[point]]\nlabel = \"bad\"\nnetwork.buffer_flits = 0\n"),
              "weir: bad.toml:17:24: network.buffer_flits is the whole number 0; accepted: a whole "
              "number from 1 to 4096\n");
}

TEST_F(BadInputTest, UnknownModel) {
    EXPECT_EQ(refused_set("models.compare=[\"lopcc\"]"),
              "weir: --set models.compare=[\"lopcc\"]: no model \"lopcc\"; accepted: \"logp\", "
              "\"lopc\", \"lopc_schweitzer\", \"lopc_rule_of_thumb\", \"md1\", \"logpc\", "
              "\"logpc_cycles\", \"loggp\", \"loggp_notify\", \"lopc_channels\", "
              "\"multithreading\"; did you mean \"lopc\"?\n");
}

TEST_F(BadInputTest, UnknownModelInput) {
    EXPECT_EQ(refused_set("models.inputs.handler=100"),
              "weir: --set models.inputs.handler=100: no model input \"handler\"; accepted: "
              "\"latency_cycles\", \"send_overhead_cycles\", \"receive_overhead_cycles\", "
              "\"handler_cycles\", \"handler_squared_cv\", \"work_cycles\", \"message_bytes\", "
              "\"long_send_overhead_cycles\", \"long_receive_overhead_cycles\", "
              "\"first_byte_latency_cycles\", \"header_to_dma_cycles\", \"mean_hops\", "
              "\"access_cycles\", \"directory_cycles\", \"fill_cycles\", \"trapped_share\", "
              "\"trap_cycles\", \"trap_after_reply_cycles\", \"reply_channel_cycles\", "
              "\"run_length_cycles\", \"read_latency_cycles\", \"switch_cycles\"\n");
}

TEST_F(BadInputTest, UnknownPublishedMetric) {
    EXPECT_THAT(
        refused_text(std::string(kSmallRemap) + "[published.cycles_per_iteraton]\n"
                                                "value = 486\nsource = \"Table 4\"\n"),
        AllOf(StartsWith("weir: bad.toml:13:12: no metric \"cycles_per_iteraton\"; accepted: "
                         "\"cycles_per_iteration\", "),
              EndsWith("; did you mean \"cycles_per_iteration\"?\n")));
}

TEST_F(BadInputTest, WarmUpLongerThanTheRun) {
    EXPECT_THAT(
        refused_text(std::string(kSmallRemap) + "[run]\nwarmup_cycles = 1_000_000\n"),
        MatchesRegex("weir: bad.toml:14:17: run.warmup_cycles = 1000000 leaves nothing to "
                     "measure: no message was handled from then on while every node was "
                     "still at work; the run has [0-9]+ cycles; accepted: a warm-up shorter "
                     "than the run\n"));
}

TEST_F(BadInputTest, MatrixFileThatIsNotThere) {
    write("spmv.toml", kSmallSpmv);
    EXPECT_EQ(refused({"run", "spmv.toml", "--set", "workload.matrix=none.mtx"}),
              "weir: none.mtx: this file can't be read; accepted: a Matrix Market file "
              "(coordinate)\n");
}

TEST_F(BadInputTest, MalformedMatrix) {
    EXPECT_EQ(refused_matrix("4 4 1\n1 1 1.0\n"),
              "weir: a.mtx:1: no Matrix Market banner; accepted: a first line such as "
              "\"%%MatrixMarket matrix coordinate real general\"\n");
    EXPECT_EQ(refused_matrix("%%MatrixMarket matrix array real general\n4 4\n"),
              "weir: a.mtx:1: \"matrix array\" is not read; accepted: \"matrix coordinate\"\n");
    EXPECT_EQ(refused_matrix("%%MatrixMarket matrix coordinate real general\n4 4 2\n"
                             "1 1 1.0\n5 1 2.0\n"),
              "weir: a.mtx:4: \"5 1 2.0\": the row is not from 1 to 4\n");
    EXPECT_EQ(refused_matrix("%%MatrixMarket matrix coordinate real general\n4 4 2\n1 1 1.0\n"),
              "weir: a.mtx:4: the file ends after 1 of 2 entries\n");
}

TEST_F(BadInputTest, MatrixThatDoesNotFitIntoMemory) {
    write("spmv.toml", kSmallSpmv);
    EXPECT_THAT(
        refused({"run", "spmv.toml", "--set", "workload.rows=4000", "--set", "memory.bytes=4096"}),
        AllOf(StartsWith("weir: node 0: 8000 bytes at address 0x8 lie outside its memory, in "
                         "firmware/kernels/spmv/spmv.cpp:"),
              EndsWith("; accepted: memory.bytes large enough to hold the data\n")));
}

TEST_F(BadInputTest, MoreNonzerosThanPlaces) {
    EXPECT_EQ(refused_text("[workload]\nkernel = \"spmv\"\nrows = 3\nnonzeros = 10\n"),
              "weir: bad.toml:4:12: workload.nonzeros: exceeds the places of the matrix; accepted: "
              "at most rows x rows\n");
}

TEST_F(BadInputTest, MoreNonzerosThanPlacesOfThePattern) {
    EXPECT_EQ(refused_text("[workload]\nkernel = \"spmv\"\npattern = \"triangle\"\nrows = 3\n"
                           "nonzeros = 7\n"),
              "weir: bad.toml:5:12: workload.nonzeros: exceeds the places of the pattern; "
              "accepted: at most 6\n");
}

TEST_F(BadInputTest, MoreChannelsUpThanDown) {
    EXPECT_THAT(refused_text("[network]\ntopology = \"fat_tree\"\narity = 2\nchannels_up = [2, 3]\n"
                             "[workload]\nkernel = \"remap\"\n"),
                HasSubstr("network.channels_up: has 3, more than the switches have down; accepted: "
                          "at most network.arity, 2"));
}

TEST_F(BadInputTest, ChannelsUpOfAMesh) {
    EXPECT_THAT(refused_text("[network]\nchannels_up = [2]\n[workload]\nkernel = \"remap\"\n"),
                HasSubstr("network.channels_up has no effect"));
}

TEST_F(BadInputTest, PollingToSendWithoutPolling) {
    EXPECT_THAT(refused_text("[firmware]\npoll_to_send = false\n[workload]\nkernel = \"remap\"\n"),
                HasSubstr("firmware.poll_to_send has no effect"));
}

TEST_F(BadInputTest, SequenceFileThatIsNotThere) {
    write("dag.toml", kSmallDiamondDag);
    EXPECT_EQ(refused({"run", "dag.toml", "--set", "workload.first_sequence=none.fa"}),
              "weir: none.fa: this file can't be read; accepted: a FASTA file with one DNA "
              "sequence\n");
}

TEST_F(BadInputTest, MalformedSequence) {
    EXPECT_EQ(refused_sequence("ACGT\n"),
              "weir: a.fa:1: found \"ACGT\"; accepted: a header line that begins with '>'\n");
    EXPECT_EQ(refused_sequence(">a\nACGT\nACXT\n"),
              "weir: a.fa:3: found 'X' in column 3; accepted: A, C, G, T, N in either case\n");
    EXPECT_EQ(refused_sequence(">a\nACGT\n>b\nACGT\n"),
              "weir: a.fa:3: found a second record, \">b\"; accepted: one record\n");
    EXPECT_EQ(refused_sequence(""),
              "weir: a.fa:1: found the end of the file; accepted: a header line that begins with "
              "'>'\n");
}

TEST_F(BadInputTest, SequenceWithoutLetters) {
    EXPECT_EQ(refused_sequence(">a\n\n"),
              "weir: a.fa:3: found the end of the file; accepted: letters A, C, G, T, N after the "
              "header\n");
    write("b.fa", ">b\nAC-T\n");
    EXPECT_EQ(refused({"run", "dag.toml", "--set", "workload.second_sequence=b.fa"}),
              "weir: b.fa:2: found '-' in column 3; accepted: A, C, G, T, N in either case\n");
    EXPECT_EQ(refused({"run", "dag.toml", "--set", "workload.second_sequence=."}),
              "weir: .: this file can't be read; accepted: a FASTA file with one DNA sequence\n");
}

TEST_F(BadInputTest, SequencesThatDoNotDivide) {
    EXPECT_EQ(refused_sequence(">a\nACGTA\n"),
              "weir: a.fa: found 5 rows, which are not equal stripes on 4 nodes; accepted: a "
              "multiple of 4, such as 8\n");
    write("b.fa", ">b\nACGTA\n");
    EXPECT_EQ(
        refused({"run", "dag.toml", "--set", "workload.second_sequence=b.fa"}),
        "weir: b.fa: workload.blocks: found 4 blocks, which are not equal parts of 5 columns; "
        "accepted: a divisor of 5\n");
    EXPECT_EQ(refused_text("[workload]\nkernel = \"diamond-dag\"\nblocks = 60\n"),
              "weir: bad.toml:3:10: workload.blocks: found 60 blocks, which are not equal parts of "
              "1024 columns; accepted: a divisor of 1024\n");
}

TEST_F(BadInputTest, MessagesThatDoNotFitIntoMemory) {
    write("dag.toml", kSmallDiamondDag);
    EXPECT_EQ(refused({"run", "dag.toml", "--set", "workload.message_bytes=1024", "--set",
                       "memory.bytes=4096"}),
              "weir: workload.message_bytes: 8 buffers (one for each block received and sent) of "
              "1024 bytes do not fit into memory.bytes = 4096; accepted: messages of at most 512 "
              "bytes, or memory.bytes of at least 8192\n");
}

TEST_F(BadInputTest, RunFolderThatExists) {
    std::filesystem::create_directory(file("mine"));
    EXPECT_EQ(refused({"run", "remap.toml", "--out", "mine"}),
              "weir: mine: the run folder exists already; accepted: --out with the name of a new "
              "folder\n");
    EXPECT_EQ(refused({"run", "remap.toml", "--out", "mine/"}),
              "weir: mine: the run folder exists already; accepted: --out with the name of a new "
              "folder\n");
}

TEST_F(BadInputTest, RunFolderThatCannotBeMade) {
    EXPECT_EQ(refused({"run", "remap.toml", "--out", "remap.toml/mine"}),
              "weir: remap.toml/mine: the run folder can't be made: Not a directory; accepted: "
              "--out with a new folder in a place that can be written\n");
    // No user, root neither, can make a folder there.
    EXPECT_EQ(refused({"run", "remap.toml", "--out", "/proc/mine"}),
              "weir: /proc/mine: the run folder can't be made: No such file or directory; "
              "accepted: --out with a new folder in a place that can be written\n");
}

TEST_F(BadInputTest, FoldersMadeOnTheWayToTheRunFolderAreRemovedAgain) {
    const std::string too_long(300, 'x');
    EXPECT_EQ(refused({"run", "remap.toml", "--out", "new/folder/" + too_long}),
              "weir: new/folder/" + too_long +
                  ": the run folder can't be made: File name too long; accepted: --out with a new "
                  "folder in a place that can be written\n");
    EXPECT_THAT(refused({"run", "remap.toml", "--out", "new/folder/run", "--set",
                         "run.warmup_cycles=1_000_000"}),
                HasSubstr(" leaves nothing to measure: "));
}

TEST_F(BadInputTest, SetWithoutAValue) {
    EXPECT_EQ(refused_set("network.hop_cycles"),
              "weir: --set network.hop_cycles: there is no \"=\"; accepted: --set "
              "network.hop_cycles=VALUE\n");
}

TEST_F(BadInputTest, SetWithABlankInPlaceOfItsEqualsSign) {
    const auto set = [this](Arguments words) {
        words.insert(words.begin(), {"run", "remap.toml", "--set"});
        return refused(words);
    };
    const std::string told =
        "weir: --set network.hop_cycles: there is no \"=\"; accepted: --set network.hop_cycles=2\n";
    EXPECT_EQ(set({"network.hop_cycles", "2"}), told);
    EXPECT_EQ(set({"network.hop_cycles", "=", "2"}), told);
    EXPECT_EQ(set({"network.hop_cycles", "=2"}), told);
    EXPECT_EQ(refused({"run", "--set=network.hop_cycles", "2", "remap.toml"}), told);
    EXPECT_THAT(refused({"run", "--set", "network.hop_cycles", "remap.toml"}),
                HasSubstr("--set network.hop_cycles=VALUE"));
    EXPECT_THAT(refused({"sweep", "remap.toml", "--set", "network.hop_cycles", "2"}),
                HasSubstr("network.hop_cycles=2"));
    EXPECT_THAT(refused({"model", "logp-broadcast", "--set", "processors", "8"}),
                HasSubstr("--set processors=8"));
}

// One point is asked for; several are a sweep's.
TEST_F(BadInputTest, SetToSeveralValues) {
    for (const Arguments& command : std::vector<Arguments>{{"run", "remap.toml"},
                                                           {"compare", "remap.toml", "remap.toml"},
                                                           {"sweep", "remap.toml"},
                                                           {"profile", "remap.toml"}}) {
        Arguments words = command;
        words.insert(words.end(), {"--set", "network.hop_cycles=[1,2]"});
        EXPECT_THAT(refused(words), AllOf(HasSubstr("weir sweep"), HasSubstr("[[sweep.axis]]")))
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
        const std::string told = "list.toml:2:3: " + name + " is a list of tables, as under [[" +
                                 name + "]]; accepted: [" + name + "], once\n";
        EXPECT_EQ(refused({"run", "list.toml"}), "weir: " + told);
        EXPECT_EQ(weir({"check", "list.toml"}).output, told);
    }
}

TEST_F(BadInputTest, CommandLine) {
    EXPECT_THAT(refused({"rnu", "remap.toml"}),
                AllOf(StartsWith("weir: no command \"rnu\"; accepted: \"run\", \"sweep\""),
                      EndsWith("; did you mean \"run\"?\n")));
    EXPECT_THAT(refused({"model", "memory"}),
                StartsWith("weir: no model \"memory\"; accepted: \"memory-logp\", "
                           "\"memory-logp-measured\", "));
    EXPECT_EQ(refused({"run"}), "weir: FILE is required (see weir run --help)\n");
    EXPECT_EQ(refused({"run", "remap.toml", "-j", "0"}),
              "weir: --jobs: found \"0\"; accepted: a whole number from 1 to 4096\n");
    EXPECT_THAT(refused({"trace"}), StartsWith("weir: trace: a command is missing; accepted: "));
    EXPECT_THAT(refused({"trace", "exprot"}),
                AllOf(StartsWith("weir: trace: no command \"exprot\"; accepted: "),
                      EndsWith("; did you mean \"export\"?\n")));
    EXPECT_THAT(refused({"run", "--jsn"}),
                AllOf(StartsWith("weir: run: no option \"--jsn\"; accepted: "),
                      EndsWith("; did you mean \"--json\"?\n")));
    EXPECT_EQ(refused({"run", "remap.toml", "twice.toml"}),
              "weir: run: \"twice.toml\" was not expected; accepted: what weir run --help "
              "says\n");
    EXPECT_EQ(refused({"topology", "show", "--topology", "mesh", "--dimensions", "8x4"}),
              "weir: --dimensions: found \"8x4\"; accepted: a whole number from 1 to 16384\n");
    EXPECT_THAT(refused({"topology", "show", "--topology", "mesh", "--dimensions", "4,,4"}),
                HasSubstr("found \"\""));
    EXPECT_THAT(refused({"hlep", "run"}), AllOf(StartsWith("weir: no command \"hlep\"; "),
                                                EndsWith("did you mean \"help\"?\n")));
    EXPECT_THAT(refused({"sweep", "shwo", "remap.db"}), EndsWith("did you mean \"show\"?\n"));
    EXPECT_THAT(refused({"version"}), EndsWith("did you mean \"--version\"?\n"));
    EXPECT_EQ(refused({"run", "remap.toml", "--set"}),
              "weir: --set: nothing stands behind it; accepted: KEY=VALUE\n");
    EXPECT_THAT(refused({"run", "remap.toml", "--seed", "3"}),
                EndsWith("did you mean \"--set run.seeds=VALUE\"?\n"));
    EXPECT_THAT(refused({"run", "remap.toml", "--hop-cycles=3"}),
                EndsWith("did you mean \"--set network.hop_cycles=VALUE\"?\n"));
    EXPECT_THAT(refused({"help", "rnu"}), AllOf(StartsWith("weir: help: no command \"rnu\"; "),
                                                EndsWith("did you mean \"run\"?\n")));
    EXPECT_THAT(refused({"help", "trace", "exprot"}), EndsWith("did you mean \"export\"?\n"));
    EXPECT_THAT(refused({"help", "run", "more"}), HasSubstr("there are none"));
    EXPECT_EQ(refused({"report", "runs", "--png", ""}),
              "weir: --png \"\": there is no text; accepted: FOLDER\n");
    for (const char* option : {"--html", "-o"}) {
        const bool is_report = option == std::string("-o");
        EXPECT_THAT(refused({is_report ? "report" : "search", "remap.toml", option, "remap.toml"}),
                    EndsWith(" remap.toml: no name of a page; accepted: a file name that ends in "
                             ".html\n"));
    }
}

// Before anything runs: results could not name it. What a terminal gets is text, too.
TEST_F(BadInputTest, ArgumentsThatAreNoUtf8) {
    const std::string kRefusal = "is no UTF-8; accepted: names and values in UTF-8";
    std::filesystem::copy(file("remap.toml"), file("\xfe.toml"));
    EXPECT_THAT(refused({"run", "\xfe.toml"}),
                AllOf(StartsWith("weir: \\xfe.toml: argument 2 "), HasSubstr(kRefusal)));
    for (const ProgramTest::Arguments& arguments :
         {ProgramTest::Arguments{"run", "remap.toml", "--out", "./\xff"},
          {"run", "remap.toml", "--out=./\xff"},
          {"run", "remap.toml", "--set", "workload.kernel=\xff"},
          {"run", "remap.toml", "--set", "network.graph_file=\xc3.dot"},
          {"sweep", "remap.toml", "--out", "\xed\xa0\x80.db"},
          {"sweep", "show", "\xff.db"},
          {"compare", "remap.toml", "\xfe.toml"},
          {"report", "\xff"},
          {"\xff"}}) {
        EXPECT_THAT(refused(arguments), HasSubstr(kRefusal)) << arguments.back();
    }
    // Names in UTF-8 are names.
    std::filesystem::copy(file("remap.toml"), file("é….toml"));
    EXPECT_EQ(weir({"run", "é….toml", "--out", "läuft"}).status, 0);
    EXPECT_EQ(weir({"report", "läuft"}).status, 0);
}

// A run that takes them has a result and a page, which are UTF-8.
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
    EXPECT_THAT(
        refused({"params", "hop_cyles"}),
        AllOf(StartsWith("weir: no parameter fits \"hop_cyles\"; accepted: part of a "
                         "parameter's table.key, * and ? in it, or a table: \"machine\", "
                         "\"clock\", \"network\", "),
              EndsWith("\"trace\", \"recorded\", \"traffic\"; did you mean \"hop_cycles\"?\n")));
}

TEST_F(BadInputTest, DigestOfWhatIsNoTrace) {
    EXPECT_EQ(refused({"trace", "digest", "remap.toml"}),
              "weir: remap.toml: this is no trace: file is not a database\n");
    EXPECT_EQ(refused({"trace", "digest", "none.sqlite"}),
              "weir: none.sqlite: cannot open the trace: unable to open database file\n");
    EXPECT_EQ(refused({"trace", "digest", "."}),
              "weir: .: no trace.weir in this folder; accepted: the folder a run has left, or a "
              "trace\n");
}

// What is nested deep would overflow the stack of the library that reads it.
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
    EXPECT_EQ(refused({"run", "key.toml"}),
              "weir: key.toml:2:1: a key has too many parts; accepted: at most 50\n");
    write("table.toml", "extends = \"alewife\"\n[" + key + "]\n");
    EXPECT_EQ(refused({"run", "table.toml"}),
              "weir: table.toml:2:1: a key has too many parts; accepted: at most 50\n");
    write("graph.dot", braces + std::string(kDeep, '}') + "}");
    write("graph.graphml", elements);
    for (const char* graph : {"graph.dot", "graph.graphml"}) {
        EXPECT_EQ(refused({"run", "remap.toml", "--set", "network.topology=graph", "--set",
                           std::string("network.graph_file=") + graph}),
                  std::string("weir: --set network.graph_file=") + graph + ": " + graph +
                      ": it is nested too deep; accepted: 100 levels at most\n");
    }
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
