#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/kinds/kind.h"
#include "experiments/running/processes/command_line.h"
#include "experiments/setup/files/permissions.h"

namespace weir::experiments::running {

/// Adds the accesses that are not in the list yet.
void add_wants(const std::vector<kinds::Want>& more, std::vector<kinds::Want>& all);

/// Throws setup::UserFault if there is an access that the user has not permitted. The message lists
/// all of them, with the options that permit them.
void require_permitted(std::span<const kinds::Want> wants);

/// Sentence for users about accesses that are not permitted; empty if there are none.
[[nodiscard]] std::string wants_text(std::span<const kinds::Want> wants);

/// Appends the permissions to a command line, as options.
void add_permission_words(const setup::Permissions& permissions, CommandLine& words);

}  // namespace weir::experiments::running
