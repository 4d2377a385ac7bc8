#include "experiments/running/sweeps/database/sweep_database.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "experiments/kinds/setup.h"
#include "experiments/records/json_input.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/running/sweeps/database/fact_digest.h"
#include "experiments/running/sweeps/database/sweep_schema.h"
#include "experiments/running/sweeps/plan/point_filter.h"
#include "experiments/setup/user_fault.h"
#include "experiments/setup/version.h"
#include "hw/refusal.h"

namespace weir::experiments::running {

namespace {

using Json = nlohmann::ordered_json;
using setup::UserFault;

// Source of stored JSON. Stored JSON is checked like other input, since the file may have been
// edited.
records::StoredJson stored_in(const std::string& path, const std::string& what) {
    return {path, what + " can't be read", "a database as weir sweep has left it"};
}
constexpr const char* kConfiguration = "a configuration in its table points";
constexpr const char* kGatePrices = "gate_prices";  // key in the table meta
constexpr std::int64_t kMostAxes = 10'000;

namespace fs = std::filesystem;

// Binds a value of a point's configuration; a list becomes a text.
void bind_json(Query& query, const nlohmann::ordered_json& value) {
    if (value.is_boolean()) {
        query.bind(std::int64_t{value.get<bool>() ? 1 : 0});
    } else if (value.is_number_integer()) {
        query.bind(value.get<std::int64_t>());
    } else if (value.is_number()) {
        query.bind(value.get<double>());
    } else if (value.is_string()) {
        query.bind(std::string_view(value.get_ref<const std::string&>()));
    } else if (value.is_array()) {
        query.bind(
            std::string_view(setup::toml_text(records::whole_numbers_in<std::int64_t>(value))));
    } else {
        query.bind_null();
    }
}

Query& bind_axis(Query& query, const PlannedPoint& point) {
    return point.varied_axis ? query.bind(static_cast<std::int64_t>(*point.varied_axis))
                             : query.bind_null();
}

// Value of a key in the configuration. For a text or a missing key, `otherwise`: the value of the
// database's column.
hw::ParameterValue swept_value(const nlohmann::ordered_json& json, const std::string& otherwise) {
    return json.is_boolean() || json.is_number() || json.is_array()
               ? records::parameter_value_from(json)
               : otherwise;
}

StoredRun run_of(const Query& row) {
    constexpr std::int64_t kMostExitStatus = 255;
    constexpr std::int64_t kMostSignal = 64;
    StoredRun run{row.integer(0),  static_cast<std::uint64_t>(row.integer(1)),
                  row.text(2),     0,
                  !row.is_null(4), row.text(5),
                  row.text(6)};
    std::vector<std::string> statuses;
    statuses.reserve(std::size(records::kRunStatuses));
    for (const records::RunStatus status : records::kRunStatuses) {
        statuses.emplace_back(status_name(status));
    }
    if (std::find(statuses.begin(), statuses.end(), run.status) == statuses.end()) {
        row.refuse(2, fmt::format("{}", fmt::join(statuses, ", ")));
    }
    run.exit_status = run.is_killed
                          ? status_of_kill(static_cast<int>(row.integer(4, 1, kMostSignal)))
                          : static_cast<int>(row.integer(3, 0, kMostExitStatus));
    return run;
}

// Indices of the points that a figure's condition selects.
std::vector<std::size_t> chosen_points(const FigureChoice& choice,
                                       const records::SweepResult& sweep) {
    const bool has_labels = std::any_of(sweep.points.begin(), sweep.points.end(),
                                        [](const auto& point) { return !point.label.empty(); });
    std::vector<FilterName> names;
    for (const SweptName& name : sweep.names) {
        const std::size_t dot = name.key.find('.');
        names.push_back({name.key.substr(0, dot), name.key.substr(dot + 1)});
    }
    if (has_labels) {
        names.push_back({"point", "label"});
    }
    std::vector<FilterText> texts;
    if (!choice.where.empty()) {
        texts.push_back({choice.where, {"sweep.figure"}});
    }
    PointFilter filter(texts, names);
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        std::vector<hw::ParameterValue> values = sweep.points[i].swept;
        if (has_labels) {
            values.emplace_back(sweep.points[i].label);
        }
        if (filter.keeps(values)) {
            chosen.push_back(i);
        }
    }
    return chosen;
}

// Prices in gates of each point that has some, by its digest: {"4f..": {"price.router": 4806.3}}.
std::string gate_prices_text(const SweepPlan& plan) {
    Json all = Json::object();
    for (const PlannedPoint& point : plan.points) {
        for (const auto& [name, price] : point.gate_prices) {
            all[point.digest][name] = records::json_of(price);
        }
    }
    return all.empty() ? "" : all.dump();
}

void add_values(const Json& all, setup::NamedValues& named) {
    for (const auto& [key, value] : all.items()) {
        named.values.emplace_back(key, records::parameter_value_from(value));
    }
}

std::string insert_into_swept(std::size_t columns) {
    std::string values = "?";
    for (std::size_t i = 0; i < columns; ++i) {
        values += ", ?";
    }
    return "INSERT INTO swept VALUES (" + values + ")";
}

}  // namespace

