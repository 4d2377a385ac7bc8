#include "firmware/kernels/pointer_chase/pointer_chase.h"

namespace weir::firmware {

using nodes::Task;

namespace {

// Layout of an element in memory: three words.
constexpr std::uint32_t kNextNodeOffset = 0;
constexpr std::uint32_t kNextAddressOffset = 4;
constexpr std::uint32_t kNumberOffset = 8;

}  // namespace

std::optional<hw::ParameterGroup::Fault> PointerChase::Parameters::check() const {
    if (visits_per_request.value() > elements.value()) {
        return Fault{"visits_per_request",
                     "found " + std::to_string(visits_per_request.value()) +
                         " visits in a list of " + std::to_string(elements.value()) + " elements",
                     "at most workload.elements"};
    }
    return std::nullopt;
}

class PointerChase::Program final : public ProgramOf<PointerChase> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        const auto visits =
            static_cast<std::uint32_t>(kernel_.parameters_.visits_per_request.value());
        const auto requests = static_cast<std::uint32_t>(kernel_.parameters_.requests.value());
        for (std::uint32_t i = 0; i < requests; ++i) {
            co_await processor().compute(kernel_.parameters_.work_cycles.value());
            has_reply_ = false;
            co_await ask(at_, static_cast<std::uint32_t>(self_), visits, 0);
            co_await processor().wait_for(has_reply_);
            co_await processor().store(i * WEIR_WORD_BYTES, sum_);
            ++kernel_.done_;
        }
        processor().trace_mark("steady state ends", 0);
    }

  private:
    /// Sends a request to the node of `element`: add the `visits_left` elements from `element` on
    /// to `sum`.
    Task ask(Pointer element, std::uint32_t asking, std::uint32_t visits_left, std::uint32_t sum) {
        co_await messages().send(hw::NodeId(static_cast<std::int32_t>(element.node)), visit_,
                                 {asking, visits_left, element.address, sum});
    }

    Task visit() {
        const std::uint32_t asking = co_await messages().argument(0);
        const std::uint32_t visits_left = co_await messages().argument(1);
        const std::uint32_t element = co_await messages().argument(2);
        const std::uint32_t sum_so_far = co_await messages().argument(3);
        const std::uint32_t number = co_await processor().load(element + kNumberOffset);
        Pointer next;
        next.node = co_await processor().load(element + kNextNodeOffset);
        next.address = co_await processor().load(element + kNextAddressOffset);
        co_await processor().compute(kernel_.parameters_.handler_work_cycles.value());
        const std::uint32_t sum = sum_so_far + number;
        if (visits_left > 1) {
            co_await ask(next, asking, visits_left - 1, sum);
            co_return;
        }
        co_await messages().send(hw::NodeId(static_cast<std::int32_t>(asking)), reply_,
                                 {sum, next.node, next.address});
    }

    Task reply() {
        sum_ = co_await messages().argument(0);
        at_.node = co_await messages().argument(1);
        at_.address = co_await messages().argument(2);
        co_await processor().compute(kernel_.parameters_.handler_work_cycles.value());
        has_reply_ = true;
    }

    Pointer at_ = kernel_.lists_.at(self_).front().here;  // thread's position in its list
    std::uint32_t sum_ = 0;
    bool has_reply_ = false;
    ActiveMessages::HandlerAddress visit_ = messages().add_handler([this] { return visit(); });
    ActiveMessages::HandlerAddress reply_ = messages().add_handler([this] { return reply(); });
};

std::uint32_t PointerChase::sums_bytes() const {
    return static_cast<std::uint32_t>(parameters_.requests.value()) * WEIR_WORD_BYTES;
}

// Nodes of a list's elements: never the owner and, if requests visit several nodes, never the same
// node twice in a row.
std::vector<std::uint32_t> PointerChase::places_of(std::int32_t owner,
                                                   hw::RandomStream& stream) const {
    const auto nodes = static_cast<std::uint32_t>(node_count_);
    const auto self = static_cast<std::uint32_t>(owner);
    std::vector<std::uint32_t> places(parameters_.elements.value());
    const bool may_repeat = parameters_.visits_per_request.value() == 1;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto is_beside = [&](std::size_t other) {
            return !may_repeat && other != i && places[other] == places[i];
        };
        do {
            places[i] = (self + 1 + static_cast<std::uint32_t>(stream.below(nodes - 1))) % nodes;
        } while ((i > 0 && is_beside(i - 1)) || (i + 1 == places.size() && is_beside(0)));
    }
    return places;
}

void PointerChase::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                           nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    const std::int64_t visits = parameters_.visits_per_request.value();
    // With several visits, a list needs three nodes besides its owner. The ring's last element must
    // be on another node than the first element and the second last.
    const std::int32_t least = visits == 1 ? 2 : 4;
    if (node_count_ < least) {
        throw InputFault(
            "workload.visits_per_request",
            "found " + std::to_string(visits) + " on " + std::to_string(node_count_) + " nodes",
            std::string(node_count_ > 1 ? "1, or " : "") + "a machine of at least " +
                std::to_string(least) + " nodes");
    }
    lists_.assign(node_count_, {});
    std::vector<std::vector<std::uint32_t>> words(node_count_);
    for (std::int32_t owner = 0; owner < node_count_; ++owner) {
        hw::RandomStream stream(seed, hw::NodeId(owner), "pointer-chase list");
        std::vector<Element>& list = lists_[owner];
        for (const std::uint32_t place : places_of(owner, stream)) {
            std::vector<std::uint32_t>& there = words[place];
            const auto address =
                sums_bytes() + static_cast<std::uint32_t>(there.size()) * WEIR_WORD_BYTES;
            list.push_back({{place, address}, static_cast<std::uint32_t>(stream.next())});
            there.insert(there.end(), {0, 0, list.back().number});
        }
        for (std::size_t i = 0; i < list.size(); ++i) {
            const Pointer next = list[(i + 1) % list.size()].here;
            const std::size_t word = (list[i].here.address - sums_bytes()) / WEIR_WORD_BYTES;
            words[list[i].here.node][word + kNextNodeOffset / WEIR_WORD_BYTES] = next.node;
            words[list[i].here.node][word + kNextAddressOffset / WEIR_WORD_BYTES] = next.address;
        }
    }
    for (std::int32_t node = 0; node < node_count_; ++node) {
        const std::vector<std::uint32_t> sums(parameters_.requests.value());
        memory.write<std::uint32_t>(hw::NodeId(node), 0, sums);
        memory.write<std::uint32_t>(hw::NodeId(node), sums_bytes(), words[node]);
    }
}

std::optional<std::string> PointerChase::check(nodes::MemoryAccess& memory) {
    for (std::int32_t node = 0; node < node_count_; ++node) {
        std::vector<std::uint32_t> sums(parameters_.requests.value());
        memory.read<std::uint32_t>(hw::NodeId(node), 0, sums);
        const std::vector<Element>& list = lists_[node];
        std::size_t at = 0;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            std::uint32_t expected = 0;
            for (std::int64_t v = 0; v < parameters_.visits_per_request.value(); ++v) {
                expected += list[at].number;
                at = (at + 1) % list.size();
            }
            if (sums[i] != expected) {
                return "sum " + std::to_string(i) + " of node " + std::to_string(node) + " is " +
                       std::to_string(sums[i]) + ", a walk along its list gives " +
                       std::to_string(expected);
            }
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
