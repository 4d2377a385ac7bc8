#include "experiments/models/lopc/testing/lopc_abstract_machine.h"

#include <deque>
#include <queue>
#include <random>
#include <tuple>

namespace weir::experiments::models {
namespace {

struct Message {
    bool is_reply = false;
    std::size_t thread = 0;
    double arrival = 0.0;
};

enum class What { kArrival, kHandlerEnds, kThreadEnds };

struct Event {
    double time;
    std::uint64_t order;  // number of the event; orders events at equal times
    What what;
    std::size_t node;
    Message message;
    // Only for kThreadEnds: number of the thread's run; the event is void if the run has changed
    // since.
    std::uint64_t run = 0;

    bool operator>(const Event& other) const {
        return std::tie(time, order) > std::tie(other.time, other.order);
    }
};

struct Node {
    std::deque<Message> handlers;  // FIFO; the first is in service
    bool thread_works = false;     // the thread has work left; it runs or is interrupted
    bool thread_runs = false;
    double work_left = 0.0;
    double running_since = 0.0;
    double turn_began = 0.0;
    std::uint64_t run = 0;
};

class Machine {
  public:
    explicit Machine(const LopcAbstractMachine& machine)
        : machine_(machine), nodes_(machine.visits.processors()), random_(machine.seed) {
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const double* row = machine.visits.row(i);
            if (machine.visits.visits_per_request(i) == 0.0) {
                destinations_.emplace_back();  // this thread makes no requests
            } else {
                destinations_.emplace_back(row, row + nodes_.size());
                ++asking_;
                begin_turn(i);
            }
        }
    }

    LopcMeasured run() {
        const long all = static_cast<long>(machine_.turns) * asking_;
        while (turns_ < all) {
            if (turns_ == all / 10 && !measuring_) {
                measuring_ = true;
                began_ = now_;
                measured_ = {};
                measured_turns_ = 0;
            }
            const Event event = events_.top();
            events_.pop();
            now_ = event.time;
            handle(event);
        }
        const auto count = static_cast<double>(measured_turns_);
        return {.response_cycles = measured_.response_cycles / count,
                .thread_response_cycles = measured_.thread_response_cycles / count,
                .request_response_cycles = measured_.request_response_cycles / count,
                .reply_response_cycles = measured_.reply_response_cycles / count,
                .requests_per_cycle = count / (now_ - began_)};
    }

  private:
    double draw(double mean, bool exponential) {
        return exponential ? mean * std::exponential_distribution<double>()(random_) : mean;
    }

    void plan(double after, What what, std::size_t node, Message message = {},
              std::uint64_t run = 0) {
        events_.push({now_ + after, order_++, what, node, message, run});
    }

    void send(std::size_t from, std::size_t to, Message message) {
        const double trip = machine_.trip_cycles(from, to);
        message.arrival = now_ + trip;
        plan(trip, What::kArrival, to, message);
    }

    void begin_turn(std::size_t i) {
        Node& node = nodes_[i];
        const double work =
            machine_.work_cycles.size() == 1 ? machine_.work_cycles[0] : machine_.work_cycles[i];
        node.work_left = draw(work, machine_.exponential_work) + machine_.send_overhead_cycles;
        node.thread_works = true;
        node.turn_began = now_;
        resume(i);
    }

    void resume(std::size_t i) {
        Node& node = nodes_[i];
        if (node.thread_works && !node.thread_runs &&
            (machine_.protocol_processor || node.handlers.empty())) {
            node.thread_runs = true;
            node.running_since = now_;
            plan(node.work_left, What::kThreadEnds, i, {}, ++node.run);
        }
    }

    void interrupt(std::size_t i) {
        Node& node = nodes_[i];
        if (node.thread_runs && !machine_.protocol_processor) {
            node.thread_runs = false;
            node.work_left -= now_ - node.running_since;
            ++node.run;
        }
    }

    void start_handler(std::size_t i) {
        const Message& message = nodes_[i].handlers.front();
        const double mean =
            machine_.handler_cycles + (message.is_reply ? 0.0 : machine_.send_overhead_cycles);
        plan(draw(mean, machine_.exponential_handlers), What::kHandlerEnds, i);
    }

    void handle(const Event& event) {
        Node& node = nodes_[event.node];
        switch (event.what) {
            case What::kArrival:
                node.handlers.push_back(event.message);
                if (node.handlers.size() == 1) {
                    interrupt(event.node);
                    start_handler(event.node);
                }
                break;
            case What::kHandlerEnds:
                end_handler(event.node);
                break;
            case What::kThreadEnds:
                if (event.run == node.run && node.thread_runs) {
                    end_work(event.node);
                }
                break;
        }
    }

    void end_handler(std::size_t i) {
        Node& node = nodes_[i];
        const Message message = node.handlers.front();
        node.handlers.pop_front();
        const double took = now_ - message.arrival;
        if (message.is_reply) {
            measured_.reply_response_cycles += took;
            measured_.response_cycles += now_ - node.turn_began;
            ++measured_turns_;
            ++turns_;
            begin_turn(i);
        } else {
            measured_.request_response_cycles += took;
            send(i, message.thread, {.is_reply = true, .thread = message.thread});
        }
        if (!node.handlers.empty()) {
            start_handler(i);
        }
        resume(i);
    }

    void end_work(std::size_t i) {
        Node& node = nodes_[i];
        node.thread_works = node.thread_runs = false;
        measured_.thread_response_cycles += now_ - node.turn_began;
        send(i, destinations_[i](random_), {.is_reply = false, .thread = i});
    }

    const LopcAbstractMachine& machine_;
    std::vector<Node> nodes_;
    std::vector<std::discrete_distribution<std::size_t>> destinations_;
    std::mt19937_64 random_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    double now_ = 0.0;
    double began_ = 0.0;
    std::uint64_t order_ = 0;
    long asking_ = 0;
    long turns_ = 0;
    long measured_turns_ = 0;
    bool measuring_ = false;
    LopcMeasured measured_;
};

}  // namespace

LopcMeasured run_lopc_abstract_machine(const LopcAbstractMachine& machine) {
    return Machine(machine).run();
}

}  // namespace weir::experiments::models
