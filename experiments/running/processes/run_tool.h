#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments::running {

/// Runs a program and returns its exit status; its messages go to the user. Its output goes to the
/// file `output`, or, if that is empty, to the command's own output. Throws RunFailure where the
/// program can't be started; `package` is the Debian package that contains it.
int run_tool(std::vector<std::string> command_line, const std::filesystem::path& output,
             const std::string& package);

/// Folder for files that a command makes once and uses again, such as built libraries: `name` in
/// the checkout's build folder, or, where Weir is installed, in the user's cache folder. The folder
/// may not exist yet. Throws setup::UserFault where there is neither; `use` says in its message
/// what needs the folder.
[[nodiscard]] std::filesystem::path cache_folder(const std::string& name, const std::string& use);

}  // namespace weir::experiments::running
