#include "network/topology/graphml_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <new>
#include <pugixml.hpp>
#include <utility>

#include "hw/input_limits.h"

namespace weir::network {

namespace {

constexpr const char* kAcceptedFile = "GraphML";

// Encoding in the XML declaration, in small letters; empty where there is none.
std::string declared_encoding(std::string_view text) {
    if (!text.starts_with("<?xml")) {
        return {};
    }
    const std::string_view declaration = text.substr(0, text.find("?>") + 2);
    pugi::xml_document document;
    document.load_buffer(declaration.data(), declaration.size(),
                         pugi::parse_declaration | pugi::parse_fragment, pugi::encoding_utf8);
    return in_lower_case(document.first_child().attribute("encoding").value());
}

// The text in UTF-8.
std::string decoded(std::string_view text) {
    constexpr std::array<std::string_view, 4> kUtf8{"", "utf-8", "us-ascii", "ascii"};
    constexpr FilePlace kBegin{1, 1};
    constexpr const char* kAccepted = "UTF-8, ISO-8859-1";
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
        throw GraphFault(kBegin, "the encoding is UTF-16", kAccepted);
    }
    const std::string encoding = declared_encoding(text);
    if (encoding == "iso-8859-1" || encoding == "latin1") {
        return utf8_of_latin1(text);
    }
    if (std::find(kUtf8.begin(), kUtf8.end(), encoding) == kUtf8.end()) {
        throw GraphFault(kBegin, "the encoding is " + in_quotes(encoding), kAccepted);
    }
    return std::string(text);
}

// pugixml leaves references to unknown entities in the text, so they are refused here.
void check_references(std::string_view text, const TextPlaces& places) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kOpaque{
        {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}}};
    constexpr std::array<std::string_view, 6> kKnown{"amp;", "lt;", "gt;", "quot;", "apos;", "#"};
    for (std::size_t at = text.find_first_of("<&"); at != std::string_view::npos;
         at = text.find_first_of("<&", at + 1)) {
        const std::string_view rest = text.substr(at);
        for (const auto& [begin, end] : kOpaque) {
            if (rest.starts_with(begin)) {
                at = std::min(text.find(end, at), text.size() - 1);
                break;
            }
        }
        if (rest.front() == '&' &&
            std::none_of(kKnown.begin(), kKnown.end(), [&](std::string_view known) {
                return rest.substr(1).starts_with(known);
            })) {
            throw GraphFault(places.of(at), "& begins no entity of XML",
                             "&amp; &lt; &gt; &quot; &apos; &#NUMBER;");
        }
    }
}

// An attribute's declaration: <key id="d0" for="edge" attr.name="latency" attr.type="int"/>.
struct Key {
    GraphAttribute attribute;  // the value is the default
    std::string element;       // kind of element: "node", "edge", "all", ...
    bool has_default = false;
};

class GraphMlReader {
  public:
    explicit GraphMlReader(std::string_view text) : text_(decoded(text)), places_(text_) {}

    GraphContent read() {
        parse();
        const pugi::xml_node root = root_element();
        check_references(text_, places_);
        const std::string name = root.name();
        const std::size_t colon = name.find(':');
        prefix_ = colon == std::string::npos ? std::string() : name.substr(0, colon + 1);
        namespace_ = root.attribute("xmlns").value();
        if (local_name(root) != "graphml") {
            refuse(root, kAcceptedFile);
        }
        read_keys(root);
        pugi::xml_node graph;
        for_children(root, [&](const std::string& tag, pugi::xml_node child) {
            if (tag == "graph") {
                if (graph) {
                    throw GraphFault(place(child), "a second graph begins", "one graph in a file");
                }
                graph = child;
            } else if (tag == "data") {
                data_elsewhere(child, "graphml");
            } else if (tag != "key" && tag != "desc") {
                refuse(child, "<key>, <graph>, <data>, <desc>");
            }
        });
        if (!graph) {
            throw GraphFault(place(root), "the file has no graph", "one <graph>");
        }
        read_graph(graph);
        return std::move(content_);
    }

