#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "firmware/sparcle/compiled_kernel.h"
#include "firmware/sparcle/host_call.h"
#include "hw/per_node.h"
#include "hw/units.h"
#include "nodes/programming/memory_access.h"

namespace weir::experiments::kinds {

/// The host's side of firmware/sparcle/host_call.h: files and console of the nodes' programs.
///
/// A file is read in the folder that the kernel names, whole, when the first node opens it. What a
/// node writes is its own: other nodes do not see it, so that no result depends on which node comes
/// first, and it is kept for the end of the run. A node sees its own version of a file, if it has
/// one. What a call takes follows from its bytes alone.
class HostFiles {
  public:
    /// What programs do besides: they write to the console; and `place` says where a node is, and
    /// what stands at an address of its program. `check` throws nodes::ProgramFault for memory that
    /// the program may not have read or written; null: all is allowed.
    struct Surroundings {
        std::function<void(hw::NodeId, char)> console;
        std::function<std::string(hw::NodeId, std::uint32_t)> place;
        std::function<void(hw::NodeId, std::uint32_t address, std::size_t bytes, bool is_store)>
            check = {};
        /// Text of the fault that a program has found in itself, with where it has come; null: the
        /// program's own text.
        std::function<std::string(hw::NodeId, const std::string& text)> fault = {};
    };

    HostFiles(nodes::MemoryAccess& memory, std::int32_t node_count,
              firmware::CompiledKernel::HostAccess access, Surroundings surroundings);

    /// What a node's program has asked for, by the words at that address. Throws
    /// firmware::InputFault for a file outside the folder, nodes::ProgramFault for an address
    /// outside memory, a function that no handler may call, and a fault that the program tells.
    void call(hw::NodeId node, std::uint32_t address);

    /// What programs have written, as FOLDER/files/node-3/NAME.
    void write(const std::filesystem::path& folder) const;

  private:
    using Words = std::array<std::uint32_t, WEIR_CALL_WORDS>;
    using Content = std::shared_ptr<std::string>;

    struct OpenFile {
        Content content;
        std::size_t place = 0;
        bool reads = false;
        bool writes = false;
        bool appends = false;
    };
    struct Node {
        std::map<std::string, Content> written;  // by name
        std::map<std::int32_t, OpenFile> open;   // by number
    };
    // A result, or an error's number.
    struct Answer {
        std::int32_t result = 0;
        std::uint32_t error = 0;
        std::uint32_t bytes = 0;  // that were moved
    };

    Answer answer(hw::NodeId node, const Words& call);
    Answer open(hw::NodeId node, const Words& call);
    Answer read(hw::NodeId node, const Words& call);
    Answer write(hw::NodeId node, const Words& call);
    Answer seek(hw::NodeId node, const Words& call);
    [[noreturn]] void end_by_fault(hw::NodeId node, const Words& call);
    // Up to its zero, but for what is longer than WEIR_MOST_FAULT_BYTES.
    [[nodiscard]] std::string text_at(hw::NodeId node, std::uint32_t address);
    // Null where the number is no open file's.
    OpenFile* find(hw::NodeId node, std::uint32_t number);
    // The host's file of that name; or why there is none.
    std::pair<Content, std::uint32_t> host_file(const std::string& name);
    // Throws firmware::InputFault.
    void refuse_outside(hw::NodeId node, const std::string& name) const;
    void check(hw::NodeId node, std::uint32_t address, std::size_t bytes, bool is_store) const;
    [[nodiscard]] std::vector<std::uint8_t> bytes_at(hw::NodeId node, std::uint32_t address,
                                                     std::uint32_t count);

    nodes::MemoryAccess& memory_;
    firmware::CompiledKernel::HostAccess access_;
    Surroundings surroundings_;
    hw::PerNode<Node> nodes_;
    std::map<std::string, Content> read_;  // the host's, by name
};

}  // namespace weir::experiments::kinds
