#include "network/topology/dot_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <variant>

#include "hw/input_limits.h"

namespace weir::network {

namespace {

enum class TokenKind : std::uint8_t {
    kEnd,
    kName,    // identifier or numeral
    kQuoted,  // string in quotation marks, or in angle brackets (HTML)
    kStrict,
    kGraph,
    kDigraph,
    kNode,
    kEdge,
    kSubgraph,
    kArrow,
    kLine,
    kSymbol,  // any other byte
};

struct Token {
    TokenKind kind = TokenKind::kEnd;
    std::string text;  // value of a name or string; else as it is written
    std::size_t offset = 0;
};

constexpr std::array<std::pair<std::string_view, TokenKind>, 6> kKeywords{
    {{"strict", TokenKind::kStrict},
     {"graph", TokenKind::kGraph},
     {"digraph", TokenKind::kDigraph},
     {"node", TokenKind::kNode},
     {"edge", TokenKind::kEdge},
     {"subgraph", TokenKind::kSubgraph}}};

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Bytes of other alphabets, in any encoding, are letters.
bool is_letter(char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') || letter == '_' ||
           code >= 0x80U;
}

// Divides a text into tokens.
class DotScanner {
  public:
    DotScanner(std::string_view text, const TextPlaces& places) : text_(text), places_(&places) {}

    Token next() {
        skip_blanks();
        const std::size_t begin = at_;
        if (at_ == text_.size() || text_[at_] == '@') {  // '@' ends the input
            return {TokenKind::kEnd, std::string(text_.substr(at_, 1)), begin};
        }
        if (text_[at_] == '"') {
            return {TokenKind::kQuoted, quoted_string(), begin};
        }
        if (text_[at_] == '<') {
            return {TokenKind::kQuoted, html_string(), begin};
        }
        if (const std::size_t length = numeral_length(); length > 0) {
            at_ += length;
            return {TokenKind::kName, std::string(text_.substr(begin, length)), begin};
        }
        if (is_letter(text_[at_])) {
            while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) {
                ++at_;
            }
            return word(begin);
        }
        const bool is_operator = is_at("->") || is_at("--");
        at_ += is_operator ? 2 : 1;
        const std::string written(text_.substr(begin, at_ - begin));
        return {!is_operator      ? TokenKind::kSymbol
                : written == "->" ? TokenKind::kArrow
                                  : TokenKind::kLine,
                written, begin};
    }

  private:
    [[nodiscard]] bool is_at(std::string_view start) const {
        return text_.substr(at_).starts_with(start);
    }

    Token word(std::size_t begin) const {
        std::string written(text_.substr(begin, at_ - begin));
        const std::string in_small = in_lower_case(written);
        for (const auto& [keyword, kind] : kKeywords) {
            if (in_small == keyword) {
                return {kind, written, begin};
            }
        }
        return {TokenKind::kName, std::move(written), begin};
    }

    // A comment without an end is refused only if the graph is not complete before it.
    void skip_blanks() {
        constexpr std::string_view kBlanks = " \t\r\n";
        constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
        while (at_ < text_.size()) {
            if (kBlanks.find(text_[at_]) != std::string_view::npos) {
                ++at_;
            } else if (is_at("#") || is_at("//")) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (is_at("/*")) {
                const std::size_t end = text_.find("*/", at_ + 2);
                at_ = end == std::string_view::npos ? text_.size() : end + 2;
            } else if (is_at(kByteOrderMark) && is_mark_alone()) {
                at_ += kByteOrderMark.size();
            } else {
                return;
            }
        }
    }
    // In a word, the bytes of a byte order mark are letters.
    [[nodiscard]] bool is_mark_alone() const {
        const std::size_t behind = at_ + 3;
        return behind == text_.size() || !(is_letter(text_[behind]) || is_digit(text_[behind]));
    }

