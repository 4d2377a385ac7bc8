#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "network/flit.h"
#include "network/router/router.h"
#include "network/routing/routing.h"

namespace weir::network {

/// An output virtual channel that a header may request. A router's virtual channels are numbered
/// port by port.
struct Candidate {
    std::int32_t output_vc;
    bool is_escape;  ///< requested only if no other candidate is free
    auto operator<=>(const Candidate&) const = default;
};
/// At least one candidate, in the order of the output virtual channels' numbers.
using Candidates = std::vector<Candidate>;

/// Sets of candidates, each stored once, for all tables that share them.
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

/// A router's cache of its routing's results, as a routing table in hardware. Its rows depend on
/// the input if the routing does, on the destination, and on the message's lot.
class OutputTable {
  public:
    /// `routing` and `sets` must outlive this object.
    OutputTable(const Routing& routing, std::size_t vertex, int ports, int vcs, bool escapes_last,
                CandidateSets& sets);

    void connect(int port, int vc, Router::Behind behind) {
        outputs_[place_of(port, vc)] =
            behind == Router::Behind::kNode ? Output::kToNode : Output::kToRouter;
    }
    /// Number of the candidate set for a header that arrived by this input virtual channel.
    [[nodiscard]] std::uint16_t candidates(int input_vc, bool is_injection, const Flit& header) {
        const std::vector<std::uint16_t>& row = rows_[row_of(input_vc)];
        const std::size_t message_class =
            routing_.message_class(vertex_, header.destination, header.lot);
        const bool is_known =
            message_class < row.size() && row[message_class] != CandidateSets::kUnknown;
        return is_known ? row[message_class] : add(message_class, input_vc, is_injection, header);
    }

  private:
    enum class Output : std::uint8_t { kNone, kToRouter, kToNode };

    [[nodiscard]] std::size_t place_of(int port, int vc) const {
        return static_cast<std::size_t>(port) * vcs_ + vc;
    }
    [[nodiscard]] std::size_t row_of(int input_vc) const { return looks_at_input_ ? input_vc : 0; }
    [[gnu::noinline]] std::uint16_t add(std::size_t message_class, int input_vc, bool is_injection,
                                        const Flit& header);
    [[nodiscard]] Candidates ask_routing(int input_vc, bool is_injection, const Flit& header) const;

    const Routing& routing_;
    CandidateSets& sets_;
    std::size_t vertex_;
    int vcs_;
    bool escapes_last_;
    bool looks_at_input_;
    std::vector<Output> outputs_;
    // numbers of candidate sets; compact, for the caches of the host
    std::vector<std::vector<std::uint16_t>> rows_;
};

}  // namespace weir::network
