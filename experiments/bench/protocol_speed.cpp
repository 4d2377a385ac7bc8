#include <fmt/format.h>

#include <cstdint>
#include <ctime>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>

#include "experiments/bench/benchmark.h"
#include "experiments/bench/fixed_parameter.h"
#include "hw/random_stream.h"
#include "memory/coherence/address_map.h"
#include "memory/coherence/cache_table.h"
#include "memory/coherence/directory.h"
#include "nodes/machine.h"

namespace weir::experiments::bench {

namespace {

using memory::CacheEvent;
using memory::CacheState;
using memory::CacheTransition;
using memory::Packet;

constexpr std::int32_t kNodes = 32;
constexpr std::int64_t kAccessesOfANode = 4'000;
constexpr std::uint32_t kLineBytes = 16;
constexpr std::uint32_t kSetsOfCache = 4096;  // Alewife's cache: 64 kB, direct-mapped
// Each home has lines that all nodes read, and for each node lines that this node alone stores to.
constexpr std::uint32_t kReadLines = 512;
constexpr std::uint32_t kStoredLines = 512;  // number of lines per home and storing node
constexpr std::uint32_t kHomeBytes = (kReadLines + kNodes * kStoredLines) * kLineBytes;

struct Access {
    std::uint32_t address = 0;
    bool is_store = false;
};

/// Random accesses of a node.
class Accesses {
  public:
    explicit Accesses(hw::NodeId node) : node_(node), random_(1, node, "accesses") {}

    Access next() {
        const std::uint32_t home = below(kNodes);
        const bool is_store = below(4) == 0;
        const std::uint32_t line =
            is_store ? kReadLines + static_cast<std::uint32_t>(node_.index()) * kStoredLines +
                           below(kStoredLines)
                     : below(kReadLines);
        return {memory::kSharedBase + home * kHomeBytes + line * kLineBytes, is_store};
    }

  private:
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(random_.below(bound));
    }

    hw::NodeId node_;
    hw::RandomStream random_;
};

/// Work that machine and reference must agree on.
struct Work {
    std::int64_t misses = 0;
    std::int64_t lines_sent_home = 0;
    bool operator==(const Work&) const = default;
};

// --- The machine --------------------------------------------------------------------------------

class Program final : public nodes::NodeProgram {
  public:
    explicit Program(nodes::Processor& processor)
        : processor_(processor), accesses_(processor.node()) {}

    nodes::Task thread() override {
        for (std::int64_t i = 0; i < kAccessesOfANode; ++i) {
            const Access access = accesses_.next();
            if (access.is_store) {
                co_await processor_.store(access.address, static_cast<std::uint32_t>(i));
            } else {
                co_await processor_.load(access.address);
            }
        }
    }
    nodes::Task interrupt() override { co_return; }
    nodes::Task dma_interrupt() override { co_return; }
    nodes::Task overflow_trap() override { co_return; }

  private:
    nodes::Processor& processor_;
    Accesses accesses_;
};

class EmulatedProtocol {
  public:
    EmulatedProtocol() {
        fix(configuration_.coherence, "shared_bytes", std::int64_t{kHomeBytes});
        fix(configuration_.coherence, "protocol", std::string("full_map"));
        fix(configuration_.memory, "caches", std::int64_t{1});
        configuration_.shares_memory = true;
        machine_ = std::make_unique<nodes::Machine>("machine", configuration_, 1, nullptr);
        machine_->load(
            [](nodes::Processor& processor) { return std::make_unique<Program>(processor); });
    }
    void run() {
        if (machine_->run({}) != nodes::RunEnd::kFinished) {
            throw std::logic_error("the benchmark's accesses did not end");
        }
    }
    [[nodiscard]] Work work() {
        Work work;
        for (std::int32_t node = 0; node < kNodes; ++node) {
            const auto& statistics = machine_->node(hw::NodeId(node)).coherence()->statistics();
            work.misses += statistics.local_misses.value() + statistics.remote_misses.value();
            work.lines_sent_home += statistics.lines_sent_home.value();
        }
        return work;
    }