    // "-1", "2.", "3.5", ".5"; 0 if no numeral begins here.
    [[nodiscard]] std::size_t numeral_length() const {
        std::size_t end = at_ + (text_[at_] == '-' ? 1 : 0);
        const auto digits_from = [&](std::size_t from) {
            std::size_t behind = from;
            while (behind < text_.size() && is_digit(text_[behind])) {
                ++behind;
            }
            return behind;
        };
        const std::size_t whole_end = digits_from(end);
        const bool has_whole = whole_end > end;
        end = whole_end;
        if (end < text_.size() && text_[end] == '.') {
            const std::size_t fraction_end = digits_from(end + 1);
            if (has_whole || fraction_end > end + 1) {
                return fraction_end - at_;
            }
        }
        return has_whole ? end - at_ : 0;
    }

    // In a string, \" is a quotation mark, and a backslash at the end of a line joins the lines.
    // Other escapes belong to the value, for the programs that draw it.
    std::string quoted_string() {
        const std::size_t begin = at_++;
        std::string value;
        while (at_ < text_.size() && text_[at_] != '"') {
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
                const char escaped = text_[at_ + 1];
                if (escaped == '"') {
                    value += '"';
                } else if (escaped == '\\') {
                    value += "\\\\";
                } else if (escaped != '\n') {
                    value += '\\';
                    ++at_;
                    continue;
                }
                at_ += 2;
            } else {
                value += text_[at_++];
            }
        }
        if (at_ == text_.size()) {
            throw GraphFault(places_->of(begin), "a string has no end", R"(a closing ")");
        }
        ++at_;
        return value;
    }

    std::string html_string() {
        const std::size_t begin = at_;
        std::size_t depth = 0;
        for (; at_ < text_.size(); ++at_) {
            if (text_[at_] == '<') {
                ++depth;
            } else if (text_[at_] == '>' && --depth == 0) {
                ++at_;
                return std::string(text_.substr(begin + 1, at_ - begin - 2));
            }
        }
        throw GraphFault(places_->of(begin), "an HTML string has no end",
                         "a closing > for each < in it");
    }

    std::string_view text_;
    const TextPlaces* places_;
    std::size_t at_ = 0;
};

// Attributes that hold for new vertices and edges of a subgraph.
using Defaults = std::map<std::string, GraphAttribute>;

// The graph, or a subgraph.
struct Scope {
    Scope* parent = nullptr;
    std::map<std::string, std::unique_ptr<Scope>> named;
    std::vector<std::unique_ptr<Scope>> unnamed;
    Defaults vertex_defaults;
    Defaults edge_defaults;
    std::set<std::size_t> vertices;  // those of a subgraph
};

// An end of an edge statement: vertices, or all those of a subgraph.
using End = std::variant<std::vector<std::size_t>, const Scope*>;

// Attributes of a statement that have a meaning, and the pseudo-attribute `key` of edges.
struct AttributeList {
    std::vector<GraphAttribute> attributes;
    std::optional<std::string> key;
};

