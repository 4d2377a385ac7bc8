#include "experiments/models/logp/algorithms/summation.h"

#include <algorithm>
#include <queue>
#include <string>
#include <string_view>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/logp/algorithms/bulk_synchronous.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

constexpr std::int64_t kMostValues = 1'000'000'000'000;

void require_whole(std::string_view name, std::int64_t value, std::int64_t smallest,
                   std::int64_t largest) {
    if (value < smallest || value > largest) {
        throw ModelError(std::string(name) + " is " + std::to_string(value),
                         std::to_string(smallest) + " to " + std::to_string(largest));
    }
}

void check(const SummationMachine& machine) {
    require_whole("latency_cycles (L)", machine.latency_cycles, 0, kSummationLongestTime);
    require_whole("overhead_cycles (o)", machine.overhead_cycles, 0, kSummationLongestTime);
    require_whole("gap_cycles (g)", machine.gap_cycles, 0, kSummationLongestTime);
    require_whole("processors (P)", machine.processors, 1, kLogpMostProcessors);
}

/// Time from a child's completion to the end of the addition that uses its sum.
std::int64_t step_cycles(const SummationMachine& machine) {
    return machine.latency_cycles + 2 * machine.overhead_cycles + 1;
}

/// Time between two receptions of a processor, each with its addition.
std::int64_t interval_cycles(const SummationMachine& machine) {
    return std::max(machine.gap_cycles, machine.overhead_cycles + 1);
}

/// A processor of the pruned tree.
struct Member {
    int parent;
    std::int64_t completion_cycle;
};

/// The tree's processors by completion, latest first.
std::vector<Member> pruned_tree(const SummationMachine& machine, std::int64_t time_cycles) {
    struct Candidate {
        std::int64_t completion_cycle;
        int parent;
    };
    // If two candidates complete at the same time, the one with the earlier parent comes first.
    const auto is_done_sooner = [](const Candidate& left, const Candidate& right) {
        return left.completion_cycle != right.completion_cycle
                   ? left.completion_cycle < right.completion_cycle
                   : left.parent > right.parent;
    };
    std::priority_queue<Candidate, std::vector<Candidate>, decltype(is_done_sooner)> candidates(
        is_done_sooner);
    const auto propose = [&](std::int64_t completion_cycle, int parent) {
        // Otherwise the child costs its parent as much as it adds.
        if (completion_cycle > machine.overhead_cycles) {
            candidates.push({completion_cycle, parent});
        }
    };
    std::vector<Member> members{{-1, time_cycles}};
    propose(time_cycles - step_cycles(machine), 0);
    while (!candidates.empty() && static_cast<int>(members.size()) < machine.processors) {
        const Candidate next = candidates.top();
        candidates.pop();
        const int number = static_cast<int>(members.size());
        members.push_back({next.parent, next.completion_cycle});
        propose(next.completion_cycle - interval_cycles(machine), next.parent);
        propose(next.completion_cycle - step_cycles(machine), number);
    }
    return members;
}

std::int64_t values_of(const std::vector<Member>& members, std::int64_t overhead_cycles) {
    std::int64_t values = members.front().completion_cycle + 1;
    for (std::size_t i = 1; i < members.size(); ++i) {
        values += members[i].completion_cycle - overhead_cycles;
    }
    return values;
}

}  // namespace

SummationSchedule logp_optimal_summation(const SummationMachine& machine,
                                         std::int64_t time_cycles) {
    check(machine);
    require_whole("time_cycles (T)", time_cycles, 0, kSummationLongestTime);
    const std::vector<Member> members = pruned_tree(machine, time_cycles);
    SummationSchedule schedule{
        .time_cycles = time_cycles,
        .values = values_of(members, machine.overhead_cycles),
        .processors = {},
    };
    schedule.processors.reserve(members.size());
    for (const Member& member : members) {
        schedule.processors.push_back(
            {member.parent, member.completion_cycle, member.completion_cycle + 1, {}, {}});
    }
    // Backwards, since a parent's children are numbered in the reverse order of their receptions.
    for (std::size_t i = members.size() - 1; i > 0; --i) {
        SummingProcessor& parent = schedule.processors[members[i].parent];
        parent.children.push_back(static_cast<int>(i));
        parent.receive_cycles.push_back(members[i].completion_cycle + machine.overhead_cycles +
                                        machine.latency_cycles);
        // A reception and its addition replace o + 1 additions of local inputs.
        parent.local_inputs -= machine.overhead_cycles + 1;
    }
    return schedule;
}

std::int64_t logp_least_summation_cycles(const SummationMachine& machine, std::int64_t values) {
    check(machine);
    require_whole("values (n)", values, 1, kMostValues);
    // Bisection: the number of values grows with T, and one processor sums them in n - 1 cycles.
    std::int64_t too_short = -1;
    std::int64_t enough = values - 1;
    while (enough - too_short > 1) {
        const std::int64_t middle = too_short + (enough - too_short) / 2;
        const bool suffices =
            values_of(pruned_tree(machine, middle), machine.overhead_cycles) >= values;
        (suffices ? enough : too_short) = middle;
    }
    return enough;
}

std::int64_t logp_binomial_summation_cycles(const SummationMachine& machine, std::int64_t values) {
    check(machine);
    require_whole("values (n)", values, 1, kMostValues);
    const std::int64_t used = std::min<std::int64_t>(machine.processors, values);
    const std::int64_t local = quotient_rounded_up(values, used) - 1;
    if (used == 1) {
        return local;
    }
    const std::int64_t step = step_cycles(machine);
    return local + step + (rounds_of_doubling(used) - 1) * std::max(machine.gap_cycles, step);
}

