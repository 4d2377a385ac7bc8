#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "network/routing/ordered_edges.h"
#include "network/routing/routing.h"

namespace weir::network {

/// Goes all the ways that messages can go to one destination after the other, and finds which
/// virtual channel one may hold while it asks for which.
///
/// What is kept of a destination lies in flat arrays, and is of the present one where its stamp
/// says so: a large network has millions of pairs.
class WaysOfMessages {
  public:
    using Vertex = EdgeSet::Vertex;  ///< a virtual channel
    /// Of routing with escapes, `only_escapes` leaves out what messages hold and ask for besides.
    /// Routing and channels must stay.
    WaysOfMessages(const Routing& routing, const ChannelIndex& channels, bool only_escapes);

    /// Of messages with this lot. Returns where the escapes leave a message stuck on its way there,
    /// if anywhere. Of escapes the direct dependencies are added.
    std::optional<Vertex> go_to(std::size_t destination, int lot);
    enum class Order : std::uint8_t { kHolds, kWasRaised, kHasCircle };
    /// Whether levels of the escapes, without a circle so far, are above those of all escapes that
    /// they depend on, of messages there; of those where it is not so some are added.
    [[nodiscard]] Order order_escapes(std::size_t destination, int lot, Levels& levels);
    [[nodiscard]] EdgeSet& dependencies() { return dependencies_; }
    /// Whether a message could ask for several so far.
    [[nodiscard]] bool has_choice() const { return has_choice_; }
    [[nodiscard]] bool has_escape() const { return has_escape_; }

  private:
    static constexpr Vertex kNone = EdgeSet::kNone;
    // A switch tells few ways apart where there are at least so many times as many nodes.
    static constexpr std::size_t kFew = 4;

    struct Asked {
        Vertex vertex;
        bool is_escape;
    };
    // What a message asks for, as a part of all_asked_.
    struct AskedPart {
        std::uint32_t first = 0;
        std::uint32_t end = 0;  // not 0 where it is known
    };
    struct AskedAt {
        std::uint32_t stamp = 0;
        AskedPart part;
        std::size_t way = 0;  // where switches tell few apart
    };
    // Where a virtual channel leads to.
    struct End {
        HeaderPlace place;
        std::uint32_t node = 0;  // of an ejection
        bool is_ejection = false;
    };

    // What asks for the same has the same place: messages in a switch, or in a virtual channel
    // where the input matters.
    [[nodiscard]] std::size_t place_of(Vertex holding) const {
        return looks_at_input_ ? holding : ends_[holding].place.vertex;
    }
    [[nodiscard]] std::span<const Asked> asked_at(std::size_t place) const {
        const AskedPart& part = asked_at_[place].part;
        return {all_asked_.data() + part.first, all_asked_.data() + part.end};
    }
    [[nodiscard]] bool has_asked_at(std::size_t place) const {
        return asked_at_[place].stamp == stamp_;
    }
    [[nodiscard]] std::span<const Asked> asked_behind(Vertex holding);
    [[nodiscard]] AskedPart ask_routing(Vertex holding);
    // One of those with this destination and lot; where switches tell few apart.
    [[nodiscard]] std::size_t way_behind(Vertex holding) const {
        return routing_.way_to(ends_[holding].place.vertex, destination_) * routing_.lots() + lot_;
    }
    // In the graph: of an adaptive routing the escapes alone.
    [[nodiscard]] bool has_dependencies(Vertex holding) const {
        return !ends_[holding].is_ejection && (!has_escape_ || is_escape_[holding] == stamp_);
    }
    void add_dependencies_of(Vertex holding);
    [[nodiscard]] bool turns_back(Vertex injection);
    void see(Vertex vertex);
    void see_all_behind(Vertex holding);
    void reach(std::size_t destination, int lot);
    void mark_escapes();
    void sort_places();
    void find_lowest(const Levels& levels);
    [[nodiscard]] std::optional<Vertex> stuck_by_escapes();
    [[nodiscard]] std::optional<Vertex> escape_behind(Vertex holding);

    const Routing& routing_;
    const ChannelIndex& channels_;
    std::size_t virtual_channels_;
    bool looks_at_input_;
    bool has_escape_;
    std::size_t destination_ = 0;
    int lot_ = 0;
    std::uint32_t stamp_ = 0;
    std::vector<End> ends_;                                   // of each virtual channel
    std::vector<std::pair<std::size_t, Vertex>> injections_;  // the node first
    std::vector<RoutedOutput> outputs_;
    std::vector<Asked> all_asked_;
    std::vector<AskedAt> asked_at_;  // by place
    // Destinations on one way ask for the same. So where a switch tells few ways apart, what is
    // asked for is kept, by place and way; and by virtual channel and way whether its dependencies
    // were added.
    std::size_t few_ways_ = 0;  // lots included; none where they are many
    std::vector<AskedPart> known_;
    std::vector<bool> is_added_;
    std::vector<std::size_t> places_;  // where something was asked for
    std::vector<std::uint32_t> seen_;
    std::vector<Vertex> reached_;  // in the order in which they were seen
    std::vector<std::uint32_t> is_escape_;
    std::vector<std::uint32_t> leads_there_;
    bool has_choice_ = false;
    std::vector<Vertex> way_;
    // The places, each behind those that lead to it by others than escapes, but for circles; and
    // the escape of the lowest level that is asked for there, or where such ways lead.
    std::vector<std::size_t> sorted_places_;
    std::vector<std::uint32_t> is_sorted_;
    std::vector<std::pair<std::size_t, std::size_t>> place_and_next_;
    std::vector<Vertex> lowest_;
    EdgeSet dependencies_;
};

}  // namespace weir::network
