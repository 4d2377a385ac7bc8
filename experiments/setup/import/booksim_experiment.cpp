#include "experiments/setup/import/booksim_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/text/utf8_text.h"
#include "experiments/setup/text/wrapped_text.h"
#include "hw/parameter.h"
#include "hw/refusal.h"

namespace weir::experiments::setup {

namespace {

using Texts = std::vector<std::string_view>;

constexpr std::int64_t kMostDelay = 900;
constexpr std::int64_t kMostCycles = 1'000'000'000;
constexpr std::int64_t kMostSimulations = 1000;
constexpr std::int64_t kMostDimensions = 16;
constexpr std::int64_t kMostNodes = 16'384;
constexpr std::int64_t kMostFlits = 65'535;
constexpr std::int64_t kLocalDragonflyLatency = 10;    // fixed in BookSim's source
constexpr std::int64_t kGlobalDragonflyLatency = 100;  // fixed in BookSim's source
constexpr std::int64_t kUgalThreshold = 30;            // fixed in BookSim's source
constexpr std::size_t kCommentColumn = 36;

struct TopologyName {
    std::string_view booksim;
    std::string_view weir;
};

constexpr std::array kTopologies{TopologyName{"mesh", "mesh"},
                                 TopologyName{"torus", "torus"},
                                 TopologyName{"fly", "butterfly"},
                                 TopologyName{"fattree", "fat_tree"},
                                 TopologyName{"anynet", "graph"},
                                 TopologyName{"dragonflynew", "dragonfly"},
                                 TopologyName{"cmesh", "concentrated_mesh"},
                                 TopologyName{"flatfly", "flattened_butterfly"}};

struct RoutingName {
    std::string_view topology;
    std::string_view booksim;
    Texts weir;             ///< values of network.routing; the first that the program accepts
    std::string_view note;  ///< difference in meaning
};

constexpr std::string_view kDifferentInjection =
    "BookSim also restricts the virtual channels of injected packets; Weir does not";

const std::vector<RoutingName>& routings() {
    static const std::vector<RoutingName> all_routings{
        {"mesh", "dor", {"default"}, ""},
        {"mesh", "dim_order", {"default"}, ""},
        {"mesh", "dim_order_ni", {"default"}, kDifferentInjection},
        {"mesh", "dim_order_pni", {"default"}, kDifferentInjection},
        {"mesh", "xy_yx", {"o1turn"}, ""},
        {"mesh", "romm", {"romm"}, ""},
        {"mesh", "romm_ni", {"romm"}, kDifferentInjection},
        {"mesh", "planar_adapt", {"planar_adaptive"}, ""},
        {"mesh", "valiant", {"valiant"}, ""},
        {"mesh",
         "min_adapt",
         {"minimal_adaptive"},
         "BookSim as published offers its packets only one of several outputs of equal priority "
         "(outputset.hpp). Its results differ unless this is corrected"},
        {"torus", "dim_order", {"default"}, ""},
        {"torus", "dim_order_ni", {"default"}, kDifferentInjection},
        {"torus", "dim_order_bal", {"default"}, ""},
        {"torus", "valiant", {"valiant"}, ""},
        {"torus", "valiant_ni", {"valiant"}, kDifferentInjection},
        {"torus",
         "min_adapt",
         {"minimal_adaptive"},
         "BookSim as published offers its packets only one of several outputs of equal priority "
         "(outputset.hpp). Its results differ unless this is corrected"},
        {"fly", "dest_tag", {"default"}, ""},
        {"fattree",
         "nca",
         {"random_up", "up_down"},
         "BookSim draws the way up at random. up_down takes any free channel up"},
        {"fattree", "anca", {"up_down"}, "Weir takes any free channel up"},
        {"anynet",
         "min",
         {"up_down"},
         "BookSim has one shortest path for each pair of routers. up_down also takes other "
         "shortest "
         "paths, and avoids paths that go up after they went down, so that it cannot deadlock"},
        {"dragonflynew",
         "min",
         {"default"},
         "BookSim sends global channels on the second virtual channel, Weir on the first"},
        {"dragonflynew",
         "ugal",
         {"ugal"},
         "BookSim goes by a random node, Weir by a random group, which saves a hop. BookSim counts "
         "1 "
         "hop of the minimal route and 2 of the other one, Weir all hops between routers"},
        {"cmesh", "dor_no_express", {"default"}, ""},
        {"flatfly", "ran_min", {"default"}, "BookSim draws the order of dimensions"},
        {"flatfly", "valiant", {"valiant"}, ""},
    };
    return all_routings;
}

struct ValueName {
    std::string_view booksim;
    std::string_view weir;
};

constexpr std::array kPatterns{
    ValueName{"uniform", "uniform"},      ValueName{"bitcomp", "bit_complement"},
    ValueName{"transpose", "transpose"},  ValueName{"bitrev", "bit_reverse"},
    ValueName{"shuffle", "shuffle"},      ValueName{"tornado", "tornado"},
    ValueName{"neighbor", "neighbour"},   ValueName{"hotspot", "hot_spot"},
    ValueName{"bad_dragon", "next_group"}};
constexpr std::array kAllocators{
    ValueName{"islip", "output_first"}, ValueName{"separable_output_first", "output_first"},
    ValueName{"separable_input_first", "input_first"}, ValueName{"wavefront", "wavefront"}};
constexpr std::array kPriorities{
    ValueName{"none", "round_robin"}, ValueName{"age", "oldest_generated"},
    ValueName{"network_age", "oldest"}, ValueName{"local_age", "oldest_here"}};

template <std::size_t kCount>
std::string_view weir_value(const std::array<ValueName, kCount>& names, std::string_view booksim) {
    const auto* found = std::find_if(names.begin(), names.end(), [booksim](const ValueName& name) {
        return name.booksim == booksim;
    });
    return found == names.end() ? std::string_view() : found->weir;
}

template <class Names>
std::vector<std::string> booksim_values(const Names& names) {
    std::vector<std::string> values;
    values.reserve(names.size());
    for (const auto& name : names) {
        values.emplace_back(name.booksim);
    }
    return values;
}

// "hotspot({1,2})": the name, and the items between the brackets.
struct Call {
    std::string name;
    std::vector<std::string> items;
};

Call call_of(const std::string& text) {
    const std::size_t left = text.find('(');
    if (left == std::string::npos) {
        return {text, {}};
    }
    const std::size_t right = text.rfind(')');
    const std::size_t end = right == std::string::npos ? text.size() : right;
    return {text.substr(0, left),
            booksim_list(std::string_view(text).substr(left + 1, end - left - 1))};
}

// One table of the experiment file.
class Table {
  public:
    explicit Table(std::string name) : name_(std::move(name)) {}

