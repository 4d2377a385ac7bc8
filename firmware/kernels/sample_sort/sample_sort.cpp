#include "firmware/kernels/sample_sort/sample_sort.h"

#include <algorithm>
#include <bit>

#include "firmware/collectives.h"
#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

class SampleSort::Program final : public ProgramOf<SampleSort> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        processor().trace_mark(kProgramBegins, 0);
        co_await sort_in_place(kernel_.own_keys(), kernel_.own_keys(), kernel_.keys_each_);
        co_await choose_splitters();
        co_await exchange_keys();
        processor().trace_mark(kProgramEnds, 0);
        ++kernel_.done_;
    }

  private:
    Task sort_in_place(std::uint32_t from, std::uint32_t to, std::int64_t count) {
        std::vector<std::uint32_t> keys;
        for (std::int64_t i = 0; i < count; ++i) {
            const std::uint32_t key = co_await processor().load(from + word(i));
            keys.push_back(key);
        }
        std::sort(keys.begin(), keys.end());
        const std::int64_t comparisons =
            count * static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(count)));
        co_await processor().compute(
            hw::Cycles(comparisons * kernel_.parameters_.compare_cycles.value().count()));
        for (std::int64_t i = 0; i < count; ++i) {
            co_await processor().store(to + word(i), keys[i]);
        }
    }

    // Each node's samples are evenly spaced among its sorted keys, and the splitters among the
    // sorted samples.
    Task choose_splitters() {
        const std::int64_t samples = kernel_.parameters_.samples.value();
        const std::uint32_t own = kernel_.samples(self_);
        for (std::int64_t i = 0; i < samples; ++i) {
            const std::uint32_t sample = co_await processor().load(
                kernel_.own_keys() + word((2 * i + 1) * kernel_.keys_each_ / (2 * samples)));
            co_await processor().store(own + word(i), sample);
        }
        co_await collectives_.all_to_all([this, own, samples](hw::NodeId to) {
            const bool is_own = to.index() == self_;
            return Collectives::Piece{own, own, is_own ? 0 : static_cast<std::uint32_t>(samples)};
        });
        const std::int64_t all = samples * kernel_.node_count_;
        co_await sort_in_place(kernel_.samples(0), kernel_.samples(0), all);
        for (std::int64_t node = 1; node < kernel_.node_count_; ++node) {
            const std::uint32_t splitter =
                co_await processor().load(kernel_.samples(0) + word(node * samples));
            splitters_.push_back(splitter);
        }
    }

    Task exchange_keys() {
        const std::int64_t nodes = kernel_.node_count_;
        // Position of each node's first key among this node's sorted keys.
        std::vector<std::int64_t> begins(1, 0);
        for (std::int64_t i = 0; i < kernel_.keys_each_; ++i) {
            const std::uint32_t key = co_await processor().load(kernel_.own_keys() + word(i));
            co_await processor().compute(kernel_.parameters_.compare_cycles.value());
            while (begins.size() <= splitters_.size() && key >= splitters_[begins.size() - 1]) {
                begins.push_back(i);
            }
        }
        begins.resize(nodes + 1, kernel_.keys_each_);
        for (std::int64_t node = 0; node < nodes; ++node) {
            const auto count = static_cast<std::uint32_t>(begins[node + 1] - begins[node]);
            co_await processor().store(kernel_.counts_to_send(node), count);
        }
        co_await collectives_.all_to_all([this](hw::NodeId to) {
            return Collectives::Piece{kernel_.counts_to_send(to.index()), kernel_.counts(self_), 1};
        });
        co_await collectives_.all_to_all([this, &begins](hw::NodeId to) {
            const std::size_t node = to.index();
            return Collectives::Piece{kernel_.own_keys() + word(begins[node]),
                                      kernel_.received(self_),
                                      static_cast<std::uint32_t>(begins[node + 1] - begins[node])};
        });
        std::int64_t kept = 0;
        for (std::int64_t node = 0; node < nodes; ++node) {
            const std::uint32_t count = co_await processor().load(kernel_.counts(node));
            for (std::uint32_t i = 0; i < count; ++i) {
                const std::uint32_t key =
                    co_await processor().load(kernel_.received(node) + word(i));
                co_await processor().store(kernel_.result() + word(kept++), key);
            }
        }
        co_await sort_in_place(kernel_.result(), kernel_.result(), kept);
        kernel_.kept_[self_] = kept;
    }

    Collectives collectives_{processor(), messages()};
    std::vector<std::uint32_t> splitters_;
};

void SampleSort::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                         nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    keys_.make(parameters_.keys.value(), machine.node_count(),
               hw::RandomStream(seed, hw::NodeId(0), "sample sort keys"),
               [](hw::RandomStream& stream) { return static_cast<std::uint32_t>(stream.next()); });
    keys_each_ = keys_.each();
    keys_.check_room(hw::Bytes(result() + word(parameters_.keys.value())), machine);
    keys_.write(KeysToSort::from(own_keys()), memory);
    if (parameters_.samples.value() > keys_each_) {
        throw InputFault("workload.samples",
                         "found " + std::to_string(parameters_.samples.value()) + " of " +
                             std::to_string(keys_each_) + " keys",
                         "at most a node's keys");
    }
    kept_.assign(node_count_, 0);
}

std::optional<std::string> SampleSort::check(nodes::MemoryAccess& memory) {
    return keys_.check(kept_, KeysToSort::from(result()), memory);
}

}  // namespace weir::firmware
