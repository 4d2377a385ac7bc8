#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "memory/testing/cache_bench.h"
#include "memory/testing/functional_cache.h"

namespace weir::memory {
namespace {

using hw::Cycles;
using testing::CacheBench;
using testing::FunctionalCache;

using testing::Reference;
using testing::ReferenceStream;

constexpr auto kArrival = FunctionalCache::Order::kArrival;
constexpr auto kRrip = FunctionalCache::Order::kRrip;
constexpr std::uint64_t kMemoryBytes = ReferenceStream::kMemoryBytes;

// A processor that executes a stream of references back to back, and compares the loaded values.
class ComparingCore final : public sc_core::sc_module, public hw::ClockedPart {
  public:
    ComparingCore(const sc_core::sc_module_name& name, hw::ClockDomain& domain, std::uint64_t seed,
                  FunctionalCache& reference, std::int64_t count)
        : sc_module(name), ClockedPart(domain), stream_(seed), reference_(reference), left_(count) {
        socket.register_nb_transport_bw(this, &ComparingCore::nb_transport_bw);
        wake_at(Cycles(0));
    }

    tlm_utils::simple_initiator_socket<ComparingCore> socket{"socket"};
    std::int64_t wrong_loads = 0;

    void tick(Cycles now) override {
        if (busy_ || now < free_from_) {
            return;
        }
        if (has_reference_) {
            compare();
        }
        if (left_-- == 0) {
            return;
        }
        begin();
    }

  private:
    void begin() {
        current_ = stream_.next();
        has_reference_ = true;
        payload_.set_command(current_.is_store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload_.set_address(current_.address);
        data_ = current_.is_store ? current_.data : 0;
        payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&data_));
        payload_.set_data_length(current_.bytes);
        payload_.set_streaming_width(current_.bytes);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        busy_ = true;
        if (socket->nb_transport_fw(payload_, phase, delay) == tlm::TLM_COMPLETED) {
            end(delay);
        }
    }
    void compare() {
        if (current_.is_store) {
            reference_.store(current_.address, current_.data, current_.bytes);
        } else if (reference_.load(current_.address, current_.bytes) != data_) {
            ++wrong_loads;
        }
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& /*payload*/,
                                       tlm::tlm_phase& /*phase*/, sc_core::sc_time& delay) {
        end(delay);
        return tlm::TLM_COMPLETED;
    }
    void end(const sc_core::sc_time& delay) {
        busy_ = false;
        free_from_ = domain().now() + domain().to_cycles(delay);
        wake_at(free_from_);
    }

    ReferenceStream stream_;
    FunctionalCache& reference_;
    std::int64_t left_;
    Reference current_{};
    bool has_reference_ = false;
    std::uint64_t data_ = 0;
    bool busy_ = false;
    Cycles free_from_{0};
    tlm::tlm_generic_payload payload_;
};

// A hierarchy, with its levels from the core outwards.
struct Case {
    const char* name;
    std::vector<FunctionalCache::Shape> shapes;
    std::int64_t accesses = 400'000;
};

std::ostream& operator<<(std::ostream& out, const Case& which) { return out << which.name; }

std::string name_of(FunctionalCache::Order order) {
    switch (order) {
        case FunctionalCache::Order::kArrival:
            return "fifo";
        case FunctionalCache::Order::kRrip:
            return "srrip";
        default:
            return "lru";
    }
}

class CacheDifferentialTest : public ::testing::TestWithParam<Case> {};

TEST_P(CacheDifferentialTest, SameHitsSameEvictionsSameBytes) {
    const Case& which = GetParam();
    CacheBench bench(which.shapes.size());
    for (std::size_t i = 0; i < which.shapes.size(); ++i) {
        const FunctionalCache::Shape& shape = which.shapes[i];
        bench.set_level(i, static_cast<std::int64_t>(shape.bytes),
                        static_cast<std::int64_t>(shape.line_bytes),
                        static_cast<std::int64_t>(shape.ways));
        CacheBench::set(bench.caches.levels[i].replacement, name_of(shape.order));
    }
    CacheBench::set(bench.memory.bytes, static_cast<std::int64_t>(kMemoryBytes));
    FunctionalCache reference(which.shapes, kMemoryBytes);
    bench.has_second_core = false;  // the comparing core takes its socket
    CacheHierarchy& hierarchy = bench.hierarchy();
    ComparingCore core("comparing_core", *bench.domain, 7, reference, which.accesses);
    core.socket.bind(hierarchy.handler_bus_socket);
    bench.domain->run_until(hw::kNever);

    EXPECT_EQ(core.wrong_loads, 0);
    for (std::size_t i = 0; i < which.shapes.size(); ++i) {
        const CacheHierarchy::LevelStatistics& level = bench.level(i);
        const std::int64_t misses = level.load_misses.value() + level.store_misses.value();
        const std::int64_t lookups = level.loads.value() + level.stores.value();
        const FunctionalCache::Counts counts{lookups - misses, misses, level.evictions.value(),
                                             level.write_backs.value()};
        EXPECT_EQ(counts.hits, reference.counts(i).hits) << i;
        EXPECT_EQ(counts.misses, reference.counts(i).misses) << i;
        EXPECT_EQ(counts.evictions, reference.counts(i).evictions) << i;
        EXPECT_EQ(counts.write_backs, reference.counts(i).write_backs) << i;
        EXPECT_GT(counts.write_backs, 1000) << i;
    }
    const std::vector<std::uint8_t> all = bench.debug_read(0, kMemoryBytes);
    std::int64_t wrong_bytes = 0;
    for (std::uint64_t address = 0; address < kMemoryBytes; ++address) {
        wrong_bytes += all[address] != reference.byte(address) ? 1 : 0;
    }
    EXPECT_EQ(wrong_bytes, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Hierarchies, CacheDifferentialTest,
    ::testing::Values(
        Case{"direct_mapped", {{1 << 14, 16, 1}}}, Case{"four_ways", {{1 << 12, 32, 4}}},
        Case{"fully_associative", {{1 << 10, 32, 32}}},
        Case{"first_in_first_out", {{1 << 12, 16, 2, kArrival}, {1 << 15, 64, 4, kArrival}}},
        Case{"re_reference_intervals", {{1 << 12, 16, 4, kRrip}, {1 << 15, 64, 8, kRrip}}},
        Case{"rrip_behind_lru", {{1 << 12, 32, 2}, {1 << 14, 32, 16, kRrip}}},
        Case{"two_levels", {{1 << 12, 32, 2}, {1 << 15, 32, 4}}},
        Case{"longer_lines_beyond", {{1 << 12, 16, 2}, {1 << 15, 128, 4}}},
        Case{"three_levels", {{1 << 10, 16, 1}, {1 << 12, 32, 2}, {1 << 14, 64, 8}}}),
    [](const ::testing::TestParamInfo<Case>& which) { return std::string(which.param.name); });

}  // namespace
}  // namespace weir::memory