    void note(std::string_view text) {
        if (!text.empty()) {
            text_ += wrapped(text, "# ", "# ");
        }
    }
    void add(std::string_view key, const hw::ParameterValue& value, std::string_view origin) {
        std::string line = fmt::format("{} = {}", key, toml_text(value));
        if (!origin.empty()) {
            line.resize(std::max(line.size() + 1, kCommentColumn), ' ');
            line += fmt::format("# {}", origin);
        }
        text_ += line + "\n";
    }
    [[nodiscard]] std::string text() const { return fmt::format("\n[{}]\n{}", name_, text_); }

  private:
    std::string name_;
    std::string text_;
};

class Import {
  public:
    Import(const BooksimConfiguration& booksim, std::string graph_file,
           const std::function<bool(std::string_view, std::string_view)>& accepts)
        : booksim_(booksim), graph_file_(std::move(graph_file)), accepts_(accepts) {}

    BooksimExperiment experiment() {
        require_counterparts();
        add_topology();
        add_routing();
        add_router();
        add_links();
        add_traffic();
        add_measurement();
        Table workload("workload");
        workload.add("kernel", std::string("open-loop"), "");
        BooksimExperiment made;
        made.toml = head() + network_.text() + workload.text() + traffic_.text() + run_.text() +
                    unread_keys();
        made.any_network = any_network_;
        return made;
    }

