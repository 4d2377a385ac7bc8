#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hw/random_stream.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"
#include "hw/testing/test_cost.h"
#include "memory/coherence/sequential_consistency.h"
#include "memory/coherence/testing/protocol_checker.h"
#include "nodes/shared_memory/testing/faulty_port.h"
#include "nodes/shared_memory/testing/shared_bench.h"

// For longer runs:
//   WEIR_SHARING_ACCESSES   accesses of each context, else 1,000
//   WEIR_SHARING_SEED       seed of the random accesses, else 1

namespace weir::nodes {

namespace {

using firmware::ActiveMessages;
using hw::Cycles;
using memory::CoherenceController;
using testing::SharedBench;
using weir::testing::Names;

/// A machine on which all nodes load, store and exchange a few words at random, and use their
/// full/empty bits.
struct SharingShape {
    const char* name = "";
    const char* protocol = "limitless";
    std::int64_t pointers = 1;
    std::int64_t contexts = 1;
    std::int64_t cache_bytes = 1 << 16;
    std::int64_t queue_bytes = 256;
    std::int64_t buffers = 16;
    const char* home = "segment";
    const char* receive = "interrupt";
    bool thrashlock = true;
    std::int64_t homes = 3;
    std::int64_t lines = 2;
    std::int64_t sharers = 8;  // number of nodes, from node 0 on, that access shared memory
    bool prefetches = false;
    bool uses_bits = false;
    bool fetches = false;  // true if words are also changed at their homes
    bool begins_at_home = false;
    bool delays = false;   // true if packets are delayed at random
    bool in_step = false;  // true if refused requests are repeated after equal pauses
};
std::ostream& operator<<(std::ostream& out, const SharingShape& shape) { return out << shape.name; }

constexpr SharingShape kSoftwarePrefetches{.name = "software_prefetches",
                                           .protocol = "software",
                                           .contexts = 4,
                                           .cache_bytes = 64,
                                           .buffers = 2,
                                           .prefetches = true,
                                           .uses_bits = true};

class RandomSharingBase : public ::testing::Test {
  protected:
    void set_up(const SharingShape& shape) {
        shape_ = shape;
        if (shape.delays) {
            planted = testing::FaultyPort::Fault::kDelays;
        }
        nodes::MachineConfiguration& machine = bench.configuration;
        bench.set(machine.coherence, "protocol", std::string(shape.protocol));
        if (std::string(shape.protocol) != "software") {
            bench.set(machine.coherence, "pointers", shape.pointers);
        }
        bench.set(machine.coherence, "transaction_buffers", shape.buffers);
        bench.set(machine.coherence, "home", std::string(shape.home));
        bench.set(machine.coherence, "thrashlock", shape.thrashlock);
        bench.set(machine.coherence, "fetch_and_op", shape.fetches);
        if (shape.in_step) {
            bench.set(machine.coherence, "busy_spread_cycles", std::int64_t{0});
        }
        bench.set(machine.core, "contexts", shape.contexts);
        bench.set(machine.core, "receive_mode", std::string(shape.receive));
        bench.set(machine.caches.levels.front(), "bytes", shape.cache_bytes);
        bench.set(machine.controller, "input_queue_bytes", shape.queue_bytes);
        bench.set(machine.controller, "output_queue_bytes", shape.queue_bytes);
        bench.set(machine.controller, "overflow_trap", true);
        bench.set(machine.controller, "overflow_timeout_cycles", std::int64_t{64});
        for (std::int64_t context = 0; context < shape.contexts; ++context) {
            const auto script = [this, context](Processor& processor, ActiveMessages&) {
                return access(processor, context);
            };
            if (context == 0) {
                bench.thread = script;
            } else {
                bench.further_threads.push_back(script);
            }
        }
    }

