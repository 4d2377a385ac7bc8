#include "memory/coherence/sequential_consistency.h"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/controller/controller_registers.h"
#include "hw/text_streams.h"

namespace weir::memory {

namespace {

enum class Relation : std::uint8_t { kProgramOrder, kCoherence, kReadsFrom, kFromReads };

const char* name_of(Relation relation) {
    switch (relation) {
        case Relation::kProgramOrder:
            return "program order";
        case Relation::kCoherence:
            return "coherence";
        case Relation::kReadsFrom:
            return "reads-from";
        case Relation::kFromReads:
            return "from-reads";
    }
    return "";
}

struct Must {
    Relation relation = Relation::kProgramOrder;
};
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Must>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

bool loads(const hw::SharedAccess& access) { return access.loaded != hw::SharedAccess::kNothing; }
bool stores(const hw::SharedAccess& access) { return access.stored != hw::SharedAccess::kNothing; }

bool is_bit(const hw::SharedAccess& row) { return row.address % WEIR_WORD_BYTES != 0; }

// True if `row` is the full/empty bit's part of `access`, the row before it.
bool is_bit_of(const hw::SharedAccess& row, const hw::SharedAccess& access) {
    return row.address == access.address + 1 && row.node == access.node &&
           row.context == access.context && row.cycle == access.cycle &&
           row.sequence == access.sequence + 1;
}

std::string described(const hw::SharedAccess& access) {
    hw::TextWriter text;
    text << "node " << access.node;
    if (access.context != 0) {
        text << ", context " << access.context;
    }
    text << ", cycle " << access.cycle << (loads(access) ? " loads " : " stores ")
         << (loads(access) ? access.loaded : access.stored);
    if (loads(access) && stores(access)) {
        text << " and stores " << access.stored;
    }
    text << (is_bit(access) ? " in the full/empty bit" : "") << " at 0x" << std::hex
         << access.address - (is_bit(access) ? 1 : 0);
    return text.str();
}

/// Graph of accesses, with their numbers as vertices. A full/empty access has a row for its word
/// and one for the bit, and is one vertex, since it is atomic.
class Order {
  public:
    explicit Order(std::span<const hw::SharedAccess> accesses)
        : accesses_(accesses), vertices_(accesses.size()) {
        relate_programs();
        relate_words();
    }

    [[nodiscard]] std::size_t words() const { return words_; }
    [[nodiscard]] std::size_t programs() const { return programs_; }
    [[nodiscard]] std::string fault() const {
        return loaded_from_nowhere_
                   ? described(accesses_[*loaded_from_nowhere_]) + ", a word that was never stored"
                   : cycle();
    }

  private:
    using Numbers = std::vector<std::size_t>;

    void relate(std::size_t before, std::size_t after, Relation relation) {
        if (vertices_[before] != vertices_[after]) {
            edges_.emplace_back(vertices_[before], vertices_[after]);
            relations_.push_back({relation});
        }
    }

    // Sorts the accesses' numbers by a key.
    template <class KeyOf>
    [[nodiscard]] Numbers in_order(const KeyOf& key_of) const {
        Numbers numbers(accesses_.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            numbers[i] = i;
        }
        std::sort(numbers.begin(), numbers.end(), [&](std::size_t a, std::size_t b) {
            return key_of(accesses_[a]) < key_of(accesses_[b]);
        });
        return numbers;
    }

    void relate_programs() {
        const Numbers numbers = in_order([](const hw::SharedAccess& access) {
            return std::tuple(access.node, access.context, access.sequence);
        });
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const hw::SharedAccess& access = accesses_[numbers[i]];
            const hw::SharedAccess* const before = i == 0 ? nullptr : &accesses_[numbers[i - 1]];
            vertices_[numbers[i]] = numbers[i];
            if (before != nullptr && is_bit_of(access, *before)) {
                vertices_[numbers[i]] = numbers[i - 1];
            }
            if (before != nullptr && before->node == access.node &&
                before->context == access.context) {
                relate(numbers[i - 1], numbers[i], Relation::kProgramOrder);
            } else {
                programs_ += 1;
            }
        }
    }

    void relate_words() {
        const Numbers numbers = in_order([](const hw::SharedAccess& access) {
            return std::tuple(access.address, access.cycle, access.node, access.sequence);
        });
        for (auto begin = numbers.begin(); begin != numbers.end();) {
            const std::int64_t address = accesses_[*begin].address;
            const auto end = std::find_if(begin, numbers.end(), [&](std::size_t number) {
                return accesses_[number].address != address;
            });
            relate_word({begin, end});
            words_ += is_bit(accesses_[*begin]) ? 0 : 1;
            begin = end;
        }
    }