  private:
    [[nodiscard]] UserFault fault(std::string_view key, const std::string& accepted,
                                  std::optional<std::string> nearest = {}) const {
        return {booksim_.place(key),
                hw::shortened(booksim_.written(key)) + " has no counterpart in Weir", accepted,
                std::move(nearest)};
    }

    [[nodiscard]] std::int64_t whole(std::string_view key, std::int64_t least,
                                     std::int64_t most) const {
        const std::int64_t value = booksim_.whole(key);
        if (value < least || value > most) {
            throw UserFault(booksim_.place(key), booksim_.written(key),
                            fmt::format("a whole number from {} to {}", least, most));
        }
        return value;
    }

    /// "k = 8, n = 2 (default)"
    [[nodiscard]] std::string origin(std::initializer_list<std::string_view> keys) const {
        std::string text;
        for (const std::string_view key : keys) {
            text += (text.empty() ? "" : ", ") + hw::shortened(booksim_.written(key)) +
                    (booksim_.is_set(key) ? "" : " (default)");
        }
        return text;
    }

    /// First item of a key that may have a list with an item for each class of packets.
    [[nodiscard]] std::string first_item(std::string_view key) const {
        const std::vector<std::string> items = booksim_list(booksim_.text(key));
        return items.empty() ? std::string() : items.front();
    }

    template <class Number>
    [[nodiscard]] std::optional<Number> number_in(std::string_view text) const {
        Number number{};
        const char* last = text.data() + text.size();
        const auto [end, error] = std::from_chars(text.data(), last, number);
        return error == std::errc() && end == last ? std::optional(number) : std::nullopt;
    }

    template <class Number>
    [[nodiscard]] Number first_number(std::string_view key, Number number) const {
        const std::string item = first_item(key);
        if (item.empty()) {
            return number;
        }
        const std::optional<Number> read = number_in<Number>(item);
        if (!read) {
            throw fault(key, "one number");
        }
        return *read;
    }

    void require_counterparts() const {
        if (booksim_.text("router") != "iq") {
            throw fault("router", "router = iq");
        }
        if (booksim_.whole("classes") != 1) {
            throw fault("classes", "classes = 1");
        }
        if (first_number("use_read_write", booksim_.whole("use_read_write")) != 0) {
            throw fault("use_read_write", "use_read_write = 0");
        }
        const std::string type = booksim_.text("sim_type");
        if (type != "latency" && type != "throughput") {
            throw fault("sim_type", "latency, throughput");
        }
    }

    void add_topology() {
        topology_ = booksim_.text("topology");
        std::vector<std::string> accepted;
        std::string_view name;
        for (const TopologyName& each : kTopologies) {
            if (accepts_("network.topology", each.weir)) {
                accepted.emplace_back(each.booksim);
                name = each.booksim == topology_ ? each.weir : name;
            }
        }
        if (name.empty()) {
            throw fault("topology", quoted_list(accepted), nearest_name(topology_, accepted));
        }
        network_.add("topology", std::string(name), origin({"topology"}));
        if (topology_ == "anynet") {
            if (booksim_.text("network_file").empty()) {
                throw UserFault(booksim_.place("topology"), "topology = anynet without a network",
                                "network_file = FILE;");
            }
            network_.add("graph_file", graph_file_, origin({"network_file"}));
            return;
        }
        const bool is_concentrated = topology_ == "cmesh" || topology_ == "flatfly";
        const std::int64_t k = whole("k", 1, kMostNodes);
        const std::int64_t n = whole("n", 1, kMostDimensions);
        std::vector<std::int64_t> dimensions(n, k);
        if (topology_ == "fly" || topology_ == "fattree") {
            std::int64_t nodes = 1;
            for (std::int64_t stage = 0; stage < n; ++stage) {
                nodes = std::min(nodes * k, kMostNodes + 1);
            }
            if (nodes > kMostNodes) {
                throw UserFault(booksim_.place("n"),
                                fmt::format("{} to the power of {} nodes", k, n),
                                fmt::format("at most {} nodes", kMostNodes));
            }
            network_.add("arity", k, origin({"k"}));
            dimensions = {nodes};
        } else if (topology_ == "dragonflynew") {
            static_cast<void>(whole("n", 1, 1));
            static_cast<void>(whole("k", 1, 20));
            dimensions = {k, 2 * k, 2 * k * k + 1};
            network_.note("nodes per router, routers per group, groups");
        } else if (is_concentrated) {
            dimensions.insert(dimensions.begin(), whole("c", 1, kMostNodes));
            network_.note("nodes per router, then routers in each dimension");
            network_.add("dimensions", dimensions, origin({"c", "k", "n"}));
            return;
        }
        network_.add("dimensions", dimensions, origin({"k", "n"}));
    }

