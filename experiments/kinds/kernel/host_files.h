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

/// Host side of firmware/sparcle/host_call.h: files and console of the nodes' programs.
///
/// A file is read from the kernel's folder, as a whole, when the first node opens it. Each node's
/// writes are private and kept until the end of the run, so results do not depend on the order of
/// nodes. A node that has written a file sees its own version. Nodes that are one process have the
/// files of node 0. Ranks that share a node have files of their own. The time of a call depends on
/// its bytes only.
class HostFiles {
  public:
    /// Functions that calls of programs use. `console` writes a character. `place` is a text with a
    /// node's number, its cycle and the code at an address. `check` throws nodes::ProgramFault for
    /// memory that the program must not access; null: all accesses are allowed.
    /// `process` is the number of the process that a node runs; null: the node's.
    struct Surroundings {
        std::function<std::int32_t(hw::NodeId)> process = {};
        std::function<void(hw::NodeId, char)> console;
        std::function<std::string(hw::NodeId, std::uint32_t)> place;
        std::function<void(hw::NodeId, std::uint32_t address, std::size_t bytes, bool is_store)>
            check = {};
        /// Adds the place in the program to the text of a fault that the program reports; null: the
        /// text stays as it is.
        std::function<std::string(hw::NodeId, const std::string& text)> fault = {};
    };

    HostFiles(nodes::MemoryAccess& memory, std::int32_t node_count,
              firmware::CompiledKernel::HostAccess access, Surroundings surroundings);

    /// Executes the call of a node's program whose words are at `address`. Throws
    /// firmware::InputFault for a file outside the folder. Throws nodes::ProgramFault for an
    /// address outside memory, a function that handlers must not call, and a fault that the program
    /// reports.
    void call(hw::NodeId node, std::uint32_t address);

    /// Writes the programs' files as FOLDER/files/node-3/NAME, or rank-3 where nodes have several.
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
        bool keeps_nothing = false;  // /dev/null
    };
    struct Process {
        std::map<std::string, Content> written;  // files that it has written, by name
        std::map<std::int32_t, OpenFile> open;   // its open files, by number
    };
    // Answer to a program's call: its result, or the number of an error.
    struct Answer {
        std::int32_t result = 0;
        std::uint32_t error = 0;
        std::uint32_t bytes = 0;  // number of bytes read or written
    };

    Answer answer(hw::NodeId node, const Words& call);
    Answer open(hw::NodeId node, const Words& call);
    Answer read(hw::NodeId node, const Words& call);
    Answer write(hw::NodeId node, const Words& call);
    Answer seek(hw::NodeId node, const Words& call);
    Answer remove(hw::NodeId node, const Words& call);
    // Name of a file, in the node's memory.
    [[nodiscard]] std::string name_at(hw::NodeId node, std::uint32_t address, std::uint32_t bytes);
    // Name in its shortest form. Throws firmware::InputFault for a name outside the folder.
    [[nodiscard]] std::string own_name(hw::NodeId node, const std::string& name) const;
    // Opens standard input for each node. Throws firmware::InputFault for a file that cannot be
    // read.
    void open_input();
    // Lowest number of a file that is not open; whether the node may open no further file.
    static std::int32_t free_number(const Process& own);
    static bool has_too_many(const Process& own);
    static Answer add(Process& own, OpenFile file);
    [[nodiscard]] Process& files_of(hw::NodeId node) {
        const std::int32_t own = surroundings_.process ? surroundings_.process(node) : node.index();
        return processes_.at(access_.is_one_process ? 0 : own);
    }
    [[noreturn]] void end_by_fault(hw::NodeId node, const Words& call);
    // Text up to its zero byte, at most WEIR_MOST_FAULT_BYTES.
    [[nodiscard]] std::string text_at(hw::NodeId node, std::uint32_t address);
    // Open file of a node by its number; null if there is none.
    OpenFile* find(hw::NodeId node, std::uint32_t number);
    // Content of the file with this name on the host, or an error number.
    std::pair<Content, std::uint32_t> host_file(hw::NodeId node, const std::string& name);
    // Throws firmware::InputFault for a name outside the folder.
    void refuse_outside(hw::NodeId node, const std::string& name) const;
    [[noreturn]] void fail_outside(hw::NodeId node, const std::string& name) const;
    void check(hw::NodeId node, std::uint32_t address, std::size_t bytes, bool is_store) const;
    [[nodiscard]] std::vector<std::uint8_t> bytes_at(hw::NodeId node, std::uint32_t address,
                                                     std::uint32_t count);

    nodes::MemoryAccess& memory_;
    firmware::CompiledKernel::HostAccess access_;
    std::filesystem::path root_;  // the folder's path without symbolic links
    Surroundings surroundings_;
    std::vector<Process> processes_;
    std::map<std::string, Content> read_;  // files that were read from the host, by name
};

}  // namespace weir::experiments::kinds