  private:
    nodes::MachineConfiguration configuration_;
    std::unique_ptr<nodes::Machine> machine_;
};

// --- Tables and arrays --------------------------------------------------------------------------

class PlainProtocol {
  public:
    PlainProtocol() : sets_(kNodes, std::vector<Place>(kSetsOfCache)) {
        for (std::int32_t node = 0; node < kNodes; ++node) {
            homes_.emplace_back(hw::NodeId(node), memory::Protocol::kFullMap, kNodes);
            accesses_.emplace_back(hw::NodeId(node));
        }
    }
    void run() {
        for (std::int64_t i = 0; i < kAccessesOfANode; ++i) {
            for (std::int32_t node = 0; node < kNodes; ++node) {
                access(node, accesses_[node].next());
            }
        }
    }
    [[nodiscard]] const Work& work() const { return work_; }
    [[nodiscard]] std::int64_t steps() const { return steps_; }

  private:
    struct Place {
        std::uint32_t line = 0;
        CacheState state = CacheState::kInvalid;
    };
    struct Flying {
        Packet packet;
        std::uint32_t line;
        std::int32_t from;
        std::int32_t to;
    };

    static std::int32_t home_of(std::uint32_t line) {
        return static_cast<std::int32_t>((line - memory::kSharedBase) / kHomeBytes);
    }
    Place& place(std::int32_t node, std::uint32_t line) {
        return sets_[node][line / kLineBytes % kSetsOfCache];
    }

    void access(std::int32_t node, const Access& access) {
        Place& here = place(node, access.address);
        if (here.line != access.address) {
            if (here.state != CacheState::kInvalid) {
                happens(node, here, CacheEvent::kReplace);
            }
            here = {access.address, CacheState::kInvalid};
        }
        happens(node, here, access.is_store ? CacheEvent::kStore : CacheEvent::kLoad);
        while (!flying_.empty()) {
            const Flying arrived = flying_.front();
            flying_.pop_front();
            arrives(arrived);
        }
    }
    void happens(std::int32_t node, Place& place, CacheEvent event) {
        const CacheTransition& row = cache_transition(place.state, event);
        if (row.kind == CacheTransition::Kind::kImpossible) {
            throw std::logic_error("the plain protocol has an impossible transition");
        }
        work_.misses += row.kind == CacheTransition::Kind::kAsks ? 1 : 0;
        place.state = row.next;
        if (row.sends) {
            work_.lines_sent_home += carries_line(*row.sends) ? 1 : 0;
            flying_.push_back({*row.sends, place.line, node, home_of(place.line)});
        }
    }
    void arrives(const Flying& arrived) {
        ++steps_;
        if (!is_to_memory(arrived.packet)) {
            happens(arrived.to, place(arrived.to, arrived.line),
                    memory::event_of(arrived.packet, 0));
            return;
        }
        const memory::Directory::Outcome* outcome =
            homes_[arrived.to].receive(arrived.line, arrived.packet, hw::NodeId(arrived.from));
        if (outcome == nullptr) {
            throw std::logic_error("the plain protocol has an impossible packet");
        }
        for (const memory::Directory::Sent& sent : outcome->sent) {
            flying_.push_back({sent.packet, arrived.line, arrived.to, sent.to.index()});
        }
    }

    std::vector<std::vector<Place>> sets_;  // cache of each node
    std::vector<memory::Directory> homes_;
    std::vector<Accesses> accesses_;
    std::deque<Flying> flying_;
    Work work_;
    std::int64_t steps_ = 0;
};

template <class Protocol>
double seconds_of(Protocol& protocol) {
    const std::clock_t begin = std::clock();
    protocol.run();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// A process can simulate only one machine.
Json measured_once() {
    EmulatedProtocol emulated;
    PlainProtocol plain;
    const double seconds = seconds_of(emulated);
    const double plain_seconds = seconds_of(plain);
    if (emulated.work() != plain.work()) {
        throw std::runtime_error(
            "machine and plain protocol differ in misses or in lines sent home");
    }
    return {static_cast<double>(plain.steps()) / seconds, seconds / plain_seconds};
}

Found measured_protocol(const Effort& effort) {
    std::vector<double> rates;
    std::vector<double> ratios;
    for (int i = 0; i < effort.repetitions; ++i) {
        const Json once = in_own_process(measured_once);
        rates.push_back(once[0]);
        ratios.push_back(once[1]);
    }
    return {{{"steps_per_second", median(rates)}, {"time_over_plain", median(ratios)}},
            fmt::format("Coherence on 32 nodes: {} protocol steps/s, {:.1f} times the time of the "
                        "same\n  tables on arrays, without time, network and data\n",
                        in_millions(median(rates)), median(ratios))};
}

}  // namespace

std::vector<Benchmark> protocol_benchmarks() {
    return {{.name = "coherence-32", .measure = measured_protocol}};
}

}  // namespace weir::experiments::bench