    void add_routing() {
        const std::string function = booksim_.text("routing_function");
        const RoutingName* chosen = nullptr;
        std::string_view routing;
        std::vector<std::string> accepted;
        for (const RoutingName& each : routings()) {
            if (each.topology != topology_) {
                continue;
            }
            const auto value = std::find_if(
                each.weir.begin(), each.weir.end(),
                [this](std::string_view name) { return accepts_("network.routing", name); });
            if (value == each.weir.end()) {
                continue;
            }
            accepted.emplace_back(each.booksim);
            if (each.booksim == function) {
                chosen = &each;
                routing = *value;
            }
        }
        if (chosen == nullptr) {
            throw fault("routing_function", quoted_list(accepted),
                        nearest_name(function, accepted));
        }
        if (routing == chosen->weir.back()) {
            network_.note(chosen->note);
        }
        network_.add("routing", std::string(routing), origin({"routing_function"}));
        if (routing == "ugal") {
            network_.note("Fixed in BookSim's source");
            network_.add("ugal_threshold_flits", kUgalThreshold, "");
        }
        is_adaptive_ = routing == "minimal_adaptive";
        if (is_adaptive_) {
            network_.note("BookSim's packets request the escape channel at once, and stay there");
            network_.add("escapes_last", false, "");
            network_.add("leave_escapes", false, "");
        }
        if (topology_ == "torus") {
            if (routing == "default") {
                const bool is_balanced = function == "dim_order_bal";
                network_.note(is_balanced ? "BookSim draws the class of a message that crosses "
                                            "neither the ring's end nor its middle"
                                          : "");
                network_.add("ring_classes", std::string(is_balanced ? "balanced" : "crossing"),
                             origin({"routing_function"}));
            }
            network_.note("BookSim draws between two equally long directions");
            network_.add("ring_ties", std::string("lot"), "");
        }
    }

