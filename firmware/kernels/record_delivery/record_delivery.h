#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"
#include "hw/random_stream.h"

namespace weir::firmware {

/// Records that nodes send to their owners, synchronously or asynchronously (LoGPC Section 5).
/// Common part of hot-spot and producer-consumer, which choose the owners of each node's records.
///
/// A record is a number, or, with body_bytes, a body that DMA engines move. Its sender works, loads
/// the record and sends it to its owner, whose handler stores the record at its place and works on
/// it. In synchronous style the handler replies, and the sender waits for the reply before its next
/// record. In asynchronous style the sender continues at once. A node's program ends when it has
/// sent all its records, with all replies in synchronous style, and has received all records that
/// it owns. Nodes that poll do so after each send.
///
/// The check: each record is at its place in its owner's memory.
class RecordDelivery : public BuiltInKernel {
  public:
    enum class Style : std::uint8_t { kSynchronous, kAsynchronous };

    struct Parameters : hw::ParameterGroup {
        explicit Parameters(const char* sentence) : ParameterGroup("workload", sentence) {}

        hw::Choice<Style> style{
            *this,
            "style",
            Style::kSynchronous,
            {{Style::kSynchronous, "synchronous"}, {Style::kAsynchronous, "asynchronous"}},
            "Style of communication. synchronous: a sender waits for a reply to each record. "
            "asynchronous: a sender continues at once",
            "LoGPC Section 5.1"};
        hw::Parameter<std::int64_t> records{
            *this, "records", 200, {1, 1'000'000}, "Number of records of each sender"};
        hw::Parameter<hw::Bytes> body_bytes{
            *this,
            "body_bytes",
            0,
            {0, 1 << 20},
            "Size of a record, a multiple of 8, sent as a message's body. 0: a record is a "
            "two-word number in a message without a body"};
        hw::Parameter<hw::Cycles> work_cycles{
            *this, "work_cycles", 0, {0, 1'000'000'000}, "Work of a sender before each record"};
        hw::Parameter<hw::Cycles> handler_work_cycles{
            *this,
            "handler_work_cycles",
            0,
            {0, 1'000'000'000},
            "Work of the receiver's handler on each record"};

        [[nodiscard]] std::optional<Fault> check() const override {
            return fault_of_body(body_bytes.value());
        }
    };

    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] std::vector<std::string> sending_handlers() const override {
        return is_synchronous() ? std::vector<std::string>{"deliver"} : std::vector<std::string>{};
    }
    [[nodiscard]] bool sends_bodies() const override { return has_bodies(); }
    [[nodiscard]] MessagePattern message_pattern() const override;
    /// Facts about the distribution of records and the work on them, for models.
    struct Facts {
        double hot_node = 0.0;
        /// Number of records received by the node that receives most.
        double busiest_node_records = 0.0;
        /// Number of records sent by the node that receives most.
        double busiest_node_sends = 0.0;
        bool is_synchronous = false;
        double work_cycles = 0.0;    ///< work of a sender before each record
        double hot_share = 0.0;      ///< share of all nodes' records that go to the hot node
        double consumers = 0.0;      ///< number of nodes that receive records; 0: all nodes
        double hot_producers = 0.0;  ///< number of nodes that send to the hot node alone
    };
    /// Call after prepare().
    [[nodiscard]] virtual Facts facts() const;
    [[nodiscard]] double work() const override { return static_cast<double>(records_); }

  protected:
    [[nodiscard]] virtual const Parameters& common() const = 0;
    /// Owners of a node's records, in order; empty if the node sends none. `stream` has the node's
    /// random numbers. Throws InputFault.
    [[nodiscard]] virtual std::vector<std::int32_t> owners(std::int32_t node,
                                                           hw::RandomStream& stream) const = 0;
    /// Node that receives more records than the others, if there is one.
    [[nodiscard]] virtual std::int32_t hot_node() const = 0;

  private:
    class Program;
    /// A record in flight: its destination, and whether its body is in memory there.
    struct Record {
        std::int32_t owner = 0;
        std::uint32_t place = 0;  // index among all records of its owner
        bool stored = false;      // whether the owner's program knows that the body is in memory
    };

    [[nodiscard]] bool is_synchronous() const {
        return common().style.value() == Style::kSynchronous;
    }
    [[nodiscard]] bool has_bodies() const { return common().body_bytes.value() > hw::Bytes(0); }
    [[nodiscard]] std::uint32_t record_bytes() const;
    void refuse_records_beyond(hw::Bytes memory) const;
    /// Address of one of a node's own records; they follow the records that it receives.
    [[nodiscard]] std::uint32_t own_address(std::int32_t node, std::size_t index) const {
        const auto& count = expected_[node];
        return (count + static_cast<std::uint32_t>(index)) * record_bytes();
    }
    [[nodiscard]] std::vector<std::uint64_t> content(std::int32_t sender, std::size_t index) const;

    std::vector<std::deque<Record>> sent_;  // records of each sender, in the order of sending
    std::vector<std::uint32_t> expected_;   // number of records that each owner is to receive
    std::int64_t records_ = 0;
};

/// All nodes send records: hot_percent of each node's records to one node, the others to random
/// nodes (LoGPC Section 5).
class HotSpot final : public RecordDelivery {
  public:
    struct Parameters : RecordDelivery::Parameters {
        Parameters()
            : RecordDelivery::Parameters(
                  "hot-spot: all nodes send records to all, one node receives more than the "
                  "others") {}

        hw::Parameter<double> hot_percent{*this,
                                          "hot_percent",
                                          20.0,
                                          {0.0, 100.0},
                                          "Share of each other node's records that go to the hot "
                                          "node; the rest go to random other nodes"};
        hw::Parameter<std::int64_t> hot_node{
            *this,
            "hot_node",
            0,
            {0, 16'383},
            "Number of the hot node, which receives more records than the others"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] Facts facts() const override;

  protected:
    [[nodiscard]] const RecordDelivery::Parameters& common() const override { return parameters_; }
    [[nodiscard]] std::vector<std::int32_t> owners(std::int32_t node,
                                                   hw::RandomStream& stream) const override;
    [[nodiscard]] std::int32_t hot_node() const override {
        return static_cast<std::int32_t>(parameters_.hot_node.value());
    }

  private:
    Parameters parameters_;
};

/// Producers send records to consumers (LoGPC Section 5). The first nodes are consumers, all others
/// producers. hot_percent of the producers send all their records to the first consumer; the others
/// send theirs to random other consumers. The two flows share only the network.
class ProducerConsumer final : public RecordDelivery {
  public:
    struct Parameters : RecordDelivery::Parameters {
        Parameters()
            : RecordDelivery::Parameters("producer-consumer: producers send records to consumers") {
        }

        hw::Parameter<std::int64_t> consumers{
            *this,
            "consumers",
            8,
            {1, 16'383},
            "Number of consumers, from node 0 on; the other nodes are producers"};
        hw::Parameter<double> hot_percent{
            *this,
            "hot_percent",
            50.0,
            {0.0, 100.0},
            "Share of producers that send to the first consumer alone, evenly spread over the "
            "producers; the others send to the other consumers"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] Facts facts() const override;

  protected:
    [[nodiscard]] const RecordDelivery::Parameters& common() const override { return parameters_; }
    [[nodiscard]] std::vector<std::int32_t> owners(std::int32_t node,
                                                   hw::RandomStream& stream) const override;
    [[nodiscard]] std::int32_t hot_node() const override { return 0; }

  private:
    [[nodiscard]] bool is_hot(std::int64_t producer) const;

    Parameters parameters_;
};

}  // namespace weir::firmware
