#include <fmt/format.h>
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <systemc>
#include <vector>

#include "experiments/bench/benchmark.h"
#include "experiments/bench/fixed_parameter.h"
#include "experiments/bench/timed_pair.h"
#include "hw/clock/clock_domain.h"
#include "hw/dma/memory_port.h"
#include "memory/cache_hierarchy.h"
#include "memory/node_memory.h"
#include "memory/testing/functional_cache.h"

namespace weir::experiments::bench {

namespace {

using memory::testing::FunctionalCache;
using memory::testing::Reference;
using memory::testing::ReferenceStream;

constexpr std::int64_t kAccesses = 1'000'000;
constexpr const char* kPlainName = "caches-plain";

struct Outcome {
    std::int64_t misses = 0;  // misses of both levels
    std::uint64_t sum = 0;    // sum of the loaded values
    bool operator==(const Outcome&) const = default;
};

std::vector<Reference> references(std::int64_t count) {
    ReferenceStream stream(1);
    std::vector<Reference> all;
    all.reserve(count);
    for (std::int64_t i = 0; i < count; ++i) {
        all.push_back(stream.next());
    }
    return all;
}

// Core that makes its accesses back to back.
class Replayer final : public sc_core::sc_module, public hw::ClockedPart {
  public:
    Replayer(const sc_core::sc_module_name& name, hw::ClockDomain& domain)
        : sc_module(name), ClockedPart(domain) {
        socket.register_nb_transport_bw(this, &Replayer::nb_transport_bw);
    }

    tlm_utils::simple_initiator_socket<Replayer> socket{"socket"};

    void replay(const std::vector<Reference>& all) {
        references_ = &all;
        next_ = 0;
        sum_ = 0;
        wake_at(domain().now() + hw::Cycles(1));
    }
    [[nodiscard]] std::uint64_t sum() const { return sum_; }

    void tick(hw::Cycles now) override {
        if (waits_ || now < free_from_ || next_ == references_->size()) {
            return;
        }
        const Reference& reference = (*references_)[next_++];
        data_ = reference.is_store ? reference.data : 0;
        payload_.set_command(reference.is_store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload_.set_address(reference.address);
        payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&data_));
        payload_.set_data_length(reference.bytes);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        waits_ = true;
        if (socket->nb_transport_fw(payload_, phase, delay) == tlm::TLM_COMPLETED) {
            end(delay);
        }
    }

  private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& /*payload*/,
                                       tlm::tlm_phase& /*phase*/, sc_core::sc_time& delay) {
        end(delay);
        return tlm::TLM_COMPLETED;
    }
    void end(const sc_core::sc_time& delay) {
        waits_ = false;
        sum_ += payload_.is_read() ? data_ : 0;
        free_from_ = domain().now() + domain().to_cycles(delay);
        wake_at(free_from_);
    }

    const std::vector<Reference>* references_ = nullptr;
    std::size_t next_ = 0;
    std::uint64_t sum_ = 0;
    std::uint64_t data_ = 0;
    bool waits_ = false;
    hw::Cycles free_from_{0};
    tlm::tlm_generic_payload payload_;
};

class EmulatedCaches {
  public:
    EmulatedCaches() {
        core_.socket.bind(hierarchy_.bus_socket);
        hierarchy_.port_socket.bind(port_.requester_socket);
        port_.dram_socket.bind(hierarchy_.snoop_socket);
        hierarchy_.dram_socket.bind(dram_.dram_socket);
    }

    void replay(const std::vector<Reference>& all) {
        core_.replay(all);
        domain_.run_until(hw::kNever);
    }
    [[nodiscard]] Outcome outcome() const {
        Outcome outcome{0, core_.sum()};
        for (const std::size_t level : {0, 1}) {
            const auto& statistics = hierarchy_.level_statistics(level);
            outcome.misses += statistics.load_misses.value() + statistics.store_misses.value();
        }
        return outcome;
    }