    void add_router() {
        std::int64_t channels = whole("num_vcs", 1, 16);
        if (topology_ == "dragonflynew") {
            network_.note(
                "BookSim's dragonfly uses a channel for each phase of a route, however "
                "many there are. 0: as many as Weir's routing needs");
            channels = 0;
        }
        network_.add("virtual_channels", channels, origin({"num_vcs"}));
        const bool awaits_credit = booksim_.whole("wait_for_tail_credit") != 0;
        if (is_adaptive_ && !awaits_credit) {
            network_.note("Without tail credits this routing can deadlock, also in BookSim");
            network_.add("allow_deadlock", true, "");
        }
        network_.add("vc_reallocation", std::string(awaits_credit ? "tail_credit" : "tail"),
                     origin({"wait_for_tail_credit"}));
        const std::string allocator = booksim_.text("sw_allocator");
        if (booksim_.text("vc_allocator") != allocator) {
            network_.note(
                fmt::format("Weir has one kind of allocator for virtual channels and for "
                            "the switch; {} has no effect",
                            hw::shortened(booksim_.written("vc_allocator"))));
        }
        std::string_view kind = weir_value(kAllocators, allocator);
        if (kind.empty()) {
            network_.note(fmt::format("{} has no counterpart; Weir has {}",
                                      hw::shortened(booksim_.written("sw_allocator")),
                                      quoted_list(booksim_values(kAllocators))));
            kind = "output_first";
        }
        network_.add("allocator", std::string(kind), origin({"sw_allocator"}));
        std::string_view arbitration = weir_value(kPriorities, booksim_.text("priority"));
        if (arbitration.empty()) {
            network_.note(fmt::format("{} has no counterpart; Weir has {}",
                                      hw::shortened(booksim_.written("priority")),
                                      quoted_list(booksim_values(kPriorities))));
            arbitration = "round_robin";
        }
        if (booksim_.text("arb_type") != "round_robin") {
            network_.note(fmt::format("{} has no counterpart: arbiters are round robin",
                                      hw::shortened(booksim_.written("arb_type"))));
        }
        network_.add("arbitration", std::string(arbitration), origin({"priority", "arb_type"}));
        if (const std::int64_t subnets = whole("subnets", 1, 16); subnets != 1) {
            network_.note("BookSim draws a packet's copy of the network; Weir takes them in turn");
            network_.add("copies", subnets, origin({"subnets"}));
        }
    }

    /// Latency of a channel between routers in BookSim.
    [[nodiscard]] std::int64_t channel_latency() {
        const bool is_noc = booksim_.whole("use_noc_latency") == 1;
        if (topology_ == "dragonflynew") {
            return kLocalDragonflyLatency;
        }
        if (topology_ == "flatfly" && is_noc) {
            network_.note(
                "BookSim's channels take as many cycles as they are long; Weir's take "
                "one cycle, as with use_noc_latency = 0");
        }
        return is_noc && (topology_ == "torus" || topology_ == "cmesh") ? 2 : 1;
    }

    void add_links() {
        const std::int64_t latency = channel_latency();
        const std::int64_t traversal =
            whole("st_prepare_delay", 0, kMostDelay) + whole("st_final_delay", 0, kMostDelay);
        const std::int64_t vc_allocation = whole("vc_alloc_delay", 1, kMostDelay);
        const std::int64_t sw_allocation = whole("sw_alloc_delay", 1, kMostDelay);
        const std::int64_t hop = traversal + latency;
        network_.add("routing_cycles", whole("routing_delay", 0, kMostDelay),
                     origin({"routing_delay"}));
        if (booksim_.whole("speculative") != 0) {
            network_.note(
                "BookSim allocates virtual channel and switch at once. In Weir this "
                "speculation never fails");
            network_.add("vc_allocation_cycles",
                         std::max<std::int64_t>(0, vc_allocation - sw_allocation),
                         origin({"vc_alloc_delay", "speculative"}));
        } else {
            network_.add("vc_allocation_cycles", vc_allocation, origin({"vc_alloc_delay"}));
        }
        network_.add("switch_allocation_cycles", sw_allocation, origin({"sw_alloc_delay"}));
        network_.note(fmt::format(
            "st_prepare_delay + st_final_delay, and {} cycle{} of BookSim's channel ({})", latency,
            latency == 1 ? "" : "s",
            topology_ == "dragonflynew" ? "fixed in its source" : origin({"use_noc_latency"})));
        network_.add("hop_cycles", hop, origin({"st_prepare_delay", "st_final_delay"}));
        if (topology_ == "dragonflynew") {
            network_.note("BookSim's global channels take 100 cycles (fixed in its source)");
            network_.add("global_hop_cycles", traversal + kGlobalDragonflyLatency, "");
        }
        add_buffers(sw_allocation + hop - 1);
        // A node's channel takes a cycle in BookSim, and its interface one more.
        network_.note(
            "BookSim's nodes take every flit at once, so only the sum of the next two "
            "counts");
        network_.add("injection_cycles", kInjectionCycles, "");
        network_.add("ejection_cycles", traversal, "");
        network_.note("A credit takes credit_delay + 2 cycles, and more on longer channels");
        network_.add("credit_cycles", whole("credit_delay", 0, kMostDelay) + latency + 1,
                     origin({"credit_delay"}));
        network_.add("injection_credit_cycles", std::int64_t{2}, "");
        if (topology_ == "anynet") {
            any_network_ = {hop, kInjectionCycles, traversal};
        }
    }

