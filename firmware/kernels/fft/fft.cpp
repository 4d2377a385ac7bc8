#include "firmware/kernels/fft/fft.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "firmware/hardware_barrier.h"
#include "hw/random_stream.h"
#include "hw/text_streams.h"

namespace weir::firmware {

using nodes::Task;

namespace {

using Point = std::complex<double>;

constexpr std::uint32_t kPointBytes = 16;
constexpr std::uint32_t kImaginary = 8;
constexpr std::uint32_t kIndexBits = 24;  // index bits in a message's first argument; the area's
                                          // number is above them

bool is_power_of_two(std::int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

std::int64_t log2_of(std::int64_t power) {
    return std::countr_zero(static_cast<std::uint64_t>(power));
}

// Recursive decimation in time; the kernel uses decimation in frequency.
std::vector<Point> recursive_transform(const std::vector<Point>& points) {
    const std::size_t half = points.size() / 2;
    if (half == 0) {
        return points;
    }
    std::vector<Point> even(half);
    std::vector<Point> odd(half);
    for (std::size_t i = 0; i < half; ++i) {
        even[i] = points[2 * i];
        odd[i] = points[2 * i + 1];
    }
    even = recursive_transform(even);
    odd = recursive_transform(odd);
    std::vector<Point> result(points.size());
    for (std::size_t i = 0; i < half; ++i) {
        const double angle = -std::numbers::pi * static_cast<double>(i) / static_cast<double>(half);
        const Point turned = std::polar(1.0, angle) * odd[i];
        result[i] = even[i] + turned;
        result[i + half] = even[i] - turned;
    }
    return result;
}

std::int64_t bits_reversed(std::int64_t value, std::int64_t bits) {
    std::int64_t reversed = 0;
    for (std::int64_t i = 0; i < bits; ++i) {
        reversed = reversed << 1 | (value >> i & 1);
    }
    return reversed;
}

}  // namespace

std::optional<hw::ParameterGroup::Fault> Fft::Parameters::check() const {
    if (!is_power_of_two(points.value())) {
        return Fault{"points", "found " + std::to_string(points.value()), "a power of two"};
    }
    if (butterfly_cycles.value().count() % 2 != 0) {
        return Fault{"butterfly_cycles",
                     "found " + std::to_string(butterfly_cycles.value().count()) +
                         "; two nodes that share a butterfly do half of it each",
                     "an even number"};
    }
    return std::nullopt;
}

class Fft::Program final : public ProgramOf<Fft> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        processor().trace_mark(kProgramBegins, 0);
        const std::int64_t points = kernel_.points_each_ * kernel_.node_count_;
        bool cyclic = kernel_.begins_cyclic();
        std::uint32_t at = 0;        // address of this node's points
        std::int64_t next_area = 1;  // next area for points from other nodes
        for (std::int64_t distance = points / 2; distance >= 1; distance /= 2) {
            const bool is_hybrid = cyclic && !kernel_.ends_cyclic();
            if (is_hybrid && distance < kernel_.node_count_) {
                co_await remap();
                cyclic = false;
                at = kernel_.area(1);
            }
            const std::int64_t local =
                cyclic ? distance / kernel_.node_count_ : distance % kernel_.points_each_;
            if (local > 0) {
                co_await local_stage(at, cyclic, local, distance);
            } else {
                co_await remote_stage(cyclic, next_area++, distance);
            }
            ++kernel_.done_;
        }
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    struct Arrivals {
        std::int64_t points = 0;
        std::int64_t awaited = -1;
        bool all_have_come = false;
    };

    // Butterflies between points of this node with the distance `local` in its memory.
    Task local_stage(std::uint32_t at, bool cyclic, std::int64_t local, std::int64_t distance) {
        for (std::int64_t i = 0; i < kernel_.points_each_; ++i) {
            if ((i & local) != 0) {
                continue;
            }
            const std::uint32_t first = at + static_cast<std::uint32_t>(i) * kPointBytes;
            const std::uint32_t second = first + static_cast<std::uint32_t>(local) * kPointBytes;
            Point a;
            Point b;
            co_await load(first, a);
            co_await load(second, b);
            co_await processor().compute(kernel_.parameters_.butterfly_cycles.value());
            co_await save(first, a + b);
            co_await save(second,
                          (a - b) * kernel_.twiddle(kernel_.global(cyclic, self_, i), distance));
        }
    }

