#include "experiments/setup/parameters/parameter_assignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "experiments/setup/files/set_option.h"
#include "experiments/setup/testing/setup_fixture.h"

namespace weir::experiments::setup {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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
    EXPECT_EQ(fault("[network]\nhop_cycle = 2\n"),
              "a.toml:2:1: [network] has no key \"hop_cycle\"; accepted: \"hop_cycles\", "
              "\"dimensions\", \"routing\"; did you mean \"hop_cycles\"?");
}

TEST_F(ParameterAssignmentTest, UnknownKeyOfAnotherTableSaysWhichTable) {
    EXPECT_EQ(fault("[controller]\nhop_cycles = 2\n"),
              "a.toml:2:1: [controller] has no key \"hop_cycles\"; \"hop_cycles\" belongs to "
              "[network]");
}

TEST_F(ParameterAssignmentTest, UnknownKeyNearOneOfAnotherTableNamesBoth) {
    EXPECT_EQ(fault("[trace]\nhop_cycle = 2\n"),
              "a.toml:2:1: [trace] has no key \"hop_cycle\"; accepted: \"file\"; did you mean "
              "\"network.hop_cycles\"?");
}

TEST_F(ParameterAssignmentTest, KeyOfTwoOtherTablesNamesBoth) {
    struct Other : hw::ParameterGroup {
        Other() : ParameterGroup("core", "A core.") {}
        hw::Parameter<hw::Cycles> hop_cycles{*this, "hop_cycles", 1, {}, "Another."};
    } core;
    remap_machine_.push_back(&core);
    EXPECT_EQ(fault("[trace]\nhop_cycles = 2\n"),
              "a.toml:2:1: [trace] has no key \"hop_cycles\"; \"hop_cycles\" belongs to [network] "
              "or [core]");
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
    EXPECT_EQ(fault_among(13),
              "a.toml:2:1: [core] has no key \"colour\"; accepted: the 13 keys that `weir params "
              "core` lists");
}

TEST_F(ParameterAssignmentTest, UnknownKeyOfAKernelNamesTheKernel) {
    EXPECT_EQ(fault("[workload]\nkernel = 'remap'\nsamples = 2\n"),
              "a.toml:3:1: [workload] of kernel \"remap\" has no key \"samples\"; accepted: "
              "\"kernel\", \"messages\"");
}

TEST_F(ParameterAssignmentTest, KernelIsAcceptedWithoutAKernelsParameters) {
    const std::vector<hw::ParameterGroup*> machine = {&network_};
    EXPECT_NO_THROW(assign("[workload]\nkernel = 'remap'\n", machine));
    EXPECT_EQ(fault_of([&] { assign("[workload]\nmessages = 2\n", machine); }),
              "a.toml:2:1: [workload] has no key \"messages\"; accepted: \"kernel\"");
}

TEST_F(ParameterAssignmentTest, UnknownTable) {
    EXPECT_EQ(fault("[netwrok]\nhop_cycles = 2\n"),
              "a.toml:1:2: an experiment has no table [netwrok]; accepted: \"extends\", \"title\", "
              "\"description\", \"point\", \"sensitivity\", \"published\", \"models\", \"sweep\", "
              "\"cost\", \"search\" and the tables [network], [controller], [trace], [workload]; "
              "did you mean \"network\"?");
    EXPECT_NE(fault("[netwrok]\n"), "no fault");
}

TEST_F(ParameterAssignmentTest, UnknownKeyOutsideTables) {
    EXPECT_EQ(fault("parts = ['b.toml']\n"),
              "a.toml:1:1: this is a study, and one experiment is asked for; accepted: one of its "
              "parts");
    EXPECT_EQ(fault("titel = 'x'\n"),
              "a.toml:1:1: an experiment has no key \"titel\"; accepted: \"extends\", \"title\", "
              "\"description\", \"point\", \"sensitivity\", \"published\", \"models\", \"sweep\", "
              "\"cost\", \"search\" and the tables [network], [controller], [trace], [workload]; "
              "did you mean \"title\"?");
    EXPECT_EQ(fault("hop_cycles = 2\n"), "a.toml:1:1: \"hop_cycles\" belongs to [network]");
    EXPECT_EQ(fault("[hop_cycles]\n"), "a.toml:1:2: \"hop_cycles\" belongs to [network]");
}

TEST_F(ParameterAssignmentTest, TableThatIsNone) {
    EXPECT_EQ(fault("network = 3\n"),
              "a.toml:1:11: network is the whole number 3; accepted: a table, [network]");
    EXPECT_EQ(fault("[[network]]\nhop_cycles = 2\n"),
              "a.toml:1:3: network is a list of tables, as under [[network]]; accepted: [network], "
              "once");
    EXPECT_THAT(fault("network = [{ hop_cycles = 2 }]\n"), HasSubstr("accepted: [network], once"));
}

