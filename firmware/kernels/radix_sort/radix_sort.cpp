#include "firmware/kernels/radix_sort/radix_sort.h"

#include <array>

#include "firmware/collectives.h"

namespace weir::firmware {

using nodes::Task;

class RadixSort::Program final : public ProgramOf<RadixSort> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        processor().trace_mark(kProgramBegins, 0);
        for (pass_ = 0; pass_ < kernel_.passes(); ++pass_) {
            co_await count_digits();
            co_await collectives_.all_to_all([this](hw::NodeId to) {
                const std::uint32_t own = kernel_.counts(pass_, self_);
                const bool is_own = to.index() == self_;
                return Collectives::Piece{own, own, is_own ? 0 : kernel_.digits()};
            });
            co_await find_places();
            co_await send_keys();
            Arrivals& arrivals = arrivals_[(pass_ + 1) % 2];
            co_await processor().wait_for(arrivals.all_have_come);
            arrivals = {};
            ++kernel_.done_;
        }
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    struct Arrivals {
        std::int64_t keys = 0;
        bool all_have_come = false;
    };

    [[nodiscard]] nodes::Processor::Awaiter step() {
        return processor().compute(kernel_.parameters_.digit_cycles.value());
    }

    Task count_digits() {
        const std::uint32_t counts = kernel_.counts(pass_, self_);
        for (std::uint32_t digit = 0; digit < kernel_.digits(); ++digit) {
            co_await processor().store(counts + digit * kKeyBytes, 0);
        }
        for (std::int64_t i = 0; i < kernel_.keys_each(); ++i) {
            const std::uint32_t key = co_await processor().load(key_address(i));
            const std::uint32_t count = counts + kernel_.digit_of(key, pass_) * kKeyBytes;
            const std::uint32_t so_far = co_await processor().load(count);
            co_await step();
            co_await processor().store(count, so_far + 1);
        }
    }

    // This node's keys of a digit follow all keys of lower digits, and the keys of this digit on
    // lower nodes.
    Task find_places() {
        std::uint32_t lower = 0;
        for (std::uint32_t digit = 0; digit < kernel_.digits(); ++digit) {
            std::uint32_t place = lower;
            for (std::int64_t node = 0; node < kernel_.node_count_; ++node) {
                const std::uint32_t count =
                    co_await processor().load(kernel_.counts(pass_, node) + digit * kKeyBytes);
                co_await step();
                lower += count;
                place += node < self_ ? count : 0;
            }
            co_await processor().store(kernel_.places() + digit * kKeyBytes, place);
        }
    }

    Task send_keys() {
        const auto keys_each = static_cast<std::uint32_t>(kernel_.keys_each());
        const ActiveMessages::HandlerAddress handler = place_key_.at((pass_ + 1) % 2);
        for (std::int64_t i = 0; i < kernel_.keys_each(); ++i) {
            const std::uint32_t key = co_await processor().load(key_address(i));
            const std::uint32_t next = kernel_.places() + kernel_.digit_of(key, pass_) * kKeyBytes;
            const std::uint32_t place = co_await processor().load(next);
            co_await processor().store(next, place + 1);
            co_await step();
            const auto destination = static_cast<std::int32_t>(place / keys_each);
            const std::uint32_t there = place % keys_each;
            if (destination == self_) {
                co_await processor().store(kernel_.key_area(pass_ + 1) + there * kKeyBytes, key);
                note_key((pass_ + 1) % 2);
            } else {
                co_await messages().send(hw::NodeId(destination), handler, {there, key});
            }
        }
    }

    // Two areas are enough: a node may send keys of this pass while others still count their keys.
    // It sends keys of the next pass only after it has received all nodes' counts.
    Task place_key(std::size_t area) {
        const std::uint32_t place = co_await messages().argument(0);
        const std::uint32_t key = co_await messages().argument(1);
        co_await processor().store(
            kernel_.key_area(static_cast<std::int64_t>(area)) + place * kKeyBytes, key);
        note_key(area);
    }

    void note_key(std::size_t area) {
        Arrivals& arrivals = arrivals_.at(area);
        ++arrivals.keys;
        arrivals.all_have_come = arrivals.keys == kernel_.keys_each();
    }

    [[nodiscard]] std::uint32_t key_address(std::int64_t index) const {
        return kernel_.key_address(pass_, self_, index);
    }

    Collectives collectives_{processor(), messages()};
    std::array<ActiveMessages::HandlerAddress, 2> place_key_{
        messages().add_handler([this] { return place_key(0); }),
        messages().add_handler([this] { return place_key(1); })};  // for each area of keys
    // Keys that have arrived in each area.
    std::array<Arrivals, 2> arrivals_;
    std::int64_t pass_ = 0;
};

void RadixSort::place(const nodes::MachineShape& machine) {
    start<Program>(*this, machine);
    check_room(hw::Bytes(places() + digits() * kKeyBytes), machine);
}

}  // namespace weir::firmware