    // All partners of this node's points are on one other node, at the same positions.
    Task remote_stage(bool cyclic, std::int64_t area, std::int64_t distance) {
        const std::int64_t step = cyclic ? distance : distance / kernel_.points_each_;
        const auto other = static_cast<std::int32_t>(self_ ^ step);
        for (std::int64_t i = 0; i < kernel_.points_each_; ++i) {
            co_await send(other, kernel_.area(0), i, area, i);
        }
        co_await wait_for_points(area, kernel_.points_each_);
        const bool is_first = (self_ & step) == 0;
        for (std::int64_t i = 0; i < kernel_.points_each_; ++i) {
            const auto offset = static_cast<std::uint32_t>(i) * kPointBytes;
            Point own;
            Point others;
            co_await load(kernel_.area(0) + offset, own);
            co_await load(kernel_.area(area) + offset, others);
            // Half of the butterfly: either the sum or the difference.
            const auto half = kernel_.parameters_.butterfly_cycles.value().count() / 2;
            co_await processor().compute(hw::Cycles(half));
            const std::int64_t first = kernel_.global(cyclic, is_first ? self_ : other, i);
            const Point result =
                is_first ? own + others : (others - own) * kernel_.twiddle(first, distance);
            co_await save(kernel_.area(0) + offset, result);
        }
    }

    // Remaps from the cyclic to the blocked layout, which is in area 1.
    Task remap() {
        processor().trace_mark(kRemapBegins, 0);
        const std::int64_t nodes = kernel_.node_count_;
        const std::int64_t for_each = kernel_.points_each_ / nodes;
        const bool is_naive = kernel_.parameters_.order.value() == Order::kNaive;
        for (std::int64_t i = 0; i < nodes; ++i) {
            const std::int64_t destination = is_naive ? i : (self_ + 1 + i) % nodes;
            for (std::int64_t j = destination * for_each; j < (destination + 1) * for_each; ++j) {
                const std::int64_t place =
                    kernel_.global(true, self_, j) - destination * kernel_.points_each_;
                if (destination == self_) {
                    Point point;
                    co_await load(static_cast<std::uint32_t>(j) * kPointBytes, point);
                    co_await processor().compute(kernel_.parameters_.point_cycles.value());
                    co_await save(kernel_.area(1) + static_cast<std::uint32_t>(place) * kPointBytes,
                                  point);
                } else {
                    co_await send(static_cast<std::int32_t>(destination), kernel_.area(0), j, 1,
                                  place);
                }
            }
            if (kernel_.parameters_.barrier.value()) {
                co_await barrier_.meet();
            }
        }
        co_await wait_for_points(1, kernel_.points_each_ - for_each);
        processor().trace_mark(kRemapEnds, 0);
    }

    Task send(std::int32_t destination, std::uint32_t from, std::int64_t index, std::int64_t area,
              std::int64_t place) {
        Point point;
        co_await load(from + static_cast<std::uint32_t>(index) * kPointBytes, point);
        co_await processor().compute(kernel_.parameters_.point_cycles.value());
        const auto real = std::bit_cast<std::uint64_t>(point.real());
        const auto imaginary = std::bit_cast<std::uint64_t>(point.imag());
        co_await messages().send(
            hw::NodeId(destination), store_,
            {static_cast<std::uint32_t>(area << kIndexBits | place),
             static_cast<std::uint32_t>(real >> 32), static_cast<std::uint32_t>(real),
             static_cast<std::uint32_t>(imaginary >> 32), static_cast<std::uint32_t>(imaginary)});
        if (processor().receive_mode() == nodes::ReceiveMode::kPolling) {
            co_await processor().wait_until(processor().now() + hw::Cycles(1));
        }
    }

    Task store() {
        const std::uint32_t where = co_await messages().argument(0);
        const std::uint64_t real_high = co_await messages().argument(1);
        const std::uint64_t real_low = co_await messages().argument(2);
        const std::uint64_t imaginary_high = co_await messages().argument(3);
        const std::uint64_t imaginary_low = co_await messages().argument(4);
        const std::uint32_t area = where >> kIndexBits;
        const std::uint32_t place = where & ((1U << kIndexBits) - 1);
        co_await save(kernel_.area(area) + place * kPointBytes,
                      {std::bit_cast<double>(real_high << 32 | real_low),
                       std::bit_cast<double>(imaginary_high << 32 | imaginary_low)});
        Arrivals& arrivals = arrivals_.at(area);
        ++arrivals.points;
        arrivals.all_have_come = arrivals.points == arrivals.awaited;
    }

    Task wait_for_points(std::int64_t area, std::int64_t count) {
        Arrivals& arrivals = arrivals_.at(area);
        arrivals.awaited = count;
        arrivals.all_have_come = arrivals.points == count;
        co_await processor().wait_for(arrivals.all_have_come);
    }

    Task load(std::uint32_t address, Point& point) {
        point.real(co_await processor().load_real(address));
        point.imag(co_await processor().load_real(address + kImaginary));
    }
    Task save(std::uint32_t address, Point point) {
        co_await processor().store_real(address, point.real());
        co_await processor().store_real(address + kImaginary, point.imag());
    }

