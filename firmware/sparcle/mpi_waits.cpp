#include "firmware/sparcle/mpi_waits.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "firmware/sparcle/library/mpi/state.h"

namespace weir::firmware {

namespace {

constexpr std::string_view kState = "weir_mpi_state";
constexpr std::string_view kRequests = "weir_mpi_requests";
constexpr std::int32_t kAny = -1;

std::string rank_text(std::int32_t rank) {
    return rank == kAny ? "any rank" : "rank " + std::to_string(rank);
}

std::string tag_text(std::int32_t tag) {
    return tag == kAny ? "any tag" : "tag " + std::to_string(tag);
}

// Name of a collective call, from the tag of its messages.
std::string collective_text(std::int32_t tag) {
#define WEIR_MPI_NAME(name) "MPI_" #name,
    static constexpr std::array kNames{WEIR_MPI_OPERATIONS(WEIR_MPI_NAME)};
#undef WEIR_MPI_NAME
    const std::size_t at = tag & ((1 << WEIR_MPI_OPERATION_BITS) - 1);
    return at < kNames.size() ? kNames[at] : "a collective call";
}

// Communicator of a context, where it is not MPI_COMM_WORLD.
std::string communicator_text(std::uint32_t context) {
    const std::uint32_t number = context / 2;
    return number == 0 ? "" : " in communicator " + std::to_string(number + 1);
}

}  // namespace

bool MpiWaits::are_known(const ElfImage& image) {
    const ElfImage::Symbol* const state = image.find_symbol(kState);
    const ElfImage::Symbol* const requests = image.find_symbol(kRequests);
    return state != nullptr && state->bytes >= WEIR_MPI_STATE_WORDS * kWordBytes &&
           requests != nullptr && requests->bytes % (WEIR_MPI_REQUEST_WORDS * kWordBytes) == 0;
}

MpiWaits::MpiWaits(ImageMemory& memory, const std::map<std::int32_t, std::uint32_t>& statuses) {
    const std::uint32_t state_at = memory.image().address_of(kState);
    const ElfImage::Symbol& requests = *memory.image().find_symbol(kRequests);
    const ElfImage::Copies& copies = memory.image().copies();
    const auto per_node = static_cast<std::int32_t>(copies.count);
    for (std::int32_t number = 0; number < memory.node_count() * per_node; ++number) {
        const hw::NodeId node(number / per_node);
        const auto slot = static_cast<std::uint32_t>(number % per_node);
        const std::uint32_t distance = slot * copies.stride;
        const auto state = memory.read_words(node, state_at + distance, WEIR_MPI_STATE_WORDS);
        const bool has_ended =
            statuses.contains(node.index()) ||
            (per_node > 1 &&
             memory.read_words(node, memory.image().address_of("weir_rank_ends"), copies.count)
                     .at(slot) != 0);
        Rank rank{.number = number,
                  .has_ended = has_ended,
                  .is_running = state[WEIR_MPI_IS_RUNNING] == 1,
                  .is_full = state[WEIR_MPI_RESERVE_LEFT] != state[WEIR_MPI_RESERVE_WHOLE],
                  .messages_kept = state[WEIR_MPI_MESSAGES_KEPT]};
        const auto words =
            memory.read_words(node, requests.address + distance, requests.bytes / kWordBytes);
        for (std::size_t at = 0; rank.is_running && at + WEIR_MPI_REQUEST_WORDS <= words.size();
             at += WEIR_MPI_REQUEST_WORDS) {
            const Wait wait{.state = words[at + WEIR_MPI_REQUEST_STATE],
                            .other = static_cast<std::int32_t>(words[at + WEIR_MPI_REQUEST_OTHER]),
                            .tag = static_cast<std::int32_t>(words[at + WEIR_MPI_REQUEST_TAG]),
                            .bytes = words[at + WEIR_MPI_REQUEST_BYTES],
                            .context = words[at + WEIR_MPI_REQUEST_CONTEXT]};
            if (wait.state == WEIR_MPI_POSTED || wait.state == WEIR_MPI_ASKED ||
                wait.state == WEIR_MPI_QUEUED) {
                rank.waits.push_back(wait);
            }
        }
        if (rank.is_running && state[WEIR_MPI_PROBES] == 1) {
            rank.waits.push_back({.state = WEIR_MPI_POSTED,
                                  .other = static_cast<std::int32_t>(state[WEIR_MPI_PROBED_RANK]),
                                  .tag = static_cast<std::int32_t>(state[WEIR_MPI_PROBED_TAG]),
                                  .is_probe = true});
        }
        ranks_.push_back(std::move(rank));
    }
}

std::string MpiWaits::summary() const {
    const bool all_wait = std::any_of(ranks_.begin(), ranks_.end(),
                                      [](const Rank& rank) { return !rank.has_ended; }) &&
                          std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) {
                              return rank.has_ended || !rank.waits.empty();
                          });
    std::string text = all_wait ? "MPI deadlock" : "";
    for (const Rank& rank : ranks_) {
        const std::string who = (text.empty() ? "" : "; ") + rank_text(rank.number);
        if (rank.is_full) {
            text += who + "'s memory is full: it keeps " + std::to_string(rank.messages_kept) +
                    " messages that no receive was posted for (memory.bytes)";
        }
        if (rank.has_ended && rank.is_running) {
            text += who + "'s program has ended without MPI_Finalize";
        }
    }
    return text;
}