  private:
    struct Parameters {
        Parameters() {
            const std::int64_t line_bytes = 32;
            fix(caches.levels[0].bytes, std::int64_t{1} << 14);
            fix(caches.levels[0].ways, std::int64_t{4});
            fix(caches.levels[0].line_bytes, line_bytes);
            fix(caches.levels[1].line_bytes, line_bytes);
            fix(memory.bytes, static_cast<std::int64_t>(ReferenceStream::kMemoryBytes));
        }
        memory::CacheParameters caches;
        memory::NodeMemory::Parameters memory;
        hw::MemoryPort::Parameters port;
        hw::ClockDomainParameters clock;
    };

    Parameters parameters_;
    hw::ClockDomain domain_{"clock", parameters_.clock};
    Replayer core_{"core", domain_};
    memory::CacheHierarchy hierarchy_{
        "caches", domain_, {parameters_.caches, 2, parameters_.memory}, 1, hw::NodeId(0)};
    hw::MemoryPort port_{"port", domain_, parameters_.port};
    memory::NodeMemory dram_{"dram", domain_, parameters_.memory};
};

class PlainCaches {
  public:
    void replay(const std::vector<Reference>& all) {
        sum_ = 0;
        for (const Reference& reference : all) {
            if (reference.is_store) {
                caches_.store(reference.address, reference.data, reference.bytes);
            } else {
                sum_ += caches_.load(reference.address, reference.bytes);
            }
        }
    }
    [[nodiscard]] Outcome outcome() const {
        return {caches_.counts(0).misses + caches_.counts(1).misses, sum_};
    }

  private:
    FunctionalCache caches_{{{1 << 14, 32, 4}, {1 << 18, 32, 8}}, ReferenceStream::kMemoryBytes};
    std::uint64_t sum_ = 0;
};

// Throws std::runtime_error if misses or loaded values differ.
PairOfTimes times_of_accesses(int repetitions) {
    const std::vector<Reference> all = references(kAccesses);
    EmulatedCaches emulated;
    PlainCaches plain;
    const PairOfTimes times =
        time_pair([&] { emulated.replay(all); }, [&] { plain.replay(all); }, repetitions);
    if (emulated.outcome() != plain.outcome()) {
        throw std::runtime_error("timed caches and plain caches differ in misses or values");
    }
    return times;
}

Found accesses_a_second(const Effort& effort) {
    const Json found = in_own_process([&]() -> Json {
        const PairOfTimes times = times_of_accesses(effort.repetitions);
        return {{"accesses_per_second", static_cast<double>(kAccesses) / times.first_seconds},
                {"time_over_plain", times.first_seconds / times.second_seconds}};
    });
    return {found, fmt::format("Two levels of cache: {:.1f} M timed accesses/s, {:.2f} times the "
                               "time of plain\n  caches without time\n",
                               found["accesses_per_second"].get<double>() / 1e6,
                               found["time_over_plain"].get<double>())};
}

template <class Caches>
CountedWork counted_accesses() {
    return {.length = kAccesses / 5, .simulate = [](std::int64_t accesses) {
                Caches().replay(references(accesses));
                return static_cast<double>(accesses);
            }};
}

Found instructions_beside_plain(double instructions) {
    const double ratio =
        instructions / instructions_a_unit(kPlainName, counted_accesses<PlainCaches>());
    return {{{"instructions_per_access", instructions}, {"instructions_over_plain", ratio}},
            fmt::format("Two levels of cache: {:.1f} instructions per timed access, {:.2f} times "
                        "those of plain\n  caches without time\n",
                        instructions, ratio)};
}

}  // namespace

std::vector<Benchmark> cache_benchmarks() {
    CountedWork timed = counted_accesses<EmulatedCaches>();
    timed.found = instructions_beside_plain;
    return {{.name = "caches-two-levels", .measure = accesses_a_second, .counted = timed},
            {.name = kPlainName, .counted = counted_accesses<PlainCaches>()}};
}

}  // namespace weir::experiments::bench
