#pragma once

#include <sqlite3.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "experiments/running/sweeps/plan/swept_axes.h"
#include "hw/parameter.h"

namespace weir::experiments::running {

/// A name that a filter can use: "queue_bytes", or "controller.queue_bytes".
struct FilterName {
    std::string table;
    std::string name;
};

/// Conditions over a point's values, in SQLite's words: "nodes < 32 and kernel = 'remap'". A list
/// is a text: "dimensions = '[8, 4]'".
class PointFilter {
  public:
    /// Throws setup::UserFault for what is no expression, and for one that names no axis, or
    /// something that is none.
    PointFilter(std::span<const FilterText> filters, std::vector<FilterName> names);

    /// Whether a point with these values, in the order of the names, meets all conditions. Throws
    /// setup::UserFault where one is neither true nor false of it.
    [[nodiscard]] bool keeps(std::span<const hw::ParameterValue> values);

  private:
    struct Close {
        void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    struct Condition {
        FilterText filter;
        std::unique_ptr<sqlite3_stmt, Close> holds;
    };

    void make_tables();
    void limit_work();
    [[nodiscard]] Condition prepared(const FilterText& filter);
    [[nodiscard]] setup::UserFault no_expression(const FilterText& filter,
                                                 const std::string& why) const;

    std::vector<FilterName> names_;
    std::unique_ptr<sqlite3, Close> connection_;
    std::vector<std::unique_ptr<sqlite3_stmt, Close>> updates_;  ///< one a name
    std::vector<Condition> conditions_;
};

}  // namespace weir::experiments::running
