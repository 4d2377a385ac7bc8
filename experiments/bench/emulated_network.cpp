#include "experiments/bench/emulated_network.h"

#include "network/routed_network.h"
#include "network/worm_network.h"

namespace weir::experiments::bench {

namespace {

constexpr hw::Bytes kUnlimited(std::int64_t{1} << 60);

std::unique_ptr<network::RouterNetwork> network_of(hw::ClockTiles& clock,
                                                   const network::NetworkParameters& parameters,
                                                   hw::MessagePool& messages) {
    if (parameters.is_plain_mesh()) {
        return std::make_unique<network::WormNetwork>("network", clock, parameters, messages);
    }
    return std::make_unique<network::RoutedNetwork>("network", clock.first(), parameters, messages);
}

}  // namespace

class EmulatedNetwork::Source final : public hw::ClockedPart {
  public:
    Source(hw::ClockDomain& domain, hw::NodeId node, hw::Bytes flit_bytes,
           hw::MessagePool& messages, Traffic& traffic)
        : ClockedPart(domain),
          queue(node, hw::QueueKind::kOutput, kUnlimited, nullptr),
          node_(node),
          flit_bytes_(flit_bytes),
          messages_(messages),
          traffic_(traffic),
          next_(traffic.next(node.index())) {
        await_departure();
    }

    void tick(hw::Cycles now) override {
        while (next_ && hw::Cycles(next_->cycle) <= now) {
            launch(*next_, now);
            next_ = traffic_.next(node_.index());
        }
        await_departure();
    }

    hw::ByteQueue queue;

  private:
    void await_departure() {
        if (next_) {
            wake_at(hw::Cycles(next_->cycle));
        }
    }
    void launch(const Departure& departure, hw::Cycles now) {
        const hw::MessageSlot slot = messages_.allocate();
        hw::Message& message = messages_[slot];
        message.id = {node_, launched_++};
        message.source = node_;
        message.destination = hw::NodeId(departure.destination);
        message.bytes = departure.flits * flit_bytes_;
        message.times.launch = now;
        queue.begin_message(slot, now);
        queue.push(message.bytes, now);
    }

    hw::NodeId node_;
    hw::Bytes flit_bytes_;
    hw::MessagePool& messages_;
    Traffic& traffic_;
    std::optional<Departure> next_;
    std::int64_t launched_ = 0;
};

class EmulatedNetwork::Sink final : public hw::ClockedPart {
  public:
    Sink(hw::ClockDomain& domain, hw::NodeId node, hw::Bytes flit_bytes, hw::MessagePool& messages,
         DeliveryLog& deliveries)
        : ClockedPart(domain),
          queue(node, hw::QueueKind::kInput, kUnlimited, nullptr),
          flit_bytes_(flit_bytes),
          messages_(messages),
          deliveries_(deliveries) {}

    /// Wakes when the tail arrives in an uncontended network: one flit per cycle follows the
    /// header.
    void header_arrived(const hw::Message& message, hw::Cycles now) {
        const hw::Bytes rest = message.bytes - hw::Bytes(WEIR_HEADER_BYTES);
        wake_at(now + hw::Cycles(1 + hw::flits_of(rest, flit_bytes_).count()));
    }

    void tick(hw::Cycles now) override {
        while (queue.has_message(now)) {
            const hw::MessageSlot slot = queue.front();
            const hw::Message& message = messages_[slot];
            if (queue.available(now) < message.bytes) {
                queue.expect_bytes(*this, hw::Bytes(1), now);
                return;
            }
            deliveries_.add(message.source.index(), message.id.sequence,
                            message.times.tail_arrival.count());
            queue.pop(message.bytes, now);
            queue.end_message(now);
            messages_.release(slot);
        }
    }

    hw::ByteQueue queue;

  private:
    hw::Bytes flit_bytes_;
    hw::MessagePool& messages_;
    DeliveryLog& deliveries_;
};

EmulatedNetwork::EmulatedNetwork(const sc_core::sc_module_name& name,
                                 const network::NetworkParameters& parameters, Traffic& traffic)
    : sc_module(name),
      clock_(clock_parameters_, 1, 1),
      network_(network_of(clock_, parameters, messages_)) {
    const hw::Bytes flit_bytes = parameters.flit_bytes.value();
    hw::ClockDomain& domain = clock_.first();
    for (std::int32_t i = 0; i < network_->node_count(); ++i) {
        const hw::NodeId node(i);
        sources_.push_back(std::make_unique<Source>(domain, node, flit_bytes, messages_, traffic));
        sinks_.push_back(std::make_unique<Sink>(domain, node, flit_bytes, messages_, deliveries_));
        network_->interface(node).attach(
            sources_.back()->queue, sinks_.back()->queue,
            [sink = sinks_.back().get()](hw::Message& message, hw::Cycles now) {
                sink->header_arrived(message, now);
            });
    }
}

EmulatedNetwork::~EmulatedNetwork() = default;

void EmulatedNetwork::run_through(std::int64_t last) { clock_.run_until(hw::Cycles(last)); }

}  // namespace weir::experiments::bench
