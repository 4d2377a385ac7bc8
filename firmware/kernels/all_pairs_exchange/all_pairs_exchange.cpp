#include "firmware/kernels/all_pairs_exchange/all_pairs_exchange.h"

#include <algorithm>
#include <bit>
#include <span>

#include "firmware/hardware_barrier.h"
#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

class AllPairsExchange::Program final : public ProgramOf<AllPairsExchange> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        processor().trace_mark(kProgramBegins, 0);
        for (std::int64_t round = 0; round < kernel_.rounds(); ++round) {
            co_await send_to_all(round);
            co_await wait_for_all(round);
        }
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    struct Round {
        std::int32_t messages = 0;
        bool all_have_come = false;
    };

    Task send_to_all(std::int64_t round) {
        for (std::int32_t step = 0; step < kernel_.steps(); ++step) {
            const std::int32_t destination = kernel_.destination(self_, step);
            if (destination != self_) {
                co_await send(round, destination);
            }
            if (kernel_.needs_barrier()) {
                co_await barrier_.meet();
            } else if (processor().receive_mode() == nodes::ReceiveMode::kPolling) {
                co_await processor().wait_until(processor().now() + hw::Cycles(1));
            }
        }
    }

    Task send(std::int64_t round, std::int32_t destination) {
        const std::uint32_t bytes = kernel_.message_bytes();
        const std::uint32_t address =
            kernel_.area_bytes() +
            static_cast<std::uint32_t>(kernel_.place(round, destination)) * bytes;
        const auto place = static_cast<std::uint32_t>(kernel_.place(round, self_));
        if (kernel_.sends_bodies()) {
            co_await messages().send_body(hw::NodeId(destination), store_, {place},
                                          {address, bytes});
            co_return;
        }
        const std::uint32_t word = co_await processor().load(address);
        co_await messages().send(hw::NodeId(destination), store_, {place, word});
    }

    Task store() {
        const std::uint32_t place = co_await messages().argument(0);
        const std::uint32_t address = place * kernel_.message_bytes();
        Arrival& arrival = arrivals_.at(place);
        if (kernel_.sends_bodies()) {
            co_await messages().receive_body(address, arrival.stored);
        } else {
            const std::uint32_t word = co_await messages().argument(1);
            co_await processor().store(address, word);
        }
        ++arrival.count;
        ++kernel_.done_;
        Round& round = rounds_[place / static_cast<std::uint32_t>(kernel_.node_count_)];
        round.all_have_come = ++round.messages >= kernel_.node_count_ - 1;
    }

    Task wait_for_all(std::int64_t round) {
        co_await processor().wait_for(rounds_[round].all_have_come);
        for (std::int32_t sender = 0; sender < kernel_.node_count_; ++sender) {
            if (kernel_.sends_bodies() && sender != self_) {
                co_await messages().wait_stored(arrivals_[kernel_.place(round, sender)].stored);
            }
        }
    }

    HardwareBarrier barrier_{processor()};
    std::vector<Arrival>& arrivals_ = kernel_.arrivals_.at(self_);
    std::vector<Round> rounds_ = std::vector<Round>(kernel_.rounds());
    ActiveMessages::HandlerAddress store_ = messages().add_handler([this] { return store(); });
};

std::int32_t AllPairsExchange::destination(std::int32_t node, std::int32_t step) const {
    switch (parameters_.order.value()) {
        case Order::kStaggered:
            return (node + 1 + step) % node_count_;
        case Order::kNaive:
            return step;
        case Order::kPairwise:
            return node ^ (step + 1);
    }
    return node;
}

std::uint32_t AllPairsExchange::message_bytes() const {
    return sends_bodies() ? static_cast<std::uint32_t>(parameters_.body_bytes.value().count())
                          : WEIR_WORD_BYTES;
}

std::vector<std::uint32_t> AllPairsExchange::content(std::int32_t sender) const {
    hw::RandomStream stream(seed_, hw::NodeId(sender), "all-pairs messages");
    std::vector<std::uint32_t> words(area_bytes() / WEIR_WORD_BYTES);
    std::generate(words.begin(), words.end(),
                  [&stream] { return static_cast<std::uint32_t>(stream.next()); });
    return words;
}

