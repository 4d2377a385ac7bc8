#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernel.h"
#include "hw/random_stream.h"

namespace weir::firmware {

/// Linked lists chased over the machine, by requests that visit several nodes before their reply
/// ("multi-hop", LoPC Appendix A).
///
/// Each node's thread owns a list whose elements lie in other nodes' memories, a random other node
/// for each, and is closed to a ring. An element is three words: the next one's node and address,
/// and a number. The thread repeatedly works, sends a request to where it has come to in its list,
/// and waits for the reply. The handler of a request adds the number of its element and hands the
/// request on to the next element's node, or, at the last of visits_per_request, replies with the
/// sum and where to go on. Two elements that one request visits in turn are on different nodes, so
/// that each visit takes a message, and every node is as likely to be visited as any other but the
/// asking one and the one before.
///
/// The check: the sum of every request, in its node's memory, is that of a walk along the same list
/// on one machine.
class PointerChase final : public Kernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload", "pointer-chase: lists over all nodes are chased") {}

        hw::Parameter<std::int64_t> requests{
            *this, "requests", 400, {1, 1'000'000}, "Requests each node makes"};
        hw::Parameter<std::int64_t> visits_per_request{
            *this,
            "visits_per_request",
            4,
            {1, 1000},
            "Elements, and so nodes, that a request visits before its reply",
            "LoPC Appendix A: the sum of a row of V"};
        hw::Parameter<std::int64_t> elements{
            *this, "elements", 1000, {1, 1'000'000}, "Elements of each node's list, a ring"};
        hw::Parameter<hw::Cycles> work_cycles{
            *this, "work_cycles", 0, {0, 1'000'000'000}, "Work between requests (W)"};
        hw::Parameter<hw::Cycles> handler_work_cycles{
            *this,
            "handler_work_cycles",
            0,
            {0, 1'000'000},
            "Cycles each handler works beyond its accesses and what the message itself costs"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] hw::ParameterBase* steady_state_length() override {
        return &parameters_.requests;
    }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] std::vector<std::string> sending_handlers() const override { return {"visit"}; }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.visits_per_request = static_cast<double>(parameters_.visits_per_request.value())};
    }
    [[nodiscard]] double progress() const override {
        return static_cast<double>(done_) /
               static_cast<double>(parameters_.requests.value() * node_count_);
    }

  private:
    class Program;
    /// Where an element is.
    struct Pointer {
        std::uint32_t node = 0;
        std::uint32_t address = 0;
    };
    struct Element {
        Pointer here;
        std::uint32_t number = 0;
    };

    [[nodiscard]] std::vector<std::uint32_t> places_of(std::int32_t owner,
                                                       hw::RandomStream& stream) const;
    /// Of a node's sums, one a request, at the begin of its memory.
    [[nodiscard]] std::uint32_t sums_bytes() const;

    Parameters parameters_;
    std::int32_t node_count_ = 0;
    std::vector<std::vector<Element>> lists_;  // by the node that owns them, in their order
    SharedCount done_ = 0;                     // requests of all nodes
};

}  // namespace weir::firmware
