#include "experiments/models/lopc/testing/shared_memory_abstract_machine.h"

#include <algorithm>
#include <queue>
#include <random>
#include <tuple>
#include <vector>

namespace weir::experiments::models {
namespace {

enum class Step { kThreadEnds, kAtDirectory, kServed, kTrapped, kAtRequester, kFilled };

struct SharedEvent {
    double time;
    std::uint64_t order;
    Step what;
    std::size_t thread;
    std::size_t home = 0;
    // Only for kThreadEnds: number of the thread's run; the event is void if the run has changed
    // since.
    std::uint64_t run = 0;

    bool operator>(const SharedEvent& other) const {
        return std::tie(time, order) > std::tie(other.time, other.order);
    }
};

struct SharedNode {
    double directory_free = 0.0;
    double processor_free = 0.0;
    double channel_free = 0.0;
    bool thread_works = false;
    double thread_end = 0.0;
    double turn_began = 0.0;
    std::uint64_t run = 0;
    bool traps = false;  // whether the thread's request traps
};

class SharedMachine {
  public:
    SharedMachine(const LopcSharedMemoryInputs& inputs, bool exponential_work, std::uint64_t seed)
        : inputs_(inputs),
          exponential_work_(exponential_work),
          nodes_(inputs.visits.processors()),
          random_(seed) {
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const double* row = inputs.visits.row(i);
            if (inputs.visits.visits_per_request(i) == 0.0) {
                homes_.emplace_back();
            } else {
                homes_.emplace_back(row, row + nodes_.size());
                ++asking_;
                begin_turn(i);
            }
        }
    }

    SharedMemoryMeasured run(int turns) {
        const long all = static_cast<long>(turns) * asking_;
        double began = 0.0;
        bool measuring = false;
        while (turns_ < all) {
            if (turns_ >= all / 10 && !measuring) {
                measuring = true;
                began = now_;
                measured_ = {};
                thread_ends_ = trapped_ = hardware_ = 0;
            }
            const SharedEvent event = events_.top();
            events_.pop();
            now_ = event.time;
            handle(event);
        }
        const auto mean = [](double sum, long count) {
            return count == 0 ? 0.0 : sum / static_cast<double>(count);
        };
        return {.response_cycles =
                    static_cast<double>(asking_) * mean(now_ - began, trapped_ + hardware_),
                .thread_response_cycles = mean(measured_.thread_response_cycles, thread_ends_),
                .hardware_response_cycles = mean(measured_.hardware_response_cycles, hardware_),
                .trapped_response_cycles = mean(measured_.trapped_response_cycles, trapped_)};
    }

  private:
    void plan(double time, Step what, std::size_t thread, std::size_t home = 0) {
        events_.push({time, order_++, what, thread, home, nodes_[thread].run});
    }

    // Serves first come first served. Returns the end of the service.
    double serve(double& free, double cycles) const {
        free = std::max(free, now_) + cycles;
        return free;
    }

    void begin_turn(std::size_t i) {
        SharedNode& node = nodes_[i];
        const double work = exponential_work_ ? inputs_.work_cycles *
                                                    std::exponential_distribution<double>()(random_)
                                              : inputs_.work_cycles;
        node.turn_began = now_;
        node.thread_works = true;
        node.thread_end = std::max(node.processor_free, now_) + work;
        ++node.run;
        plan(node.thread_end, Step::kThreadEnds, i);
    }

    void trap(std::size_t home) {
        SharedNode& node = nodes_[home];
        if (node.thread_works) {
            node.thread_end += inputs_.trap_cycles;
            ++node.run;
            plan(node.thread_end, Step::kThreadEnds, home);
        }
    }

    void handle(const SharedEvent& event) {
        SharedNode& thread = nodes_[event.thread];
        SharedNode& home = nodes_[event.home];
        switch (event.what) {
            case Step::kThreadEnds:
                if (event.run == thread.run && thread.thread_works) {
                    end_work(event.thread);
                }
                break;
            case Step::kAtDirectory:
                plan(serve(home.directory_free, inputs_.directory_cycles),
                     thread.traps ? Step::kTrapped : Step::kServed, event.thread, event.home);
                break;
            case Step::kTrapped:
                trap(event.home);
                plan(serve(home.processor_free, inputs_.trap_cycles) -
                         inputs_.trap_after_reply_cycles,
                     Step::kServed, event.thread, event.home);
                break;
            case Step::kServed:
                plan(serve(home.channel_free, inputs_.reply_channel_cycles) -
                         inputs_.reply_channel_cycles + inputs_.network_cycles,
                     Step::kAtRequester, event.thread);
                break;
            case Step::kAtRequester:
                plan(serve(thread.directory_free, inputs_.fill_cycles), Step::kFilled,
                     event.thread);
                break;
            case Step::kFilled:
                end_turn(event.thread);
                break;
        }
    }

    void end_work(std::size_t i) {
        SharedNode& node = nodes_[i];
        node.thread_works = false;
        measured_.thread_response_cycles += now_ - node.turn_began;
        ++thread_ends_;
        node.traps = std::bernoulli_distribution(inputs_.trapped_share)(random_);
        plan(now_ + inputs_.network_cycles, Step::kAtDirectory, i, homes_[i](random_));
    }

    void end_turn(std::size_t i) {
        const SharedNode& node = nodes_[i];
        (node.traps ? measured_.trapped_response_cycles : measured_.hardware_response_cycles) +=
            now_ - node.turn_began;
        ++(node.traps ? trapped_ : hardware_);
        ++turns_;
        begin_turn(i);
    }

    const LopcSharedMemoryInputs& inputs_;
    const bool exponential_work_;
    std::vector<SharedNode> nodes_;
    std::vector<std::discrete_distribution<std::size_t>> homes_;
    std::mt19937_64 random_;
    std::priority_queue<SharedEvent, std::vector<SharedEvent>, std::greater<>> events_;
    double now_ = 0.0;
    std::uint64_t order_ = 0;
    long asking_ = 0;
    long turns_ = 0;
    long thread_ends_ = 0;
    long trapped_ = 0;
    long hardware_ = 0;
    SharedMemoryMeasured measured_;
};

}  // namespace

SharedMemoryMeasured run_shared_memory_abstract_machine(const LopcSharedMemoryInputs& machine,
                                                        int turns, bool exponential_work,
                                                        std::uint64_t seed) {
    return SharedMachine(machine, exponential_work, seed).run(turns);
}

}  // namespace weir::experiments::models
