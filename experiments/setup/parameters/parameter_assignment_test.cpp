#include "experiments/setup/parameters/parameter_assignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "experiments/setup/files/set_option.h"
#include "experiments/setup/testing/setup_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::setup {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::weir::testing::Names;

class ParameterAssignmentTest : public ConfigTest {
  protected:
    void assign(const std::string& text, std::span<hw::ParameterGroup* const> groups) {
        assign_layer(content_of_file(parse_toml(text, "a.toml")).base, groups);
    }
    void assign(const std::string& text) { assign(text, remap_machine_); }

    std::string fault(const std::string& text) {
        return fault_of([&] { assign(text); });
    }
    std::string option_fault(const std::string& option) {
        return fault_of([&] {
            assign_layer(content_of_set_option(parse_set_option(option)).base, remap_machine_);
        });
    }

  private:
    static void assign_layer(const Layer& layer, std::span<hw::ParameterGroup* const> groups) {
        const std::vector<const Layer*> layers = {&layer};
        assign_parameters(layers, Place{"a.toml"}, groups);
    }
};

TEST_F(ParameterAssignmentTest, SetsParametersOfEveryType) {
    assign(
        "[network]\nhop_cycles = 2\ndimensions = [2, 1]\nrouting = 'adaptive'\n"
        "[controller]\ndma_cycles_per_byte = 0.37\noverflow_trap = true\n"
        "[trace]\nfile = 'x.sqlite'\n[workload]\nkernel = 'remap'\nmessages = 7\n");
    EXPECT_EQ(network_.hop_cycles.value(), hw::Cycles(2));
    EXPECT_EQ(network_.dimensions.value(), (std::vector<std::int64_t>{2, 1}));
    EXPECT_EQ(network_.routing.value(), NetworkParameters::Routing::kAdaptive);
    EXPECT_EQ(controller_.dma_cycles_per_byte.value(), 0.37);
    EXPECT_TRUE(controller_.overflow_trap.value());
    EXPECT_EQ(trace_.file.value(), "x.sqlite");
    EXPECT_EQ(remap_.messages.value(), 7);
}

TEST_F(ParameterAssignmentTest, AWholeNumberIsANumber) {
    assign("[controller]\ndma_cycles_per_byte = 1\n");
    EXPECT_EQ(controller_.dma_cycles_per_byte.value(), 1.0);
}

TEST_F(ParameterAssignmentTest, WhatIsNotGivenGetsItsDefault) {
    assign("[network]\nhop_cycles = 9\n[trace]\nfile = 'x'\n");
    assign("[controller]\nqueue_bytes = 512\n");
    EXPECT_EQ(network_.hop_cycles.value(), hw::Cycles(1));
    EXPECT_EQ(trace_.file.value(), "trace.sqlite");
    EXPECT_EQ(controller_.queue_bytes.value(), hw::Bytes(512));
}

TEST_F(ParameterAssignmentTest, UnknownKeyNamesTheNearest) {
    EXPECT_THAT(
        fault("[network]\nhop_cycle = 2\n"),
        AllOf(Names("a.toml:2:1", "[network]", "hop_cycle", "hop_cycles", "dimensions", "routing"),
              EndsWith("\"hop_cycles\"?")));
}

TEST_F(ParameterAssignmentTest, AKeyOfAnEarlierVersionIsSaidToBeGone) {
    EXPECT_NE(fault("[network]\nbulk_advance = true\n").find("CHANGELOG.md"), std::string::npos);
}

TEST_F(ParameterAssignmentTest, UnknownKeyOfAnotherTableSaysWhichTable) {
    EXPECT_THAT(fault("[controller]\nhop_cycles = 2\n"),
                Names("a.toml:2:1", "[controller]", "hop_cycles", "hop_cycles", "[network]"));
}

TEST_F(ParameterAssignmentTest, UnknownKeyNearOneOfAnotherTableNamesBoth) {
    EXPECT_THAT(fault("[trace]\nhop_cycle = 2\n"),
                AllOf(Names("a.toml:2:1", "[trace]", "hop_cycle", "file"),
                      EndsWith("\"network.hop_cycles\"?")));
}

TEST_F(ParameterAssignmentTest, KeyOfTwoOtherTablesNamesBoth) {
    struct Other : hw::ParameterGroup {
        Other() : ParameterGroup("core", "A core.") {}
        hw::Parameter<hw::Cycles> hop_cycles{*this, "hop_cycles", 1, {}, "Another."};
    } core;
    remap_machine_.push_back(&core);
    EXPECT_THAT(fault("[trace]\nhop_cycles = 2\n"),
                Names("a.toml:2:1", "[trace]", "hop_cycles", "hop_cycles", "[network]", "[core]"));
}

