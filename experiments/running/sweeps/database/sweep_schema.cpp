#include "experiments/running/sweeps/database/sweep_schema.h"

#include <fmt/format.h>

#include "experiments/running/sweeps/database/sweep_connection.h"

namespace weir::experiments::running {

namespace {

constexpr const char* kSweepSchema = R"sql(
CREATE TABLE meta (              -- always there: schema_version, weir_version, weir_build (a hash of
                                 -- the program that began it), title, description, study_file,
                                 -- study_text (the file itself), design ('crossed' or
                                 -- 'one-at-a-time'), figures (JSON: what [[sweep.figure]] asks
                                 -- for), cost (JSON: what [cost] says), planned_runs (how many
                                 -- the study has, ended or not), search (what a search has found)
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE axes (              -- the parameters that axes set, in the file's order
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,    -- 'network.hop_cycles'
    name TEXT NOT NULL UNIQUE,   -- the column in swept, and in the views
    axis INTEGER NOT NULL,       -- the axis that sets it, from 1 in the file's order; keys that go
                                 -- together have the same
    axis_name TEXT NOT NULL      -- as the file names the axis; else its columns, joined by ', '
);

CREATE TABLE points (            -- a row a configuration of which a run is recorded
    point_id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE, -- hash of the configuration, seeds apart; it identifies the point
    number INTEGER,              -- from 1, in the order of the file; NULL: no longer in it
    label TEXT NOT NULL,         -- of its [[point]]; empty where the file has none
    kernel TEXT NOT NULL,
    main_metric TEXT NOT NULL,   -- what its runs are first of all about, of what they measured
    varied_axis INTEGER,         -- the axis that this point varies alone; NULL in a crossed sweep,
                                 -- and in the point that axes are varied around
    configuration TEXT NOT NULL  -- JSON: every parameter, "table.key": value
);

CREATE TABLE runs (              -- a row a point and seed that has ended
    run_id INTEGER PRIMARY KEY,
    point_id INTEGER NOT NULL REFERENCES points,
    seed INTEGER NOT NULL,
    status TEXT NOT NULL         -- 'saturated': the run ended well, but was offered more than it
                                 -- could take, and lacks the metrics that are of all of that;
                                 -- 'reached run.most_cycles': it had not ended by then
        CHECK (status IN ('ok', 'saturated', 'failed', 'deadlocked', 'starved',
                          'reached run.most_cycles', 'bad')),
    exit_status INTEGER,         -- as weir run's; NULL where a signal ended the process
    signal INTEGER,              -- that ended it; NULL where none did
    message TEXT NOT NULL,       -- what went wrong; empty where nothing did
    digest TEXT,                 -- hash of all results; equal runs have equal digests on any host
    cycles INTEGER NOT NULL,     -- simulated
    host_seconds REAL NOT NULL,
    weir_build TEXT NOT NULL,
    result TEXT,                 -- JSON: the simulation's whole result; NULL without one
    UNIQUE (point_id, seed)
);

CREATE TABLE metrics (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    source TEXT NOT NULL,        -- 'measured', 'round_trip' (where its cycles went), a model's name
                                 -- (what it predicts), 'compared' (how far models are off),
                                 -- 'interval' (half of the run's own 95 % interval)
    metric TEXT NOT NULL,
    value REAL NOT NULL,
    unit TEXT NOT NULL,          -- '1' for a ratio or a count
    PRIMARY KEY (run_id, source, metric)
) WITHOUT ROWID;
)sql";

// swept is a table and no view of the configurations: so each row is looked up, not parsed.
constexpr const char* kSweptSchema = R"sql(
CREATE TABLE swept (             -- what axes set: a column a key, a row a point; a list is a text
    point_id INTEGER PRIMARY KEY REFERENCES points{columns}
);

CREATE VIEW outcomes AS          -- a row a run
    SELECT points.number AS point, label{selected}, seed, status, message, cycles, host_seconds,
           runs.digest AS digest
    FROM runs JOIN points USING (point_id) JOIN swept USING (point_id);

CREATE VIEW results AS           -- a row a run and metric
    SELECT points.number AS point, label{selected}, seed, source, metric, value, unit
    FROM metrics JOIN runs USING (run_id) JOIN points USING (point_id) JOIN swept USING (point_id);

CREATE VIEW means AS             -- a row a point and metric, over those of its seeds that have it
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