    /// A link of d cycles holds d - 1 flits in addition to the buffer at its end.
    void add_buffers(std::int64_t flits_on_link) {
        const std::int64_t shared = booksim_.whole("buf_size");
        const std::int64_t slots =
            shared > 0 ? std::clamp<std::int64_t>(shared / booksim_.whole("num_vcs"), 1, kMostFlits)
                       : whole("vc_buf_size", 1, 4096);
        const std::string from =
            shared > 0 ? origin({"buf_size", "num_vcs"}) : origin({"vc_buf_size"});
        if (booksim_.text("buffer_policy") != "private") {
            network_.note(
                fmt::format("{} has no counterpart: each virtual channel has a buffer of "
                            "its own",
                            hw::shortened(booksim_.written("buffer_policy"))));
        }
        const auto add = [&](std::string_view key, std::int64_t on_link) {
            if (slots <= on_link) {
                network_.note(
                    fmt::format("BookSim has {} slots; a link of Weir holds {} flits in "
                                "addition to its buffer",
                                slots, on_link));
            }
            network_.add(key, std::max<std::int64_t>(1, slots - on_link), from);
        };
        network_.note(
            fmt::format("{} slots in BookSim, less the {} flits that a link of Weir "
                        "holds in addition to its buffer",
                        slots, flits_on_link));
        add("buffer_flits", flits_on_link);
        add("injection_buffer_flits", kInjectionCycles - 1);
    }

    void add_traffic() {
        const Call pattern = call_of(first_item("traffic"));
        const std::string_view name = weir_value(kPatterns, pattern.name);
        if (name.empty() || (name == "next_group" && topology_ != "dragonflynew")) {
            const std::vector<std::string> accepted = booksim_values(kPatterns);
            throw fault("traffic", quoted_list(accepted), nearest_name(pattern.name, accepted));
        }
        if (name != "uniform" && (topology_ == "cmesh" || topology_ == "flatfly")) {
            traffic_.note(
                "BookSim numbers nodes row by row over the whole network, Weir router by "
                "router, so other pairs of nodes communicate");
        } else if ((name == "tornado" || name == "neighbour") && topology_ != "mesh" &&
                   topology_ != "torus") {
            traffic_.note("BookSim takes the digits of a node's number, Weir its coordinates");
        }
        traffic_.add("pattern", std::string(name), origin({"traffic"}));
        if (name == "hot_spot") {
            add_hot_spots(pattern);
        }
        const std::string sizes = first_item("packet_size");
        if (booksim_list(sizes).size() > 1) {
            throw fault("packet_size", "one length of packets");
        }
        const std::int64_t flits =
            booksim_list(sizes).empty()
                ? booksim_.whole("packet_size")
                : number_in<std::int64_t>(booksim_list(sizes).front()).value_or(0);
        if (flits < 1 || flits > kMostFlits) {
            throw UserFault(booksim_.place("packet_size"),
                            hw::shortened(booksim_.written("packet_size")),
                            fmt::format("a whole number from 1 to {}", kMostFlits));
        }
        traffic_.add("packet_flits", flits, origin({"packet_size"}));
        add_load(flits);
        traffic_.add("interleave_packets", false, "as BookSim's sources");
        traffic_.add("await_tail_credit", booksim_.whole("wait_for_tail_credit") != 0,
                     origin({"wait_for_tail_credit"}));
    }