TEST_F(ParameterAssignmentTest, UnknownKeyOfABigTableIsToldWhereToLook) {
    struct Switches : hw::ParameterGroup {
        explicit Switches(int count) : ParameterGroup("core", "A core.") {
            for (int i = 0; i < count; ++i) {
                keys.push_back(std::make_unique<hw::Parameter<bool>>(
                    *this, "switch_" + std::to_string(i), false, hw::Parameter<bool>::Range{},
                    "A switch."));
            }
        }
        std::vector<std::unique_ptr<hw::Parameter<bool>>> keys;
    };
    const auto fault_among = [&](int count) {
        Switches core(count);
        const std::vector<hw::ParameterGroup*> machine = {&core};
        return fault_of([&] { assign("[core]\ncolour = 'red'\n", machine); });
    };
    EXPECT_TRUE(fault_among(12).ends_with(", \"switch_10\", \"switch_11\""));
    EXPECT_THAT(fault_among(13),
                Names("a.toml:2:1", "[core]", "\"colour\"", "13", "params", "core`"));
}

TEST_F(ParameterAssignmentTest, UnknownKeyOfAKernelNamesTheKernel) {
    EXPECT_THAT(fault("[workload]\nkernel = 'remap'\nsamples = 2\n"),
                Names("a.toml:3:1", "[workload]", "remap", "samples", "kernel", "messages"));
}

TEST_F(ParameterAssignmentTest, KernelIsAcceptedWithoutAKernelsParameters) {
    const std::vector<hw::ParameterGroup*> machine = {&network_};
    EXPECT_NO_THROW(assign("[workload]\nkernel = 'remap'\n", machine));
    EXPECT_THAT(fault_of([&] { assign("[workload]\nmessages = 2\n", machine); }),
                Names("a.toml:2:1", "[workload]", "messages", "kernel"));
}

TEST_F(ParameterAssignmentTest, UnknownTable) {
    EXPECT_THAT(fault("[netwrok]\nhop_cycles = 2\n"),
                AllOf(Names("a.toml:1:2", "[netwrok]", "extends", "title", "[network]",
                            "[controller]", "[trace]", "[workload]"),
                      EndsWith("\"network\"?")));
    EXPECT_NE(fault("[netwrok]\n"), "none");
}

TEST_F(ParameterAssignmentTest, UnknownKeyOutsideTables) {
    EXPECT_THAT(fault("parts = ['b.toml']\n"), Names("a.toml:1:1", "study", "parts"));
    EXPECT_THAT(fault("titel = 'x'\n"),
                AllOf(Names("a.toml:1:1", "titel", "extends", "title", "[network]", "[controller]",
                            "[trace]", "[workload]"),
                      EndsWith("\"title\"?")));
    EXPECT_THAT(fault("hop_cycles = 2\n"), Names("a.toml:1:1", "hop_cycles", "[network]"));
    EXPECT_THAT(fault("[hop_cycles]\n"), Names("a.toml:1:2", "hop_cycles", "[network]"));
}

TEST_F(ParameterAssignmentTest, TableThatIsNone) {
    EXPECT_THAT(fault("network = 3\n"), Names("a.toml:1:11", "network", "3", "table", "[network]"));
    EXPECT_THAT(fault("[[network]]\nhop_cycles = 2\n"),
                Names("a.toml:1:3", "network", "[[network]]", "[network], once"));
    EXPECT_THAT(fault("network = [{ hop_cycles = 2 }]\n"), HasSubstr("[network], once"));
}

TEST_F(ParameterAssignmentTest, AListOfValuesIsASweep) {
    EXPECT_THAT(fault("[network]\nhop_cycles = [1, 2]\n"),
                Names("a.toml:2:14", "network.hop_cycles", "[1, 2]", "1", "64", "sweep",
                      "[[sweep.axis]]", "network.hop_cycles = [1, 2]"));
    EXPECT_THAT(fault("[network]\ndimensions = [[1, 2], [2, 1]]\n"), HasSubstr("[[sweep.axis]]"));
    for (const char* no_axis :
         {"hop_cycles = []", "hop_cycles = [1, 'two']", "hop_cycles = [0, 1]"}) {
        EXPECT_THAT(fault(std::string("[network]\n") + no_axis + "\n"), Not(HasSubstr("sweep")))
            << no_axis;
    }
}

TEST_F(ParameterAssignmentTest, WrongType) {
    EXPECT_THAT(fault("[network]\nhop_cycles = 'two'\n"),
                Names("a.toml:2:14", "network.hop_cycles", "\"two\"", "whole", "1", "64"));
    EXPECT_THAT(fault("[network]\nhop_cycles = 2.0\n"),
                Names("a.toml:2:14", "network.hop_cycles", "2.0", "whole", "1", "64"));
    EXPECT_THAT(fault("[controller]\noverflow_trap = 1\n"),
                Names("a.toml:2:17", "controller.overflow_trap", "1", "true", "false"));
    EXPECT_THAT(fault("[network]\ndimensions = [2, 1.5]\n"),
                Names("a.toml:2:14", "network.dimensions", "[2, 1.5]", "list", "1", "64"));
    EXPECT_THAT(fault("[trace]\nfile = true\n"),
                Names("a.toml:2:8", "trace.file", "true", "string"));
    EXPECT_THAT(fault("[network.hop_cycles]\nx = 1\n"),
                Names("a.toml:1:1", "network.hop_cycles", "table", "1", "64"));
    EXPECT_THAT(fault("[trace]\nfile = 2001-01-14\n"),
                Names("a.toml:2:8", "trace.file", "date", "string"));
}

