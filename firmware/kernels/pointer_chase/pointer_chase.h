#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"
#include "hw/random_stream.h"

namespace weir::firmware {

/// Linked lists over the whole machine, traversed by requests that visit several nodes before their
/// reply ("multi-hop", LoPC Appendix A).
///
/// Each node's thread owns a list, closed to a ring, whose elements are in the memories of randomly
/// chosen other nodes. An element has three words: node and address of the next element, and a
/// number. The thread repeatedly works, sends a request to its current element, and waits for the
/// reply. A request's handler adds its element's number and forwards the request to the next
/// element's node. At the last of visits_per_request elements, it replies with the sum and the next
/// position. Consecutive elements of a request are on different nodes, so that each visit takes a
/// message. Every node is equally likely to be visited, except the requester and the previous node.
///
/// The check: the sum of every request, in its node's memory, equals that of a traversal on one
/// machine.
class PointerChase final : public BuiltInKernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload",
                             "pointer-chase: traversal of linked lists over all nodes") {}

        hw::Parameter<std::int64_t> requests{
            *this, "requests", 400, {1, 1'000'000}, "Number of requests by each node"};
        hw::Parameter<std::int64_t> visits_per_request{
            *this,
            "visits_per_request",
            4,
            {1, 1000},
            "Number of elements, and therefore nodes, that a request visits before its reply",
            "LoPC Appendix A: the sum of a row of the matrix V"};
        hw::Parameter<std::int64_t> elements{
            *this,
            "elements",
            1000,
            {1, 1'000'000},
            "Number of elements in each node's list, which is closed to a ring"};
        hw::Parameter<hw::Cycles> work_cycles{
            *this, "work_cycles", 0, {0, 1'000'000'000}, "Work of a node between two requests (W)"};
        hw::Parameter<hw::Cycles> handler_work_cycles{
            *this,
            "handler_work_cycles",
            0,
            {0, 1'000'000},
            "Work of a handler, in addition to its accesses and the cost of the message itself"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] hw::ParameterBase* steady_state_length() override {
        return &parameters_.requests;
    }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override {
        return Communication::kRequestReply;
    }
    [[nodiscard]] std::vector<std::string> sending_handlers() const override { return {"visit"}; }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.visits_per_request = static_cast<double>(parameters_.visits_per_request.value())};
    }
    [[nodiscard]] double work() const override {
        return static_cast<double>(parameters_.requests.value() * node_count_);
    }

  private:
    class Program;
    /// Node and address of an element.
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
    /// Bytes of a node's sums, one for each request, at the beginning of its memory.
    [[nodiscard]] std::uint32_t sums_bytes() const;

    Parameters parameters_;
    // Elements of each list, by owner, in the order of the list.
    std::vector<std::vector<Element>> lists_;
};

}  // namespace weir::firmware
