#include "network/router/wavefront_allocator.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace weir::network {

WavefrontAllocator::WavefrontAllocator(const Design& design)
    : design_(design),
      vcs_(design.ports * design.vcs),
      ports_(design.ports),
      last_channels_(design.ports, no_winner(design.arbitration)),
      channels_(last_channels_.size() * last_channels_.size()) {}

void WavefrontAllocator::Matrix::match(Grants& grants) {
    std::sort(cells_.begin(), cells_.end(), [](const Cell& one, const Cell& other) {
        return std::tie(one.distance, one.input) < std::tie(other.distance, other.input);
    });
    taken_inputs_.assign(size_, false);
    taken_outputs_.assign(size_, false);
    for (const Cell& cell : cells_) {
        if (!taken_inputs_[cell.input] && !taken_outputs_[cell.output]) {
            taken_inputs_[cell.input] = taken_outputs_[cell.output] = true;
            grants.push_back(cell.request);
        }
    }
    first_ = cells_.empty() ? first_ : (first_ + 1) % size_;
    cells_.clear();
}

void WavefrontAllocator::allocate_vcs(Requests requests, Grants& grants) {
    for (std::size_t number = 0; number < requests.size(); ++number) {
        vcs_.add(requests[number].input, requests[number].output,
                 static_cast<std::int32_t>(number));
    }
    vcs_.match(grants);
}

void WavefrontAllocator::allocate_switch(Requests requests, Grants& grants) {
    const auto cell_of = [this](const Request& request) {
        return request.input / design_.vcs * design_.ports + request.output / design_.vcs;
    };
    for (std::size_t number = 0; number < requests.size(); ++number) {
        const Request& request = requests[number];
        const std::int32_t last = last_channels_[request.input / design_.vcs];
        channels_[cell_of(request)].compare(
            static_cast<std::int32_t>(number),
            rank_of(design_.arbitration, request.input % design_.vcs, last, design_.vcs,
                    request.since));
    }
    for (const Request& request : requests) {
        if (const std::int32_t chosen = channels_[cell_of(request)].take();
            chosen != First::kNone) {
            ports_.add(request.input / design_.vcs, request.output / design_.vcs, chosen);
        }
    }
    const std::size_t before = grants.size();
    ports_.match(grants);
    for (std::size_t i = before; i < grants.size(); ++i) {
        const std::int32_t input = requests[grants[i]].input;
        last_channels_[input / design_.vcs] = input % design_.vcs;
    }
}

const AllocatorKind& wavefront_allocator_kind() {
    static const AllocatorKind kind{
        "wavefront",
        "the diagonals of the request matrix, in turn, grant all requests whose input "
        "and output are free (Tamir and Chi 1993)",
        [](const Allocator::Design& design) -> std::unique_ptr<Allocator> {
            return std::make_unique<WavefrontAllocator>(design);
        }};
    return kind;
}

}  // namespace weir::network