TEST_F(ParameterAssignmentTest, AListOfValuesIsASweep) {
    EXPECT_EQ(fault("[network]\nhop_cycles = [1, 2]\n"),
              "a.toml:2:14: network.hop_cycles is the list [1, 2]; accepted: a whole number from 1 "
              "to 64; of several values weir sweep makes points: [[sweep.axis]] with "
              "network.hop_cycles = [1, 2] in the file");
    EXPECT_THAT(fault("[network]\ndimensions = [[1, 2], [2, 1]]\n"), HasSubstr("weir sweep"));
    for (const char* no_axis :
         {"hop_cycles = []", "hop_cycles = [1, 'two']", "hop_cycles = [0, 1]"}) {
        EXPECT_THAT(fault(std::string("[network]\n") + no_axis + "\n"), Not(HasSubstr("sweep")))
            << no_axis;
    }
}

TEST_F(ParameterAssignmentTest, WrongType) {
    EXPECT_EQ(
        fault("[network]\nhop_cycles = 'two'\n"),
        "a.toml:2:14: network.hop_cycles is the string \"two\"; accepted: a whole number from "
        "1 to 64");
    EXPECT_EQ(fault("[network]\nhop_cycles = 2.0\n"),
              "a.toml:2:14: network.hop_cycles is the number 2.0; accepted: a whole number from 1 "
              "to 64");
    EXPECT_EQ(fault("[controller]\noverflow_trap = 1\n"),
              "a.toml:2:17: controller.overflow_trap is the whole number 1; accepted: true or "
              "false");
    EXPECT_EQ(
        fault("[network]\ndimensions = [2, 1.5]\n"),
        "a.toml:2:14: network.dimensions is the list [2, 1.5]; accepted: a list, each entry a "
        "whole number from 1 to 64");
    EXPECT_EQ(fault("[trace]\nfile = true\n"),
              "a.toml:2:8: trace.file is the boolean true; accepted: a string");
    EXPECT_EQ(fault("[network.hop_cycles]\nx = 1\n"),
              "a.toml:1:1: network.hop_cycles is a table; accepted: a whole number from 1 to 64");
    EXPECT_EQ(fault("[trace]\nfile = 2001-01-14\n"),
              "a.toml:2:8: trace.file is a date; accepted: a string");
}

TEST_F(ParameterAssignmentTest, OutOfRange) {
    EXPECT_EQ(
        fault("[network]\nhop_cycles = 0\n"),
        "a.toml:2:14: network.hop_cycles is the whole number 0; accepted: a whole number from "
        "1 to 64");
    EXPECT_EQ(fault("[controller]\ndma_cycles_per_byte = nan\n"),
              "a.toml:2:23: controller.dma_cycles_per_byte is the number nan; accepted: a number "
              "from 0 to 8");
    EXPECT_EQ(fault("[network]\ndimensions = []\n"),
              "a.toml:2:14: network.dimensions is an empty list; accepted: a list, each entry a "
              "whole number from 1 to 64");
    EXPECT_EQ(fault("[network]\nrouting = 'dimension'\n"),
              "a.toml:2:11: network.routing is the string \"dimension\"; accepted: one of "
              "\"dimension_order\", \"adaptive\"");
}

TEST_F(ParameterAssignmentTest, FaultsOfAnOptionNameTheOption) {
    EXPECT_EQ(option_fault("network.hop_cycles=x"),
              "--set network.hop_cycles=x: network.hop_cycles is the string \"x\"; accepted: a "
              "whole number from 1 to 64");
    EXPECT_EQ(option_fault("network.hop_cycle=2"),
              "--set network.hop_cycle=2: [network] has no key \"hop_cycle\"; accepted: "
              "\"hop_cycles\", \"dimensions\", \"routing\"; did you mean \"hop_cycles\"?");
    EXPECT_EQ(option_fault("hop_cycles=2"),
              "--set hop_cycles=2: \"hop_cycles\" belongs to [network]; accepted: --set "
              "network.hop_cycles=2");
    EXPECT_EQ(option_fault("netwrok.hop_cycles=2"),
              "--set netwrok.hop_cycles=2: an experiment has no table [netwrok]; accepted: "
              "\"title\", \"description\", \"published\", \"models\" and the tables [network], "
              "[controller], [trace], [workload]; did you mean \"network\"?");
}

TEST_F(ParameterAssignmentTest, FailedCheckIsToldAtTheParameter) {
    EXPECT_EQ(fault("[network]\ndimensions = [2, 2, 2]\n"),
              "a.toml:2:14: network.dimensions: a mesh has one or two dimensions");
}

TEST_F(ParameterAssignmentTest, FailedCheckOfADefaultIsToldOfTheFile) {
    EXPECT_EQ(
        fault("[network]\nrouting = 'adaptive'\n"),
        "a.toml: network.hop_cycles: adaptive routing needs 2 cycles a hop (not given, so its "
        "default 1)");
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
    EXPECT_EQ(fault("[network]\nflit_byte = 4\n"),
              "a.toml:2:1: [network] has no key \"flit_byte\"; accepted: \"hop_cycles\", "
              "\"dimensions\", \"routing\", \"flit_bytes\"; did you mean \"flit_bytes\"?");
}

TEST_F(ParameterAssignmentTest, UnknownKeyOfATableWithoutKeys) {
    struct Empty : hw::ParameterGroup {
        Empty() : ParameterGroup("core", "A core.") {}
    } core;
    const std::vector<hw::ParameterGroup*> machine = {&core};
    EXPECT_EQ(fault_of([&] { assign("[core]\nx = 1\n", machine); }),
              "a.toml:2:1: [core] has no key \"x\"; accepted: nothing, it has no keys");
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