    // Accesses words of a few lines at a few homes, some of which compete for a cache line, and
    // private lines that compete with them.
    Task access(Processor& processor, std::int64_t context) {
        hw::RandomStream random(seed, processor.node(), "accesses " + std::to_string(context));
        if (processor.node().index() >= shape_.sharers) {
            co_return;
        }
        if (shape_.begins_at_home) {
            co_await use_own_lines(processor);
        }
        for (int i = 0; i < accesses_; ++i) {
            const auto home =
                static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(shape_.homes)));
            const auto line =
                static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(shape_.lines)));
            const auto word = static_cast<std::int64_t>(random.below(4));
            const std::uint32_t address = address_of(home, line, word);
            const auto value = static_cast<std::uint32_t>(random.next());
            if (shape_.uses_bits && word == kCounter) {
                co_await count(processor, address);
                continue;
            }
            if (shape_.fetches && (word == kAddedTo || random.below(4) == 0)) {
                co_await fetch(processor, random, address, value, word == kAddedTo);
                continue;
            }
            if (shape_.uses_bits && random.below(2) == 0) {
                co_await access_by_bit(processor, random, address, value);
                continue;
            }
            if (shape_.prefetches) {
                const auto later = static_cast<std::int64_t>(random.below(8));
                const std::uint32_t to_come = SharedBench::shared(home, later % 4 * 1024);
                co_await (later < 4 ? processor.prefetch(to_come)
                                    : processor.prefetch_to_write(to_come));
            }
            switch (random.below(8)) {
                case 0:
                case 1:
                    co_await processor.store(address, value);
                    break;
                case 2:
                    note(processor, co_await processor.exchange(address, value));
                    break;
                case 3:
                    co_await processor.store(static_cast<std::uint32_t>(line % 4 * 1024), value);
                    break;
                default:
                    note(processor, co_await processor.load(address));
                    break;
            }
            co_await processor.compute(
                Cycles(static_cast<std::int64_t>(random.below(shape_.lines > 10 ? 2 : 20))));
        }
    }

    // Homes access their own lines before other nodes do.
    Task use_own_lines(Processor& processor) {
        const std::int64_t home = processor.node().index();
        for (std::int64_t line = 0; home < shape_.homes && line < shape_.lines; ++line) {
            co_await processor.load(address_of(home, line, 0));
            co_await processor.store(address_of(home, line, 0), 1);
        }
        co_await processor.wait_until(Cycles(60 * shape_.lines));
    }

    static std::uint32_t address_of(std::int64_t home, std::int64_t line, std::int64_t word) {
        return SharedBench::shared(home, line * 1024 % 4096 + line / 4 * 16 + word * 4);
    }

    Task access_by_bit(Processor& processor, hw::RandomStream& random, std::uint32_t address,
                       std::uint32_t value) {
        Processor::FoundWord found;
        switch (random.below(6)) {
            case 0:
                found = co_await processor.load_found(address);
                break;
            case 1:
                found = co_await processor.take_found(address);
                break;
            case 2:
                found = co_await processor.store_found(address, value);
                break;
            case 3:
                found = co_await processor.empty(address, value);
                break;
            case 4:
                found = co_await processor.fill(address, value);
                break;
            default:
                // the line's first two words, neither of which is its counter
                co_await processor.fill_real(address / 16 * 16, 0.0);
                break;
        }
        note(processor, found.word * 2 + (found.was_full ? 1 : 0));
    }

    // Adds to the third word of a line, which is otherwise only loaded.
    Task fetch(Processor& processor, hw::RandomStream& random, std::uint32_t address,
               std::uint32_t value, bool is_added_to) {
        if (is_added_to) {
            if (random.below(2) == 0) {
                note(processor, co_await processor.load(address));
            } else {
                note(processor, co_await processor.fetch_and_add(address, 1));
                added_ += 1;
            }
            co_return;
        }
        switch (random.below(4)) {
            case 0:
                note(processor, co_await processor.fetch_and_add(address, value));
                break;
            case 1:
                note(processor, co_await processor.fetch_and_and(address, value));
                break;
            case 2:
                note(processor, co_await processor.fetch_and_or(address, value));
                break;
            default:
                note(processor, co_await processor.exchange_at_home(address, value));
                break;
        }
    }

    // Increments a line's counter, its last word, which is empty during the addition.
    Task count(Processor& processor, std::uint32_t address) {
        const std::uint32_t before = co_await processor.take_full(address);
        co_await processor.compute(Cycles(5));
        co_await processor.fill_empty(address, before + 1);
        counted_ += 1;
    }
    std::string fault_of_counters() {
        const std::int64_t counted = shape_.uses_bits ? sum_of(kCounter) : counted_;
        const std::int64_t added = shape_.fetches ? sum_of(kAddedTo) : added_;
        return counted == counted_ && added == added_
                   ? ""
                   : "; the counters are " + std::to_string(counted) + " together, and " +
                         std::to_string(added);
    }
    // Sums the word at `place` over all lines.
    std::int64_t sum_of(std::int64_t place) {
        std::int64_t all = 0;
        for (std::int64_t home = 0; home < shape_.homes; ++home) {
            for (std::int64_t line = 0; line < shape_.lines; ++line) {
                std::array<std::uint8_t, 4> bytes{};
                bench.machine().read_memory(hw::NodeId(0), address_of(home, line, place), bytes);
                std::uint32_t word = 0;
                std::memcpy(&word, bytes.data(), bytes.size());
                all += word;
            }
        }
        return all;
    }

    // Runs the programs, with a planted fault in the nodes' packets if there is one.
    RunEnd run() {
        bench.build().load([this](Processor& processor) {
            return std::make_unique<firmware::testing::ScriptedProgram>(
                processor, bench.firmware_parameters, bench.thread, bench.handlers,
                bench.further_threads);
        });
        std::vector<std::unique_ptr<testing::FaultyPort>> ports;
        for (std::int32_t node = 0; planted && node < bench.machine().node_count(); ++node) {
            ports.push_back(std::make_unique<testing::FaultyPort>(bench.machine(), node, *planted));
        }
        Machine::RunLimits limits{.watchdog_cycles = Cycles(50'000)};
        if (planted && !shape_.delays) {
            limits.most_cycles = Cycles(50'000);  // a counter may stay empty for ever
        }
        limits.most_cycles = std::min(limits.most_cycles, most_cycles);
        return bench.machine().run(limits);
    }

    // Returns the results of a run as one line.
    std::string digest() {
        const RunEnd end = run();
        std::string text = std::to_string(static_cast<int>(end)) + " at " +
                           std::to_string(bench.machine().now().count());
        if (end != RunEnd::kFinished) {
            return text + ": " + bench.machine().explain_waits();
        }
        if (const auto fault = bench.machine().account().fault(true)) {
            return text + ": " + *fault;
        }
        for (const SharedBench::Counter counter :
             {&CoherenceController::Statistics::remote_misses,
              &CoherenceController::Statistics::busy_replies,
              &CoherenceController::Statistics::copies_lost,
              &CoherenceController::Statistics::traps,
              &CoherenceController::Statistics::lines_sent_home,
              &CoherenceController::Statistics::fetches_put_off,
              &CoherenceController::Statistics::fetches_done}) {
            text += ", " + std::to_string(bench.sum(counter));
        }
        for (const std::uint64_t loaded : loaded_) {
            text += ", " + std::to_string(loaded % 100'000);
        }
        return text + fault_of_counters() + fault_of_refusals() + traced();
    }

    // A refused request waits while each of the 7 other nodes is served at most twice
    // (RefusedRequests). Hardware serves a request within a few pauses; software takes as long as
    // the packets before it.
    std::string fault_of_refusals() {
        constexpr std::int64_t kMostByHardware = 14 * 20;
        constexpr std::int64_t kMostBySoftware = 14 * 200;
        const bool has_software = std::string(shape_.protocol) == "software" ||
                                  std::string(shape_.protocol) == "limitless";
        const std::int64_t most = firmware::testing::most_refusals(bench.machine());
        return most <= (has_software ? kMostBySoftware : kMostByHardware)
                   ? ""
                   : "; a request was refused " + std::to_string(most) + " times";
    }

    // Returns the faults of the accesses and transactions in the trace.
    std::string traced() {
        if (!bench.traced.shared_accesses) {
            return "";
        }
        const memory::OrderCheck order = memory::check_order(bench.trace.shared_accesses);
        EXPECT_GT(bench.trace.shared_accesses.size(),
                  static_cast<std::size_t>(shape_.sharers / 2 * accesses_));
        std::int64_t busy = 0;
        for (const hw::SharedTransaction& one : bench.trace.transactions) {
            busy += one.busy_replies;
        }
        using Statistics = CoherenceController::Statistics;
        EXPECT_EQ(busy, bench.sum(&Statistics::busy_replies));
        EXPECT_EQ(static_cast<std::int64_t>(bench.trace.coherence_traps.size()),
                  bench.sum(&Statistics::traps));
        EXPECT_EQ(static_cast<std::int64_t>(bench.trace.transactions.size()),
                  bench.sum(&Statistics::local_misses) + bench.sum(&Statistics::remote_misses) +
                      bench.sum(&Statistics::prefetches));
        return ::testing::Test::HasFailure() ? "; wrong trace" : order.fault;
    }

    // Returns the cells of the protocol's tables that the nodes have used, one a line.
    std::string used_pairs() {
        std::string text = digest().starts_with("0 at ") ? "" : "not finished";
        for (std::int32_t node = 0; node < bench.machine().node_count(); ++node) {
            const CoherenceController::Coverage& used =
                bench.machine().node(hw::NodeId(node)).coherence()->coverage();
            for (std::size_t state = 0; state < used.cache.size(); ++state) {
                for (std::size_t event = 0; event < memory::kCacheEvents; ++event) {
                    if ((used.cache.at(state) >> event & 1U) != 0) {
                        text += name_of_pair(static_cast<memory::CacheState>(state),
                                             static_cast<memory::CacheEvent>(event));
                    }
                }
            }
            for (std::size_t state = 0; state < used.home.size(); ++state) {
                for (std::size_t packet = 0; packet < memory::kPacketsToMemory; ++packet) {
                    if ((used.home.at(state) >> packet & 1U) != 0) {
                        text += name_of_pair(static_cast<memory::HomeState>(state),
                                             static_cast<memory::Packet>(packet));
                    }
                }
            }
        }
        return text;
    }
    template <class State, class Event>
    static std::string name_of_pair(State state, Event event) {
        return std::string(memory::name_of(state)) + " and " + std::string(memory::name_of(event)) +
               "\n";
    }

    std::uint64_t seed = static_cast<std::uint64_t>(from_environment("WEIR_SHARING_SEED", 1));
    SharedBench bench;
    std::optional<testing::FaultyPort::Fault> planted;
    Cycles most_cycles{INT64_MAX / 4};

  private:
    static constexpr std::int64_t kCounter = 3;
    static constexpr std::int64_t kAddedTo = 2;

    static std::int64_t from_environment(const char* name, std::int64_t otherwise) {
        const char* const text = std::getenv(name);
        return text == nullptr ? otherwise : std::strtoll(text, nullptr, 10);
    }

    // Adds a loaded word to the digest of the node's loads.
    void note(const Processor& processor, std::uint32_t word) {
        std::uint64_t& loaded = loaded_.at(static_cast<std::size_t>(processor.node().index()));
        loaded = loaded * 31 + word;
    }

    // number of accesses of each context
    std::int64_t accesses_ = from_environment("WEIR_SHARING_ACCESSES", 1000);
    SharingShape shape_;
    std::array<std::uint64_t, 8> loaded_{};
    std::int64_t counted_ = 0;
    std::int64_t added_ = 0;
};

class RandomSharingTest : public RandomSharingBase,
                          public ::testing::WithParamInterface<SharingShape> {
  protected:
    RandomSharingTest() { set_up(GetParam()); }
};

TEST_P(RandomSharingTest, EveryLoadSeesWhatWasStoredLastInAnyOrderOfTicks) {
    bench.traced.shared_accesses = true;
    const std::string plain = hw::testing::result_of_separate_run([this] { return digest(); });
    bench.traced.shared_accesses = false;
    EXPECT_THAT(plain, ::testing::StartsWith("0 at ")) << plain;
    EXPECT_THAT(plain, ::testing::Not(::testing::HasSubstr("counters"))) << plain;
    const struct {
        const char* order;
        bool sleeping;
    } orders[] = {{"reversed", true}, {"shuffled", true}, {"wake", false}};
    for (const auto& one : orders) {
        const std::string other = hw::testing::result_of_separate_run([&] {
            bench.set_ticks(one.order, one.sleeping);
            return digest();
        });
        EXPECT_EQ(other, plain) << one.order;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, RandomSharingTest,
    ::testing::Values(
        SharingShape{.name = "one_pointer"}, SharingShape{.name = "five_pointers", .pointers = 5},
        SharingShape{.name = "full_map", .protocol = "full_map"},
        SharingShape{.name = "limited", .protocol = "limited"},
        SharingShape{.name = "software", .protocol = "software"},
        SharingShape{.name = "software_four_lines", .protocol = "software", .cache_bytes = 64},
        kSoftwarePrefetches,
        SharingShape{.name = "software_small_queues",
                     .protocol = "software",
                     .contexts = 4,
                     .queue_bytes = 64,
                     .home = "hash"},
        SharingShape{.name = "software_protocol_processor",
                     .protocol = "software",
                     .receive = "protocol_processor"},
        SharingShape{.name = "forwarding", .protocol = "forwarding"},
        SharingShape{.name = "forwarding_delays",
                     .protocol = "forwarding",
                     .contexts = 4,
                     .cache_bytes = 64,
                     .homes = 2,
                     .lines = 5,
                     .uses_bits = true,
                     .delays = true},
        SharingShape{.name = "forwarding_four_lines", .protocol = "forwarding", .cache_bytes = 64},
        SharingShape{.name = "forwarding_prefetches",
                     .protocol = "forwarding",
                     .contexts = 4,
                     .cache_bytes = 64,
                     .buffers = 2,
                     .prefetches = true,
                     .uses_bits = true},
        SharingShape{.name = "forwarding_small_queues",
                     .protocol = "forwarding",
                     .contexts = 4,
                     .queue_bytes = 64,
                     .home = "hash",
                     .uses_bits = true},
        SharingShape{.name = "forwarding_without_thrashlock",
                     .protocol = "forwarding",
                     .contexts = 4,
                     .receive = "polling",
                     .thrashlock = false},
        SharingShape{.name = "forwarding_full_queues",
                     .protocol = "forwarding",
                     .contexts = 4,
                     .cache_bytes = 64,
                     .queue_bytes = 64,
                     .receive = "protocol_processor",
                     .homes = 2,
                     .lines = 100},
        SharingShape{.name = "in_step", .in_step = true},
        SharingShape{.name = "in_step_two_pointers", .pointers = 2, .contexts = 2, .in_step = true},
        SharingShape{
            .name = "in_step_three_pointers", .pointers = 3, .contexts = 3, .in_step = true},
        SharingShape{.name = "in_step_four_pointers",
                     .pointers = 4,
                     .contexts = 4,
                     .cache_bytes = 64,
                     .in_step = true},
        SharingShape{.name = "in_step_full_map", .protocol = "full_map", .in_step = true},
        SharingShape{.name = "in_step_limited",
                     .protocol = "limited",
                     .contexts = 4,
                     .fetches = true,
                     .in_step = true},
        SharingShape{
            .name = "in_step_software", .protocol = "software", .contexts = 2, .in_step = true},
        SharingShape{.name = "in_step_forwarding",
                     .protocol = "forwarding",
                     .contexts = 4,
                     .cache_bytes = 64,
                     .in_step = true},
        SharingShape{.name = "in_step_one_buffer",
                     .cache_bytes = 64,
                     .buffers = 1,
                     .uses_bits = true,
                     .fetches = true,
                     .in_step = true},
        SharingShape{.name = "four_lines", .cache_bytes = 64},
        SharingShape{.name = "one_buffer", .cache_bytes = 64, .buffers = 1},
        SharingShape{.name = "four_contexts", .contexts = 4},
        SharingShape{.name = "four_contexts_four_lines", .contexts = 4, .cache_bytes = 64},
        SharingShape{
            .name = "four_contexts_one_buffer", .contexts = 4, .cache_bytes = 64, .buffers = 1},
        SharingShape{
            .name = "four_contexts_without_thrashlock", .contexts = 4, .thrashlock = false},
        SharingShape{.name = "prefetches", .cache_bytes = 64, .prefetches = true},
        SharingShape{
            .name = "prefetches_of_four_contexts", .contexts = 4, .buffers = 2, .prefetches = true},
        SharingShape{.name = "bits", .cache_bytes = 64, .uses_bits = true},
        SharingShape{.name = "bits_full_map", .protocol = "full_map", .uses_bits = true},
        SharingShape{.name = "bits_of_four_contexts",
                     .contexts = 4,
                     .cache_bytes = 64,
                     .buffers = 2,
                     .prefetches = true,
                     .uses_bits = true},
        SharingShape{.name = "bits_in_small_queues",
                     .contexts = 4,
                     .queue_bytes = 64,
                     .home = "hash",
                     .uses_bits = true},
        SharingShape{.name = "fetches", .fetches = true},
        SharingShape{
            .name = "fetches_one_buffer", .cache_bytes = 64, .buffers = 1, .fetches = true},
        SharingShape{.name = "fetches_software",
                     .protocol = "software",
                     .contexts = 4,
                     .buffers = 2,
                     .prefetches = true,
                     .fetches = true},
        SharingShape{.name = "fetches_limited_small_queues",
                     .protocol = "limited",
                     .contexts = 4,
                     .cache_bytes = 64,
                     .queue_bytes = 64,
                     .buffers = 2,
                     .home = "hash",
                     .fetches = true},
        SharingShape{.name = "fetches_forwarding_delays",
                     .protocol = "forwarding",
                     .contexts = 4,
                     .cache_bytes = 64,
                     .homes = 2,
                     .lines = 5,
                     .uses_bits = true,
                     .fetches = true,
                     .delays = true},
        SharingShape{.name = "polling", .receive = "polling"},
        SharingShape{.name = "protocol_processor", .receive = "protocol_processor"},
        SharingShape{.name = "lines_in_turn", .home = "line"},
        SharingShape{.name = "hashed", .home = "hash"},
        SharingShape{.name = "small_queues", .contexts = 4, .queue_bytes = 64},
        SharingShape{.name = "full_queues",
                     .protocol = "full_map",
                     .contexts = 4,
                     .cache_bytes = 64,
                     .queue_bytes = 64,
                     .homes = 2,
                     .lines = 100}),
    [](const auto& instance) { return std::string(instance.param.name); });

/// Machines in which the number of nodes that share a line is at most the number of pointers, or
/// greater.
class FewSharersTest : public RandomSharingBase {
  protected:
    // Returns the results and accesses of a run.
    std::string run_with(const SharingShape& shape) {
        return hw::testing::result_of_separate_run([&] {
            set_up(shape);
            bench.traced.shared_accesses = true;
            std::ostringstream text;
            text << digest();
            for (const hw::SharedAccess& one : bench.trace.shared_accesses) {
                text << '\n'
                     << one.node << ' ' << one.context << ' ' << one.cycle << ' ' << one.address
                     << ' ' << one.loaded << ' ' << one.stored;
            }
            for (const hw::SharedTransaction& one : bench.trace.transactions) {
                text << '\n'
                     << one.node << ' ' << one.line << ' ' << one.begin << ' ' << one.asked << ' '
                     << one.home_arrival << ' ' << one.home_begin << ' ' << one.first_invalidation
                     << ' ' << one.last_acknowledgement << ' ' << one.reply << ' ' << one.fill
                     << ' ' << one.use;
            }
            for (std::int32_t node = 0; node < bench.machine().node_count(); ++node) {
                for (const hw::Counter* counter :
                     bench.machine().node(hw::NodeId(node)).coherence()->statistics().counters()) {
                    text << '\n' << counter->value();
                }
            }
            return text.str();
        });
    }
};

TEST_F(FewSharersTest, LimitlessIsAFullMapWhileItsPointersSuffice) {
    for (const std::int64_t contexts : {1, 4}) {
        for (const std::int64_t pointers : {2, 5}) {
            SharingShape shape{.name = "few_sharers",
                               .pointers = pointers,
                               .contexts = contexts,
                               .cache_bytes = 64,
                               .sharers = pointers,
                               .prefetches = contexts > 1};
            const std::string limitless = run_with(shape);
            EXPECT_THAT(limitless, ::testing::StartsWith("0 at "));
            shape.protocol = "full_map";
            EXPECT_EQ(run_with(shape), limitless) << pointers << ", " << contexts;
        }
    }
}

// The home has a bit of its own besides the pointers, so software is needed from two nodes more
// than pointers on.
TEST_F(FewSharersTest, LimitlessIsNoFullMapWhereOneMoreShares) {
    SharingShape shape{.name = "one_more", .pointers = 2, .sharers = 4};
    const std::string limitless = run_with(shape);
    EXPECT_THAT(limitless, ::testing::StartsWith("0 at "));
    shape.protocol = "full_map";
    EXPECT_NE(run_with(shape), limitless);
}

/// The accesses of a run, some of which a test falsifies.
class ReorderedTraceTest : public RandomSharingBase {
  protected:
    ReorderedTraceTest() {
        set_up({.name = "one_pointer"});
        bench.traced.shared_accesses = true;
        EXPECT_THAT(digest(), ::testing::StartsWith("0 at "));
        accesses = bench.trace.shared_accesses;
        EXPECT_EQ(memory::check_order(accesses).fault, "");
    }
    // Returns a store and the next access of the same program, a load of the stored word.
    std::pair<hw::SharedAccess*, hw::SharedAccess*> store_and_load() {
        std::map<hw::NodeId, hw::SharedAccess*> last;
        for (hw::SharedAccess& access : accesses) {
            hw::SharedAccess* const before = std::exchange(last[access.node], &access);
            if (before != nullptr && before->address == access.address &&
                before->stored != hw::SharedAccess::kNothing && before->stored == access.loaded) {
                return {before, &access};
            }
        }
        throw std::logic_error("no load follows its own program's store");
    }

    std::vector<hw::SharedAccess> accesses;
};

TEST_F(ReorderedTraceTest, ALoadBeforeTheStoreThatItReadsIsCaught) {
    const auto [store, load] = store_and_load();
    std::swap(store->sequence, load->sequence);
    EXPECT_THAT(memory::check_order(accesses).fault,
                ::testing::AllOf(Names("program"), Names("reads-from")));
}

// The word may be the initial one; then the load comes too late.
TEST_F(ReorderedTraceTest, AnotherWordThanTheOneStoredIsCaught) {
    store_and_load().second->loaded ^= 1;
    EXPECT_THAT(memory::check_order(accesses).fault,
                ::testing::AllOf(Names("program"), Names("from-reads")));
}

// Random accesses must use every cell of the tables that is reachable for one line and three
// caches.
class ProtocolCoverageTest : public RandomSharingBase,
                             public ::testing::WithParamInterface<const char*> {
  protected:
    std::set<std::string> used_by_machines() {
        std::set<std::string> used;
        for (const SharingShape& shape :
             {SharingShape{.protocol = GetParam(), .cache_bytes = 64},
              SharingShape{.protocol = GetParam(), .contexts = 4},
              SharingShape{.protocol = GetParam(), .contexts = 4, .cache_bytes = 64, .lines = 100},
              SharingShape{.protocol = GetParam(), .prefetches = true},
              SharingShape{.protocol = GetParam(), .lines = 40, .begins_at_home = true},
              SharingShape{.protocol = GetParam(), .cache_bytes = 64, .homes = 1, .delays = true},
              SharingShape{.protocol = GetParam(),
              .contexts = 4,
              .cache_bytes = 64,
              .homes = 1,
              .lines = 5,
              .delays = true}}) {
            std::istringstream pairs(hw::testing::result_of_separate_run([&] {
                set_up(shape);
                return used_pairs();
            }));
            for (std::string pair; std::getline(pairs, pair);) {
                used.insert(pair);
            }
        }
        return used;
    }
};

TEST_P(ProtocolCoverageTest, RandomAccessesUseEveryPairThatCanBeReached) {
    const std::map<std::string, memory::Protocol> protocols{
        {"limitless", memory::Protocol::kLimitless},
        {"full_map", memory::Protocol::kFullMap},
        {"limited", memory::Protocol::kLimited},
        {"software", memory::Protocol::kSoftware},
        {"forwarding", memory::Protocol::kForwarding}};
    const std::map<std::string, std::int32_t> pointers{
        {"full_map", 3}, {"software", 0}, {"forwarding", 3}};
    const memory::Protocol protocol = protocols.at(GetParam());
    const auto known = pointers.find(GetParam());
    const auto reached =
        memory::testing::ProtocolChecker(
            {.pointers = known == pointers.end() ? 1 : known->second, .protocol = protocol})
            .run();
    ASSERT_EQ(reached.wrong, "");
    const std::set<std::string> used = used_by_machines();
    const auto is_used = [&](const std::string& pair) {
        return used.contains(pair.substr(0, pair.size() - 1));
    };
    for (const auto& [state, event] : reached.cache_pairs) {
        const bool is_unseen =
            state == memory::CacheState::kReadOnly && event == memory::CacheEvent::kReplace;
        EXPECT_TRUE(is_unseen || is_used(name_of_pair(state, event)))
            << "a cache: " << name_of_pair(state, event);
    }
    for (const auto& [state, packet] : reached.home_pairs) {
        EXPECT_TRUE(is_used(name_of_pair(state, packet)))
            << "a home: " << name_of_pair(state, packet);
    }
}

INSTANTIATE_TEST_SUITE_P(Protocols, ProtocolCoverageTest,
                         ::testing::Values("limitless", "full_map", "limited", "software",
                                           "forwarding"),
                         [](const auto& instance) { return std::string(instance.param); });

/// Full/empty accesses on a machine whose packets lose the bits.
class LostBitsTest : public RandomSharingBase {
  protected:
    LostBitsTest() {
        set_up({.name = "bits", .cache_bytes = 64, .uses_bits = true});
        bench.traced.shared_accesses = true;
        planted = testing::FaultyPort::Fault::kFillsWords;
    }
};

TEST_F(LostBitsTest, AreSeenByTheAccessThatFindsAnotherState) {
    EXPECT_THAT([this] { digest(); },
                ::testing::Throws<memory::CoherenceViolation>(::testing::Property(
                    &memory::CoherenceViolation::what, Names("found", "full", "empty"))));
}

TEST_F(LostBitsTest, AreSeenInTheOrderOfAccessesWhereNoneIsCompared) {
    bench.set(bench.configuration.coherence, "check_loads", false);
    run();
    EXPECT_NE(memory::check_order(bench.trace.shared_accesses).fault, "");
}

/// Three homes whose lines are requested again and again while one of their words is empty.
class StarvedHomeTest : public RandomSharingBase {
  protected:
    StarvedHomeTest() { set_up(kSoftwarePrefetches); }
    double cycles_in_traps_of_first() {
        return static_cast<double>(
                   bench.machine().node(hw::NodeId(0)).core.statistics().trap_cycles.value()) /
               static_cast<double>(bench.machine().now().count());
    }
};

TEST_F(StarvedHomeTest, ItsThreadsGetTurnsBetweenTraps) {
    EXPECT_THAT(digest(), ::testing::StartsWith("0 at "));
}

TEST_F(StarvedHomeTest, WithoutTurnsTheyGetNone) {
    bench.set(bench.configuration.coherence, "trap_turns", false);
    bench.set(bench.configuration.coherence, "starved_after_accesses", std::int64_t{1});
    most_cycles = Cycles(1'000'000);
    EXPECT_EQ(run(), RunEnd::kStarved);
    EXPECT_THAT(bench.machine().explain_starvation(), ::testing::HasSubstr("node 0"));
    EXPECT_GT(cycles_in_traps_of_first(), 0.99);
}

/// Two homes whose lines all other nodes request as fast as they can.
class FullQueuesTest : public RandomSharingBase {
  protected:
    FullQueuesTest() {
        set_up({.name = "full_queues",
                .protocol = "full_map",
                .contexts = 4,
                .cache_bytes = 64,
                .queue_bytes = 64,
                .homes = 2,
                .lines = 100});
    }
};

TEST_F(FullQueuesTest, TheTrapTakesPacketsToMemoryAndGivesThemBack) {
    EXPECT_THAT(digest(), ::testing::StartsWith("0 at "));
    EXPECT_GT(bench.sum_of_cores(&Core::Statistics::overflow_traps), 100);
    EXPECT_GT(bench.sum_of_cores(&Core::Statistics::coherence_traps), 100);
}

TEST_F(FullQueuesTest, WithoutTheTrapTheyStopForGoodWhichIsExplained) {
    bench.set(bench.configuration.controller, "overflow_trap", false);
    EXPECT_THAT(digest(),
                ::testing::AllOf(::testing::StartsWith("2 at "),
                                 Names("home", "head", "packet", "coherence"),
                                 Names("packet", "coherence", "room", "output", "holds")));
}

WEIR_TESTS_COST("ProtocolCoverageTest.*/forwarding$", 43, 120);
WEIR_TESTS_COST("ProtocolCoverageTest.*/(limitless|software)$", 13, 37);
WEIR_TESTS_COST("ProtocolCoverageTest.*/full_map$", 4, 18);
WEIR_TESTS_COST("RandomSharingTest.*/software_prefetches$", 14, 64);
WEIR_TESTS_COST("RandomSharingTest.*/fetches_software$", 9, 47);
WEIR_TESTS_COST("RandomSharingTest.*/software_small_queues$", 6, 32);
WEIR_TESTS_COST("RandomSharingTest.*/(forwarding_full_queues|(fetches_)?forwarding_delays)$", 5,
                26);
WEIR_TESTS_COST("RandomSharingTest.*/four_contexts_without_thrashlock$", 6, 21);
WEIR_TESTS_COST("RandomSharingTest.*/(bits_in_small_queues|(bits|prefetches)_of_four_contexts)$", 5,
                21);
WEIR_TESTS_COST("RandomSharingTest.*/(full_queues|four_contexts_(four_lines|one_buffer))$", 5, 18);
WEIR_TESTS_COST(
    "RandomSharingTest.*/"
    "(forwarding_(prefetches|without_thrashlock)|fetches_limited_small_queues)$",
    4, 15);
WEIR_TESTS_COST("RandomSharingTest.*/software(_four_lines|_protocol_processor)?$", 2, 9);
WEIR_TESTS_COST("ProtocolCoverageTest.*/limited$", 4, 14);
WEIR_TESTS_COST("StarvedHomeTest.ItsThreadsGetTurns", 2, 12);

}  // namespace

}  // namespace weir::nodes
