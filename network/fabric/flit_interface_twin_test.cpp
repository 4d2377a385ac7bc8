// The network interface in SystemVerilog (flit_interface.sv), beside the model: the same outputs in
// every cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <iostream>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/controller/controller_registers.h"
#include "hw/random_stream.h"
#include "hw/testing/test_cost.h"
#include "hw/testing/twin/twin.h"
#include "network/fabric/interface_twin.h"
#include "network/mesh_network.h"
#include "network/testing/interface_recorder.h"
#include "network/testing/recorded_mesh.h"

namespace weir::network {
namespace {

using hw::Bytes;
using hw::Cycles;
using hw::Twin;
using hw::twin::compare;
using hw::twin::complaints;
using hw::twin::expect_equal;
using hw::twin::expect_found;
using hw::twin::PortRecording;
using testing::Draw;
using testing::List;
using testing::Settings;

WEIR_TESTS_COST("^FlitInterfaceTwinTest\\.", 8);
WEIR_TESTS_COST("^FlitInterfaceTwinTest\\.(RandomSizes|PlantedFaults)", 20);

// A node that composes messages and empties its input queue, both in random pieces.
class Node final : public hw::ClockedPart {
  public:
    Node(hw::ClockDomain& domain, hw::MessagePool& messages, hw::NodeId node, std::int32_t nodes,
         std::int64_t flit_bytes, Bytes queue, std::uint64_t seed)
        : ClockedPart(domain),
          output_queue(node, hw::QueueKind::kOutput, queue, nullptr),
          input_queue(node, hw::QueueKind::kInput, queue, nullptr),
          messages_(messages),
          node_(node),
          nodes_(nodes),
          flit_bytes_(flit_bytes),
          random_(seed, node, "interface") {
        wake_at(Cycles(0));
    }

    void tick(Cycles now) override {
        wake_at(now + Cycles(1));
        const bool is_idle = now.count() / 300 % 4 == 3;
        if (random_.below(3) == 0 && !is_idle) {
            compose(now);
        }
        const bool is_stopped = now.count() / 100 % 3 == 2;
        const Bytes arrived = input_queue.available(now);
        if (random_.below(2) == 0 && !is_stopped && arrived > Bytes(0)) {
            const std::int64_t most = std::min<std::int64_t>(arrived.count(), 12);
            input_queue.pop(Bytes(1 + number(most)), now);
        }
    }

    hw::ByteQueue output_queue;
    hw::ByteQueue input_queue;

  private:
    std::int64_t number(std::int64_t below) {
        return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(below)));
    }
    void compose(Cycles now) {
        if (left_ == Bytes(0)) {
            const hw::MessageSlot slot = messages_.allocate();
            hw::Message& message = messages_[slot];
            const std::int64_t least = (WEIR_HEADER_BYTES + flit_bytes_ - 1) / flit_bytes_;
            const std::int64_t to = (node_.index() + 1 + number(nodes_ - 1)) % nodes_;
            message.source = node_;
            message.destination = hw::NodeId(static_cast<std::int32_t>(to));
            message.bytes = left_ = Bytes(flit_bytes_ * (least + number(12)));
            output_queue.begin_message(slot, now);
        }
        const std::int64_t room = output_queue.room(now).count();
        const Bytes piece(std::min({left_.count(), room, 1 + number(9)}));
        if (piece > Bytes(0)) {
            output_queue.push(piece, now);
            left_ = left_ - piece;
        }
    }

    hw::MessagePool& messages_;
    hw::NodeId node_;
    std::int32_t nodes_;
    std::int64_t flit_bytes_;
    hw::RandomStream random_;
    Bytes left_;
};