    void add_hot_spots(const Call& pattern) {
        std::vector<std::int64_t> nodes;
        std::vector<std::int64_t> rates;
        const auto read = [this](const std::string& list, std::int64_t least,
                                 std::vector<std::int64_t>& numbers) {
            for (const std::string& item : booksim_list(list)) {
                const std::optional<std::int64_t> number = number_in<std::int64_t>(item);
                if (!number || *number < least || *number > kMostCycles) {
                    throw fault("traffic", "hot nodes by number, such as hotspot({{27,36},{1,3}})");
                }
                numbers.push_back(*number);
            }
        };
        if (!pattern.items.empty()) {
            read(pattern.items[0], 0, nodes);
        }
        if (nodes.empty()) {
            throw fault("traffic", "hot nodes by number, such as hotspot({{27,36},{1,3}})");
        }
        if (pattern.items.size() > 1) {
            read(pattern.items[1], 1, rates);
        }
        if (rates.empty()) {
            rates.push_back(1);
        }
        rates.resize(nodes.size(), rates.back());
        traffic_.note("All packets of BookSim go to the hot nodes");
        traffic_.add("hot_spot_share", 1.0, "");
        traffic_.add("hot_spot_nodes", nodes, origin({"traffic"}));
        traffic_.add("hot_spot_rates", rates, origin({"traffic"}));
    }

    void add_load(std::int64_t flits) {
        const double rate = first_number("injection_rate", booksim_.real("injection_rate"));
        const bool is_in_flits = booksim_.whole("injection_rate_uses_flits") != 0;
        const double load = is_in_flits ? rate : rate * static_cast<double>(flits);
        const double packets = load / static_cast<double>(flits);
        if (!(packets > 0.0) || packets > 1.0 || load > 16.0) {
            throw UserFault(booksim_.place("injection_rate"),
                            hw::shortened(booksim_.written("injection_rate")),
                            "more than 0 and at most 1 packet per cycle, and at most 16 flits");
        }
        if (!is_in_flits && flits > 1) {
            traffic_.note("In flits; BookSim's rate counts packets of packet_size flits");
        }
        traffic_.add("load", load, origin({"injection_rate", "injection_rate_uses_flits"}));
        const Call process = call_of(first_item("injection_process"));
        if (process.name == "on_off") {
            add_bursts(process, packets, flits);
        } else if (process.name != "bernoulli") {
            throw fault("injection_process", "bernoulli, on_off");
        }
    }

    /// BookSim's chain of two states: alpha begins a burst, beta ends it, and r1 is the rate in it.
    void add_bursts(const Call& process, double packets, std::int64_t flits) {
        const auto argument = [&](std::size_t index, std::string_view key) {
            if (process.items.size() <= index) {
                return booksim_.real(key);
            }
            const std::optional<double> number = number_in<double>(process.items[index]);
            if (!number) {
                throw fault("injection_process", "on_off({ALPHA,BETA,R1})");
            }
            return *number;
        };
        const double alpha = argument(0, "burst_alpha");
        double beta = argument(1, "burst_beta");
        double r1 = argument(2, "burst_r1");
        if (alpha > 0.0 && beta > 0.0 && r1 < 0.0) {
            r1 = packets * (alpha + beta) / alpha;
        } else if (alpha > 0.0 && beta < 0.0 && r1 > packets) {
            beta = alpha * (r1 - packets) / packets;
        }
        if (!(beta > 0.0) || beta > 1.0 || !(r1 > 0.0) || r1 > 1.0) {
            throw fault("injection_process",
                        "two of burst_alpha, burst_beta and burst_r1 above 0, the third below, and "
                        "a rate of at most 1 packet per cycle in a burst");
        }
        traffic_.add("source", std::string("bursty"), origin({"injection_process"}));
        traffic_.note("1 / burst_beta cycles, rounded; silence follows from the load");
        traffic_.add("burst_cycles",
                     std::max<std::int64_t>(1, std::llround(std::min(1e9, 1.0 / beta))),
                     origin({"burst_alpha", "burst_beta"}));
        traffic_.note("In flits; BookSim's rate counts packets");
        traffic_.add("burst_load", r1 * static_cast<double>(flits), origin({"burst_r1"}));
    }