    HardwareBarrier barrier_{processor()};
    std::vector<Arrivals> arrivals_ =
        // Points that have arrived from other nodes, by area.
        std::vector<Arrivals>(log2_of(kernel_.node_count_) + 2);
    ActiveMessages::HandlerAddress store_ = messages().add_handler([this] { return store(); });
};

Fft::Point Fft::twiddle(std::int64_t first, std::int64_t distance) const {
    const double angle =
        -std::numbers::pi * static_cast<double>(first % distance) / static_cast<double>(distance);
    return std::polar(1.0, angle);
}

// A node computes half a butterfly for each of its points in each stage. In the remap a point moves
// unless its node stays the same.
std::optional<NodeLoads> Fft::node_loads(const nodes::MachineShape& machine,
                                         std::uint64_t /*seed*/) const {
    const auto nodes = static_cast<double>(machine.node_count());
    const auto points = static_cast<double>(parameters_.points.value());
    const bool remaps = parameters_.layout.value() == Layout::kHybrid;
    const double sent = points / nodes * (remaps ? 1.0 - 1.0 / nodes : std::log2(nodes));
    const NodeLoad each{points / nodes * std::log2(points) / 2.0, 2.0 * sent};
    return NodeLoads{each, each};
}

void Fft::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                  nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    const std::int64_t points = parameters_.points.value();
    if (!is_power_of_two(node_count_)) {
        throw InputFault("workload.points",
                         std::to_string(points) + " don't divide among " +
                             std::to_string(node_count_) + " nodes",
                         "a machine whose number of nodes is a power of two");
    }
    const bool is_hybrid = parameters_.layout.value() == Layout::kHybrid;
    const std::int64_t least = std::int64_t{node_count_} * (is_hybrid ? node_count_ : 2);
    if (points < least) {
        throw InputFault(
            "workload.points",
            "found " + std::to_string(points) + " on " + std::to_string(node_count_) + " nodes",
            "at least " + std::to_string(least) +
                (is_hybrid ? ", the square of the nodes, with which the remap has a point for each"
                           : ""));
    }
    points_each_ = points / node_count_;
    const std::int64_t areas = is_hybrid ? 2 : 1 + log2_of(node_count_);
    if (area(areas) > machine.memory_bytes.count()) {
        throw InputFault("workload.points",
                         std::to_string(points) + " need " + std::to_string(area(areas)) +
                             " bytes of each node's memory, which has " +
                             std::to_string(machine.memory_bytes.count()),
                         "fewer points, or a larger memory.bytes");
    }
    hw::RandomStream stream(seed, hw::NodeId(0), "fft points");
    start_.resize(points);
    for (Point& point : start_) {
        const double real = 2.0 * stream.unit() - 1.0;
        point = {real, 2.0 * stream.unit() - 1.0};
    }
    for (std::int64_t node = 0; node < node_count_; ++node) {
        std::vector<Point> own(points_each_);
        for (std::size_t i = 0; i < own.size(); ++i) {
            own[i] = start_[global(begins_cyclic(), node, static_cast<std::int64_t>(i))];
        }
        memory.write<Point>(hw::NodeId(static_cast<std::int32_t>(node)), area(0), own);
    }
}

std::optional<std::string> Fft::check(nodes::MemoryAccess& memory) {
    const std::vector<Point> expected = recursive_transform(start_);
    const auto points = static_cast<double>(start_.size());
    // Rounding errors of log n stages for points of size sqrt(n).
    const double tolerance = 1e-14 * std::sqrt(points) * std::log2(points);
    for (std::int64_t node = 0; node < node_count_; ++node) {
        std::vector<Point> own(points_each_);
        memory.read<Point>(hw::NodeId(static_cast<std::int32_t>(node)), result(), own);
        for (std::size_t i = 0; i < own.size(); ++i) {
            const std::int64_t place =
                bits_reversed(global(ends_cyclic(), node, static_cast<std::int64_t>(i)),
                              log2_of(static_cast<std::int64_t>(start_.size())));
            const Point& right = expected[place];
            if (!(std::abs(own[i] - right) <= tolerance)) {
                hw::TextWriter text;
                text << "point " << place << " of the transform is " << own[i]
                     << ", the recursive one gives " << right;
                return text.str();
            }
        }
    }
    return std::nullopt;
}

// Points move once in the hybrid layout, and log P times in the others.
MessagePattern Fft::message_pattern() const {
    const bool is_hybrid = parameters_.layout.value() == Layout::kHybrid;
    return {.phases = is_hybrid ? 1.0 : static_cast<double>(log2_of(node_count_))};
}

Fft::Facts Fft::facts() const {
    const bool remaps = parameters_.layout.value() == Layout::kHybrid;
    return {remaps ? static_cast<double>(points_each_) * kPointBytes : 0.0};
}

double Fft::work() const {
    return static_cast<double>(node_count_ * log2_of(parameters_.points.value()));
}

}  // namespace weir::firmware