// A mesh with such nodes, whose interfaces are recorded.
class RecordedInterfaces {
  public:
    RecordedInterfaces(hw::ClockDomain& domain, const std::string& name, const Settings& settings,
                       Bytes queue, std::uint64_t seed, std::int64_t cycles)
        : queue_(queue) {
        testing::set_all(parameters_, settings);
        network_ = std::make_unique<MeshNetwork>(name.c_str(), domain, parameters_, messages_);
        const std::int32_t nodes = network_->node_count();
        const std::size_t links = channels_of(network_->mesh().graph()).size();
        for (std::int32_t i = 0; i < nodes; ++i) {
            const hw::NodeId id(i);
            Node& node = *nodes_.emplace_back(std::make_unique<Node>(
                domain, messages_, id, nodes, parameters_.flit_bytes.value().count(), queue, seed));
            const std::size_t first = links + 2 * static_cast<std::size_t>(i);
            recorders_.push_back(std::make_unique<testing::InterfaceRecorder>(
                domain, parameters_, messages_,
                testing::InterfaceRecorder::Neighbours{node.output_queue, node.input_queue,
                                                       network_->channels()[first],
                                                       network_->channels()[first + 1]},
                Cycles(cycles - 1)));
            network_->interface(id).attach(
                node.output_queue, node.input_queue,
                [](hw::Message& message, Cycles now) { message.times.header_arrival = now; });
        }
    }
    [[nodiscard]] std::vector<PortRecording> recordings() const {
        std::vector<PortRecording> all;
        for (const auto& recorder : recorders_) {
            all.push_back(recorder->recording());
        }
        return all;
    }
    [[nodiscard]] std::int64_t flits() const {
        std::int64_t sum = 0;
        for (const auto& recorder : recorders_) {
            sum += recorder->flits();
        }
        return sum;
    }
    [[nodiscard]] Twin twin() const { return std::get<Twin>(interface_twin(parameters_, queue_)); }

  private:
    Bytes queue_;
    NetworkParameters parameters_;
    hw::MessagePool messages_;
    std::unique_ptr<MeshNetwork> network_;
    std::vector<std::unique_ptr<Node>> nodes_;
    std::vector<std::unique_ptr<testing::InterfaceRecorder>> recorders_;
};

class FlitInterfaceTwinTest : public ::testing::Test {
  public:
    RecordedInterfaces& add(const Settings& settings, std::int64_t queue, std::uint64_t seed) {
        return *meshes_.emplace_back(
            std::make_unique<RecordedInterfaces>(domain_, "mesh_" + std::to_string(meshes_.size()),
                                                 settings, Bytes(queue), seed, cycles));
    }
    void run() { domain_.run_until(Cycles(cycles - 1)); }

    std::int64_t cycles = 3000;

  private:
    hw::ClockDomainParameters parameters_;
    hw::ClockDomain domain_{"clock", parameters_};
    std::vector<std::unique_ptr<RecordedInterfaces>> meshes_;
};

