#include "experiments/setup/import/booksim_network.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "experiments/setup/user_fault.h"
#include "hw/input_limits.h"

namespace weir::experiments::setup {

namespace {

constexpr const char* kLine = "a line such as: router 0 node 0 node 1 router 1 5";
constexpr std::int64_t kMostParts = 16'384;
constexpr std::int64_t kLongestLatency = 9'000;

struct Word {
    std::string_view text;
    Place place;
};

std::vector<Word> words_of(std::string_view line, const std::string& source, int number) {
    constexpr std::string_view kBlanks = " \t\r";
    std::vector<Word> words;
    for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
        words.push_back({line.substr(at, end - at), {source, number, static_cast<int>(at) + 1}});
        at = line.find_first_not_of(kBlanks, end);
    }
    return words;
}

std::string quoted(std::string_view text) { return "\"" + hw::shortened(text, 80) + "\""; }

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                    : std::nullopt;
}

class AnyNetwork {
  public:
    void read_line(const std::vector<Word>& words) {
        const Part head = part_at(words, 0);
        std::size_t at = 2;
        if (at == words.size()) {
            throw UserFault(words[1].place, "a line without a neighbour", kLine);
        }
        while (at < words.size()) {
            const Part neighbour = part_at(words, at);
            const Place place = words[at].place;
            at += 2;
            std::optional<std::int64_t> latency;
            if (at < words.size()) {
                latency = whole_number(words[at].text);
            }
            if (latency) {
                if (*latency < 1 || *latency > kLongestLatency) {
                    throw UserFault(words[at].place, fmt::format("a latency of {}", *latency),
                                    fmt::format("1 to {} cycles", kLongestLatency));
                }
                ++at;
            }
            connect(head, neighbour, latency.value_or(1), place);
        }
    }

    [[nodiscard]] std::string as_dot(const std::string& source,
                                     const BooksimChannelCycles& cycles) const {
        require_numbering(source);
        std::string dot = "digraph {\n";
        for (const auto& [node, link] : nodes_) {
            dot += fmt::format("    n{} [kind=\"node\"];\n", node);
        }
        for (const auto& [router, ignored] : routers_) {
            dot += fmt::format("    r{} [kind=\"switch\"];\n", router);
        }
        for (const auto& [node, link] : nodes_) {
            const std::int64_t more = link.latency - 1;
            dot += fmt::format("    n{} -> r{} [latency={}];\n", node, link.router,
                               cycles.injection + more);
            dot += fmt::format("    r{} -> n{} [latency={}];\n", link.router, node,
                               cycles.ejection + more);
        }
        for (const auto& [ends, latency] : channels_) {
            dot += fmt::format("    r{} -> r{} [latency={}];\n", ends.first, ends.second,
                               cycles.hop + latency - 1);
        }
        return dot + "}\n";
    }

  private:
    struct Part {
        bool is_node = false;
        std::int64_t number = 0;
    };
    struct NodeLink {
        std::int64_t router = 0;
        std::int64_t latency = 1;
    };

    static Part part_at(const std::vector<Word>& words, std::size_t at) {
        const Word& kind = words[at];
        if (kind.text != "router" && kind.text != "node") {
            throw UserFault(kind.place, quoted(kind.text), "router or node",
                            nearest_name(kind.text, std::vector<std::string>{"router", "node"}));
        }
        if (at + 1 == words.size()) {
            throw UserFault(kind.place, quoted(kind.text) + " without a number", kLine);
        }
        const std::optional<std::int64_t> number = whole_number(words[at + 1].text);
        if (!number || *number < 0 || *number >= kMostParts) {
            throw UserFault(words[at + 1].place, quoted(words[at + 1].text),
                            fmt::format("a number from 0 to {}", kMostParts - 1));
        }
        return {kind.text == "node", *number};
    }

    void connect(const Part& head, const Part& neighbour, std::int64_t latency,
                 const Place& place) {
        if (head.is_node && neighbour.is_node) {
            throw UserFault(place, "a node connected to a node", "a node connected to a router");
        }
        if (head.is_node || neighbour.is_node) {
            const std::int64_t node = head.is_node ? head.number : neighbour.number;
            const std::int64_t router = head.is_node ? neighbour.number : head.number;
            const auto [link, is_new] = nodes_.try_emplace(node, NodeLink{router, latency});
            if (!is_new && link->second.router != router) {
                throw UserFault(place,
                                fmt::format("node {} connected to router {} and to router {}", node,
                                            link->second.router, router),
                                "one router for each node");
            }
            link->second.latency = latency;
            routers_.try_emplace(router);
            return;
        }
        if (head.number == neighbour.number) {
            throw UserFault(place, "a router connected to itself", "another router");
        }
        routers_.try_emplace(head.number);
        routers_.try_emplace(neighbour.number);
        channels_[{head.number, neighbour.number}] = latency;
        channels_.try_emplace({neighbour.number, head.number}, 1);
    }

    // BookSim's arrays have the numbers as their indices.
    void require_numbering(const std::string& source) const {
        const auto require = [&source](const char* kind, const auto& parts) {
            if (parts.empty() ||
                parts.rbegin()->first + 1 != static_cast<std::int64_t>(parts.size())) {
                throw UserFault({source}, fmt::format("the numbers of its {}s have gaps", kind),
                                fmt::format("{}s numbered from 0 without gaps", kind));
            }
        };
        require("router", routers_);
        require("node", nodes_);
    }

    std::map<std::int64_t, NodeLink> nodes_;
    std::map<std::int64_t, char> routers_;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> channels_;
};

}  // namespace

std::string booksim_network_as_dot(std::string_view text, const std::string& source,
                                   const BooksimChannelCycles& cycles) {
    if (const auto fault = hw::limit_fault(text, hw::kBooksimLimits)) {
        throw UserFault({source}, *fault);
    }
    AnyNetwork network;
    int line = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::vector<Word> words = words_of(text.substr(at, end - at), source, ++line);
        if (!words.empty()) {
            network.read_line(words);
        }
        at = end + 1;
    }
    return network.as_dot(source, cycles);
}

}  // namespace weir::experiments::setup