// Recursive descent by Graphviz's grammar. Each method reads what its name says, from token_ on.
class DotParser {
  public:
    explicit DotParser(std::string_view text) : places_(text), scanner_(text, places_) {
        if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
            throw GraphFault(places_.of(zero), "a byte of value 0", "a text in DOT");
        }
        advance();
    }

    GraphContent graph() {
        content_.place = place();
        is_strict_ = take_if(TokenKind::kStrict);
        is_directed_ = token_.kind == TokenKind::kDigraph;
        if (!is_directed_ && token_.kind != TokenKind::kGraph) {
            refuse_token(R"(a graph in DOT, which begins with "graph" or "digraph")");
        }
        advance();
        if (is_atom()) {
            atom();
        }
        statements(root_);
        if (token_.kind == TokenKind::kStrict || token_.kind == TokenKind::kGraph ||
            token_.kind == TokenKind::kDigraph) {
            throw GraphFault(place(), "a second graph begins", "one graph in a file");
        }
        if (token_.kind != TokenKind::kEnd) {
            refuse_token("the end of the file behind the graph");
        }
        finish();
        return std::move(content_);
    }

  private:
    [[nodiscard]] FilePlace place() const { return places_.of(token_.offset); }

    [[noreturn]] void refuse_token(const std::string& accepted) const {
        throw GraphFault(place(),
                         token_.kind == TokenKind::kEnd ? "the graph ends too early"
                                                        : "found " + in_quotes(token_.text),
                         accepted);
    }

    Token advance() {
        Token taken = std::move(token_);
        token_ = scanner_.next();
        return taken;
    }
    bool take_if(TokenKind kind) {
        const bool is_there = token_.kind == kind;
        if (is_there) {
            advance();
        }
        return is_there;
    }
    [[nodiscard]] bool is_symbol(char symbol) const {
        return token_.kind == TokenKind::kSymbol && token_.text.front() == symbol;
    }
    bool take_if_symbol(char symbol) {
        const bool is_there = is_symbol(symbol);
        if (is_there) {
            advance();
        }
        return is_there;
    }
    void take_symbol(char symbol, const std::string& accepted) {
        if (!take_if_symbol(symbol)) {
            refuse_token(accepted);
        }
    }

    [[nodiscard]] bool is_atom() const {
        return token_.kind == TokenKind::kName || token_.kind == TokenKind::kQuoted;
    }
    // Name, numeral or string; strings may be joined by '+'.
    std::string atom(const std::string& accepted = "a name, number or string") {
        if (!is_atom()) {
            refuse_token(accepted);
        }
        const bool is_string = token_.kind == TokenKind::kQuoted;
        std::string value = advance().text;
        while (is_string && take_if_symbol('+')) {
            if (token_.kind != TokenKind::kQuoted) {
                refuse_token("a string in quotation marks behind +");
            }
            value += advance().text;
        }
        return value;
    }

    void statements(Scope& scope) {
        if (++depth_ > hw::kGraphLimits.levels) {
            throw GraphFault(place(), "it is nested too deep",
                             std::to_string(hw::kGraphLimits.levels) + " levels at most");
        }
        take_symbol('{', "{ before the statements");
        while (!is_symbol('}')) {
            statement(scope);
            take_if_symbol(';');
        }
        advance();
        --depth_;
    }

    void statement(Scope& scope) {
        if (token_.kind == TokenKind::kGraph || token_.kind == TokenKind::kNode ||
            token_.kind == TokenKind::kEdge) {
            defaults(scope);
            return;
        }
        if (is_symbol('{') || token_.kind == TokenKind::kSubgraph) {
            edges_from(subgraph(scope), scope);
            return;
        }
        const FilePlace begin = place();
        std::string name = atom("a statement, or } at the end");
        if (take_if_symbol('=')) {
            set_of_graph({std::move(name), atom(), begin}, scope);
        } else {
            edges_from(node_list(std::move(name), begin, scope), scope);
        }
    }

    // graph [...], node [...], edge [...]
    void defaults(Scope& scope) {
        const TokenKind kind = advance().kind;
        if (is_atom()) {  // a name for the list has no effect in Graphviz
            atom();
            take_symbol('=', "= behind the name");
        }
        if (!is_symbol('[')) {
            refuse_token("[ before the attributes");
        }
        const AttributeList list = attribute_list();
        for (const GraphAttribute& attribute : list.attributes) {
            if (kind == TokenKind::kGraph) {
                set_of_graph(attribute, scope);
            } else if (kind == TokenKind::kNode) {
                GraphVertex().set(attribute);
                scope.vertex_defaults[attribute.name] = attribute;
            } else {
                GraphEdge().set(attribute);
                scope.edge_defaults[attribute.name] = attribute;
            }
        }
    }

    void set_of_graph(const GraphAttribute& attribute, const Scope& scope) {
        require_no_meaning(attribute, "graph");
        if (&scope == &root_ && attribute.name == "charset") {
            constexpr std::array<std::string_view, 7> kLatin1{
                "latin-1", "latin1", "l1", "iso-8859-1", "iso_8859-1", "iso8859-1", "iso-ir-100"};
            is_latin1_ = std::find(kLatin1.begin(), kLatin1.end(),
                                   in_lower_case(attribute.value)) != kLatin1.end();
        }
    }

    // [name = value, name = value; name = value] [...]
    AttributeList attribute_list() {
        AttributeList list;
        while (take_if_symbol('[')) {
            while (!take_if_symbol(']')) {
                const FilePlace begin = place();
                std::string name = atom("an attribute, or ] at the end");
                take_symbol('=', "= behind the attribute's name");
                std::string value = atom();
                if (!take_if_symbol(';')) {
                    take_if_symbol(',');
                }
                if (name == "key") {
                    list.key = value;
                }
                list.attributes.push_back({std::move(name), std::move(value), begin});
            }
        }
        return list;
    }

    // Vertices separated by commas, each with up to two ports for drawings.
    std::vector<std::size_t> node_list(std::string first, FilePlace begin, Scope& scope) {
        std::vector<std::size_t> vertices{vertex(std::move(first), begin, scope)};
        ports();
        while (take_if_symbol(',')) {
            const FilePlace next = place();
            vertices.push_back(vertex(atom(), next, scope));
            ports();
        }
        return vertices;
    }
    void ports() {
        for (int i = 0; i < 2 && take_if_symbol(':'); ++i) {
            atom();
        }
    }

    const Scope* subgraph(Scope& scope) {
        Scope* inner = nullptr;
        if (take_if(TokenKind::kSubgraph) && is_atom()) {
            std::unique_ptr<Scope>& named = scope.named[atom()];
            if (named == nullptr) {
                named = std::make_unique<Scope>();
            }
            inner = named.get();
        } else {
            inner = scope.unnamed.emplace_back(std::make_unique<Scope>()).get();
        }
        inner->parent = &scope;
        statements(*inner);
        return inner;
    }

    // The rest of a statement behind its first end.
    void edges_from(End first, Scope& scope) {
        const FilePlace begin = place();
        std::vector<End> ends{std::move(first)};
        while (token_.kind == TokenKind::kArrow || token_.kind == TokenKind::kLine) {
            if (is_directed_ != (token_.kind == TokenKind::kArrow)) {
                refuse_token(is_directed_ ? "-> in a directed graph" : "-- in an undirected graph");
            }
            advance();
            if (is_symbol('{') || token_.kind == TokenKind::kSubgraph) {
                ends.emplace_back(subgraph(scope));
            } else {
                const FilePlace next = place();
                std::string name = atom("a vertex or subgraph at the edge's other end");
                ends.emplace_back(node_list(std::move(name), next, scope));
            }
        }
        const AttributeList list = attribute_list();
        if (ends.size() == 1) {
            set_of_vertices(ends.front(), list);
            return;
        }
        for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
            for_each_vertex(ends[i], [&](std::size_t source) {
                for_each_vertex(ends[i + 1], [&](std::size_t target) {
                    edge(source, target, list, begin, scope);
                });
            });
        }
    }

    void set_of_vertices(const End& end, const AttributeList& list) {
        for (const GraphAttribute& attribute : list.attributes) {
            if (std::holds_alternative<const Scope*>(end)) {
                require_no_meaning(attribute, "subgraph");
                continue;
            }
            for (const std::size_t vertex : std::get<std::vector<std::size_t>>(end)) {
                content_.vertices[vertex].set(attribute);
            }
        }
    }

    template <typename Handle>
    static void for_each_vertex(const End& end, Handle handle) {
        if (const auto* const vertices = std::get_if<std::vector<std::size_t>>(&end)) {
            std::for_each(vertices->begin(), vertices->end(), handle);
        } else {
            const std::set<std::size_t>& of_scope = std::get<const Scope*>(end)->vertices;
            std::for_each(of_scope.begin(), of_scope.end(), handle);
        }
    }

    // Sets the defaults of a scope and of those around it; the innermost one wins.
    template <typename Element>
    static void set_defaults(const Scope* scope, Defaults Scope::*defaults, Element& element) {
        if (scope == nullptr) {
            return;
        }
        set_defaults(scope->parent, defaults, element);
        for (const auto& [name, attribute] : scope->*defaults) {
            element.set(attribute);
        }
    }

    std::size_t vertex(std::string id, FilePlace begin, Scope& scope) {
        const auto [found, is_new] =
            vertex_of_.try_emplace(std::move(id), content_.vertices.size());
        if (is_new) {
            GraphVertex created;
            created.place = begin;
            set_defaults(&scope, &Scope::vertex_defaults, created);
            content_.vertices.push_back(std::move(created));
            ids_.push_back(found->first);
        }
        // A vertex of a subgraph belongs to the subgraphs around it, too.
        for (Scope* outer = &scope; outer != &root_; outer = outer->parent) {
            if (!outer->vertices.insert(found->second).second) {
                break;
            }
        }
        return found->second;
    }

    void edge(std::size_t source, std::size_t target, const AttributeList& list, FilePlace begin,
              const Scope& scope) {
        if (++edge_count_ > hw::kMostGraphEdges) {
            throw GraphFault(begin, "there are too many edges",
                             std::to_string(hw::kMostGraphEdges) + " edges at most");
        }
        GraphEdge* const equal = equal_edge(source, target, list.key);
        if (equal == nullptr && is_strict_ && equals_.contains({source, target})) {
            return;  // a strict graph has no second edge of another key
        }
        GraphEdge created;
        if (equal == nullptr) {
            created.source = source;
            created.target = target;
            created.is_directed = is_directed_;
            created.place = begin;
            set_defaults(&scope, &Scope::edge_defaults, created);
        }
        GraphEdge& chosen = equal == nullptr ? created : *equal;
        for (const GraphAttribute& attribute : list.attributes) {
            chosen.set(attribute);
        }
        if (equal == nullptr) {
            if (is_strict_ || list.key) {
                equals_[{source, target}].emplace_back(list.key, content_.edges.size());
            }
            content_.edges.push_back(std::move(created));
        }
    }

    // Earlier edge between the vertices: one of the same key, or in a strict graph any for an edge
    // without a key.
    GraphEdge* equal_edge(std::size_t source, std::size_t target,
                          const std::optional<std::string>& key) {
        if (!is_strict_ && !key) {
            return nullptr;
        }
        for (const bool is_reversed : {false, true}) {
            if (is_reversed && is_directed_) {
                break;
            }
            const auto found =
                equals_.find(is_reversed ? std::pair(target, source) : std::pair(source, target));
            if (found == equals_.end()) {
                continue;
            }
            for (const auto& [other_key, index] : found->second) {
                if (!key || other_key == key) {
                    return &content_.edges[index];
                }
            }
        }
        return nullptr;
    }

    // Sorts the vertices by their ids, and gives them names.
    void finish() {
        std::vector<std::size_t> order(ids_.size());
        std::iota(order.begin(), order.end(), 0U);
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const int compared = strverscmp(ids_[a].c_str(), ids_[b].c_str());
            return compared != 0 ? compared < 0 : a < b;
        });
        std::vector<GraphVertex> sorted;
        std::vector<std::size_t> place_of(order.size());
        for (const std::size_t i : order) {
            place_of[i] = sorted.size();
            GraphVertex& vertex = sorted.emplace_back(std::move(content_.vertices[i]));
            if (vertex.name.empty()) {
                vertex.name = ids_[i];
            }
            if (is_latin1_) {
                vertex.name = utf8_of_latin1(vertex.name);
            }
        }
        content_.vertices = std::move(sorted);
        for (GraphEdge& edge : content_.edges) {
            edge.source = place_of[edge.source];
            edge.target = place_of[edge.target];
            if (is_latin1_) {
                edge.direction = utf8_of_latin1(edge.direction);
            }
        }
    }

    TextPlaces places_;
    DotScanner scanner_;
    Token token_;
    std::size_t depth_ = 0;
    bool is_strict_ = false;
    bool is_directed_ = false;
    bool is_latin1_ = false;
    Scope root_;
    GraphContent content_;
    std::vector<std::string> ids_;
    std::map<std::string, std::size_t> vertex_of_;
    std::map<std::pair<std::size_t, std::size_t>,
             std::vector<std::pair<std::optional<std::string>, std::size_t>>>
        equals_;
    std::size_t edge_count_ = 0;
};

}  // namespace

GraphContent read_dot(std::string_view text) { return DotParser(text).graph(); }

}  // namespace weir::network