std::string MpiWaits::lines(const std::function<Place(std::int32_t)>& place) const {
    constexpr std::size_t kMostRanks = 16;
    constexpr std::size_t kMostWaits = 4;
    std::vector<const Rank*> told;
    for (const Rank& rank : ranks_) {
        if (!rank.has_ended) {
            told.push_back(&rank);
        }
    }
    std::stable_partition(told.begin(), told.end(), [](const Rank* rank) { return rank->is_full; });
    std::string text;
    for (std::size_t i = 0; i < std::min(told.size(), kMostRanks); ++i) {
        const Rank& rank = *told[i];
        const Place at = place(rank.number);
        text += "\n  " + rank_text(rank.number) +
                (at.call.empty() ? " is not in an MPI call" : " waits in " + at.call) +
                (at.line.empty() ? "" : ", in " + at.line);
        for (std::size_t wait = 0; wait < std::min(rank.waits.size(), kMostWaits); ++wait) {
            text += (wait == 0 ? ", " : "; ") + this->text(rank.waits[wait]);
        }
        if (rank.waits.size() > kMostWaits) {
            text += "; and " + std::to_string(rank.waits.size() - kMostWaits) + " more";
        }
    }
    if (told.size() > kMostRanks) {
        text += "\n  and " + std::to_string(told.size() - kMostRanks) + " ranks more";
    }
    return text;
}

std::string MpiWaits::text(const Wait& wait) const {
    const bool is_receive = wait.state == WEIR_MPI_POSTED;
    const std::string communicator = communicator_text(wait.context);
    if (wait.context % 2 == WEIR_MPI_COLLECTIVE) {
        return "for " + rank_text(wait.other) + (is_receive ? " in " : " to receive in ") +
               collective_text(wait.tag) + communicator;
    }
    if (is_receive) {
        return "for a message from " + rank_text(wait.other) + " with " + tag_text(wait.tag) +
               (wait.is_probe ? "" : " of up to " + std::to_string(wait.bytes) + " bytes") +
               communicator;
    }
    const std::string message = " message with " + tag_text(wait.tag) + " of " +
                                std::to_string(wait.bytes) + " bytes" + communicator;
    if (wait.state == WEIR_MPI_QUEUED) {
        return "with a" + message + " for " + rank_text(wait.other) +
               ", after an earlier message or until that rank has memory for it";
    }
    const bool is_full =
        wait.other >= 0 && wait.other < std::ssize(ranks_) && ranks_[wait.other].is_full;
    return "for " + rank_text(wait.other) + " to receive its" + message +
           (is_full ? ", for which there is no room" : "");
}

}  // namespace weir::firmware
