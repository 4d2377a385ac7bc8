#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments::running {

/// Runs a program and returns its exit status. Its output goes to the file `output`, or, if that is
/// empty, to the command's own output. Its messages go to the file `errors`, or, if that is empty,
/// to the user. Throws RunFailure where the program can't be started; `package` is the Debian
/// package that contains it.
int run_tool(std::vector<std::string> command_line, const std::filesystem::path& output,
             const std::string& package, const std::filesystem::path& errors = {});

/// Folder for files that a command makes once and uses again, such as built libraries. The folder
/// `name` is in the checkout's build folder, or, where Weir is installed, in the user's cache
/// folder. It may not exist yet. Throws setup::UserFault where neither folder is known; the message
/// says by `use` what needs the folder.
[[nodiscard]] std::filesystem::path cache_folder(const std::string& name, const std::string& use);

}  // namespace weir::experiments::running