TEST_F(ParameterAssignmentTest, OutOfRange) {
    EXPECT_THAT(fault("[network]\nhop_cycles = 0\n"),
                Names("a.toml:2:14", "network.hop_cycles", "0", "1", "64"));
    EXPECT_THAT(fault("[controller]\ndma_cycles_per_byte = nan\n"),
                Names("a.toml:2:23", "controller.dma_cycles_per_byte", "nan", "0", "8"));
    EXPECT_THAT(fault("[network]\ndimensions = []\n"),
                Names("a.toml:2:14", "network.dimensions", "empty", "1", "64"));
    EXPECT_THAT(
        fault("[network]\nrouting = 'dimension'\n"),
        Names("a.toml:2:11", "network.routing", "dimension", "dimension_order", "adaptive"));
}

TEST_F(ParameterAssignmentTest, FaultsOfAnOptionNameTheOption) {
    EXPECT_THAT(option_fault("network.hop_cycles=x"),
                Names("--set network.hop_cycles=x", "network.hop_cycles", "\"x\"", "1", "64"));
    EXPECT_THAT(option_fault("network.hop_cycle=2"),
                AllOf(Names("--set network.hop_cycle=2", "[network]", "hop_cycle", "hop_cycles",
                            "dimensions", "routing"),
                      EndsWith("\"hop_cycles\"?")));
    EXPECT_THAT(option_fault("hop_cycles=2"), Names("--set hop_cycles=2", "hop_cycles", "[network]",
                                                    "--set network.hop_cycles=2"));
    EXPECT_THAT(
        option_fault("netwrok.hop_cycles=2"),
        AllOf(Names("--set netwrok.hop_cycles=2", "[netwrok]", "title", "description", "published",
                    "models", "[network]", "[controller]", "[trace]", "[workload]"),
              EndsWith("\"network\"?")));
}

TEST_F(ParameterAssignmentTest, FailedCheckIsToldAtTheParameter) {
    EXPECT_THAT(fault("[network]\ndimensions = [2, 2, 2]\n"),
                Names("a.toml:2:14", "network.dimensions", "mesh", "two"));
}

TEST_F(ParameterAssignmentTest, FailedCheckOfADefaultIsToldOfTheFile) {
    EXPECT_THAT(fault("[network]\nrouting = 'adaptive'\n"),
                Names("a.toml:", "network.hop_cycles", "adaptive", "2 cycles", "default 1"));
}

TEST_F(ParameterAssignmentTest, TableMayBelongToSeveralGroups) {
    struct MoreNetwork : hw::ParameterGroup {
        MoreNetwork() : ParameterGroup("network", "Its links.") {}
        hw::Parameter<hw::Bytes> flit_bytes{*this, "flit_bytes", 2, {1, 64}, "Bytes of a flit."};
    } links;
    remap_machine_.push_back(&links);
    assign("[network]\nhop_cycles = 3\nflit_bytes = 4\n");
    EXPECT_EQ(network_.hop_cycles.value(), hw::Cycles(3));
    EXPECT_EQ(links.flit_bytes.value(), hw::Bytes(4));
    EXPECT_THAT(fault("[network]\nflit_byte = 4\n"),
                AllOf(Names("a.toml:2:1", "[network]", "flit_byte", "hop_cycles", "dimensions",
                            "routing", "flit_bytes"),
                      EndsWith("\"flit_bytes\"?")));
}

TEST_F(ParameterAssignmentTest, UnknownKeyOfATableWithoutKeys) {
    struct Empty : hw::ParameterGroup {
        Empty() : ParameterGroup("core", "A core.") {}
    } core;
    const std::vector<hw::ParameterGroup*> machine = {&core};
    EXPECT_THAT(fault_of([&] { assign("[core]\nx = 1\n", machine); }),
                Names("a.toml:2:1", "[core]", "\"x\"", "nothing"));
}

TEST_F(ParameterAssignmentTest, ADefaultOutOfRangeIsNotTheUsersFault) {
    struct Wrong : hw::ParameterGroup {
        Wrong() : ParameterGroup("core", "A core.") {}
        hw::Parameter<hw::Cycles> wrong{*this, "wrong", 0, {1, 64}, "Declared wrongly."};
    } core;
    const std::vector<hw::ParameterGroup*> machine = {&core};
    assign("[core]\nwrong = 2\n", machine);
    EXPECT_THROW(assign("", machine), std::logic_error);
}

TEST_F(ParameterAssignmentTest, EmptyListIsAcceptedWhereItIsTheDefault) {
    struct Seeds : hw::ParameterGroup {
        Seeds() : ParameterGroup("run", "The run.") {}
        hw::Parameter<std::vector<std::int64_t>> seeds{*this, "seeds", {}, {}, "Seeds."};
    } run;
    const std::vector<hw::ParameterGroup*> machine = {&run};
    EXPECT_NO_THROW(assign("[run]\nseeds = []\n", machine));
    EXPECT_TRUE(run.seeds.value().empty());
}

}  // namespace
}  // namespace weir::experiments::setup