const std::string& program_digest() {
    static const std::string digest = file_digest("/proc/self/exe");
    return digest;
}

SweepDatabase SweepDatabase::create(const fs::path& path, const fs::path& unfinished_path,
                                    const SweepPlan& plan) {
    {
        const SweepDatabase database = create_empty(unfinished_path);
        database.set_meta("weir_build", program_digest());
        database.set_meta("weir_version", setup::kVersion);
        database.adopt(plan);
    }
    fs::rename(unfinished_path, path);
    return open(path, SweepConnection::Access::kWrite);
}

SweepDatabase SweepDatabase::create_empty(const fs::path& path) {
    SweepDatabase database(SweepConnection(path, SweepConnection::Access::kCreate));
    database.connection_.execute(
        fmt::format("BEGIN; {} {} COMMIT", sweep_schema(), swept_schema({})));
    database.set_meta("schema_version", std::to_string(kSweepSchemaVersion));
    return database;
}

SweepDatabase SweepDatabase::create_like(const SweepDatabase& other, const fs::path& path) {
    SweepDatabase database = create_empty(path);
    Query all(other.connection_, "SELECT key, value FROM meta");
    while (all.step()) {
        database.set_meta(all.text(0), all.text(1));
    }
    database.set_names(other.names());
    return database;
}

SweepDatabase SweepDatabase::open(const fs::path& path, SweepConnection::Access access) {
    std::error_code unknown;
    if (!fs::exists(path, unknown)) {
        throw UserFault({path.string()}, "there is no such database",
                        "a database that weir sweep FILE has made");
    }
    SweepDatabase database(SweepConnection(path, access));
    database.require_sweep();
    return database;
}

void SweepDatabase::require_sweep() const {
    const std::int64_t tables = count_of(
        "sqlite_schema WHERE type = 'table' AND name IN "
        "('meta', 'axes', 'points', 'runs', 'metrics', 'swept')");
    const bool has_meta = count_of("sqlite_schema WHERE type = 'table' AND name = 'meta'") == 1;
    // The version is checked first: a database of another version may lack tables.
    const std::string version = has_meta ? meta("schema_version") : "";
    if (!version.empty() && version != std::to_string(kSweepSchemaVersion)) {
        throw UserFault({path()},
                        "the database is of another version of Weir: its schema version is " +
                            hw::shortened(version),
                        std::to_string(kSweepSchemaVersion));
    }
    constexpr int kTables = 6;
    if (version.empty() || tables != kTables) {
        throw UserFault({path()}, "this is no sweep's database",
                        "a database that weir sweep FILE has made");
    }
    require_own_objects("");
    require_own_objects(swept_schema(names()));
    connection_.allow_views();
}

namespace {

// SQL without comments, and with single blanks: builds of one version may explain columns in
// different words.
std::string without_comments(std::string_view sql) {
    std::string text;
    for (std::size_t at = 0; at < sql.size(); ++at) {
        if (sql.substr(at, 2) == "--") {
            at = std::min(sql.find('\n', at), sql.size());
        }
        const bool is_blank = at == sql.size() || sql[at] == ' ' || sql[at] == '\n';
        if (!is_blank) {
            text += sql[at];
        } else if (!text.ends_with(' ')) {
            text += ' ';
        }
    }
    return text;
}

}  // namespace

