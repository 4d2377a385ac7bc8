#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

namespace fs = std::filesystem;

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Lt;
using weir::testing::Names;

const fs::path kPublishedRouters = fs::path(WEIR_EXPERIMENTS) / "networks" / "rtl";

std::vector<std::string> published_recordings() {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(kPublishedRouters)) {
        if (entry.path().extension() == ".gz") {
            names.push_back(entry.path().filename().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

// Router's name from a recording's: "stanford-1vc" from "stanford-1vc-uniform-30-5.txt.gz".
std::string router_of_recording(const std::string& recording) {
    for (const fs::directory_entry& entry : fs::directory_iterator(kPublishedRouters)) {
        const std::string router = entry.path().stem().string();
        if (entry.path().extension() == ".toml" && recording.starts_with(router + "-")) {
            return router;
        }
    }
    return "no experiment";
}

class RecordedTrafficTest : public ProgramTest {
  protected:
    [[nodiscard]] json beside(const std::string& recording, const std::string& router,
                              const Arguments& changes = {}) const {
        Arguments options{"--set", "traffic.recording=" + recording};
        for (const std::string& change : changes) {
            options.insert(options.end(), {"--set", change});
        }
        return result_of((kPublishedRouters / (router + ".toml")).string(), options).at("measured");
    }
    [[nodiscard]] double same_cycle_percent(const std::string& recording,
                                            const Arguments& changes = {}) const {
        return beside((kPublishedRouters / recording).string(), router_of_recording(recording),
                      changes)
            .at("same_cycle_percent");
    }
};

class PublishedRouterTest : public RecordedTrafficTest,
                            public ::testing::WithParamInterface<std::string> {};

TEST_P(PublishedRouterTest, DeliversEachPacketInTheSameCycle) {
    EXPECT_EQ(same_cycle_percent(GetParam()), 100.0);
}

INSTANTIATE_TEST_SUITE_P(Recordings, PublishedRouterTest,
                         ::testing::ValuesIn(published_recordings()), [](const auto& test) {
                             std::string name = test.param.substr(0, test.param.find('.'));
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

// A change of any rule of a router changes the arrival of some packets.
TEST_F(RecordedTrafficTest, EachRuleOfTheRoutersMatters) {
    const auto differs = AllOf(Gt(0.0), Lt(100.0));
    const std::string bsg = "bsg-uniform-50-8.txt.gz";
    EXPECT_THAT(same_cycle_percent(bsg, {"network.output_binding=granted"}), differs);
    EXPECT_THAT(same_cycle_percent(bsg, {"network.output_binding=first_come"}), differs);
    EXPECT_THAT(same_cycle_percent(bsg, {"network.arbitration=fixed"}), differs);
    const std::string becker = "stanford-1vc-uniform-50-8.txt.gz";
    EXPECT_THAT(same_cycle_percent(becker, {"network.arbitration=round_robin"}), differs);
    const std::string two = "stanford-2vc-uniform-50-8.txt.gz";
    EXPECT_THAT(same_cycle_percent(two, {"network.allocator=output_first"}), differs);
    EXPECT_THAT(same_cycle_percent(two, {"network.allocator=wavefront"}), differs);
    EXPECT_THAT(same_cycle_percent(two, {"network.injection_credit_cycles=3"}), differs);
    const std::string piton = "openpiton-uniform-50-8.txt.gz";
    EXPECT_THAT(same_cycle_percent(piton, {"network.credit_cycles=3"}), differs);
}

// Two packets for node 2 of a row of nodes: both request the last router's output to the node.
TEST_F(RecordedTrafficTest, ThePageHasTheFirstPacketThatDiffersHopByHop) {
    write("two.txt", "0 0 2 4 5\n0 3 2 4 10\n");
    const Arguments run{"run", (kPublishedRouters / "bsg.toml").string(), "--set",
                        "traffic.recording=two.txt"};
    const std::string page = words_of(output_of(run));
    EXPECT_THAT(page, HasSubstr("same cycle"));
    EXPECT_THAT(page, HasSubstr("node 0 to 2, 4 flits, generated in cycle 0"));
    EXPECT_THAT(page, HasSubstr("grant in router (0,0) 1 0"));
    EXPECT_THAT(page, HasSubstr("grant in router (1,0) 2 0"));
    EXPECT_THAT(page, HasSubstr("grant in router (2,0) 6 3"));
    EXPECT_THAT(page, HasSubstr("tail arrives 10"));
    const json measured = beside("two.txt", "bsg");
    EXPECT_EQ(measured.at("same_cycle_percent"), 0.0);
    EXPECT_EQ(measured.at("packets_measured"), 2.0);
}

// A run that replays its own recording measures no difference.
TEST_F(RecordedTrafficTest, ARunWritesARecordingOfItsOwn) {
    write("load.toml",
          "[network]\ndimensions = [3, 3]\narbitration = \"oldest\"\n[workload]\n"
          "kernel = \"open-loop\"\n[traffic]\nload = 0.2\nwarm_up_cycles = 100\n"
          "measurement_cycles = 500\nwrite_recording = true\n");
    static_cast<void>(output_of({"run", "load.toml", "--out", "written"}));
    const std::string recording = file("written/point-01-seed-1/recording.txt.gz").string();
    ASSERT_TRUE(fs::exists(recording));
    const Arguments again{"network.dimensions=[3, 3]",   "network.output_binding=granted",
                          "network.arbitration=oldest",  "network.buffer_flits=4",
                          "network.injection_cycles=2",  "network.ejection_cycles=2",
                          "traffic.write_recording=true"};
    const json measured = beside(recording, "bsg", again);
    EXPECT_EQ(measured.at("same_cycle_percent"), 100.0);
    EXPECT_GT(measured.at("packets_measured"), 100.0);
}

TEST_F(RecordedTrafficTest, ARecordingIsCompressedOrNot) {
    const std::string packed = (kPublishedRouters / "bsg-zero-load.txt.gz").string();
    const gzFile file = gzopen(packed.c_str(), "rb");
    std::string text(100'000, ' ');
    text.resize(gzread(file, text.data(), static_cast<unsigned>(text.size())));
    gzclose(file);
    write("plain.txt", text);
    EXPECT_EQ(beside("plain.txt", "bsg"), beside(packed, "bsg"));
    fs::copy_file(packed, this->file("cut.txt.gz"));
    fs::permissions(this->file("cut.txt.gz"), fs::perms::owner_all);
    fs::resize_file(this->file("cut.txt.gz"), fs::file_size(packed) / 2);
    EXPECT_THAT(refused({"run", (kPublishedRouters / "bsg.toml").string(), "--set",
                         "traffic.recording=cut.txt.gz"}),
                Names("traffic.recording", "cut.txt.gz", "unpacked", "gzip"));
}

TEST_F(RecordedTrafficTest, ARecordingThatDoesNotFitIsRefused) {
    const auto why = [this](const std::string& text, const std::string& change) {
        write("bad.txt", text);
        return refused({"run", (kPublishedRouters / "bsg.toml").string(), "--set",
                        "traffic.recording=bad.txt", "--set", change});
    };
    const std::string fits = "0 15 14 8 20\n";
    EXPECT_THAT(why(fits, "network.dimensions=[3, 3]"),
                Names("bad.txt:1:", "source", "\"15\"", "0", "8"));
    EXPECT_THAT(why("0 15 14 8\n", "network.copies=1"), Names("bad.txt:1:", "4", "fields"));
    EXPECT_THAT(why("0 15 14 8 x\n", "network.copies=1"), Names("bad.txt:1:", "arrived", "\"x\""));
    EXPECT_THAT(why(fits, "traffic.load=0.2"), Names("traffic.load", "traffic.pattern"));
    EXPECT_THAT(why(fits, "traffic.recording=none.txt"), Names("none.txt", "file"));
    EXPECT_THAT(why(fits, "traffic.recording="), Names("traffic.recording", "empty"));
}

}  // namespace
}  // namespace weir::experiments