void AllPairsExchange::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                               nodes::MemoryAccess& memory) {
    start<Program>(*this, machine, seed);
    if (parameters_.order.value() == Order::kPairwise &&
        !std::has_single_bit(static_cast<std::uint32_t>(node_count_))) {
        throw InputFault("workload.order",
                         R"(found "pairwise" on )" + std::to_string(node_count_) + " nodes",
                         R"("staggered", "naive", or a number of nodes that is a power of two)");
    }
    const std::int64_t round_bytes = std::int64_t{2} * node_count_ * message_bytes();
    const std::int64_t most = machine.memory_bytes.count() / round_bytes;
    if (rounds() > most) {
        throw InputFault("workload.rounds",
                         "found " + std::to_string(rounds()) + ", whose messages take " +
                             std::to_string(rounds() * round_bytes) +
                             " bytes of each node, and memory.bytes is " +
                             std::to_string(machine.memory_bytes.count()),
                         (most > 0 ? "at most " + std::to_string(most) + ", or " : std::string()) +
                             "memory.bytes of at least " + std::to_string(rounds() * round_bytes));
    }
    arrivals_.assign(node_count_, std::vector<Arrival>(place(rounds(), 0)));
    for (std::int32_t node = 0; node < node_count_; ++node) {
        memory.write<std::uint32_t>(hw::NodeId(node), area_bytes(), content(node));
    }
}

std::optional<std::string> AllPairsExchange::check(nodes::MemoryAccess& memory) {
    const std::size_t words = message_bytes() / WEIR_WORD_BYTES;
    std::vector<std::uint32_t> found(words);
    for (std::int32_t sender = 0; sender < node_count_; ++sender) {
        const std::vector<std::uint32_t> sent = content(sender);
        for (std::size_t i = 0; i < place(rounds(), 0); ++i) {
            const auto receiver = static_cast<std::int32_t>(i % node_count_);
            if (receiver == sender) {
                continue;
            }
            const auto round = static_cast<std::int64_t>(i / node_count_);
            const std::size_t at = place(round, sender);
            const auto which = [&] {
                return "node " + std::to_string(sender) + "'s message to node " +
                       std::to_string(receiver) + " in round " + std::to_string(round);
            };
            const std::int32_t count = arrivals_[receiver][at].count;
            if (count != 1) {
                return which() + " has come " + std::to_string(count) + " times";
            }
            memory.read<std::uint32_t>(hw::NodeId(receiver),
                                       static_cast<std::uint32_t>(at) * message_bytes(), found);
            const auto right = std::span(sent).subspan(i * words, words);
            const auto [in_found, in_right] =
                std::mismatch(found.begin(), found.end(), right.begin());
            if (in_found != found.end()) {
                return which() + " is wrong from byte " +
                       std::to_string((in_found - found.begin()) * WEIR_WORD_BYTES) +
                       " on: found " + std::to_string(*in_found) + ", sent was " +
                       std::to_string(*in_right);
            }
        }
    }
    return std::nullopt;
}

MessagePattern AllPairsExchange::message_pattern() const {
    return {.body_bytes = sends_bodies() ? static_cast<double>(message_bytes()) : 0.0,
            .has_same_order = parameters_.order.value() == Order::kNaive,
            .operations_per_node = static_cast<double>(rounds()),
            .phases = static_cast<double>(rounds())};
}

std::optional<NodeLoads> AllPairsExchange::node_loads(const nodes::MachineShape& machine,
                                                      std::uint64_t /*seed*/) const {
    const auto others = static_cast<double>(machine.node_count() - 1);
    const NodeLoad each{0.0, 2.0 * others * static_cast<double>(rounds())};
    return NodeLoads{each, each};
}

AllPairsExchange::Facts AllPairsExchange::facts() const {
    return {static_cast<double>(rounds() * (node_count_ - 1) * message_bytes())};
}

}  // namespace weir::firmware