    // Adds the edges of the accesses to one word, in the order in which they were performed.
    void relate_word(std::span<const std::size_t> numbers) {
        Numbers stores_in_order;
        for (const std::size_t number : numbers) {
            if (stores(accesses_[number])) {
                stores_in_order.push_back(number);
            }
        }
        for (std::size_t i = 1; i < stores_in_order.size(); ++i) {
            relate(stores_in_order[i - 1], stores_in_order[i], Relation::kCoherence);
        }
        std::optional<std::int64_t> first_word;
        std::size_t before = 0;  // number of stores before the access
        for (const std::size_t number : numbers) {
            if (loads(accesses_[number])) {
                relate_load(number, stores_in_order, before, first_word);
            }
            before += stores(accesses_[number]) ? 1 : 0;
        }
    }

    // Adds the edges of a load that follows the first `before` stores to its word.
    void relate_load(std::size_t load, const Numbers& stores_in_order, std::size_t before,
                     std::optional<std::int64_t>& first_word) {
        const std::int64_t word = accesses_[load].loaded;
        const auto has_word = [&](std::size_t store) {
            return accesses_[store].stored == word && store != load;
        };
        const auto middle = stores_in_order.begin() + static_cast<std::ptrdiff_t>(before);
        auto next = stores_in_order.begin();  // first store after the store that the load has read
        const auto last =
            std::find_if(std::reverse_iterator(middle), stores_in_order.rend(), has_word);
        if (last != stores_in_order.rend()) {
            relate(*last, load, Relation::kReadsFrom);
            next = last.base();
        } else if (first_word.value_or(word) == word) {
            first_word = word;
        } else {
            const auto later = std::find_if(middle, stores_in_order.end(), has_word);
            if (later == stores_in_order.end()) {
                loaded_from_nowhere_ = loaded_from_nowhere_.value_or(load);
                return;
            }
            relate(*later, load, Relation::kReadsFrom);
            next = later + 1;
        }
        if (next != stores_in_order.end() && *next != load) {
            relate(load, *next, Relation::kFromReads);
        }
    }

    // Describes a shortest cycle through the earliest access of any cycle.
    [[nodiscard]] std::string cycle() const {
        const Graph graph(boost::edges_are_unsorted_multi_pass, edges_.begin(), edges_.end(),
                          relations_.begin(), accesses_.size());
        std::vector<std::size_t> component(accesses_.size());
        const auto index = boost::get(boost::vertex_index, graph);
        const std::size_t components = boost::strong_components(
            graph, boost::make_iterator_property_map(component.begin(), index));
        std::vector<std::size_t> members(components);
        for (const std::size_t one : component) {
            members[one] += 1;
        }
        std::optional<std::size_t> earliest;
        for (std::size_t i = 0; i < accesses_.size(); ++i) {
            const auto key = [this](std::size_t number) {
                return std::tuple(accesses_[number].cycle, accesses_[number].node,
                                  accesses_[number].sequence);
            };
            if (members[component[i]] > 1 && (!earliest || key(i) < key(*earliest))) {
                earliest = i;
            }
        }
        return earliest ? cycle_through(graph, component, *earliest) : "";
    }

    // Breadth-first search within the start's strongly connected component.
    [[nodiscard]] std::string cycle_through(const Graph& graph,
                                            const std::vector<std::size_t>& component,
                                            std::size_t start) const {
        std::map<std::size_t, std::pair<std::size_t, Relation>> reached_from;
        std::deque<std::size_t> reached{start};
        while (!reached_from.contains(start)) {
            const std::size_t at = reached.front();
            reached.pop_front();
            const auto [first, last] = boost::out_edges(at, graph);
            for (auto edge = first; edge != last; ++edge) {
                const Vertex to = boost::target(*edge, graph);
                if (component[to] == component[start] &&
                    reached_from.try_emplace(to, at, graph[*edge].relation).second) {
                    reached.push_back(to);
                }
            }
        }
        // Steps of the cycle, the last one first.
        std::vector<std::pair<std::size_t, Relation>> steps;
        for (std::size_t at = start; steps.empty() || at != start;) {
            const auto [before, relation] = reached_from.at(at);
            steps.emplace_back(at, relation);
            at = before;
        }
        hw::TextWriter text;
        text << described(accesses_[start]);
        std::reverse(steps.begin(), steps.end());
        for (const auto& [at, relation] : steps) {
            text << " before (" << name_of(relation) << ") " << described(accesses_[at]);
        }
        return text.str();
    }

    std::span<const hw::SharedAccess> accesses_;
    Numbers vertices_;
    std::vector<std::pair<std::size_t, std::size_t>> edges_;
    std::vector<Must> relations_;
    std::size_t words_ = 0;
    std::size_t programs_ = 0;
    std::optional<std::size_t> loaded_from_nowhere_;
};

}  // namespace

OrderCheck check_order(std::span<const hw::SharedAccess> accesses) {
    const Order order(accesses);
    return {.words = order.words(), .programs = order.programs(), .fault = order.fault()};
}

}  // namespace weir::memory