    void add_measurement() {
        const std::int64_t period = whole("sample_period", 1, kMostCycles);
        const std::int64_t warm_up = whole("warmup_periods", 0, 1000);
        const std::int64_t most = whole("max_samples", 1, 1000);
        const double threshold = first_number("stopping_thres", booksim_.real("stopping_thres"));
        traffic_.note(warm_up == 0 ? "BookSim warms up until its results change little"
                                   : "warmup_periods * sample_period");
        traffic_.add("warm_up_cycles", std::max<std::int64_t>(warm_up, 1) * period,
                     origin({"warmup_periods", "sample_period"}));
        const bool is_fixed = threshold < 0.0;
        traffic_.note(is_fixed ? "(max_samples - warmup_periods) * sample_period"
                               : "3 * sample_period: BookSim measures until three samples have "
                                 "changed by less than stopping_thres, at most max_samples");
        const std::int64_t samples = is_fixed ? std::max<std::int64_t>(1, most - warm_up) : 3;
        traffic_.add("measurement_cycles", samples * period,
                     origin({"sample_period", "max_samples", "stopping_thres"}));
        traffic_.note("BookSim waits for all packets, unless latency_thres is exceeded");
        traffic_.add("drain_cycles", most * period, origin({"sim_type", "latency_thres"}));
        add_seeds();
    }

    void add_seeds() {
        std::int64_t seed = booksim_.whole("seed");
        if (!booksim_.text("seed").empty()) {
            run_.note("BookSim draws this seed from the clock");
            seed = number_in<std::int64_t>(first_item("seed")).value_or(1);
        }
        run_.note("The two programs draw different numbers from a seed");
        std::vector<std::int64_t> seeds;
        for (std::int64_t simulation = 0; simulation < whole("sim_count", 1, kMostSimulations);
             ++simulation) {
            seeds.push_back(std::abs(seed) + simulation);
        }
        run_.add("seeds", seeds, origin({"seed", "sim_count"}));
    }

    [[nodiscard]] std::string head() const {
        const std::string name = printable_line(hw::shortened(booksim_.source()));
        return fmt::format("# Imported from BookSim 2: {}\n", name) +
               wrapped(
                   "A comment behind a value has BookSim's settings. (default): not in the "
                   "file, and BookSim's default. A comment above a value says how the two "
                   "programs differ.",
                   "# ", "# ") +
               "\ntitle = " + toml_text(hw::ParameterValue("BookSim: " + name)) + "\n";
    }

    [[nodiscard]] std::string unread_keys() const {
        std::string text;
        for (const std::string& key : booksim_.keys()) {
            const auto known =
                std::find_if(booksim_keys().begin(), booksim_keys().end(),
                             [&key](const BooksimKey& each) { return each.name == key; });
            if (!known->unread.empty()) {
                const bool is_default =
                    booksim_.written(key) == fmt::format("{} = {}", key, known->default_value);
                text += wrapped(
                    fmt::format("line {}: {}: {}", booksim_.place(key).line,
                                hw::shortened(booksim_.written(key)),
                                is_default && known->unread.substr(0, 14) == "no counterpart"
                                    ? "as in Weir"
                                    : known->unread),
                    "#   ", "#     ");
            }
        }
        return text.empty() ? text : "\n# Settings of the file that Weir does not read:\n" + text;
    }

    static constexpr std::int64_t kInjectionCycles = 3;

    const BooksimConfiguration& booksim_;
    std::string graph_file_;
    const std::function<bool(std::string_view, std::string_view)>& accepts_;
    Table network_{"network"};
    Table traffic_{"traffic"};
    Table run_{"run"};
    std::string topology_;
    bool is_adaptive_ = false;
    std::optional<BooksimChannelCycles> any_network_;
};

}  // namespace

BooksimExperiment booksim_experiment(
    const BooksimConfiguration& configuration, const std::string& graph_file,
    const std::function<bool(std::string_view key, std::string_view value)>& accepts) {
    return Import(configuration, graph_file, accepts).experiment();
}

}  // namespace weir::experiments::setup
