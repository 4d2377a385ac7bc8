#include "experiments/running/sweeps/database/sweep_schema.h"

#include <fmt/format.h>

#include "experiments/running/sweeps/database/sweep_connection.h"

namespace weir::experiments::running {

namespace {

constexpr const char* kSweepSchema = R"sql(
CREATE TABLE meta (              -- facts about the sweep. Always present:
                                 -- schema_version, weir_version, title, description, study_file.
                                 -- weir_build: hash of the program that began the database.
                                 -- study_text: the study file itself.
                                 -- design: 'crossed' or 'one-at-a-time'.
                                 -- figures: [[sweep.figure]] as JSON.
                                 -- cost: [cost] as JSON.
                                 -- planned_runs: number of runs of the study, ended or not.
                                 -- search: finding of a search.
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE axes (              -- parameters that axes set, in the file's order
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,    -- 'network.hop_cycles'
    name TEXT NOT NULL UNIQUE,   -- column in swept and in the views
    axis INTEGER NOT NULL,       -- number of its axis, from 1 in the file's order; zipped keys
                                 -- share an axis
    axis_name TEXT NOT NULL      -- name in the file, or else its columns, joined by ', '
);

CREATE TABLE points (            -- configurations with a recorded run
    point_id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE, -- hash of the configuration without seeds; identifies the point
    number INTEGER,              -- from 1, in the order of the file; NULL: no longer in the file
    label TEXT NOT NULL,         -- label of its [[point]]; empty without [[point]]s
    kernel TEXT NOT NULL,
    main_metric TEXT NOT NULL,   -- main metric among those that its runs measured
    varied_axis INTEGER,         -- the only axis that this point varies; NULL in a crossed sweep,
                                 -- and for the common point of all axes
    configuration TEXT NOT NULL  -- JSON: every parameter, "table.key": value
);

CREATE TABLE runs (              -- runs that have ended: a point with a seed
    run_id INTEGER PRIMARY KEY,
    point_id INTEGER NOT NULL REFERENCES points,
    seed INTEGER NOT NULL,
    status TEXT NOT NULL         -- 'saturated': the run ended well, but its offered load exceeded
                                 -- capacity; it lacks means over all offered traffic.
                                 -- 'reached run.most_cycles': the run had not ended by then
        CHECK (status IN ('ok', 'saturated', 'failed', 'deadlocked', 'starved',
                          'reached run.most_cycles', 'bad')),
    exit_status INTEGER,         -- exit status of weir run; NULL if a signal ended the process
    signal INTEGER,              -- signal that ended the process; NULL if none did
    message TEXT NOT NULL,       -- fault of the run; empty if it ended well
    digest TEXT,                 -- hash of all results; equal runs have equal digests on any host
    cycles INTEGER NOT NULL,     -- simulated cycles
    host_seconds REAL NOT NULL,
    weir_build TEXT NOT NULL,
    result TEXT,                 -- whole result of the simulation as JSON; NULL without a result
    UNIQUE (point_id, seed)
);

CREATE TABLE metrics (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    source TEXT NOT NULL,        -- 'measured'. 'round_trip': parts of a round trip.
                                 -- Name of a model: its prediction.
                                 -- 'compared': deviation of a model.
                                 -- 'interval': half width of the run's own 95 % interval
    metric TEXT NOT NULL,
    value REAL NOT NULL,
    unit TEXT NOT NULL,          -- '1' for a ratio or a count
    PRIMARY KEY (run_id, source, metric)
) WITHOUT ROWID;
)sql";

// swept is a table, not a view of the configurations, so that rows are read without parsing JSON.
constexpr const char* kSweptSchema = R"sql(
CREATE TABLE swept (             -- values that axes set, by point and key; lists are texts
    point_id INTEGER PRIMARY KEY REFERENCES points{columns}
);

CREATE VIEW outcomes AS          -- runs
    SELECT points.number AS point, label{selected}, seed, status, message, cycles, host_seconds,
           runs.digest AS digest
    FROM runs JOIN points USING (point_id) JOIN swept USING (point_id);

CREATE VIEW results AS           -- metrics of runs
    SELECT points.number AS point, label{selected}, seed, source, metric, value, unit
    FROM metrics JOIN runs USING (run_id) JOIN points USING (point_id) JOIN swept USING (point_id);

CREATE VIEW means AS             -- means of points over their seeds that have the metric
    SELECT points.number AS point, label{selected}, source, metric, count(*) AS seeds,
           avg(value) AS mean, min(value) AS least, max(value) AS greatest, unit
    FROM metrics JOIN runs USING (run_id) JOIN points USING (point_id) JOIN swept USING (point_id)
    GROUP BY points.point_id, source, metric;
)sql";

}  // namespace

const char* sweep_schema() { return kSweepSchema; }

std::string swept_schema(std::span<const SweptName> names) {
    std::string columns;
    std::string selected;
    for (const SweptName& name : names) {
        columns += ",\n    " + sql_name(name.column);
        selected += ", swept." + sql_name(name.column);
    }
    return fmt::format(fmt::runtime(kSweptSchema), fmt::arg("columns", columns),
                       fmt::arg("selected", selected));
}

const char* swept_schema_dropped() {
    return "DROP VIEW means; DROP VIEW results; DROP VIEW outcomes; DROP TABLE swept;";
}

}  // namespace weir::experiments::running