TEST_F(FlitInterfaceTwinTest, EqualsTheModelInEveryCycle) {
    WEIR_NEEDS_VERILATOR();
    const RecordedInterfaces& interfaces = add({{"dimensions", List{2, 2}}}, 64, 1);
    run();
    EXPECT_GT(interfaces.flits(), 4000);
    expect_equal(compare(interfaces.twin(), interfaces.recordings()), 12'000);
    expect_found(
        interfaces.twin(), interfaces.recordings(),
        {{"flit taken without room for all of it", "in_room >= FLIT_IN_QUEUE", "in_room != '0"},
         {"notice a flit early", "COUNT_BITS'(HEADER_FLITS - 1)",
          "COUNT_BITS'(HEADER_FLITS - 2)"}});
}

TEST_F(FlitInterfaceTwinTest, RandomSizes) {
    WEIR_NEEDS_VERILATOR();
    cycles = 6000;
    std::vector<const RecordedInterfaces*> all;
    for (std::uint64_t seed = 0; seed < 7; ++seed) {
        Draw number(seed);
        const Settings settings = {{"dimensions", seed % 2 == 0 ? List{2, 2} : List{5}},
                                   {"flit_bytes", std::int64_t{1} << number(0, 3)},
                                   {"buffer_flits", number(1, 6)},
                                   {"injection_cycles", number(1, 4)},
                                   {"ejection_cycles", number(1, 4)}};
        all.push_back(&add(settings, number(16, 300), seed));
    }
    run();
    std::int64_t compared = 0;
    std::int64_t flits = 0;
    for (const RecordedInterfaces* interfaces : all) {
        const auto comparison = compare(interfaces->twin(), interfaces->recordings());
        expect_equal(comparison, cycles);
        compared += comparison.cycles;
        flits += interfaces->flits();
    }
    EXPECT_GT(compared, 150'000);
    std::cout << compared << " cycles of interfaces compared, with " << flits << " flits\n";
}

TEST_F(FlitInterfaceTwinTest, PlantedFaults) {
    WEIR_NEEDS_VERILATOR();
    const RecordedInterfaces& interfaces = add({{"dimensions", List{2, 2}},
                                                {"buffer_flits", std::int64_t{3}},
                                                {"ejection_cycles", std::int64_t{3}}},
                                               64, 2);
    run();
    expect_equal(compare(interfaces.twin(), interfaces.recordings()), 12'000);
    expect_found(
        interfaces.twin(), interfaces.recordings(),
        {{"flit taken without room for all of it", "in_room >= FLIT_IN_QUEUE", "in_room != '0"},
         {"flit taken only with room for more", "in_room >= FLIT_IN_QUEUE",
          "in_room > FLIT_IN_QUEUE"},
         {"flit sent before its bytes are there", "out_bytes >= FLIT_IN_QUEUE", "out_bytes != '0"},
         {"flit sent without a credit", "out_bytes >= FLIT_IN_QUEUE && has_credit",
          "out_bytes >= FLIT_IN_QUEUE"},
         {"tail a flit late", "sent_bytes + FLIT_IN_MESSAGE == out_length",
          "sent_bytes == out_length"},
         {"length counted on after the tail", "if (reset || out_end)", "if (reset)"},
         {"every flit a header", "is_header = sent_bytes == '0", "is_header = 1'b1"},
         {"notice a flit early", "COUNT_BITS'(HEADER_FLITS - 1)", "COUNT_BITS'(HEADER_FLITS - 2)"},
         {"notice of the first message only", "(reset || (in_push && front_flit[TAIL]))",
          "(reset)"},
         {"notice while the flit waits for room", "header_arrived = in_push",
          "header_arrived = has_flit"},
         {"message begins with each flit", "in_begin = in_push && front_flit[HEADER]",
          "in_begin = in_push"},
         {"a credit too many", "INJECTION_BUFFER_FLITS + INJECTION_CYCLES - 1",
          "INJECTION_BUFFER_FLITS + INJECTION_CYCLES"},
         {"ejection a cycle early", "REGISTERS = LINK_CYCLES - 1", "REGISTERS = LINK_CYCLES - 2"}});
}

TEST_F(FlitInterfaceTwinTest, IsSynthesizable) {
    WEIR_NEEDS_VERILATOR();
    const auto& large = add({{"dimensions", List{8, 4}}}, 256, 3);
    const auto& small = add({{"dimensions", List{2}},
                             {"flit_bytes", std::int64_t{8}},
                             {"buffer_flits", std::int64_t{1}},
                             {"ejection_cycles", std::int64_t{1}}},
                            16, 4);
    EXPECT_EQ(complaints(large.twin()), "");
    EXPECT_EQ(complaints(small.twin()), "");
}

TEST(InterfaceTwinCoverageTest, EveryParameterThatChangesTheTimingIsCoveredOrRefused) {
    const auto refused = [](const std::string& name, const hw::ParameterValue& value) {
        NetworkParameters parameters;
        testing::set_all(parameters, {{name, value}});
        const auto twin = interface_twin(parameters, Bytes(256));
        return std::holds_alternative<hw::Fault>(twin) ? std::get<hw::Fault>(twin).key : "none";
    };
    EXPECT_EQ(refused("flit_bytes", std::int64_t{4}), "none");
    EXPECT_EQ(refused("injection_buffer_flits", std::int64_t{9}), "none");
    for (const auto& [name, value] : Settings{{"model", testing::text("delay")},
                                              {"copies", std::int64_t{2}},
                                              {"tag_bytes", std::int64_t{4}},
                                              {"channel_bits_per_cycle", std::int64_t{8}},
                                              {"flit_bytes", std::int64_t{3}}}) {
        EXPECT_EQ(refused(name, value), "network." + name);
    }
}

}  // namespace
}  // namespace weir::network
