#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"
#include "firmware/kernels/goal/goal_schedule.h"
#include "hw/units.h"

namespace weir::firmware {

/// Replay of an application's messages: a GOAL schedule of LogGOPSim (Hoefler, Schneider,
/// Lumsdaine: LogGOPSim, LSAP 2010). Node r executes the operations of rank r.
///
/// The thread of a node is the schedule's runtime. When it is free it begins the next operation
/// whose requirements are met, or takes the next message that has arrived:
/// - calc computes for its cycles.
/// - send composes and launches a message; its end is the end of the launch.
/// - recv takes no time. It matches the oldest unmatched message of its source and tag, or waits
///   for one. It ends when the thread takes this message.
/// - Taking a message costs receive_cycles, whether or not a recv waits for it. The interrupt of
///   its handler, which stores it in the runtime's queue, is the machine's.
///
/// Among several operations and messages, the one that became possible first is next. An operation
/// becomes possible when its last requirement is met, a message when its send begins. This is the
/// order of LogGOPSim's events. Between equals the lower rank is first, then send before recv
/// before calc, then the file's order.
///
/// On LogP's abstract machine a node finishes in the cycle that LogGOPSim's rules give with
/// G = O = 0 and S above the longest message. This needs launch_cycles = receive_cycles = o,
/// gap_cycles = g, handlers without cost, and a capacity limit that never stalls a launch.
class Goal final : public BuiltInKernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "goal: replay of a schedule of LogGOPSim") {}

        hw::Parameter<hw::FilePath> schedule{
            *this,
            "schedule",
            "",
            {},
            "GOAL schedule in LogGOPSim's textual form. Empty: each node sends 8 bytes to the next "
            "one"};
        hw::Parameter<bool> bodies{
            *this,
            "bodies",
            true,
            {},
            "Whether the bytes of a message travel as its body, which DMA engines move. false: "
            "messages have two argument words and no body, whatever their length"};
        hw::Parameter<hw::Cycles> receive_cycles{
            *this,
            "receive_cycles",
            0,
            {0, 1'000'000},
            "Time of the thread to take a message, in addition to the machine's interrupt",
            "LogP's o on its abstract machine"};
        hw::Parameter<hw::Cycles> gap_cycles{
            *this,
            "gap_cycles",
            0,
            {0, 1'000'000},
            "Smallest time from the begin of a node's send to the begin of its next one, and "
            "between the begins of two receptions. The thread does other operations meanwhile",
            "LogP's g on its abstract machine"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] bool sends_bodies() const override { return parameters_.bodies.value(); }
    [[nodiscard]] double work() const override { return static_cast<double>(operations_); }

    /// Cycle in which each rank finished its last operation or took its last message; 0 for a rank
    /// without either. Call after the run.
    [[nodiscard]] const std::vector<hw::Cycles>& finish_cycles() const { return finish_cycles_; }

  private:
    class Program;
    struct Message {
        std::int32_t source = 0;
        std::size_t operation = 0;  ///< the send, in the source's schedule
    };

    [[nodiscard]] const GoalOperation& send_of(std::size_t message) const {
        return schedule_[messages_[message].source][messages_[message].operation];
    }

    Parameters parameters_;
    GoalSchedule schedule_;
    std::vector<Message> messages_;
    std::vector<std::size_t> first_messages_;  ///< number of each rank's first message
    std::vector<std::size_t> arrivals_;        ///< number of messages sent to each rank
    std::vector<hw::Cycles> finish_cycles_;
    std::uint32_t body_bytes_ = 0;  ///< length of the longest body; the receive buffer follows
    std::size_t operations_ = 0;
};

}  // namespace weir::firmware