// Refuses tables, views, indices and triggers that no sweep makes. Without `swept`, the objects
// that depend on the axes are not checked.
void SweepDatabase::require_own_objects(const std::string& swept) const {
    constexpr const char* kObjects =
        "SELECT type || ' ' || name, coalesce(sql, ''), name FROM sqlite_schema "
        "WHERE name NOT GLOB 'sqlite_stat[14]'";  // statistics that ANALYZE has gathered
    constexpr std::array kOfAxes{"swept", "outcomes", "results", "means"};
    const SweepConnection fresh(":memory:", SweepConnection::Access::kCreate);
    fresh.execute(sweep_schema() + swept);
    std::map<std::string, std::string> own;
    for (Query object(fresh, kObjects); object.step();) {
        own.emplace(object.text(0), without_comments(object.text(1)));
    }
    for (Query object(connection_, kObjects, "sqlite_schema"); object.step();) {
        const bool is_of_axes =
            std::find(kOfAxes.begin(), kOfAxes.end(), object.text(2)) != kOfAxes.end();
        const auto same = own.find(object.text(0));
        const bool is_own = same != own.end() && same->second == without_comments(object.text(1));
        if (!is_own && (!swept.empty() || !is_of_axes)) {
            throw UserFault({path()},
                            fmt::format("the database has the {}, which no sweep has made",
                                        hw::shortened(object.text(0))),
                            "the database without it");
        }
    }
}

void SweepDatabase::adopt(const SweepPlan& plan) const {
    const std::string begun_by = meta("weir_version");
    if (begun_by != setup::kVersion) {
        throw UserFault({path()},
                        fmt::format("the database was begun by weir {}, and this is {}", begun_by,
                                    setup::kVersion),
                        "a new one (--out), which weir sweep diff compares with it");
    }
    Transaction transaction(connection_);
    const std::int64_t known = count_of("points");
    std::int64_t shared = 0;
    connection_.execute("UPDATE points SET number = NULL");
    Query renumber(connection_, "UPDATE points SET number = ?, varied_axis = ? WHERE digest = ?");
    for (const PlannedPoint& point : plan.points) {
        renumber.bind(static_cast<std::int64_t>(point.number));
        bind_axis(renumber, point).bind(point.digest).execute();
        shared += sqlite3_changes(connection_.handle());
    }
    if (known > 0 && shared == 0) {
        throw UserFault(
            {path()},
            fmt::format("the database has none of the {} points of {}: it is another study's "
                        "(\"{}\"), or more than the axes has changed",
                        plan.points.size(), plan.path.string(), meta("title")),
            "the database of that study, or a new one (--out)");
    }
    set_meta("title", plan.file.title());
    set_meta("description", plan.file.description());
    set_meta("study_file", plan.path.string());
    set_meta("study_text", plan.text);
    set_meta("figures", figures_text(plan.figures));
    set_meta("design", design_name(plan.design));
    set_meta("cost", plan.prices.empty() ? "" : prices_text(plan.prices));
    set_meta(kGatePrices, gate_prices_text(plan));
    std::size_t runs = 0;
    for (const PlannedPoint& point : plan.points) {
        runs += point.seeds.size();
    }
    set_planned_runs(runs);
    if (names() != plan.names) {
        set_names(plan.names);
    }
    transaction.commit();
}

// If the axes have changed, their columns are filled from the stored configurations.
void SweepDatabase::set_names(const std::vector<SweptName>& names) const {
    connection_.execute(swept_schema_dropped());
    connection_.execute("DELETE FROM axes");
    Query axis(connection_, "INSERT INTO axes (key, name, axis, axis_name) VALUES (?, ?, ?, ?)");
    for (const SweptName& name : names) {
        axis.bind(name.key)
            .bind(name.column)
            .bind(static_cast<std::int64_t>(name.axis))
            .bind(name.axis_name)
            .execute();
    }
    connection_.execute(swept_schema(names));
    Query known(connection_, "SELECT point_id, configuration FROM points", "points");
    while (known.step()) {
        add_swept(known.integer(0), known.text(1), names);
    }
}

