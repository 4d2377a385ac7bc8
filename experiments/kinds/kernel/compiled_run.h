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

/// What the programs of Sparcle nodes write to their consoles, a line at a time, in the order in
/// which the lines end: by cycle, in the order of the nodes within one.
class ConsoleLog {
  public:
    explicit ConsoleLog(std::int32_t node_count) : unfinished_(node_count) {}

    void put(hw::NodeId node, char character, hw::Cycles now);
    /// Ends what is unfinished, and writes console.txt unless there is nothing: "node: text".
    void write(const std::filesystem::path& folder);

  private:
    struct Line {
        hw::Cycles cycle;
        std::int32_t node = 0;
        std::string text;
    };
    void end_line(std::int32_t node, hw::Cycles now);

    hw::PerNode<std::string> unfinished_;  // by node
    std::vector<Line> lines_;
};

/// Where a program lies, as the checks of its accesses go by it; its stack is at the end of memory,
/// of no bytes where nobody knows. A program has a null page where nothing of it lies, but its trap
/// table. Its text are the segments of instructions that it may not write itself.
[[nodiscard]] nodes::sparcle::ProgramLayout layout_of(const firmware::ElfImage& image,
                                                      hw::Bytes memory, hw::Bytes stack);
/// Starts the programs that a compiled kernel has put into the nodes' memories. `files` is whom
/// they ask for files; null: nobody.
void start_compiled(nodes::Machine& machine, firmware::CompiledKernel& kernel, ConsoleLog& console,
                    HostFiles* files = nullptr);
/// The console's way of those files. Null for a kernel whose programs ask for none.
[[nodiscard]] std::unique_ptr<HostFiles> host_files(nodes::Machine& machine,
                                                    const firmware::CompiledKernel& kernel,
                                                    ConsoleLog& console);

}  // namespace weir::experiments::kinds
