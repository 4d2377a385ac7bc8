#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "experiments/kinds/kernel/host_files.h"
#include "firmware/sparcle/compiled_kernel.h"
#include "hw/per_node.h"
#include "nodes/machine.h"

namespace weir::experiments::kinds {

/// Console output of the programs of Sparcle nodes, line by line. Lines are sorted by the cycle in
/// which they end, then by process: node, or rank where a node runs several.
class ConsoleLog {
  public:
    explicit ConsoleLog(std::int32_t process_count) : unfinished_(process_count) {}

    void put(std::int32_t process, char character, hw::Cycles now);
    /// Ends unfinished lines, and writes console.txt with lines "process: text" unless it is empty.
    void write(const std::filesystem::path& folder);

  private:
    struct Line {
        hw::Cycles cycle;
        std::int32_t process = 0;
        std::string text;
    };
    void end_line(std::int32_t process, hw::Cycles now);

    std::vector<std::string> unfinished_;  // current line of each process
    std::vector<Line> lines_;
};

/// Process that the node's core runs: the node's number, or the rank in the running context.
[[nodiscard]] std::int32_t process_of(nodes::Machine& machine,
                                      const firmware::CompiledKernel& kernel, hw::NodeId node);
/// Memory layout of a program, for checks of its accesses. The stack is at the end of memory; its
/// size is 0 if unknown. A program has a null page if only its trap table is in that page. The text
/// is the segments of instructions that the program must not write.
[[nodiscard]] nodes::sparcle::ProgramLayout layout_of(const firmware::ElfImage& image,
                                                      hw::Bytes memory, hw::Bytes stack);
/// Starts the programs that a compiled kernel has put into the nodes' memories. `files` serves the
/// programs' file accesses; null: the programs have none.
void start_compiled(nodes::Machine& machine, firmware::CompiledKernel& kernel, ConsoleLog& console,
                    HostFiles* files = nullptr);
/// Files for a kernel's programs, whose console output goes to `console`. Null if the programs use
/// no files.
[[nodiscard]] std::unique_ptr<HostFiles> host_files(nodes::Machine& machine,
                                                    const firmware::CompiledKernel& kernel,
                                                    ConsoleLog& console);

}  // namespace weir::experiments::kinds
