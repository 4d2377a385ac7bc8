#include "firmware/kernels/shared_latencies/shared_latencies.h"

#include <algorithm>
#include <array>

#include "firmware/shared_memory.h"

namespace weir::firmware {

using nodes::Task;

namespace {

constexpr std::int32_t kHome = 0;
constexpr std::int32_t kNeighbour = 1;
constexpr std::int32_t kFirstOfOthers = 2;
constexpr std::int32_t kMostReaders = 6;
// Time between steps: longer than any access with Alewife's parameters, so that accesses do not
// overlap.
constexpr hw::Cycles kStep(10'000);

}  // namespace

const std::vector<SharedLatencies::Scenario>& SharedLatencies::scenarios() {
    static const std::vector<Scenario> all{
        {.name = "load_local", .from_home = true},
        {.name = "load_remote"},
        {.name = "load_changed_at_home", .writer = kHome},
        {.name = "load_changed_elsewhere", .writer = kFirstOfOthers},
        {.name = "load_sixth_reader", .readers = 5},
        {.name = "store_local", .is_store = true, .from_home = true},
        {.name = "store_local_one_copy", .is_store = true, .from_home = true, .readers = 1},
        {.name = "store_remote", .is_store = true},
        {.name = "store_changed_at_home", .is_store = true, .writer = kHome},
        {.name = "store_changed_elsewhere", .is_store = true, .writer = kFirstOfOthers},
        {.name = "store_five_copies", .is_store = true, .readers = 5},
        {.name = "store_six_copies", .is_store = true, .readers = kMostReaders},
    };
    return all;
}

class SharedLatencies::Program final : public ProgramOf<SharedLatencies> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        processor().trace_mark(kProgramBegins, 0);
        const std::size_t rounds = kernel_.parameters_.rounds.value();
        for (std::size_t i = 0; i < kernel_.lines_.size(); ++i) {
            co_await do_step(scenarios()[i / rounds], kernel_.lines_[i]);
        }
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    // Prepares one line for one kind of access, and makes the access. Each participating node acts
    // at a time of its own.
    Task do_step(const Scenario& scenario, std::uint32_t line) {
        const std::int32_t self = processor().node().index();
        for (std::int32_t turn = 0; turn < kMostReaders; ++turn) {
            const bool reads = turn < scenario.readers && self == kFirstOfOthers + turn;
            if (reads) {
                co_await processor().load(line);
            } else if (turn == 0 && self == scenario.writer) {
                co_await processor().store(line, kStoredBefore);
            }
            co_await pass_time();
        }
        if (self == (scenario.from_home ? kHome : kNeighbour)) {
            co_await measure(scenario, line);
        }
        co_await pass_time();
    }

    Task measure(const Scenario& scenario, std::uint32_t line) {
        const std::string name = scenario.name;
        processor().trace_mark(name + " begins", 0);
        if (scenario.is_store) {
            co_await processor().store(line, kStored);
        } else {
            const std::uint32_t value = co_await processor().load(line);
            if (value != (scenario.writer < 0 ? 0 : kStoredBefore)) {
                kernel_.wrong_ = name + " has loaded " + std::to_string(value);
            }
        }
        processor().trace_mark(name + " ends", 0);
        ++kernel_.done_;
    }

    Task pass_time() {
        next_ += kStep;
        co_await processor().wait_until(next_);
    }

    hw::Cycles next_{0};
};

void SharedLatencies::prepare(const nodes::MachineShape& machine, std::uint64_t /*seed*/,
                              nodes::MemoryAccess& /*memory*/) {
    start<Program>(*this, machine);
    if (machine.node_count() < kFirstOfOthers + kMostReaders) {
        throw InputFault("machine.nodes", "found " + std::to_string(machine.node_count()),
                         "at least " + std::to_string(kFirstOfOthers + kMostReaders) +
                             ": the home, its neighbour and six nodes with copies");
    }
    SharedAllocator allocator(machine);
    const std::size_t rounds = parameters_.rounds.value();
    lines_.clear();
    lines_.reserve(scenarios().size() * rounds);
    for (std::size_t i = 0; i < scenarios().size() * rounds; ++i) {
        lines_.push_back(allocator.line(hw::NodeId(kHome)));
    }
}

std::optional<std::string> SharedLatencies::check(nodes::MemoryAccess& memory) {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t line : lines_) {
        std::array<std::uint32_t, 1> word{};
        memory.read<std::uint32_t>(hw::NodeId(kHome), line, word);
        found.push_back(word[0]);
    }
    const auto fault = fault_of(found);
    return fault ? fault : wrong_;
}

std::optional<std::string> SharedLatencies::fault_of(
    const std::vector<std::uint32_t>& found) const {
    const std::size_t rounds = parameters_.rounds.value();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const Scenario& scenario = scenarios()[i / rounds];
        if (scenario.is_store && found.at(i) != kStored) {
            return std::string(scenario.name) + " has left " + std::to_string(found[i]);
        }
    }
    return std::nullopt;
}

bool CompiledSharedLatencies::is_mark(const std::string& text) const {
    const auto& all = SharedLatencies::scenarios();
    return std::any_of(all.begin(), all.end(), [&](const SharedLatencies::Scenario& scenario) {
        const std::string name = scenario.name;
        return text == name + " begins" || text == name + " ends";
    });
}

void CompiledSharedLatencies::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                         ImageMemory& memory) {
    NoMemory nowhere;
    twin().prepare(machine, seed, nowhere);
    std::vector<std::uint32_t> words{static_cast<std::uint32_t>(workload().rounds.value())};
    for (const SharedLatencies::Scenario& scenario : SharedLatencies::scenarios()) {
        words.insert(words.end(), {scenario.is_store ? 1U : 0U, scenario.from_home ? 1U : 0U,
                                   static_cast<std::uint32_t>(scenario.readers),
                                   static_cast<std::uint32_t>(scenario.writer)});
    }
    for (std::int32_t node = 0; node < machine.node_count(); ++node) {
        memory.write_words(hw::NodeId(node), "weir_parameters", words);
    }
}

std::optional<std::string> CompiledSharedLatencies::check_answer(ImageMemory& memory) {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t line : twin().lines()) {
        found.push_back(memory.read_words(hw::NodeId(0), line, 1).front());
    }
    return twin().fault_of(found);
}

}  // namespace weir::firmware
