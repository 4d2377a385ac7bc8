#pragma once

#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/random_stream.h"
#include "hw/testing/twin/twin.h"
#include "network/testing/network_bench.h"
#include "network/testing/router_recorder.h"
#include "network/testing/settings.h"

namespace weir::network::testing {

/// Random traffic of a recorded mesh.
struct Traffic {
    std::int64_t messages = 40;  ///< sent by each node
    std::int64_t most_bytes = 40;
    std::int64_t mean_gap = 60;
    std::int64_t input_bytes = 64;
    std::int64_t pause = 3;  ///< cycles between looks of a node at its input queue
};

/// A mesh with random traffic, whose routers are recorded from cycle 0 on. `Net` is MeshNetwork or
/// RoutedNetwork.
template <class Net>
class RecordedMesh {
  public:
    RecordedMesh(hw::ClockDomain& domain, const std::string& name, const Settings& settings,
                 const Traffic& traffic, std::int64_t cycles, std::uint64_t seed) {
        set_all(parameters_, settings);
        EXPECT_TRUE(parameters_.flit_by_flit.set(true));
        network_ = std::make_unique<Net>(name.c_str(), domain, parameters_, messages_);
        bench_ = std::make_unique<NetworkBench>(
            domain, *network_, messages_,
            NetworkBench::Ends{hw::Bytes(traffic.input_bytes), traffic.pause});
        bench_->send_at_random(seed, traffic.messages, traffic.most_bytes, traffic.mean_gap);
        recorder_ = std::make_unique<RouterRecorder>(domain, *network_, parameters_,
                                                     hw::Cycles(cycles - 1));
    }
    [[nodiscard]] const std::vector<hw::twin::PortRecording>& routers() const {
        return recorder_->routers();
    }
    [[nodiscard]] const std::vector<hw::twin::Wire>& wires() const { return recorder_->wires(); }
    [[nodiscard]] std::int64_t flits() const { return recorder_->flits(); }
    [[nodiscard]] hw::Twin twin() const { return std::get<hw::Twin>(router_twin(parameters_)); }
    [[nodiscard]] NetworkBench& bench() { return *bench_; }

  private:
    NetworkParameters parameters_;
    hw::MessagePool messages_;
    std::unique_ptr<Net> network_;
    std::unique_ptr<NetworkBench> bench_;
    std::unique_ptr<RouterRecorder> recorder_;
};

/// Tests of a router's twin. Meshes are added first, and run together.
template <class Net>
class RouterTwinTest : public ::testing::Test {
  public:
    using Recorded = RecordedMesh<Net>;
    Recorded& add(const Settings& settings, const Traffic& traffic, std::uint64_t seed) {
        return *meshes_.emplace_back(std::make_unique<Recorded>(
            domain_, "mesh_" + std::to_string(meshes_.size()), settings, traffic, cycles, seed));
    }
    void run() { domain_.run_until(hw::Cycles(cycles - 1)); }
    /// Runs all meshes. Compares each router by itself, and each mesh as a mesh of twins.
    void run_and_compare_all() {
        run();
        std::int64_t compared = 0;
        std::int64_t flits = 0;
        for (const auto& mesh : meshes_) {
            const hw::Twin twin = mesh->twin();
            const hw::twin::Comparison comparison = hw::twin::compare(twin, mesh->routers());
            expect_equal(comparison, cycles);
            expect_equal(hw::twin::compare(twin, mesh->routers(), mesh->wires()), cycles);
            compared += comparison.cycles;
            flits += mesh->flits();
        }
        EXPECT_GT(compared, 200'000);
        EXPECT_GT(flits, 100'000);
        std::cout << compared << " cycles of routers compared, with " << flits << " flits\n";
    }

    std::int64_t cycles = 3000;

  private:
    hw::ClockDomainParameters parameters_;
    hw::ClockDomain domain_{"clock", parameters_};
    std::vector<std::unique_ptr<Recorded>> meshes_;
};

/// Numbers drawn from a seed.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : random_(seed, hw::NodeId(0), "sizes") {}
    std::int64_t operator()(std::int64_t least, std::int64_t most) {
        return least + static_cast<std::int64_t>(
                           random_.below(static_cast<std::uint64_t>(most - least + 1)));
    }

  private:
    hw::RandomStream random_;
};

inline Settings mesh_of(const List& extents) { return {{"dimensions", extents}}; }

}  // namespace weir::network::testing
