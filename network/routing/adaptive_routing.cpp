#include <stdexcept>
#include <string>

#include "network/routing/routing.h"
#include "network/topology/topology_family.h"

// Routing that looks for a free way among the shortest.
namespace weir::network {

namespace {

class MinimalAdaptiveRouting final : public Routing {
  public:
    MinimalAdaptiveRouting(std::unique_ptr<Routing> escape, int virtual_channels, EscapeRules rules)
        : Routing(escape->topology()),
          escape_(std::move(escape)),
          virtual_channels_(virtual_channels),
          rules_(rules),
          lattice_(*topology().lattice()) {}

    [[nodiscard]] int virtual_channels() const override { return virtual_channels_; }
    [[nodiscard]] int lots() const override { return escape_->lots(); }
    [[nodiscard]] bool looks_at_input() const override { return !rules_.may_leave; }
    [[nodiscard]] std::optional<std::int32_t> hops_to(std::size_t vertex,
                                                      std::size_t destination) const override {
        return escape_->hops_to(vertex, destination);
    }
    [[nodiscard]] bool has_escape() const override { return !rules_.share_buffers; }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        const auto& here = topology().graph()[place.vertex].coordinates;
        const auto& there = topology().graph()[destination].coordinates;
        const auto first = static_cast<std::ptrdiff_t>(outputs.size());
        escape_->add_outputs(place, destination, outputs);
        if (here == there) {
            return;
        }
        for (auto output = outputs.begin() + first; output != outputs.end(); ++output) {
            output->is_escape = true;
        }
        if (!rules_.may_leave && is_escape(place)) {
            return;
        }
        for (std::size_t d = 0; d < here.size(); ++d) {
            if (here[d] != there[d]) {
                add_adaptive(d, here[d], there[d], outputs);
            }
        }
    }

  private:
    // Whether the header has come in on an escape, and not from the node: that is the last port.
    [[nodiscard]] bool is_escape(const HeaderPlace& place) const {
        const auto node_port =
            lattice_.ports_a_dimension * static_cast<int>(lattice_.extents.size());
        return place.input_port < node_port && place.virtual_channel < escape_->virtual_channels();
    }
    void add_adaptive(std::size_t dimension, std::int32_t here, std::int32_t there,
                      std::vector<RoutedOutput>& outputs) const {
        const int port = static_cast<int>(dimension);
        if (lattice_.ports_a_dimension == 1) {
            add_lanes(port, outputs);
            return;
        }
        const std::int32_t extent = lattice_.extents[dimension];
        const std::int32_t upwards = (there - here + extent) % extent;
        const bool is_ring = lattice_.is_end_around;
        if (is_ring ? 2 * upwards <= extent : there > here) {
            add_lanes(2 * port, outputs);
        }
        if (is_ring ? 2 * upwards >= extent : there < here) {
            add_lanes(2 * port + 1, outputs);
        }
    }
    // The escape's virtual channels are the first.
    void add_lanes(int port, std::vector<RoutedOutput>& outputs) const {
        for (int lane = escape_->virtual_channels(); lane < virtual_channels_; ++lane) {
            outputs.push_back({port, lane});
        }
    }

    std::unique_ptr<Routing> escape_;
    int virtual_channels_;
    EscapeRules rules_;
    Lattice lattice_;
};

class SpreadRouting final : public Routing {
  public:
    SpreadRouting(std::unique_ptr<Routing> routing, int virtual_channels)
        : Routing(routing->topology()),
          routing_(std::move(routing)),
          share_(virtual_channels / routing_->virtual_channels()) {}

    [[nodiscard]] int virtual_channels() const override {
        return share_ * routing_->virtual_channels();
    }
    [[nodiscard]] int lots() const override { return routing_->lots(); }
    [[nodiscard]] bool looks_at_input() const override { return routing_->looks_at_input(); }
    [[nodiscard]] std::size_t ways(std::size_t vertex) const override {
        return routing_->ways(vertex);
    }
    [[nodiscard]] std::size_t way_to(std::size_t vertex, std::size_t destination) const override {
        return routing_->way_to(vertex, destination);
    }
    [[nodiscard]] std::optional<std::int32_t> hops_to(std::size_t vertex,
                                                      std::size_t destination) const override {
        return routing_->hops_to(vertex, destination);
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        HeaderPlace own_place = place;
        own_place.virtual_channel /= share_;
        const std::size_t first = outputs.size();
        routing_->add_outputs(own_place, destination, outputs);
        // Each becomes as many in its own list, from the last one on.
        const auto share = static_cast<std::size_t>(share_);
        std::size_t left = outputs.size() - first;
        outputs.resize(first + left * share);
        while (left-- > 0) {
            const RoutedOutput output = outputs[first + left];
            for (std::size_t lane = 0; lane < share; ++lane) {
                outputs[first + left * share + lane] = {
                    output.port, output.virtual_channel * share_ + static_cast<int>(lane)};
            }
        }
    }

  private:
    std::unique_ptr<Routing> routing_;
    int share_;
};

}  // namespace

std::unique_ptr<Routing> minimal_adaptive_routing(std::unique_ptr<Routing> escape,
                                                  int virtual_channels, EscapeRules rules) {
    if (!escape->topology().lattice()) {
        throw std::invalid_argument("minimal adaptive routing on a " + escape->topology().title() +
                                    "; accepted: a " +
                                    topologies_that([](const TopologyFamily& family) {
                                        return family.is_routed_by(RoutingKind::kMinimalAdaptive);
                                    }));
    }
    if (escape->looks_at_input()) {
        throw std::invalid_argument(
            "minimal adaptive routing with escapes that look at where a message came in; accepted: "
            "escapes by place alone");
    }
    if (escape->has_escape() || virtual_channels <= escape->virtual_channels()) {
        throw std::invalid_argument(
            "minimal adaptive routing with " + std::to_string(virtual_channels) +
            " virtual channels and " + std::to_string(escape->virtual_channels()) +
            " of its escape; accepted: more than those of an escape that has none itself");
    }
    return std::make_unique<MinimalAdaptiveRouting>(std::move(escape), virtual_channels, rules);
}

std::unique_ptr<Routing> spread_over(std::unique_ptr<Routing> routing, int virtual_channels) {
    const int own = routing->virtual_channels();
    if (routing->has_escape() || virtual_channels < own || virtual_channels % own != 0) {
        throw std::invalid_argument("a routing of " + std::to_string(own) + " virtual channel" +
                                    (own == 1 ? "" : "s") + " spread over " +
                                    std::to_string(virtual_channels) +
                                    "; accepted: a multiple, of a routing without escapes");
    }
    return std::make_unique<SpreadRouting>(std::move(routing), virtual_channels);
}

}  // namespace weir::network
