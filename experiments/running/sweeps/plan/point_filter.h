#pragma once

#include <sqlite3.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "experiments/running/sweeps/plan/swept_axes.h"
#include "hw/parameter.h"

namespace weir::experiments::running {

/// Name that a filter can use: "queue_bytes", or "controller.queue_bytes".
struct FilterName {
    std::string table;
    std::string name;
};

/// Filter of points: conditions on a point's values in SQL, for example "nodes < 32 and kernel =
/// 'remap'". A list is a text: "dimensions = '[8, 4]'".
class PointFilter {
  public:
    /// Throws setup::UserFault for an invalid expression, for one without an axis, and for an
    /// unknown name.
    PointFilter(std::span<const FilterText> filters, std::vector<FilterName> names);

    /// True if a point meets all conditions. The point's values are in the order of the names.
    /// Throws setup::UserFault if a condition is neither true nor false.
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
    std::vector<std::unique_ptr<sqlite3_stmt, Close>> updates_;  ///< set the value of each name
    std::vector<Condition> conditions_;
};

}  // namespace weir::experiments::running
