#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/setup/files/experiment_file.h"

namespace weir::experiments {
namespace {

using nlohmann::json;

// Some points of networks/referee.toml and referee-networks.toml, on one seed. The files have the
// results of another simulator of the same router. Results of one seed's 30,000 cycles are within
// about 1 % of the mean over many seeds. The file's tolerances, 3 % for latency and 5 % for
// accepted load, allow for this difference.
class RefereeTest : public ProgramTest {
  protected:
    static constexpr const char* kHead = R"(
[traffic]
warm_up_cycles = 8_000
measurement_cycles = 30_000
drain_cycles = 2_000
[run]
seeds = [1]
)";

    /// By point: difference from the referee, relative to its tolerance. The latency of a saturated
    /// network counts as infinitely different.
    [[nodiscard]] std::map<std::string, double> apart(
        const std::string& points, const Arguments& changes = {},
        const std::string& experiment = "referee.toml") const {
        const std::filesystem::path referee =
            std::filesystem::path(WEIR_EXPERIMENTS) / "networks" / experiment;
        write("few.toml",
              "extends = \"" + referee.string() + "\"\npoint = [" + points + "]\n" + kHead);
        Arguments options;
        for (const std::string& change : changes) {
            options.insert(options.end(), {"--set", change});
        }
        const json result = result_of("few.toml", options);
        const auto file = setup::ExperimentFile::read(
            referee, std::filesystem::path(WEIR_EXPERIMENTS) / "machines");
        std::map<std::string, double> shares;
        for (std::size_t point = 0; point < file.points().size(); ++point) {
            for (const json& measured : result.at("points")) {
                if (measured.at("label") != file.points()[point].label) {
                    continue;
                }
                const setup::Published published =
                    file.published(setup::SelectedRun(point)).front();
                const double value =
                    measured.at("measured")
                        .value(published.metric, std::numeric_limits<double>::infinity());
                shares[file.points()[point].label] =
                    std::abs(value - published.value) /
                    (published.tolerance.value() * published.value);
            }
        }
        return shares;
    }

    static void expect_agreement(const std::map<std::string, double>& shares, std::size_t points) {
        EXPECT_EQ(shares.size(), points);
        for (const auto& [label, share] : shares) {
            EXPECT_LT(share, 1.0) << label;
        }
    }
    static void expect_disagreement(const std::map<std::string, double>& shares,
                                    std::size_t points) {
        EXPECT_EQ(shares.size(), points);
        for (const auto& [label, share] : shares) {
            EXPECT_GT(share, 1.0) << label;
        }
    }

    static std::string point(const std::string& pipeline, int virtual_channels,
                             const std::string& load) {
        return "{ label = \"" + pipeline + ", " + std::to_string(virtual_channels) + " VC, " +
               load + "\", network.routing_cycles = " + (pipeline == "default" ? "1" : "0") +
               ", network.virtual_channels = " + std::to_string(virtual_channels) +
               ", traffic.load = " + load + " },";
    }
};

TEST_F(RefereeTest, AgreesOnLatencyBelowSaturation) {
    const auto shares = apart(point("default", 1, "0.20") + point("short", 1, "0.15") +
                              point("default", 2, "0.25") + point("short", 2, "0.27"));
    expect_agreement(shares, 4);
}

TEST_F(RefereeTest, AgreesOnWhatAnOverloadedNetworkAccepts) {
    const auto shares = apart(point("default", 1, "1.00") + point("short", 1, "1.00") +
                              point("default", 2, "1.00") + point("short", 2, "1.00"));
    expect_agreement(shares, 4);
}

// The accepted load of a torus depends on which messages share the virtual channels of a ring.
TEST_F(RefereeTest, AgreesOnToriAndHypercubesAndSeesOtherClassesInRings) {
    const char* networks = "referee-networks.toml";
    const std::string tori =
        R"({ label = "torus 8 x 8, 2 VC, 1.00", network.topology = "torus", traffic.load = 1.00 },)"
        R"({ label = "torus 7 x 7, tornado, 1.00", network.topology = "torus", )"
        R"(network.dimensions = [7, 7], traffic.pattern = "tornado", traffic.load = 1.00 },)";
    const std::string cube =
        R"({ label = "hypercube of 64, 0.40", network.topology = "hypercube", )"
        R"(network.dimensions = [64], traffic.load = 0.40 },)";
    const auto shares = apart(tori + cube, {}, networks);
    expect_agreement(shares, 3);
    expect_disagreement(apart(tori, {"network.ring_classes=dateline"}, networks), 2);
}

// An overloaded network shows whether packets leave the escape channels again, as in Duato's
// theory.
TEST_F(RefereeTest, AgreesOnAdaptiveRoutingAndSeesPacketsThatLeaveEscapes) {
    const auto adaptive = [this](const std::string& leave_escapes) {
        std::string points;
        for (const char* load : {"0.15", "1.00"}) {
            points += "{ label = \"mesh 8 x 8, adaptive, tail credits, " + std::string(load) +
                      "\", network.routing = \"minimal_adaptive\", network.escapes_last = false, "
                      "network.leave_escapes = " +
                      leave_escapes +
                      ", network.vc_reallocation = \"tail_credit\", "
                      "traffic.await_tail_credit = true, traffic.load = " +
                      load + " },";
        }
        return apart(points, {}, "referee-networks.toml");
    };
    expect_agreement(adaptive("false"), 2);
    expect_disagreement(adaptive("true"), 2);
}

// Changed routers are detected: credits a cycle late, two more buffer slots or one less, a missing
// stage. (With the first two, an overloaded network accepts only 2 % less and 4 % more.)
TEST_F(RefereeTest, DisagreesWithAnotherRouter) {
    const std::string points = point("default", 1, "0.20") + point("default", 1, "1.00");
    for (const char* change : {"network.credit_cycles=3", "network.buffer_flits=8"}) {
        EXPECT_GT(apart(points, {change}).at("default, 1 VC, 0.20"), 1.0) << change;
    }
    const auto without_a_stage = apart(points, {"network.vc_allocation_cycles=0"});
    EXPECT_GT(without_a_stage.at("default, 1 VC, 0.20"), 1.0);
    EXPECT_GT(without_a_stage.at("default, 1 VC, 1.00"), 1.0);
    // With so few buffer slots, the network saturates at 0.20; the difference is infinite.
    const auto with_a_place_less = apart(points, {"network.buffer_flits=5"});
    EXPECT_GT(with_a_place_less.at("default, 1 VC, 0.20"), 1.0);
    EXPECT_GT(with_a_place_less.at("default, 1 VC, 1.00"), 1.0);
}

}  // namespace
}  // namespace weir::experiments
