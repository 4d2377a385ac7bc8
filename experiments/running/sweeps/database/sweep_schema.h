#pragma once

#include <span>
#include <string>

#include "experiments/running/sweeps/plan/sweep_plan.h"

namespace weir::experiments::running {

/// Version of the schema, increased when a table, a view or a column changes its meaning. Stored in
/// the table meta, with the key schema_version.
inline constexpr int kSweepSchemaVersion = 3;

/// SQL statements that create an empty database. Their comments document every table and column,
/// and stay in the file, where `sqlite3 FILE .schema` shows them.
[[nodiscard]] const char* sweep_schema();

/// SQL of the table `swept` and the views, which have a column for each key that axes set.
[[nodiscard]] std::string swept_schema(std::span<const SweptName> names);
/// SQL that drops them.
[[nodiscard]] const char* swept_schema_dropped();

}  // namespace weir::experiments::running