namespace {

/// Common part of both summation models: the machine in whole cycles, since schedules fill the time
/// with additions, and the schedule.
class SummationModel : public Model {
  protected:
    using Model::Model;

    void declare_machine() {
        constexpr Limits kTimes = {0.0, static_cast<double>(kSummationLongestTime)};
        input(WEIR_NAMED(machine_, latency_cycles), "L", "Latency of a message in the network",
              kTimes);
        input(WEIR_NAMED(machine_, overhead_cycles), "o",
              "Processor time to send a message, and to receive one", kTimes);
        input(WEIR_NAMED(machine_, gap_cycles), "g",
              "Shortest time between two sends, or two receptions, of a processor", kTimes);
        input(WEIR_NAMED(machine_, processors), "P",
              "Largest number of processors that may take part", {1.0, kLogpMostProcessors});
    }
    void declare_processors_used() {
        output([this] { return schedule_.processors.size(); }, "processors_used", "",
               "Number of processors that take part, the root included", "Section 3.3");
    }

    void make_schedule(std::int64_t time_cycles) {
        schedule_ = logp_optimal_summation(machine_, time_cycles);
        for (std::size_t i = 0; i < schedule_.processors.size(); ++i) {
            const SummingProcessor& processor = schedule_.processors[i];
            const auto& receptions = processor.receive_cycles;
            processors_.add_numbers(i, processor.parent, processor.completion_cycle,
                                    processor.local_inputs, processor.children.size(),
                                    receptions.empty() ? -1 : receptions.front(),
                                    receptions.empty() ? -1 : receptions.back());
        }
    }

    SummationMachine machine_;
    SummationSchedule schedule_{};

  private:
    OutputTable processors_{
        *this,
        "schedule",
        "Inputs, receptions and completion of each processor",
        {{"processor", "number of the processor; 0 is the root"},
         {"parent", "processor that receives its partial sum; -1 for the root"},
         {"completion_cycle", "end of its additions, and start of the send of its partial sum"},
         {"local_inputs", "number of inputs from its own memory"},
         {"children", "number of partial sums that it receives"},
         {"first_receive_cycle", "start of its first reception; -1 if none"},
         {"last_receive_cycle", "start of its last reception; -1 if none"}},
        "Section 3.3, Figure 4"};
};

class MostValuesModel final : public SummationModel {
  public:
    MostValuesModel()
        : SummationModel("logp-summation",
                         "Largest number of values that can be summed in a given time",
                         kLogpPaper + "section 3.3 and Figure 4") {
        declare_machine();
        input(time_cycles_, "time_cycles", "T",
              "Time of the summation; an addition takes one cycle", {0.0, 1e10});
        output(WEIR_NAMED(schedule_, values), "n",
               "Largest number of values that can be summed in this time", "Section 3.3");
        output([this] { return time_cycles_ + 1; }, "one_processor_values", "",
               "Number of values that one processor sums in this time", "Section 3.3: T + 1");
        declare_processors_used();
    }

  private:
    void evaluate() override { make_schedule(time_cycles_); }

    std::int64_t time_cycles_ = -1;
};

class LeastTimeModel final : public SummationModel {
  public:
    LeastTimeModel()
        : SummationModel("logp-summation-time", "Shortest time to sum a given number of values",
                         kLogpPaper + "section 3.3") {
        declare_machine();
        input(values_, "values", "n", "Number of values to be summed", {1.0, 1e12});
        declare_bsp_barrier(*this, barrier_);
        output(WEIR_NAMED(schedule_, time_cycles), "T", "Shortest time to sum the values",
               "Section 3.3");
        output(schedule_.values, "most_values", "",
               "Largest number of values that can be summed in time_cycles");
        output(
            [this] { return logp_binomial_summation_cycles(machine_, values_); },
            "binomial_tree_cycles", "",
            "Time of the summation with evenly spread inputs and a binomial tree of partial sums");
        output([this] { return values_ - 1; }, "one_processor_cycles", "",
               "Time of the summation on one processor", "n - 1");
        output([this] { return pram_steps(); }, "pram_steps", "",
               "Number of steps of the summation on a PRAM",
               "Section 6.1: ceil(n/P) - 1 + ceil(log2 P)");
        output(
            bsp_.cycles, "bsp_cycles", "",
            "Time of the summation in the BSP model, with evenly spread inputs and the best fan-in",
            kBspEquation);
        output(bsp_.supersteps, "bsp_supersteps", "",
               "Number of supersteps of the summation in the BSP model");
        declare_processors_used();
    }

  private:
    void evaluate() override {
        make_schedule(logp_least_summation_cycles(machine_, values_));
        bsp_ = bsp_summation(
            bsp_machine_of({static_cast<double>(machine_.latency_cycles),
                            static_cast<double>(machine_.overhead_cycles),
                            static_cast<double>(machine_.gap_cycles), machine_.processors},
                           barrier_),
            values_);
    }

    [[nodiscard]] std::int64_t pram_steps() const {
        const std::int64_t used = std::min<std::int64_t>(machine_.processors, values_);
        return quotient_rounded_up(values_, used) - 1 + rounds_of_doubling(used);
    }

    std::int64_t values_ = 0;
    BspBarrier barrier_ = BspBarrier::kMessages;
    BspCost bsp_;
};

}  // namespace

std::unique_ptr<Model> logp_summation_model() { return std::make_unique<MostValuesModel>(); }

std::unique_ptr<Model> logp_summation_time_model() { return std::make_unique<LeastTimeModel>(); }

}  // namespace weir::experiments::models
