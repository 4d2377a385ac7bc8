#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class MemoryHierarchyRunTest : public ProgramTest {
  protected:
    void write_experiment(const std::string& machine, const std::string& workload) const {
        write("experiment.toml", "extends = \"" + machine + "\"\n[workload]\n" + workload);
    }
    static double measured(const json& result, const char* metric) {
        return result.at("measured").at(metric).get<double>();
    }
    // Largest error of all transfers, in percent.
    static double worst_error(const json& result, const std::string& model) {
        double worst = 0.0;
        for (const json& transfer : result.at("transfers")) {
            const double error = transfer.at("predicted").at(model).at("error_percent");
            worst = std::max(worst, std::abs(error));
        }
        return worst;
    }
};

constexpr const char* kThreeSizes =
    "sizes_bytes = [512, 4_096, 16_384]\nstrides_bytes = [8, 32, 256]\n";

// The two machines with blocking caches.
constexpr const char* kEachMissWaits =
    "[core]\nloads_in_flight = 1\n[l1]\nstore_misses_wait = true\n"
    "[memory_port]\nbursts_in_flight = 1\n";

// 512 bytes stay in the first level: a load, a store and 2 cycles of the loop for each 8 bytes.
TEST_F(MemoryHierarchyRunTest, TransfersHaveOAndL) {
    write_experiment("pentium3-beowulf",
                     std::string("kernel = \"unpack\"\n") + kThreeSizes + kEachMissWaits);
    const json result = result_of("experiment.toml");
    const json& transfers = result.at("transfers");
    ASSERT_EQ(transfers.size(), 9U);
    EXPECT_EQ(transfers[0].at("cycles"), 64 * 4);
    EXPECT_EQ(transfers[0].at("latency_cycles_per_byte"), 0.0);
    EXPECT_EQ(transfers[3].at("stride_bytes"), 32);
    EXPECT_EQ(transfers[3].at("overhead_cycles_per_byte"), 0.5);
    EXPECT_GT(transfers[0].at("first_cycles").get<double>(), 64 * 4 + 2 * 16 * 77);
    EXPECT_EQ(transfers[8].at("bytes"), 16'384);
    EXPECT_GT(transfers[8].at("latency_cycles_per_byte").get<double>(), 70.0 / 8.0);
    EXPECT_EQ(measured(result, "strided_over_contiguous"),
              transfers[8].at("cycles_per_byte").get<double>() /
                  transfers[8].at("overhead_cycles_per_byte").get<double>());
    EXPECT_GT(measured(result, "curve_fit_error_above_percent"), -100.0);
}

// Two levels with a TLB and LRU replacement; one direct-mapped level; three levels with different
// line sizes.
TEST_F(MemoryHierarchyRunTest, WriteBacksInTimeArePredictedToTheCycle) {
    for (const std::string kind : {"memcpy", "pack", "unpack"}) {
        for (const std::string machine : {"pentium3-beowulf", "origin2000"}) {
            write_experiment(machine, "kernel = \"" + kind + "\"\n" + kThreeSizes + kEachMissWaits);
            EXPECT_LT(worst_error(result_of("experiment.toml"), "write_back_timing"), 1e-9)
                << kind << " on " << machine;
        }
        write_experiment("alewife", "kernel = \"" + kind + "\"\nelement = \"word\"\n" +
                                        "sizes_bytes = [512, 32_768]\nstrides_bytes = [4, 64]\n" +
                                        "[memory]\ncaches = 1\n[machine]\nnodes = 2\n[network]\n" +
                                        "dimensions = [2, 1]\n");
        EXPECT_LT(worst_error(result_of("experiment.toml"), "write_back_timing"), 1e-9) << kind;
        write_experiment("alewife",
                         "kernel = \"" + kind + "\"\n" + kThreeSizes +
                             "repetitions = 5\n[memory]\ncaches = 3\n[machine]\nnodes = 2\n"
                             "[network]\ndimensions = [2, 1]\n[l1]\nbytes = 2_048\nways = 2\n"
                             "miss_cycles = 1\nwrite_buffer_entries = 1\n[l2]\nbytes = 8_192\n"
                             "line_bytes = 32\nbusy_cycles = 4\n[l3]\nbytes = 65_536\n"
                             "line_bytes = 64\nbusy_cycles = 6\nmiss_cycles = 0\n"
                             "[memory_port]\nrow_bytes = 2_048\naccess_cycles = 20\n"
                             "row_access_cycles = 8\n[tlb]\nentries = 8\npage_bytes = 1_024\n");
        EXPECT_LT(worst_error(result_of("experiment.toml"), "write_back_timing"), 1e-9) << kind;
    }
}

// The prediction is for LRU replacement; with another policy it is wrong, and the test sees the
// error.
TEST_F(MemoryHierarchyRunTest, ThePredictionCanBeOff) {
    write_experiment("pentium3-beowulf",
                     "kernel = \"unpack\"\nsizes_bytes = [4_096]\nstrides_bytes = [64]\n"
                     "[core]\nloads_in_flight = 1\n[memory_port]\nbursts_in_flight = 1\n"
                     "[l1]\nstore_misses_wait = true\nreplacement = \"random\"\n");
    EXPECT_GT(worst_error(result_of("experiment.toml"), "write_back_timing"), 1.0);
}

// Contiguous words from the second level cost nothing extra on both machines. A stride from memory
// costs less than with blocking misses, and more than the port's beats alone.
TEST_F(MemoryHierarchyRunTest, MissesOverlapOnThePapersMachines) {
    for (const std::string machine : {"pentium3-beowulf", "origin2000"}) {
        const std::string workload =
            "kernel = \"memcpy\"\nelement = \"word\"\n"
            "sizes_bytes = [1_024, 65_536]\nstrides_bytes = [4, 1_024]\n";
        write_experiment(machine, workload);
        const json overlapping = result_of("experiment.toml");
        write_experiment(machine, workload + kEachMissWaits);
        const json waiting = result_of("experiment.toml");
        EXPECT_LT(measured(overlapping, "contiguous_spread_percent"), 3.0) << machine;
        EXPECT_GT(measured(waiting, "contiguous_spread_percent"), 30.0) << machine;
        const auto strided = [](const json& result) {
            return result.at("transfers")[3].at("cycles_per_byte").get<double>();
        };
        EXPECT_LT(strided(overlapping), 0.7 * strided(waiting)) << machine;
        EXPECT_GT(strided(overlapping), 2 * 8.0 / 4.0) << machine;
    }
}

// The papers' machines also run programs that start no loads ahead of their use.
TEST_F(MemoryHierarchyRunTest, ThePapersMachinesRunAnyProgram) {
    for (const std::string machine : {"pentium3-beowulf", "origin2000"}) {
        write_experiment(machine, "kernel = \"ping\"\n");
        EXPECT_TRUE(result_of("experiment.toml").at("measured").contains("latency_cycles"))
            << machine;
    }
}

TEST_F(MemoryHierarchyRunTest, LeavesTheNumbersAndDrawsNothing) {
    write_experiment("pentium3-beowulf", std::string("kernel = \"memcpy\"\n") + kThreeSizes);
    const std::string page = output_of({"run", "experiment.toml", "--out", "run"});
    EXPECT_THAT(page, HasSubstr("\nmemcpy "));
    EXPECT_THAT(page, HasSubstr("predictions of o + l"));
    for (const std::string& name : names_in("run/point-01-seed-1")) {
        EXPECT_FALSE(name.ends_with(".svg")) << name;
    }
    EXPECT_THAT(read("run/point-01-seed-1/transfers.csv"), HasSubstr("memcpy,8,32,4096,"));
}

TEST_F(MemoryHierarchyRunTest, ThePapersExperimentsOnLess) {
    for (const std::string file : {"figure5.toml", "origin2000.toml"}) {
        const json result = result_of(std::string(WEIR_EXPERIMENTS) + "/memory-logp/" + file,
                                      {"--set", "workload.sizes_bytes=[64, 8192]", "--set",
                                       "workload.strides_bytes=[4, 64]"});
        ASSERT_EQ(result.at("points").size(), 2U);
        const json& waiting = result.at("points")[1];
        EXPECT_EQ(waiting.at("transfers").size(), 4U);
        EXPECT_LT(worst_error(waiting, "write_back_timing"), 5.0);
    }
    const json example =
        result_of(std::string(WEIR_EXPERIMENTS) + "/memory-logp/motivating-example.toml");
    EXPECT_GT(example.at("points")[1].at("compared").at("over_other_point_percent").get<double>(),
              50.0);
}

// Lines of the receive buffer, and most of the column's lines, are not in the cache.
TEST_F(MemoryHierarchyRunTest, APackedMessageLiesBetweenMemoryLogpAndItsColdMisses) {
    write_experiment("alewife",
                     "kernel = \"boundary-exchange\"\nblock = 16\nsteps = 3\n"
                     "directions = \"columns\"\n[memory]\ncaches = 1\n[machine]\nnodes = 2\n"
                     "[network]\ndimensions = [2, 1]\n");
    const json message = result_of("experiment.toml").at("packed_message");
    const auto part = [&message](const char* who, const char* name) {
        return message.at(who).at(name).get<double>();
    };
    EXPECT_EQ(part("memory_logp", "pack_cycles"), 16 * 9);
    EXPECT_EQ(part("memory_logp_cold", "pack_cycles"), 16 * 9 + (16 + 8) * 9);
    EXPECT_EQ(part("measured", "whole_cycles"), part("measured", "pack_cycles") +
                                                    part("measured", "network_cycles") +
                                                    part("measured", "unpack_cycles"));
    for (const char* name : {"pack_cycles", "unpack_cycles"}) {
        EXPECT_GE(part("measured", name), part("memory_logp", name));
        EXPECT_LE(part("measured", name), part("memory_logp_cold", name));
    }
    EXPECT_THAT(output_of({"run", "experiment.toml"}), HasSubstr("\nA column "));
    // Without a cache, memory logP has no l, and nothing is predicted.
    EXPECT_FALSE(
        result_of("experiment.toml", {"--set", "memory.caches=0"}).contains("packed_message"));
}

TEST_F(MemoryHierarchyRunTest, ACacheDoesNotDisturbARemapWithoutDataAccesses) {
    const json result = result_of(std::string(WEIR_EXPERIMENTS) + "/logpc/cache-interference.toml",
                                  {"--set", "workload.iterations=100", "--set", "run.seeds=[1]",
                                   "--set", "run.warmup_cycles=1000"});
    EXPECT_EQ(result.at("points")[1].at("compared").at("over_other_point_percent"), 0.0);
}

}  // namespace
}  // namespace weir::experiments
