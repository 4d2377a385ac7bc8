#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/refusal.h"

namespace weir::network {

/// Place in a file. Lines count from 1, columns from 1 in bytes. Line 0 is the file as a whole.
struct FilePlace {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

/// Places of a text's bytes.
class TextPlaces {
  public:
    explicit TextPlaces(std::string_view text);
    [[nodiscard]] FilePlace of(std::size_t offset) const;

  private:
    std::vector<std::size_t> line_begins_;
};

/// Fault in a user's graph, such as a missing path between nodes. The key is its place in the file,
/// "3:14" for column 14 of line 3.
class GraphFault : public hw::Refusal {
  public:
    GraphFault(FilePlace place, std::string found, std::string accepted);
};

inline constexpr int kUnsetNumber = -1;
inline constexpr int kMostPorts = 4096;
inline constexpr int kMostLatency = 10'000;

/// Attribute of an element in a graph file: "latency" with the value "12".
struct GraphAttribute {
    std::string name;
    std::string value;
    FilePlace place;
};

enum class GraphElement : std::uint8_t { kVertex, kEdge };

/// Element that an attribute belongs to; nullopt for attributes that Weir ignores.
[[nodiscard]] std::optional<GraphElement> element_of_attribute(std::string_view name);
/// Throws GraphFault for an attribute that has a meaning, but not at this kind of element: "graph".
/// A `name` is permitted everywhere.
void require_no_meaning(const GraphAttribute& attribute, const std::string& element);

/// Vertex of a graph file.
struct GraphVertex {
    std::string name;  ///< its attribute `name`, or its id
    std::string kind;  ///< empty if the file does not give it
    FilePlace place;

    /// Sets an attribute. Ignores names that Weir does not know. Throws GraphFault for an attribute
    /// of edges.
    void set(const GraphAttribute& attribute);
};

/// Edge of a graph file: a channel, or a channel in each direction if it is not directed.
struct GraphEdge {
    std::size_t source = 0;
    std::size_t target = 0;
    bool is_directed = false;
    std::string direction;
    int output_port = kUnsetNumber;
    int input_port = kUnsetNumber;
    int latency = kUnsetNumber;
    FilePlace place;

    /// Sets an attribute; an empty number is unset. Ignores names that Weir does not know. Throws
    /// GraphFault for an attribute of vertices, and for a number outside its range.
    void set(const GraphAttribute& attribute);
};

/// Contents of a graph file. Vertices are in the order in which nodes are numbered.
struct GraphContent {
    std::vector<GraphVertex> vertices;
    std::vector<GraphEdge> edges;
    FilePlace place;  ///< begin of the graph
};

/// A text in ISO-8859-1 (Latin-1) as UTF-8.
[[nodiscard]] std::string utf8_of_latin1(std::string_view text);

/// The text with lower-case letters, for keywords and names of encodings.
[[nodiscard]] std::string in_lower_case(std::string text);

/// "text" in quotation marks, for messages.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace weir::network
