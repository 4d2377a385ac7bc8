#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "network/flit.h"
#include "network/router/router.h"
#include "network/routing/routing.h"

namespace weir::network {

/// What a header may ask for. A router's lanes are numbered port by port.
struct Candidate {
    std::int32_t output_lane;
    bool is_escape;  ///< asked for only where no other could be given
    auto operator<=>(const Candidate&) const = default;
};
/// At least one, in the order of their lanes.
using Candidates = std::vector<Candidate>;

/// Each set of candidates once, for all tables that share them.
class CandidateSets {
  public:
    static constexpr std::uint16_t kUnknown = 0xffff;

    [[nodiscard]] std::uint16_t number_of(const Candidates& candidates);
    [[nodiscard]] const Candidates& operator[](std::uint16_t number) const {
        return *sets_[number];
    }

  private:
    std::map<Candidates, std::uint16_t> numbers_;
    std::vector<const Candidates*> sets_;
};

/// What a router's routing said so far, as a table in the hardware would have it: by the lane of
/// the input where it matters, the destination as far as it matters, and the message's lot.
class OutputTable {
  public:
    /// The routing and the sets must stay.
    OutputTable(const Routing& routing, std::size_t vertex, int ports, int lanes, bool escapes_last,
                CandidateSets& sets);

    void connect(int port, int lane, Router::Behind behind) {
        outputs_[place_of(port, lane)] =
            behind == Router::Behind::kNode ? Output::kToNode : Output::kToRouter;
    }
    /// The number of the set for a header that came by this input lane.
    [[nodiscard]] std::uint16_t candidates(int input_lane, bool is_injection, const Flit& header);

  private:
    enum class Output : std::uint8_t { kNone, kToRouter, kToNode };

    [[nodiscard]] std::size_t place_of(int port, int lane) const {
        return static_cast<std::size_t>(port) * lanes_ + lane;
    }
    [[nodiscard]] Candidates ask_routing(int input_lane, bool is_injection,
                                         const Flit& header) const;

    const Routing& routing_;
    CandidateSets& sets_;
    std::size_t vertex_;
    std::size_t lots_;  // the routing's
    int lanes_;
    bool escapes_last_;
    std::vector<Output> outputs_;
    std::vector<std::vector<std::uint16_t>> rows_;  // a large network's fill the host's caches
};

}  // namespace weir::network
