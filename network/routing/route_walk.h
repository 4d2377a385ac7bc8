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

/// Visits all routes of messages to one destination after the other. Finds which virtual channels a
/// message may hold while it requests which others.
///
/// The state of a destination is in flat arrays. An entry belongs to the current destination if its
/// stamp is equal to stamp_. Clearing the arrays for each of millions of pairs would take too long.
class RouteWalk {
  public:
    using Vertex = EdgeSet::Vertex;  ///< number of a virtual channel
    /// With `only_escapes`, dependencies between channels that are not escapes are left out if the
    /// routing has escape channels. `routing` and `channels` must outlive this object.
    RouteWalk(const Routing& routing, const ChannelIndex& channels, bool only_escapes);

    /// Visits the routes of messages with this destination and lot. Returns a virtual channel from
    /// which the escape channels do not lead to the destination, if any. Adds the dependencies to
    /// dependencies(); of escape channels, only the direct dependencies.
    std::optional<Vertex> go_to(std::size_t destination, int lot);
    enum class Order : std::uint8_t { kHolds, kWasRaised, kHasCircle };
    /// Checks that the levels order each escape channel below all escape channels that it depends
    /// on, for messages with this destination and lot. Adds some of the violated dependencies to
    /// `levels`. Before the first call the direct dependencies must be acyclic.
    [[nodiscard]] Order order_escapes(std::size_t destination, int lot, Levels& levels);
    [[nodiscard]] EdgeSet& dependencies() { return dependencies_; }
    /// True if any message visited so far had several outputs.
    [[nodiscard]] bool has_choice() const { return has_choice_; }
    [[nodiscard]] bool has_escape() const { return has_escape_; }

  private:
    static constexpr Vertex kNone = EdgeSet::kNone;
    // Results are cached by message class if nodes are at least kFew times as many as classes.
    static constexpr std::size_t kFew = 4;

    struct Asked {
        Vertex vertex;
        bool is_escape;
    };
    // The requests of a message, as a range of all_asked_.
    struct AskedPart {
        std::uint32_t first = 0;
        std::uint32_t end = 0;  // end of the range; 0 if the requests are not yet known
    };
    struct AskedAt {
        std::uint32_t stamp = 0;
        AskedPart part;
        std::size_t message_class = 0;  // set if requests are cached by class
    };
    // Place to which a virtual channel leads: a switch's input, or a node.
    struct End {
        HeaderPlace place;
        std::uint32_t node = 0;  // number of the node, for an ejection channel
        bool is_ejection = false;
    };

    // Messages with the same requests have the same place: the switch, or the virtual channel if
    // the routing looks at the input.
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
    // Number of the message class, used if requests are cached by class.
    [[nodiscard]] std::size_t class_behind(Vertex holding) const {
        return routing_.message_class(ends_[holding].place.vertex, destination_, lot_);
    }
    // True if the virtual channel has edges in the graph. If the routing has escape channels, only
    // these have edges.
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
    std::vector<End> ends_;  // place to which each virtual channel leads
    // number of each node, and its injection virtual channel
    std::vector<std::pair<std::size_t, Vertex>> injections_;
    std::vector<RoutedOutput> outputs_;
    std::vector<Asked> all_asked_;
    std::vector<AskedAt> asked_at_;  // requests at each place
    // Messages of a class have the same requests. If a switch has few classes, requests are
    // cached by place and class. A flag by virtual channel and class tells if dependencies were
    // added.
    std::size_t few_classes_ = 0;  // message classes; 0 if there are too many classes to cache
    std::vector<AskedPart> known_;
    std::vector<bool> is_added_;
    std::vector<std::size_t> places_;  // places that messages reach
    std::vector<std::uint32_t> seen_;
    std::vector<Vertex> reached_;  // reached virtual channels in the order of discovery
    std::vector<std::uint32_t> is_escape_;
    std::vector<std::uint32_t> leads_there_;
    bool has_choice_ = false;
    std::vector<Vertex> way_;
    // sorted_places_: each place after the places reachable from it without escapes, as far as
    // these have no cycles. lowest_: the lowest-level escape channel requested at a place, or after
    // others.
    std::vector<std::size_t> sorted_places_;
    std::vector<std::uint32_t> is_sorted_;
    std::vector<std::pair<std::size_t, std::size_t>> place_and_next_;
    std::vector<Vertex> lowest_;
    EdgeSet dependencies_;
};

}  // namespace weir::network