void SweepDatabase::add_swept(std::int64_t point_id, const std::string& configuration,
                              const std::vector<SweptName>& names) const {
    Query insert(connection_, insert_into_swept(names.size()));
    insert.bind(point_id);
    records::read_stored_json(configuration, stored_in(path(), kConfiguration),
                              [&](const nlohmann::ordered_json& values) {
                                  for (const SweptName& name : names) {
                                      bind_json(insert, values.value(name.key, Json()));
                                  }
                              });
    insert.execute();
}

std::set<std::pair<std::string, std::uint64_t>> SweepDatabase::done(bool retry) const {
    Query query(connection_,
                std::string("SELECT points.digest, seed FROM runs JOIN points USING (point_id) "
                            "WHERE ") +
                    (retry ? "status IN ('ok', 'saturated')" : "signal IS NULL"),
                "runs");
    std::set<std::pair<std::string, std::uint64_t>> found;
    while (query.step()) {
        found.emplace(query.text(0), static_cast<std::uint64_t>(query.integer(1)));
    }
    return found;
}

/// Planned point whose setup is made on first use.
class SweepDatabase::PointSetup {
  public:
    PointSetup(const SweepPlan& plan, const PlannedPoint& point) : plan_(plan), point_(point) {}

    [[nodiscard]] const SweepPlan& plan() const { return plan_; }
    [[nodiscard]] const PlannedPoint& point() const { return point_; }
    [[nodiscard]] kinds::Setup& setup() {
        if (setup_ == nullptr) {
            setup_ = kinds::make_setup(plan_.file_of(point_), point_.run);
        }
        return *setup_;
    }

  private:
    const SweepPlan& plan_;
    const PlannedPoint& point_;
    std::unique_ptr<kinds::Setup> setup_;
};

std::int64_t SweepDatabase::point_id(PointSetup& planned) const {
    const PlannedPoint& point = planned.point();
    Query known(connection_, "SELECT point_id FROM points WHERE digest = ?", "points");
    if (known.bind(point.digest).step()) {
        return known.integer(0);
    }
    kinds::Setup& setup = planned.setup();
    Query insert(connection_,
                 "INSERT INTO points (digest, number, label, kernel, main_metric, configuration, "
                 "varied_axis) VALUES (?, ?, ?, ?, ?, ?, ?)");
    const std::string configuration = configuration_json(setup);
    insert.bind(point.digest)
        .bind(static_cast<std::int64_t>(point.number))
        .bind(point.label)
        .bind(setup.kernel_name)
        .bind(std::string_view(setup.kind->leading_metric({}).name()))
        .bind(configuration);
    bind_axis(insert, point).execute();
    const std::int64_t id = sqlite3_last_insert_rowid(connection_.handle());
    add_swept(id, configuration, planned.plan().names);
    return id;
}

