#include "experiments/records/figure.h"
#include "experiments/running/sweeps/database/sweep_database.h"

namespace weir::experiments::running {

namespace {

// Names of all metrics in the database, as "source.metric".
std::vector<std::string> metrics_in(const SweepDatabase& database) {
    Query query(database.connection(),
                "SELECT source || '.' || metric FROM metrics GROUP BY source, metric "
                "ORDER BY source = 'measured' DESC, source, metric");
    std::vector<std::string> names;
    while (query.step()) {
        names.push_back(query.text(0));
    }
    return names;
}

}  // namespace

std::string database_csv(const SweepDatabase& database, std::vector<std::string> metrics) {
    metrics = metrics.empty() ? metrics_in(database) : std::move(metrics);
    records::DataTable table{{"point", "label"}, {}};
    for (const SweptName& name : database.names()) {
        table.columns.push_back(name.column);
    }
    table.columns.insert(table.columns.end(), {"seed", "status", "message"});
    std::vector<std::map<std::int64_t, double>> values;
    for (const std::string& name : metrics) {
        table.columns.push_back(name);
        values.push_back(database.metric(name));
    }
    std::vector<StoredPoint> points = database.points();
    const auto costs = add_costs_of_points(database, points);
    for (const auto& [name, expression] : costs) {
        table.columns.push_back(name);
    }
    for (const StoredPoint& point : points) {
        for (const StoredRun& run : point.runs) {
            std::vector<records::DataTable::Cell>& row = table.rows.emplace_back();
            row.emplace_back(point.number ? std::to_string(*point.number) : "");
            row.emplace_back(point.label);
            row.insert(row.end(), point.values.begin(), point.values.end());
            row.emplace_back(std::to_string(run.seed));
            row.emplace_back(run.status);
            row.emplace_back(run.message);
            for (const std::map<std::int64_t, double>& metric : values) {
                const auto value = metric.find(run.run_id);
                row.push_back(value == metric.end() ? records::DataTable::Cell()
                                                    : records::DataTable::Cell(value->second));
            }
            for (std::size_t i = 0; i < costs.size(); ++i) {
                row.push_back(point.costs.empty() ? records::DataTable::Cell()
                                                  : records::DataTable::Cell(point.costs[i]));
            }
        }
    }
    return records::csv_text(table);
}

}  // namespace weir::experiments::running
