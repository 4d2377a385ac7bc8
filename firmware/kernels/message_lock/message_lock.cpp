#include "firmware/kernels/message_lock/message_lock.h"

#include <array>

#include "firmware/kernels/shared_lock/counter_check.h"

namespace weir::firmware {

using nodes::Task;

namespace {

constexpr hw::NodeId kLockHome{0};

// Addresses of words in the home's memory. Nodes that wait for the lock are in a ring buffer with
// one entry for each node. Two positions only increase: that of the first waiting node, and that
// behind the last one. These positions are equal if no node waits.
constexpr std::uint32_t kCounter = 0;
constexpr std::uint32_t kIsTaken = 4;
constexpr std::uint32_t kFirstInLine = 8;
constexpr std::uint32_t kBehindLastInLine = 12;
constexpr std::uint32_t kRing = 16;

}  // namespace

class MessageLock::Program final : public ProgramOf<MessageLock> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        const Parameters& parameters = kernel_.parameters_;
        nodes::Processor& core = processor();
        const auto self = static_cast<std::uint32_t>(core.node().index());
        const bool locks = parameters.method.value() == Method::kLock;
        core.trace_mark(kProgramBegins, 0);
        for (std::int64_t i = 0; i < parameters.acquisitions.value(); ++i) {
            is_answered_ = false;
            co_await messages().send(kLockHome, locks ? ask_ : add_, {self});
            co_await core.wait_for(is_answered_);
            if (locks) {
                co_await core.compute(parameters.inside_cycles.value());
                co_await messages().send(kLockHome, release_, {count_ + 1});
            }
            co_await core.compute(parameters.outside_cycles.value());
            ++kernel_.done_;
        }
        core.trace_mark(kProgramEnds, 0);
    }

  private:
    // Handler at the home: grants the lock, or adds the requester to the queue.
    Task ask() {
        nodes::Processor& core = processor();
        const std::uint32_t who = co_await messages().argument(0);
        const std::uint32_t is_taken = co_await core.load(kIsTaken);
        if (is_taken != 0) {
            const std::uint32_t behind_last = co_await core.load(kBehindLastInLine);
            co_await core.store(place(behind_last), who);
            co_await core.store(kBehindLastInLine, behind_last + 1);
            co_return;
        }
        co_await core.store(kIsTaken, 1);
        const std::uint32_t count = co_await core.load(kCounter);
        co_await grant(who, count);
    }

    // Handler at the home: takes back the counter, and passes it with the lock to the first node in
    // the queue.
    Task release() {
        nodes::Processor& core = processor();
        const std::uint32_t count = co_await messages().argument(0);
        co_await core.store(kCounter, count);
        const std::uint32_t first = co_await core.load(kFirstInLine);
        const std::uint32_t behind_last = co_await core.load(kBehindLastInLine);
        if (first == behind_last) {
            co_await core.store(kIsTaken, 0);
            co_return;
        }
        const std::uint32_t who = co_await core.load(place(first));
        co_await core.store(kFirstInLine, first + 1);
        co_await grant(who, count);
    }

    [[nodiscard]] std::uint32_t place(std::uint32_t index) const {
        return kRing + 4 * (index % static_cast<std::uint32_t>(kernel_.node_count_));
    }

    Task grant(std::uint32_t who, std::uint32_t count) {
        co_await messages().send(hw::NodeId(static_cast<std::int32_t>(who)), answer_, {count});
    }

    // Handler at the home: performs the addition.
    Task add() {
        const std::uint32_t who = co_await messages().argument(0);
        const std::uint32_t count = co_await processor().load(kCounter);
        co_await processor().compute(kernel_.parameters_.inside_cycles.value());
        co_await processor().store(kCounter, count + 1);
        co_await grant(who, count);
    }

    // Handler at the requester: takes the counter's value, and ends the wait for the answer.
    Task answer() {
        count_ = co_await messages().argument(0);
        is_answered_ = true;
    }

    ActiveMessages::HandlerAddress ask_ = messages().add_handler([this] { return ask(); });
    ActiveMessages::HandlerAddress release_ = messages().add_handler([this] { return release(); });
    ActiveMessages::HandlerAddress add_ = messages().add_handler([this] { return add(); });
    ActiveMessages::HandlerAddress answer_ = messages().add_handler([this] { return answer(); });
    std::uint32_t count_ = 0;  // the counter's value from the answer
    bool is_answered_ = false;
};

void MessageLock::prepare(const nodes::MachineShape& machine, std::uint64_t /*seed*/,
                          nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    const std::vector<std::uint32_t> nothing(kRing / 4 + node_count_);
    memory.write<std::uint32_t>(kLockHome, kCounter, nothing);
}

std::optional<std::string> MessageLock::check(nodes::MemoryAccess& memory) {
    std::array<std::uint32_t, 1> counted{};
    memory.read<std::uint32_t>(kLockHome, kCounter, counted);
    return counter_fault(counted[0], all_additions());
}

}  // namespace weir::firmware
