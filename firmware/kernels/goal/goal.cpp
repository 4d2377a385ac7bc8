#include "firmware/kernels/goal/goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <list>
#include <tuple>

#include "hw/controller/controller_registers.h"

namespace weir::firmware {

using nodes::Task;

namespace {

using OperationKind = GoalOperation::Kind;

std::uint32_t body_of(std::int64_t bytes) {
    constexpr auto kUnit = static_cast<std::int64_t>(WEIR_DMA_ALIGNMENT);
    return static_cast<std::uint32_t>((bytes + kUnit - 1) / kUnit * kUnit);
}

}  // namespace

class Goal::Program final : public ProgramOf<Goal> {
  public:
    Program(Goal& kernel, nodes::Processor& processor, const ActiveMessages::Parameters& parameters)
        : ProgramOf(kernel, processor, parameters) {
        if (is_rank()) {
            for (const GoalOperation& operation : operations()) {
                open_.push_back(operation.conditions);
            }
        }
    }

    Task thread() override {
        if (!is_rank()) {
            co_return;
        }
        processor().trace_mark(kProgramBegins, 0);
        std::vector<std::size_t> first;
        for (std::size_t i = 0; i < open_.size(); ++i) {
            if (open_[i] == 0) {
                first.push_back(i);
            }
        }
        add_ready(first, hw::Cycles(-1), false);
        for (;;) {
            const Step step = next_step();
            if (step.operation) {
                co_await perform(*step.operation);
            } else if (step.message != arrived_.end()) {
                co_await take(step.message);
            } else if (ended_ == open_.size() && taken_ == kernel_.arrivals_[self_]) {
                break;
            } else {
                co_await wait();
            }
        }
        kernel_.finish_cycles_[self_] = processor().now();
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    /// Order of LogGOPSim's events: the cycle in which an operation or message became possible.
    using Order = std::tuple<hw::Cycles, std::int32_t, std::size_t>;

    struct Ready {
        std::size_t operation = 0;
        Order order;
        bool is_later = false;  ///< possible only after the current operation
    };
    struct Arrived {
        std::size_t message = 0;
        Order order;
        bool stored = true;  ///< its body is in memory
    };
    struct Step {
        std::optional<std::size_t> operation;
        std::list<Arrived>::iterator message;
    };

    [[nodiscard]] bool is_rank() const {
        return static_cast<std::size_t>(self_) < kernel_.schedule_.size();
    }
    [[nodiscard]] const std::vector<GoalOperation>& operations() const {
        return kernel_.schedule_[self_];
    }

    void add_ready(std::vector<std::size_t> operations, hw::Cycles since, bool is_later) {
        std::stable_sort(
            operations.begin(), operations.end(), [this](std::size_t first, std::size_t second) {
                return std::pair(kind_of(first), first) < std::pair(kind_of(second), second);
            });
        for (const std::size_t operation : operations) {
            ready_.push_back({operation, {since, self_, became_ready_++}, is_later});
        }
    }
    [[nodiscard]] OperationKind kind_of(std::size_t operation) const {
        return operations()[operation].kind;
    }

    /// Notes the start or end of an operation. Operations that it makes possible wait until the
    /// thread is free.
    void release(const std::vector<std::size_t>& waiting, std::vector<std::size_t>& possible) {
        for (const std::size_t operation : waiting) {
            if (--open_[operation] == 0) {
                possible.push_back(operation);
            }
        }
    }
    void end(std::size_t operation, std::vector<std::size_t>& possible) {
        release(operations()[operation].after_end, possible);
        ++ended_;
        ++kernel_.done_;
    }

    [[nodiscard]] bool matches(const GoalOperation& receive, std::size_t message) const {
        return (receive.peer == GoalOperation::kAny ||
                receive.peer == kernel_.messages_[message].source) &&
               (receive.tag == GoalOperation::kAny || receive.tag == kernel_.send_of(message).tag);
    }

    /// All events of this cycle: receives, which take no time, and at most one operation or message
    /// that occupies the thread.
    Step next_step() {
        const hw::Cycles now = processor().now();
        for (Ready& ready : ready_) {
            ready.is_later = false;
        }
        Step step{std::nullopt, arrived_.end()};
        for (bool is_free = true;;) {
            auto next = ready_.end();
            for (auto ready = ready_.begin(); ready != ready_.end(); ++ready) {
                const OperationKind kind = kind_of(ready->operation);
                if (!ready->is_later && (is_free || kind == OperationKind::kReceive) &&
                    (kind != OperationKind::kSend || now >= next_send_) &&
                    (next == ready_.end() || ready->order < next->order)) {
                    next = ready;
                }
            }
            const auto message = std::min_element(arrived_.begin(), arrived_.end(),
                                                  [](const Arrived& first, const Arrived& second) {
                                                      return first.order < second.order;
                                                  });
            if (is_free && message != arrived_.end() && now >= next_reception_ &&
                (next == ready_.end() || message->order < next->order)) {
                step.message = message;
                is_free = false;
                begin_reception(message->message, now);
            } else if (next == ready_.end()) {
                return step;
            } else {
                const std::size_t operation = next->operation;
                ready_.erase(next);
                is_free = begin(operation, now, is_free, step);
            }
        }
    }

    /// Begins an operation. Returns whether the thread is still free.
    bool begin(std::size_t index, hw::Cycles now, bool is_free, Step& step) {
        const GoalOperation& operation = operations()[index];
        std::vector<std::size_t> possible;
        release(operation.after_start, possible);
        if (operation.kind == OperationKind::kReceive) {
            const auto found =
                std::find_if(unexpected_.begin(), unexpected_.end(),
                             [&](std::size_t message) { return matches(operation, message); });
            if (found == unexpected_.end()) {
                posted_.push_back(index);
            } else {
                unexpected_.erase(found);
                end(index, possible);
            }
            add_ready(possible, now, !is_free);
            return is_free;
        }
        const bool takes_time = operation.kind == OperationKind::kSend || operation.amount > 0;
        end(index, possible);
        if (operation.kind == OperationKind::kSend) {
            next_send_ = now + kernel_.parameters_.gap_cycles.value();
        }
        if (takes_time) {
            step.operation = index;
        }
        add_ready(possible, now, takes_time);
        return !takes_time;
    }

    void begin_reception(std::size_t message, hw::Cycles now) {
        next_reception_ = now + kernel_.parameters_.gap_cycles.value();
        const auto found = std::find_if(posted_.begin(), posted_.end(), [&](std::size_t receive) {
            return matches(operations()[receive], message);
        });
        if (found == posted_.end()) {
            unexpected_.push_back(message);
            return;
        }
        std::vector<std::size_t> possible;
        const std::size_t receive = *found;
        posted_.erase(found);
        end(receive, possible);
        add_ready(possible, now, true);
    }

    Task perform(std::size_t index) {
        const GoalOperation& operation = operations()[index];
        if (operation.kind == OperationKind::kCalculate) {
            co_await processor().compute(hw::Cycles(operation.amount));
            co_return;
        }
        const auto message =
            static_cast<std::uint32_t>(kernel_.first_messages_[self_] + sends_before(index));
        const auto since = static_cast<std::uint32_t>(processor().now().count());
        const hw::NodeId destination(static_cast<std::int32_t>(operation.peer));
        const std::uint32_t bytes =
            kernel_.parameters_.bodies.value() ? body_of(operation.amount) : 0;
        if (bytes == 0) {
            co_await messages().send(destination, arrive_, {message, since});
        } else {
            co_await messages().send_body(destination, arrive_, {message, since}, {0, bytes});
        }
    }

    [[nodiscard]] std::size_t sends_before(std::size_t index) {
        if (send_numbers_.empty()) {
            std::size_t sends = 0;
            for (const GoalOperation& operation : operations()) {
                send_numbers_.push_back(sends);
                sends += operation.kind == OperationKind::kSend ? 1 : 0;
            }
        }
        return send_numbers_[index];
    }

    Task take(std::list<Arrived>::iterator message) {
        co_await processor().compute(kernel_.parameters_.receive_cycles.value());
        if (!message->stored) {
            co_await messages().wait_stored(message->stored);
        }
        arrived_.erase(message);
        ++taken_;
    }

    /// Waits until a message arrives, or the gap of a send or reception has passed.
    Task wait() {
        const bool has_sends =
            std::any_of(ready_.begin(), ready_.end(), [this](const Ready& ready) {
                return kind_of(ready.operation) == OperationKind::kSend;
            });
        const hw::Cycles now = processor().now();
        if (has_sends) {
            // A message may become the next step before the gap has passed.
            co_await processor().wait_until(now + hw::Cycles(1));
        } else if (!arrived_.empty()) {
            co_await processor().wait_until(next_reception_);
        } else {
            has_arrived_ = false;
            co_await processor().wait_for(has_arrived_);
        }
    }

    Task arrive() {
        const std::uint32_t message = co_await messages().argument(0);
        const std::uint32_t since = co_await messages().argument(1);
        const auto now = static_cast<std::uint32_t>(processor().now().count());
        const hw::Cycles sent = processor().now() - hw::Cycles(now - since);
        const std::int32_t source = kernel_.messages_[message].source;
        Arrived& arrived = arrived_.emplace_back(Arrived{message, {sent, source, arrivals_++}});
        if (kernel_.parameters_.bodies.value() && kernel_.send_of(message).amount > 0) {
            arrived.stored = false;
            co_await messages().receive_body(kernel_.body_bytes_, arrived.stored);
        }
        has_arrived_ = true;
    }

    std::vector<std::size_t> open_;  ///< requirements of each operation that are not yet met
    std::vector<std::size_t> send_numbers_;
    std::vector<Ready> ready_;
    std::list<Arrived> arrived_;
    std::vector<std::size_t> posted_;      ///< receives that wait for their message
    std::vector<std::size_t> unexpected_;  ///< messages taken before their receive
    std::size_t became_ready_ = 0;
    std::size_t arrivals_ = 0;
    std::size_t ended_ = 0;
    std::size_t taken_ = 0;
    hw::Cycles next_send_{0};
    hw::Cycles next_reception_{0};
    bool has_arrived_ = false;
    ActiveMessages::HandlerAddress arrive_ = messages().add_handler([this] { return arrive(); });
};

void Goal::prepare(const nodes::MachineShape& machine, std::uint64_t /*seed*/,
                   nodes::MemoryAccess& /*memory*/) {
    start<Program>(*this, machine);
    const std::string path = parameters_.schedule.value();
    schedule_ = path.empty() ? goal_ring(node_count_) : read_goal(path);
    if (schedule_.size() > static_cast<std::size_t>(node_count_)) {
        throw InputFault(path,
                         fmt::format("has {} ranks on {} nodes", schedule_.size(), node_count_),
                         fmt::format("at most {} ranks, or a larger machine.nodes", node_count_));
    }
    arrivals_.assign(schedule_.size(), 0);
    finish_cycles_.assign(schedule_.size(), hw::Cycles(0));
    std::int64_t longest = 0;
    for (std::size_t rank = 0; rank < schedule_.size(); ++rank) {
        first_messages_.push_back(messages_.size());
        operations_ += schedule_[rank].size();
        for (std::size_t i = 0; i < schedule_[rank].size(); ++i) {
            const GoalOperation& operation = schedule_[rank][i];
            if (operation.kind == OperationKind::kSend) {
                messages_.push_back({static_cast<std::int32_t>(rank), i});
                ++arrivals_[operation.peer];
                longest = std::max(longest, operation.amount);
            }
        }
    }
    if (messages_.size() > std::numeric_limits<std::uint32_t>::max()) {
        throw InputFault(path, fmt::format("has {} messages", messages_.size()),
                         "at most 4294967295");
    }
    if (parameters_.bodies.value() && 2 * std::int64_t{body_of(longest)} >
                                          static_cast<std::int64_t>(machine.memory_bytes.count())) {
        throw InputFault(
            path,
            fmt::format("has a message of {} bytes, and a node's memory two buffers in "
                        "{} bytes",
                        longest, machine.memory_bytes.count()),
            "shorter messages, or a larger memory.bytes");
    }
    body_bytes_ = body_of(longest);
}

std::optional<std::string> Goal::check(nodes::MemoryAccess& /*memory*/) {
    if (done_ != static_cast<std::int64_t>(operations_)) {
        return fmt::format("{} of {} operations ended", static_cast<std::int64_t>(done_),
                           operations_);
    }
    return std::nullopt;
}

}  // namespace weir::firmware