  private:
    void parse() {
        if (const std::size_t zero = text_.find('\0'); zero != std::string::npos) {
            throw GraphFault(places_.of(zero), "a byte of value 0", kAcceptedFile);
        }
        const pugi::xml_parse_result result = document_.load_buffer(
            text_.data(), text_.size(),
            pugi::parse_default | pugi::parse_doctype | pugi::parse_fragment, pugi::encoding_utf8);
        if (result.status == pugi::status_out_of_memory) {
            throw std::bad_alloc();
        }
        if (!result) {
            const auto at = std::min(
                static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)), text_.size());
            throw GraphFault(places_.of(at), std::string("no XML: ") + result.description(),
                             kAcceptedFile);
        }
    }

    // Entities of a document type could make a small file endless, so none may be declared.
    pugi::xml_node root_element() const {
        pugi::xml_node root;
        for (const pugi::xml_node child : document_.children()) {
            if (child.type() == pugi::node_doctype &&
                std::string_view(child.value()).find('[') != std::string_view::npos) {
                throw GraphFault(place(child), "the document type has declarations",
                                 "a document type without [ ], or none");
            }
            const bool is_element = child.type() == pugi::node_element;
            if ((is_element && root) || child.type() == pugi::node_pcdata ||
                child.type() == pugi::node_cdata) {
                refuse(child, "one element <graphml>");
            }
            root = is_element ? child : root;
        }
        if (!root) {
            throw GraphFault(places_.of(0), "there is no element", kAcceptedFile);
        }
        return root;
    }

    // Place of an element's '<', or of a text's first letter.
    [[nodiscard]] FilePlace place(pugi::xml_node node) const {
        const auto offset = static_cast<std::size_t>(node.offset_debug());
        if (node.type() == pugi::node_element && offset > 0) {
            return places_.of(offset - 1);
        }
        return places_.of(std::min(text_.find_first_not_of(" \t\r\n", offset), text_.size()));
    }

    [[noreturn]] void refuse(pugi::xml_node node, const std::string& accepted) const {
        const bool is_element = node.type() == pugi::node_element;
        throw GraphFault(place(node),
                         is_element ? "found <" + std::string(node.name()) + ">"
                                    : "found the text " + in_quotes(node.value()),
                         accepted);
    }

    // Name without GraphML's prefix; empty for elements of other namespaces.
    [[nodiscard]] std::string local_name(pugi::xml_node node) const {
        const std::string_view name = node.name();
        const pugi::xml_attribute own_namespace = node.attribute("xmlns");
        if (!name.starts_with(prefix_) || (own_namespace && own_namespace.value() != namespace_)) {
            return {};
        }
        const std::string_view local = name.substr(prefix_.size());
        return local.find(':') == std::string_view::npos ? std::string(local) : std::string();
    }

    // Calls handle(name, element) for the elements of GraphML in an element, which has no text.
    template <typename Handle>
    void for_children(pugi::xml_node parent, Handle handle) const {
        for (const pugi::xml_node child : parent.children()) {
            if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
                refuse(child, "elements in <" + std::string(parent.name()) + ">");
            }
            if (child.type() == pugi::node_element) {
                if (const std::string name = local_name(child); !name.empty()) {
                    handle(name, child);
                }
            }
        }
    }

    // An attribute in the XML sense; nullopt if it is missing.
    [[nodiscard]] std::optional<std::string> optional_value(pugi::xml_node element,
                                                            const char* name) const {
        std::optional<std::string> value;
        for (const pugi::xml_attribute attribute : element.attributes()) {
            if (std::string_view(attribute.name()) == name) {
                if (value) {
                    throw GraphFault(
                        place(element),
                        "<" + std::string(element.name()) + "> has " + name + " more than once",
                        "one " + std::string(name));
                }
                value = attribute.value();
            }
        }
        return value;
    }
    [[nodiscard]] std::string value(pugi::xml_node element, const char* name) const {
        std::optional<std::string> found = optional_value(element, name);
        if (!found) {
            throw GraphFault(place(element), "<" + std::string(element.name()) + "> has no " + name,
                             "an element with " + std::string(name) + "=\"...\"");
        }
        return *std::move(found);
    }

    // Throws if an attribute of Weir's is written into the tag: its value must be a <data>.
    void check_tag(pugi::xml_node element) const {
        for (const pugi::xml_attribute attribute : element.attributes()) {
            const std::string_view name = attribute.name();
            if (name != "name" && element_of_attribute(name)) {
                throw GraphFault(
                    place(element),
                    std::string(name) + " is an attribute of the tag <" + element.name() + ">",
                    "<key> and <data> for " + std::string(name));
            }
        }
    }

    [[nodiscard]] std::string text_of(pugi::xml_node element) const {
        std::string text;
        for (const pugi::xml_node child : element.children()) {
            if (child.type() == pugi::node_element) {
                refuse(child, "a text in <" + std::string(element.name()) + ">");
            }
            text += child.value();
        }
        return text;
    }

    void read_keys(pugi::xml_node root) {
        for_children(root, [&](const std::string& tag, pugi::xml_node element) {
            if (tag != "key") {
                return;
            }
            Key key;
            const std::string id = value(element, "id");
            key.attribute.name = optional_value(element, "attr.name").value_or("");
            key.attribute.place = place(element);
            key.element = optional_value(element, "for").value_or("all");
            if (const auto element_kind = element_of_attribute(key.attribute.name)) {
                check_type(element, key.attribute.name, *element_kind);
                for_children(element, [&](const std::string& inner, pugi::xml_node child) {
                    if (inner == "default") {
                        key.has_default = true;
                        key.attribute.value = text_of(child);
                        key.attribute.place = place(child);
                    }
                });
                if (key.has_default) {
                    add_default(key, *element_kind);
                }
            }
            if (!keys_.emplace(id, key).second) {
                throw GraphFault(place(element), "a second key has the id " + in_quotes(id),
                                 "a different id for each key");
            }
        });
    }

    void check_type(pugi::xml_node element, const std::string& name, GraphElement kind) const {
        constexpr std::array<std::string_view, 5> kTypes{"int", "long", "float", "double",
                                                         "string"};
        const std::string type = optional_value(element, "attr.type").value_or("string");
        const bool is_text = kind == GraphElement::kVertex || name == "direction";
        if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end() &&
            !(is_text && type == "boolean")) {
            throw GraphFault(place(element), name + " has the attr.type " + in_quotes(type),
                             is_text ? "boolean, int, long, float, double, string"
                                     : "int, long, float, double, string");
        }
    }

    // Each element of the key's kind has the value unless it has data of its own.
    void add_default(const Key& key, GraphElement kind) {
        if (key.element == "node" || (key.element == "all" && kind == GraphElement::kVertex)) {
            default_vertex_.set(key.attribute);
        } else if (key.element == "edge" || key.element == "all") {
            default_edge_.set(key.attribute);
        } else {
            require_no_meaning(key.attribute, key.element);
        }
    }

    // The attribute in a <data> of an element; nullopt if Weir has no use for it.
    [[nodiscard]] std::optional<GraphAttribute> data(pugi::xml_node element,
                                                     const std::string& of) const {
        const std::string id = value(element, "key");
        const auto found = keys_.find(id);
        if (found == keys_.end()) {
            throw GraphFault(place(element), "no key has the id " + in_quotes(id),
                             "the id of a <key> at the beginning of the file");
        }
        const Key& key = found->second;
        if (!element_of_attribute(key.attribute.name)) {
            return std::nullopt;
        }
        if (key.element != "all" && key.element != of) {
            throw GraphFault(place(element),
                             "the key " + in_quotes(id) + " is for " + in_quotes(key.element) +
                                 ", and its data is in <" + of + ">",
                             "data of that element");
        }
        return GraphAttribute{key.attribute.name, text_of(element), place(element)};
    }
    void data_elsewhere(pugi::xml_node element, const std::string& of) const {
        if (const auto attribute = data(element, of)) {
            require_no_meaning(*attribute, of);
        }
    }

    void read_graph(pugi::xml_node graph) {
        content_.place = place(graph);
        check_tag(graph);
        const std::string direction = value(graph, "edgedefault");
        if (direction != "directed" && direction != "undirected") {
            throw GraphFault(place(graph), "edgedefault is " + in_quotes(direction),
                             "directed, undirected");
        }
        default_edge_.is_directed = direction == "directed";
        // Edges may stand before their ends.
        std::vector<pugi::xml_node> edges;
        for_children(graph, [&](const std::string& tag, pugi::xml_node child) {
            if (tag == "node") {
                read_vertex(child);
            } else if (tag == "edge") {
                edges.push_back(child);
            } else if (tag == "data") {
                data_elsewhere(child, "graph");
            } else if (tag == "hyperedge") {
                throw GraphFault(place(child), "a hyperedge: <hyperedge> joins several nodes",
                                 "<edge>, with a source and a target");
            } else if (tag != "desc") {
                refuse(child, "<node>, <edge>, <data>, <desc>");
            }
        });
        if (edges.size() > hw::kMostGraphEdges) {
            throw GraphFault(content_.place, "there are too many edges",
                             std::to_string(hw::kMostGraphEdges) + " edges at most");
        }
        for (const pugi::xml_node edge : edges) {
            read_edge(edge);
        }
    }

    // Sets the data of a vertex or an edge.
    template <typename Element>
    void read_data(pugi::xml_node element, const std::string& tag, Element& target) const {
        check_tag(element);
        for_children(element, [&](const std::string& inner, pugi::xml_node child) {
            if (inner == "data") {
                if (const auto attribute = data(child, tag)) {
                    target.set(*attribute);
                }
            } else if (inner == "graph") {
                throw GraphFault(place(child), "a nested graph: <graph> is in <" + tag + ">",
                                 "nodes and edges without a graph of their own");
            } else if (inner != "desc" && !(inner == "port" && tag == "node")) {
                refuse(child, tag == "node" ? "<data>, <port>, <desc>" : "<data>, <desc>");
            }
        });
    }

    void read_vertex(pugi::xml_node element) {
        const std::string id = value(element, "id");
        GraphVertex vertex = default_vertex_;
        vertex.place = place(element);
        if (!vertex_of_.emplace(id, content_.vertices.size()).second) {
            throw GraphFault(vertex.place, "a second node has the id " + in_quotes(id),
                             "a different id for each node");
        }
        read_data(element, "node", vertex);
        if (vertex.name.empty()) {
            vertex.name = id;
        }
        content_.vertices.push_back(std::move(vertex));
    }

    [[nodiscard]] std::size_t end(pugi::xml_node edge, const char* name) const {
        const std::string id = value(edge, name);
        const auto found = vertex_of_.find(id);
        if (found == vertex_of_.end()) {
            throw GraphFault(
                place(edge),
                "the " + std::string(name) + " is " + in_quotes(id) + ", and no node has that id",
                "the ids of nodes");
        }
        return found->second;
    }

    void read_edge(pugi::xml_node element) {
        GraphEdge edge = default_edge_;
        edge.place = place(element);
        edge.source = end(element, "source");
        edge.target = end(element, "target");
        if (const auto directed = optional_value(element, "directed")) {
            if (*directed != "true" && *directed != "false") {
                throw GraphFault(edge.place, "directed is " + in_quotes(*directed), "true, false");
            }
            edge.is_directed = *directed == "true";
        }
        read_data(element, "edge", edge);
        content_.edges.push_back(std::move(edge));
    }

    std::string text_;
    TextPlaces places_;
    pugi::xml_document document_;
    std::string prefix_;     // before names of GraphML: "g:", or empty
    std::string namespace_;  // default namespace of the file
    std::map<std::string, Key> keys_;
    GraphVertex default_vertex_;
    GraphEdge default_edge_;
    GraphContent content_;
    std::map<std::string, std::size_t> vertex_of_;
};

}  // namespace

GraphContent read_graphml(std::string_view text) { return GraphMlReader(text).read(); }

}  // namespace weir::network