void SweepDatabase::record(const SweepPlan& plan, const PlannedPoint& planned, std::uint64_t seed,
                           const RunOutcome& outcome) const {
    Transaction transaction(connection_);
    PointSetup of_point(plan, planned);
    const std::int64_t point = point_id(of_point);
    const records::Metrics measured_before = measured_of(point);
    Query(connection_, "DELETE FROM runs WHERE point_id = ? AND seed = ?")
        .bind(point)
        .bind(static_cast<std::int64_t>(seed))
        .execute();
    Query insert(connection_,
                 "INSERT INTO runs (point_id, seed, status, message, cycles, host_seconds, "
                 "weir_build, exit_status, signal, digest, result) "
                 "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(point)
        .bind(static_cast<std::int64_t>(seed))
        .bind(std::string_view(status_name(outcome.status)))
        .bind(outcome.message)
        .bind(outcome.cycles)
        .bind(outcome.host_seconds)
        .bind(program_digest());
    if (outcome.is_killed) {
        insert.bind_null().bind(std::int64_t{outcome.exit_status}).bind_null();
    } else {
        insert.bind(std::int64_t{outcome.exit_status}).bind_null().bind(outcome.digest);
    }
    if (outcome.result_json.empty()) {
        insert.bind_null();
    } else {
        insert.bind(outcome.result_json);
    }
    insert.execute();
    const std::int64_t run = sqlite3_last_insert_rowid(connection_.handle());
    Query metric(connection_, "INSERT INTO metrics VALUES (?, ?, ?, ?, ?)");
    for (const RunMetric& each : outcome.metrics) {
        if (std::isfinite(each.value)) {
            metric.bind(run)
                .bind(each.source)
                .bind(each.metric)
                .bind(each.value)
                .bind(unit_of(each))
                .execute();
        }
    }
    // The main metric may not be measured, for example for a program without marks.
    const records::Metrics measured = measured_of(point);
    if (measured != measured_before) {
        Query(connection_, "UPDATE points SET main_metric = ? WHERE point_id = ?")
            .bind(std::string_view(of_point.setup().kind->leading_metric(measured).name()))
            .bind(point)
            .execute();
    }
    transaction.commit();
}

records::Metrics SweepDatabase::measured_of(std::int64_t point) const {
    Query query(connection_,
                "SELECT DISTINCT metric FROM metrics JOIN runs USING (run_id) "
                "WHERE point_id = ? AND source = 'measured' ORDER BY metric",
                "metrics");
    records::Metrics measured;
    for (query.bind(point); query.step();) {
        measured.emplace_back(query.text(0), 0.0);
    }
    return measured;
}

std::int64_t SweepDatabase::count_of(const std::string& rows) const {
    Query query(connection_, "SELECT count(*) FROM " + rows);
    query.step();
    return query.integer(0);
}

std::string SweepDatabase::meta(const std::string& key) const {
    Query query(connection_, "SELECT value FROM meta WHERE key = ?", "meta");
    return query.bind(key).step() ? query.text(0) : std::string();
}

void SweepDatabase::set_meta(const std::string& key, const std::string& value) const {
    Query(connection_, "INSERT OR REPLACE INTO meta VALUES (?, ?)").bind(key).bind(value).execute();
}

std::vector<SweptName> SweepDatabase::names() const {
    Query query(connection_, "SELECT key, name, axis, axis_name FROM axes ORDER BY number", "axes");
    std::vector<SweptName> found;
    while (query.step()) {
        found.push_back({query.text(0), query.text(1),
                         static_cast<std::size_t>(query.integer(2, 1, kMostAxes)), query.text(3)});
    }
    return found;
}

std::vector<FigureChoice> SweepDatabase::figures() const {
    try {
        return figures_from(meta("figures"));
    } catch (const nlohmann::json::exception& fault) {
        throw records::json_fault(stored_in(path(), "the figures in its table meta"), fault.what());
    }
}

SweepDesign SweepDatabase::design() const {
    return meta("design") == design_name(SweepDesign::kOneAtATime) ? SweepDesign::kOneAtATime
                                                                   : SweepDesign::kCrossed;
}

std::vector<Price> SweepDatabase::prices() const {
    try {
        return prices_from(meta("cost"), path());
    } catch (const nlohmann::json::exception& fault) {
        throw records::json_fault(stored_in(path(), "the prices in its table meta"), fault.what());
    }
}

std::size_t SweepDatabase::planned_runs() const {
    const std::string planned = meta("planned_runs");
    std::size_t runs = 0;
    const char* const end = planned.data() + planned.size();
    const auto [read, fault] = std::from_chars(planned.data(), end, runs);
    if (!planned.empty() && (fault != std::errc() || read != end)) {
        throw UserFault({path()},
                        fmt::format("table meta, column value, key = planned_runs: the value is "
                                    "\"{}\"",
                                    planned),
                        "a whole number from 0 on");
    }
    return runs;
}

void SweepDatabase::set_planned_runs(std::size_t runs, const std::string& searched) const {
    set_meta("planned_runs", std::to_string(runs));
    set_meta("search", searched);
}

std::vector<StoredPoint> SweepDatabase::points() const {
    const std::vector<SweptName> swept = names();
    Query points(connection_,
                 "SELECT point_id, digest, number, label, main_metric, configuration, "
                 "varied_axis, swept.* "
                 "FROM points JOIN swept USING (point_id) ORDER BY number IS NULL, number, digest",
                 "points");
    Query runs(connection_,
               "SELECT run_id, seed, status, exit_status, signal, message, digest FROM runs "
               "WHERE point_id = ? ORDER BY seed",
               "runs");
    std::vector<StoredPoint> found;
    constexpr int kBeforeSwept = 8;  // number of columns before the keys of the table swept
    while (points.step()) {
        StoredPoint point{
            points.text(1),
            points.is_null(2) ? std::nullopt : std::optional(points.integer(2, 1)),
            points.text(3),
            points.text(4),
            points.is_null(6) ? std::nullopt : std::optional(points.integer(6, 1, kMostAxes)),
            points.text(5),
            {},
            {},
            {},
            {}};
        records::read_stored_json(
            point.configuration, stored_in(path(), kConfiguration), [&](const Json& values) {
                for (std::size_t i = 0; i < swept.size(); ++i) {
                    const int column = kBeforeSwept + static_cast<int>(i);
                    point.values.push_back(points.text(column));
                    point.swept.push_back(
                        swept_value(values.value(swept[i].key, Json()), point.values.back()));
                }
            });
        runs.bind(points.integer(0));
        while (runs.step()) {
            point.runs.push_back(run_of(runs));
        }
        runs.reset();
        found.push_back(std::move(point));
    }
    return found;
}

std::map<std::int64_t, double> SweepDatabase::metric(const std::string& name) const {
    const std::size_t dot = name.find('.');
    const std::string metric = dot == std::string::npos ? name : name.substr(dot + 1);
    const std::string source =
        dot == std::string::npos ? first_source_of(metric) : name.substr(0, dot);
    Query query(connection_, "SELECT run_id, value FROM metrics WHERE metric = ? AND source = ?",
                "metrics");
    std::map<std::int64_t, double> values;
    for (query.bind(metric).bind(source); query.step();) {
        values.emplace(query.integer(0), query.real(1));
    }
    // A part that a run lacks counts as 0 cycles, for runs of kernels that have the part.
    if (source == "round_trip" && !values.empty()) {
        Query others(connection_,
                     "SELECT DISTINCT run_id FROM metrics JOIN runs USING (run_id) "
                     "JOIN points USING (point_id) WHERE source = 'round_trip' AND kernel IN "
                     "(SELECT kernel FROM metrics JOIN runs USING (run_id) JOIN points USING "
                     "(point_id) WHERE metric = ? AND source = 'round_trip')",
                     "metrics");
        for (others.bind(metric); others.step();) {
            values.emplace(others.integer(0), 0.0);
        }
    }
    return values;
}

std::string SweepDatabase::first_source_of(const std::string& metric) const {
    Query query(connection_,
                "SELECT source FROM metrics WHERE metric = ? "
                "ORDER BY source = 'measured' DESC, source LIMIT 1",
                "metrics");
    return query.bind(metric).step() ? query.text(0) : "";
}

void SweepDatabase::check_values() const {
    static_cast<void>(names());
    static_cast<void>(points());
    static_cast<void>(planned_runs());
    Query runs(connection_, "SELECT run_id, cycles, host_seconds FROM runs", "runs");
    while (runs.step()) {
        static_cast<void>(runs.integer(1));
        static_cast<void>(runs.real(2));
    }
    Query metrics(connection_, "SELECT run_id, source, metric, value, unit FROM metrics",
                  "metrics");
    while (metrics.step()) {
        static_cast<void>(metrics.integer(0));
        for (const int column : {1, 2, 4}) {
            static_cast<void>(metrics.text(column));
        }
        static_cast<void>(metrics.real(3));
    }
}

std::vector<std::string> SweepDatabase::models_of(const std::string& metric) const {
    Query query(connection_,
                "SELECT DISTINCT source FROM metrics WHERE metric = ? AND source NOT IN "
                "('measured', 'round_trip', 'compared') ORDER BY source",
                "metrics");
    query.bind(metric);
    std::vector<std::string> models;
    while (query.step()) {
        models.push_back(query.text(0));
    }
    return models;
}

std::vector<std::string> SweepDatabase::metric_names() const {
    Query query(connection_,
                "SELECT metric FROM metrics GROUP BY metric "
                "ORDER BY max(source = 'measured') DESC, metric",
                "metrics");
    std::vector<std::string> found;
    while (query.step()) {
        found.push_back(query.text(0));
    }
    return found;
}

void SweepDatabase::require_metric(const std::string& name) const {
    if (metric(name).empty()) {
        throw setup::unknown_name({"--metric " + name}, "metric", name, metric_names());
    }
}

std::string SweepDatabase::digest() const {
    Query query(connection_,
                "SELECT points.digest, seed, status, runs.digest FROM runs "
                "JOIN points USING (point_id) ORDER BY points.digest, seed",
                "runs");
    FactDigest digest;
    while (query.step()) {
        digest.add(query.text(0));
        digest.add(std::to_string(query.integer(1)));
        digest.add(query.text(2));
        digest.add(query.text(3));
    }
    return digest.hex();
}

records::SweepResult read_sweep(const SweepDatabase& database,
                                const std::vector<std::string>& metrics) {
    records::SweepResult sweep{database.meta("title"),
                               database.meta("description"),
                               database.meta("study_file"),
                               database.meta("study_text"),
                               database.meta("weir_version"),
                               database.digest(),
                               database.design(),
                               database.names(),
                               database.points(),
                               database.figures(),
                               {},
                               {}};
    sweep.planned_runs = database.planned_runs();
    const auto read = [&](const std::string& metric) {
        if (sweep.metrics.count(metric) == 0) {
            sweep.metrics.emplace(metric, database.metric(metric));
        }
    };
    sweep.searched = database.meta("search");
    sweep.costs = add_costs_of_points(database, sweep.points);
    std::vector<std::string> shown = metrics;
    for (const StoredPoint& point : sweep.points) {
        shown.push_back(point.main_metric);
    }
    for (const std::string& metric : shown) {
        if (sweep.models.count(metric) == 0) {
            read(metric);
            for (const std::string& model :
                 sweep.models.emplace(metric, database.models_of(metric)).first->second) {
                read(fmt::format("{}.{}", model, metric));
            }
        }
    }
    for (FigureChoice& figure : sweep.figures) {
        figure.points = chosen_points(figure, sweep);
        std::for_each(figure.metrics.begin(), figure.metrics.end(), read);
    }
    return sweep;
}

std::vector<std::pair<std::string, std::string>> add_costs_of_points(
    const SweepDatabase& database, std::vector<StoredPoint>& points) {
    std::vector<std::pair<std::string, std::string>> costs;
    const std::vector<Price> prices = database.prices();
    if (prices.empty()) {
        return costs;
    }
    for (const Price& price : prices) {
        costs.emplace_back(fmt::format("{}.{}", records::kCost, price.name),
                           price.expression.text());
    }
    costs.emplace_back(records::kCost, "the sum");
    const std::string stored = database.meta(kGatePrices);
    const auto gate_prices = records::read_stored_json(
        stored.empty() ? "{}" : stored,
        stored_in(database.path(), "the prices in gates in its table meta"), [](const Json& all) {
            std::map<std::string, setup::NamedValues> of_points;
            for (const auto& [digest, of_point] : all.items()) {
                add_values(of_point, of_points[digest]);
            }
            return of_points;
        });
    setup::NamedValues swept;
    for (const SweptName& name : database.names()) {
        swept.swept.push_back(name.key);
    }
    for (StoredPoint& point : points) {
        setup::NamedValues named = swept;
        records::read_stored_json(point.configuration, stored_in(database.path(), kConfiguration),
                                  [&named](const Json& all) { add_values(all, named); });
        if (const auto priced = gate_prices.find(point.digest); priced != gate_prices.end()) {
            const auto& prices_of_point = priced->second.values;
            named.values.insert(named.values.end(), prices_of_point.begin(), prices_of_point.end());
        }
        const std::size_t before = named.values.size();
        try {
            add_costs(prices, named);
        } catch (const UserFault&) {
            continue;
        }
        for (std::size_t i = before; i < named.values.size(); ++i) {
            point.costs.push_back(std::get<double>(named.values[i].second));
        }
    }
    return costs;
}

}  // namespace weir::experiments::running
