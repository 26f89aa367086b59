-- +goose Up

-- The schema as the migrations of SQLite make it up to this number, where what each
-- column means is told. Numbers are counted by sequences, lists are JSON texts.

-- Functions that SQLite has.
-- +goose StatementBegin
CREATE FUNCTION json_numbers(list TEXT) RETURNS TABLE(key BIGINT, value BIGINT) LANGUAGE sql IMMUTABLE ROWS 100 AS
$$ SELECT ordinality - 1, v::bigint FROM json_array_elements_text(list::json) WITH ORDINALITY AS e(v, ordinality) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION json_texts(list TEXT) RETURNS TABLE(key BIGINT, value TEXT) LANGUAGE sql IMMUTABLE ROWS 100 AS
$$ SELECT ordinality - 1, v FROM json_array_elements_text(list::json) WITH ORDINALITY AS e(v, ordinality) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION json_each(list TEXT) RETURNS TABLE(key BIGINT, value TEXT) LANGUAGE sql IMMUTABLE ROWS 100 AS
$$ SELECT ordinality - 1, v FROM json_array_elements_text(list::json) WITH ORDINALITY AS e(v, ordinality) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION json_valid(document TEXT) RETURNS BOOLEAN LANGUAGE plpgsql IMMUTABLE AS
$$ BEGIN RETURN document::json IS NOT NULL; EXCEPTION WHEN OTHERS THEN RETURN FALSE; END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION json_member(document TEXT, path TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE document::json ->> ltrim(path, '$.') WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE document::json ->> ltrim(path, '$.') END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION json_element(document TEXT, place INTEGER) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT document::json ->> place $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION json_part(document TEXT, path TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT (document::json -> ltrim(path, '$.'))::text $$;
-- +goose StatementEnd
CREATE OPERATOR ->> (LEFTARG = TEXT, RIGHTARG = TEXT, FUNCTION = json_member);
CREATE OPERATOR ->> (LEFTARG = TEXT, RIGHTARG = INTEGER, FUNCTION = json_element);
CREATE OPERATOR -> (LEFTARG = TEXT, RIGHTARG = TEXT, FUNCTION = json_part);
-- +goose StatementBegin
CREATE FUNCTION json_array_length(document TEXT, path TEXT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS
$$ SELECT json_array_length(document::json -> ltrim(path, '$.'))::bigint $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION json_add(list JSONB, value ANYELEMENT) RETURNS JSONB LANGUAGE sql IMMUTABLE AS
$$ SELECT list || jsonb_build_array(value) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION json_compact(list JSONB) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT replace(list::text, ', ', ',') $$;
-- +goose StatementEnd
CREATE AGGREGATE json_group_array(ANYELEMENT) (SFUNC = json_add, STYPE = JSONB, INITCOND = '[]', FINALFUNC = json_compact);
-- +goose StatementBegin
CREATE FUNCTION itself(value TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$ SELECT value $$;
-- +goose StatementEnd
CREATE OPERATOR + (RIGHTARG = TEXT, FUNCTION = itself);
-- +goose StatementBegin
CREATE FUNCTION max(one BIGINT, other BIGINT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN one IS NULL OR other IS NULL THEN NULL ELSE greatest(one, other) END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION min(one BIGINT, other BIGINT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN one IS NULL OR other IS NULL THEN NULL ELSE least(one, other) END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION substr(text TEXT, start BIGINT, count BIGINT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT pg_catalog.substr(text, start::integer, count::integer) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION max(one DOUBLE PRECISION, other DOUBLE PRECISION) RETURNS DOUBLE PRECISION LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN one IS NULL OR other IS NULL THEN NULL ELSE greatest(one, other) END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION min(one DOUBLE PRECISION, other DOUBLE PRECISION) RETURNS DOUBLE PRECISION LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN one IS NULL OR other IS NULL THEN NULL ELSE least(one, other) END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION count_true(so_far BIGINT, value BOOLEAN) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN value IS NULL THEN so_far ELSE coalesce(so_far, 0) + value::integer END $$;
-- +goose StatementEnd
CREATE AGGREGATE sum(BOOLEAN) (SFUNC = count_true, STYPE = BIGINT);
-- +goose StatementBegin
CREATE FUNCTION json_put(document JSONB, name TEXT, value TEXT) RETURNS JSONB LANGUAGE sql IMMUTABLE AS
$$ SELECT document || jsonb_build_object(name, value) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION json_written(document JSONB) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$ SELECT document::text $$;
-- +goose StatementEnd
CREATE AGGREGATE json_group_object(TEXT, TEXT) (SFUNC = json_put, STYPE = JSONB, INITCOND = '{}', FINALFUNC = json_written);
-- +goose StatementBegin
CREATE FUNCTION json_set(document TEXT, path TEXT, value TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN (document::jsonb) ? ltrim(path, '$.') THEN (document::jsonb || jsonb_build_object(ltrim(path, '$.'), value::json))::text
        WHEN document::jsonb = '{}' THEN '{' || to_json(ltrim(path, '$.')) || ':' || value || '}'
        ELSE regexp_replace(document, '\}\s*$', ',') || to_json(ltrim(path, '$.')) || ':' || value || '}'
    END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION json_set(document TEXT, path TEXT, value JSON) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT json_set(document, path, value::text) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION json_each(document TEXT, path TEXT) RETURNS TABLE(key BIGINT, value TEXT) LANGUAGE sql IMMUTABLE AS
$$ SELECT ordinality - 1, v FROM json_array_elements_text(document::json -> ltrim(path, '$.')) WITH ORDINALITY AS e(v, ordinality) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION iif(condition BOOLEAN, one ANYELEMENT, other ANYELEMENT) RETURNS ANYELEMENT LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN condition THEN one ELSE other END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION instr(text TEXT, part TEXT) RETURNS INTEGER LANGUAGE sql IMMUTABLE AS $$ SELECT strpos(text, part) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION unixepoch(moment TEXT) RETURNS BIGINT LANGUAGE sql STABLE AS $$ SELECT floor(extract(epoch FROM moment::timestamptz))::bigint $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION text_add(so_far TEXT, value TEXT, separator TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN value IS NULL THEN so_far ELSE coalesce(so_far || separator, '') || value END $$;
-- +goose StatementEnd
CREATE AGGREGATE group_concat(TEXT, TEXT) (SFUNC = text_add, STYPE = TEXT);

CREATE TABLE change_sequence (
    topic TEXT PRIMARY KEY,
    seq BIGINT NOT NULL
);
CREATE TABLE entities (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    kind TEXT NOT NULL DEFAULT 'plain' CHECK (kind IN ('plain', 'chart', 'step', 'beat')),
    title TEXT NOT NULL DEFAULT '',
    folded_title TEXT NOT NULL DEFAULT '',
    body TEXT NOT NULL DEFAULT '',
    metadata TEXT,
    extra TEXT,
    origin TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE TABLE observations (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    entity_id BIGINT NOT NULL,
    content TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE TABLE relations (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    from_id BIGINT NOT NULL,
    to_id BIGINT NOT NULL,
    type TEXT NOT NULL,
    structural BIGINT NOT NULL DEFAULT 0,
    stated BIGINT NOT NULL DEFAULT 0,
    metadata TEXT,
    extra TEXT,
    created_at BIGINT NOT NULL,
    UNIQUE (from_id, to_id, type)
);
CREATE TABLE entity_changes (
    seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    entity_id BIGINT NOT NULL UNIQUE
);
CREATE TABLE charts (
    entity_id BIGINT PRIMARY KEY,
    parent_step_id BIGINT,
    level BIGINT NOT NULL,
    due_date TEXT NOT NULL,
    next_step BIGINT NOT NULL DEFAULT 1,
    next_beat BIGINT NOT NULL DEFAULT 1,
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'completed', 'abandoned')),
    closed_at TEXT
);
CREATE TABLE steps (
    entity_id BIGINT PRIMARY KEY,
    chart_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    folded_title TEXT NOT NULL,
    due_date TEXT NOT NULL,
    completed_at TEXT
);
CREATE TABLE beats (
    entity_id BIGINT PRIMARY KEY,
    chart_id BIGINT,
    parent_beat_id BIGINT,
    act DOUBLE PRECISION NOT NULL,
    type_dramatic TEXT NOT NULL,
    universes TEXT NOT NULL,
    occurred_at TEXT NOT NULL,
    narrative TEXT NOT NULL,
    alignment TEXT NOT NULL,
    directions TEXT NOT NULL,
    next_sub BIGINT NOT NULL DEFAULT 1
);
CREATE TABLE foreign_lines (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    raw TEXT NOT NULL
);
CREATE TABLE l0_raw (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    session_id TEXT NOT NULL,
    speaker TEXT NOT NULL,
    content TEXT NOT NULL,
    metadata TEXT,
    occurred_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE TABLE l0_tags (
    tag TEXT NOT NULL,
    l0_id BIGINT NOT NULL,
    PRIMARY KEY (tag, l0_id)
);
CREATE TABLE l2_insights (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    root_id BIGINT,
    version BIGINT NOT NULL,
    content TEXT NOT NULL,
    source_ids TEXT NOT NULL,
    fidelity_score DOUBLE PRECISION NOT NULL,
    metadata TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    superseded_by BIGINT,
    deleted_at BIGINT,
    reason TEXT NOT NULL DEFAULT ''
);
CREATE TABLE l2_sources (
    insight_id BIGINT NOT NULL,
    position BIGINT NOT NULL,
    l0_id BIGINT NOT NULL,
    PRIMARY KEY (insight_id, position)
);
CREATE TABLE working_memory (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    content TEXT NOT NULL,
    importance DOUBLE PRECISION NOT NULL CHECK (importance BETWEEN 0 AND 1),
    last_accessed BIGINT NOT NULL,
    access_seq BIGINT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);
CREATE TABLE stale_memory (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    working_memory_id BIGINT NOT NULL,
    original_content TEXT NOT NULL,
    importance DOUBLE PRECISION NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN ('LRU_EVICTION', 'MANUAL_ARCHIVE')),
    archived_at BIGINT NOT NULL
);
CREATE TABLE episode_memory (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    query TEXT NOT NULL,
    reward DOUBLE PRECISION NOT NULL CHECK (reward BETWEEN -1 AND 1),
    reflection TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE TABLE ground_truth (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    query TEXT NOT NULL UNIQUE,
    expected_docs TEXT,
    judge1_score DOUBLE PRECISION,
    judge2_score DOUBLE PRECISION,
    judge1_model TEXT,
    judge2_model TEXT,
    judge_mode TEXT,
    kappa DOUBLE PRECISION,
    created_at BIGINT NOT NULL,
    evaluated_at BIGINT
);
CREATE TABLE judge_scores (
    query_id BIGINT NOT NULL,
    doc_id BIGINT NOT NULL,
    judge1_score DOUBLE PRECISION,
    judge2_score DOUBLE PRECISION,
    evaluated_at BIGINT NOT NULL,
    PRIMARY KEY (query_id, doc_id)
);
CREATE TABLE golden_queries (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    query TEXT NOT NULL,
    session_id TEXT NOT NULL DEFAULT '',
    expected_docs TEXT,
    word_count BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (query, session_id)
);
CREATE TABLE golden_results (
    day TEXT PRIMARY KEY,
    precision_at_5 DOUBLE PRECISION NOT NULL,
    metrics TEXT NOT NULL,
    tested_at BIGINT NOT NULL
);
CREATE TABLE golden_query_results (
    query_id BIGINT NOT NULL,
    day TEXT NOT NULL,
    precision_at_5 DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (query_id, day)
);
CREATE TABLE memory_rows (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    source TEXT NOT NULL,
    row_id BIGINT NOT NULL,
    session TEXT,
    position BIGINT NOT NULL,
    speaker TEXT NOT NULL,
    created BIGINT NOT NULL,
    retired BIGINT NOT NULL,
    terms TEXT NOT NULL,
    day TEXT NOT NULL,
    source_terms TEXT NOT NULL,
    UNIQUE (source, row_id),
    UNIQUE (source, session, position)
);
CREATE TABLE memory_statistics (
    source TEXT PRIMARY KEY,
    rows BIGINT NOT NULL,
    words BIGINT NOT NULL
);
CREATE TABLE memory_spaces (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    model TEXT NOT NULL UNIQUE
);
CREATE TABLE records (
    seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    properties TEXT NOT NULL,
    file_urls TEXT NOT NULL DEFAULT '[]',
    embedding TEXT,
    entity BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE TABLE record_types (
    key TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    id TEXT NOT NULL,
    record BIGINT NOT NULL,
    PRIMARY KEY (key, created_at, id)
);
CREATE TABLE record_values (
    key BIGINT NOT NULL,
    record BIGINT NOT NULL,
    PRIMARY KEY (key, record)
);
CREATE TABLE payloads (
    id TEXT PRIMARY KEY,
    content_id TEXT NOT NULL UNIQUE,
    submission_id TEXT NOT NULL UNIQUE,
    capability TEXT NOT NULL,
    body TEXT NOT NULL,
    source_refs TEXT NOT NULL,
    extracted_at BIGINT NOT NULL,
    extractor_version TEXT NOT NULL,
    agent_id TEXT NOT NULL DEFAULT '',
    client_request_id TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL
);
CREATE TABLE truth_entities (
    seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    root BIGINT NOT NULL DEFAULT 0,
    merged_into BIGINT,
    merged_at BIGINT,
    created_at BIGINT NOT NULL
);
CREATE TABLE truth_observations (
    seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    entity BIGINT NOT NULL,
    origin BIGINT NOT NULL,
    record BIGINT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('payload', 'record', 'update', 'correction')),
    observed_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    specificity_score DOUBLE PRECISION NOT NULL,
    source_priority BIGINT NOT NULL,
    digest TEXT NOT NULL,
    request TEXT NOT NULL DEFAULT '',
    fields TEXT NOT NULL,
    withdraws TEXT NOT NULL DEFAULT ''
);
CREATE TABLE snapshots (
    entity BIGINT PRIMARY KEY,
    type TEXT NOT NULL,
    state TEXT NOT NULL,
    observation_count BIGINT NOT NULL,
    last_observed_at BIGINT NOT NULL,
    first_created_at BIGINT NOT NULL,
    last_created_at BIGINT NOT NULL
);
CREATE TABLE snapshot_values (
    key BIGINT NOT NULL,
    entity BIGINT NOT NULL,
    PRIMARY KEY (key, entity)
);
CREATE TABLE timeline_events (
    entity BIGINT NOT NULL,
    field TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (entity, field)
);
CREATE TABLE merge_policies (
    entity_type TEXT NOT NULL,
    field TEXT NOT NULL,
    strategy TEXT NOT NULL CHECK (strategy IN ('last_write', 'highest_priority', 'most_specific', 'merge_array')),
    PRIMARY KEY (entity_type, field)
);
CREATE TABLE typed_relationships (
    id TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    source BIGINT NOT NULL,
    target BIGINT NOT NULL,
    source_root BIGINT NOT NULL,
    target_root BIGINT NOT NULL,
    metadata TEXT,
    created_at BIGINT NOT NULL,
    said BIGINT NOT NULL DEFAULT 1,
    record BIGINT
);
CREATE TABLE blobs (
    sha256 TEXT PRIMARY KEY,
    size BIGINT NOT NULL,
    mime TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    text TEXT NOT NULL DEFAULT ''
);
CREATE TABLE record_blobs (
    record BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (record, sha256)
);
CREATE TABLE record_parts (
    part BIGINT PRIMARY KEY,
    parent BIGINT NOT NULL,
    number BIGINT NOT NULL
);
CREATE TABLE pocket_datasets (
    seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    source_url TEXT NOT NULL,
    license TEXT NOT NULL,
    license_url TEXT NOT NULL,
    attribution_required BIGINT NOT NULL,
    synthetic BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE TABLE pocket_readings (
    pocket TEXT NOT NULL,
    captured_at BIGINT NOT NULL,
    dataset BIGINT NOT NULL,
    stress DOUBLE PRECISION NOT NULL,
    calm DOUBLE PRECISION NOT NULL,
    social_energy DOUBLE PRECISION NOT NULL,
    productive DOUBLE PRECISION NOT NULL,
    signal_saturation DOUBLE PRECISION,
    movement_friction DOUBLE PRECISION,
    primary_state TEXT NOT NULL,
    anomaly BIGINT NOT NULL,
    PRIMARY KEY (pocket, captured_at)
);
CREATE TABLE pocket_outlets (
    id TEXT PRIMARY KEY,
    dataset BIGINT NOT NULL,
    pocket TEXT NOT NULL,
    name TEXT NOT NULL,
    unit TEXT NOT NULL,
    category TEXT NOT NULL,
    opens_at TEXT NOT NULL,
    closes_at TEXT NOT NULL,
    active BIGINT NOT NULL,
    rain_sensitivity DOUBLE PRECISION,
    dna TEXT NOT NULL
);
CREATE TABLE pocket_ledger (
    pocket TEXT NOT NULL,
    occurred_at BIGINT NOT NULL,
    outlet TEXT NOT NULL,
    entry TEXT NOT NULL,
    dataset BIGINT NOT NULL,
    waste_avoided_units DOUBLE PRECISION,
    idle_reclaimed_hours DOUBLE PRECISION,
    purposeful_trips DOUBLE PRECISION,
    attention_saved_count DOUBLE PRECISION,
    dollar_value_sgd DOUBLE PRECISION,
    PRIMARY KEY (pocket, occurred_at, outlet, entry)
);
CREATE TABLE pocket_attention (
    pocket TEXT NOT NULL,
    occurred_at BIGINT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('surfaced', 'dismissed', 'accepted')),
    "user" TEXT NOT NULL,
    outlet TEXT NOT NULL,
    event TEXT NOT NULL,
    dataset BIGINT NOT NULL,
    PRIMARY KEY (pocket, occurred_at, kind, "user", outlet, event)
);
CREATE TABLE pocket_quality (
    pocket TEXT NOT NULL,
    computed_at BIGINT NOT NULL,
    dataset BIGINT NOT NULL,
    computed BIGINT NOT NULL,
    usefulness DOUBLE PRECISION NOT NULL,
    urgency DOUBLE PRECISION NOT NULL,
    calmness DOUBLE PRECISION NOT NULL,
    merchant_fit DOUBLE PRECISION NOT NULL,
    user_need DOUBLE PRECISION NOT NULL,
    neutral TEXT NOT NULL,
    PRIMARY KEY (pocket, computed_at)
);
CREATE TABLE pocket_predictions (
    seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    dataset BIGINT NOT NULL,
    pocket TEXT NOT NULL,
    generator TEXT NOT NULL,
    prediction_key TEXT NOT NULL,
    sealed_at BIGINT NOT NULL,
    reveal_at BIGINT NOT NULL,
    payload TEXT NOT NULL,
    seal TEXT NOT NULL,
    revealed_at BIGINT,
    observation TEXT,
    accuracy DOUBLE PRECISION,
    UNIQUE (generator, prediction_key)
);
CREATE TABLE import_documents (
    provider TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    position BIGINT NOT NULL,
    finished BIGINT NOT NULL DEFAULT 0,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (provider, fingerprint)
);
CREATE TABLE imported_items (
    record TEXT PRIMARY KEY,
    digest BIGINT NOT NULL
);
CREATE TABLE import_runs (
    id TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed')),
    added BIGINT NOT NULL DEFAULT 0,
    updated BIGINT NOT NULL DEFAULT 0,
    unchanged BIGINT NOT NULL DEFAULT 0,
    errors BIGINT NOT NULL DEFAULT 0,
    started_at BIGINT NOT NULL,
    completed_at BIGINT
);
CREATE TABLE plaid_items (
    id TEXT PRIMARY KEY,
    item_id TEXT NOT NULL UNIQUE,
    institution_id TEXT NOT NULL,
    institution_name TEXT NOT NULL,
    products TEXT NOT NULL,
    accounts TEXT NOT NULL,
    access_token BYTEA NOT NULL,
    public_token TEXT NOT NULL UNIQUE,
    cursor TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL CHECK (status IN ('active', 'error', 'revoked')),
    error_code TEXT NOT NULL DEFAULT '',
    synced_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE TABLE telemetry_names (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE telemetry_state (
    key TEXT PRIMARY KEY,
    value BIGINT NOT NULL
);
CREATE TABLE metric_series (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL,
    tool TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL DEFAULT '',
    error_code TEXT NOT NULL DEFAULT '',
    cached BIGINT NOT NULL DEFAULT 0,
    count BIGINT NOT NULL DEFAULT 0,
    sum BIGINT NOT NULL DEFAULT 0,
    buckets TEXT NOT NULL DEFAULT '[]',
    UNIQUE (name, tool, status, error_code, cached)
);
CREATE TABLE metric_chunks (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    series BIGINT NOT NULL,
    started BIGINT NOT NULL,
    ended BIGINT NOT NULL,
    last BIGINT NOT NULL,
    count BIGINT NOT NULL,
    sum BIGINT NOT NULL,
    least BIGINT NOT NULL,
    most BIGINT NOT NULL,
    times BYTEA NOT NULL,
    samples BYTEA NOT NULL
);
CREATE TABLE call_events (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    at BIGINT NOT NULL,
    actor BIGINT NOT NULL,
    agent BIGINT NOT NULL,
    session BIGINT NOT NULL,
    tool BIGINT NOT NULL,
    outcome BIGINT NOT NULL
);
CREATE TABLE analytics_actors (
    agent BIGINT NOT NULL,
    actor BIGINT NOT NULL,
    first_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    session_end BIGINT NOT NULL,
    first_upload BIGINT,
    first_extraction BIGINT,
    first_entity BIGINT,
    first_event BIGINT,
    first_search BIGINT,
    first_query BIGINT,
    funnel_upload BIGINT,
    funnel_extraction BIGINT,
    funnel_entity BIGINT,
    funnel_timeline BIGINT,
    days BIGINT NOT NULL,
    PRIMARY KEY (agent, actor)
);
CREATE TABLE analytics_activity (
    agent BIGINT NOT NULL,
    block BIGINT NOT NULL,
    actor BIGINT NOT NULL,
    days BIGINT NOT NULL,
    PRIMARY KEY (agent, block, actor)
);
CREATE TABLE analytics_days (
    agent BIGINT NOT NULL,
    day BIGINT NOT NULL,
    actors BIGINT NOT NULL,
    calls BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    uploads BIGINT NOT NULL,
    searches BIGINT NOT NULL,
    PRIMARY KEY (agent, day)
);
CREATE TABLE record_spaces (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    model TEXT NOT NULL UNIQUE,
    embeds BIGINT NOT NULL
);
CREATE TABLE record_vectors (
    seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    space BIGINT NOT NULL,
    record BIGINT NOT NULL,
    vector BYTEA,
    pending BIGINT NOT NULL DEFAULT 0,
    UNIQUE (record, space)
);
CREATE TABLE record_history (
    seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    record BIGINT NOT NULL,
    replaced_at BIGINT NOT NULL,
    type TEXT NOT NULL,
    properties TEXT NOT NULL,
    file_urls TEXT NOT NULL,
    embedding TEXT
);
CREATE TABLE outdated_snapshots (
    entity BIGINT PRIMARY KEY
);
CREATE TABLE forgetting (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    stage BIGINT NOT NULL,
    sha256 TEXT
);
CREATE TABLE memory_forgotten (
    seq BIGINT PRIMARY KEY,
    memory_id BIGINT NOT NULL,
    source TEXT NOT NULL
);
CREATE TABLE staged_words (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    first_entity BIGINT NOT NULL,
    last_entity BIGINT NOT NULL,
    first_observation BIGINT NOT NULL,
    last_observation BIGINT NOT NULL,
    held_until BIGINT NOT NULL
);
CREATE TABLE capture_projects (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    root TEXT NOT NULL,
    remote TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    joined BIGINT
);
CREATE TABLE capture_sessions (
    session_id TEXT PRIMARY KEY,
    client TEXT NOT NULL,
    project BIGINT,
    branch TEXT NOT NULL,
    side_chain BIGINT NOT NULL,
    title TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    own_project BIGINT
);
CREATE TABLE capture_messages (
    key BYTEA PRIMARY KEY,
    l0_id BIGINT,
    said BYTEA
);
CREATE TABLE capture_sources (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    path TEXT NOT NULL,
    client TEXT NOT NULL,
    head TEXT NOT NULL,
    head_length BIGINT NOT NULL,
    position BIGINT NOT NULL,
    turns BIGINT NOT NULL,
    bad BIGINT NOT NULL,
    last_run BIGINT NOT NULL,
    last_error TEXT NOT NULL
);
CREATE TABLE hook_runs (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    at BIGINT NOT NULL,
    client TEXT NOT NULL,
    event TEXT NOT NULL,
    took BIGINT NOT NULL,
    shown BIGINT NOT NULL,
    takes BIGINT NOT NULL,
    error TEXT NOT NULL
);
CREATE TABLE hook_shown (
    session BYTEA NOT NULL,
    fingerprint TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (session, fingerprint)
);
CREATE TABLE hook_sweeps (
    client TEXT PRIMARY KEY,
    at BIGINT NOT NULL
);
CREATE TABLE capture_heard (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    said BYTEA NOT NULL,
    heard_at BIGINT NOT NULL,
    l0_id BIGINT,
    in_file BIGINT NOT NULL,
    session BYTEA,
    claimed BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE capture_sightings (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    l0_id BIGINT NOT NULL,
    thing BYTEA NOT NULL,
    subject BYTEA NOT NULL,
    value BYTEA,
    replaces BYTEA,
    explicit BIGINT NOT NULL,
    session TEXT NOT NULL,
    said_at BIGINT NOT NULL,
    candidate TEXT NOT NULL
);
CREATE TABLE capture_things (
    thing BYTEA PRIMARY KEY,
    insight BIGINT
);
CREATE TABLE capture_places (
    place BYTEA PRIMARY KEY,
    private BIGINT NOT NULL,
    chain BYTEA
);
CREATE TABLE capture_chains (
    chain BYTEA NOT NULL,
    session BYTEA NOT NULL,
    fork BYTEA,
    l0_id BIGINT,
    PRIMARY KEY (chain, session)
);
CREATE TABLE capture_project_keys (
    key TEXT PRIMARY KEY,
    project BIGINT NOT NULL
);
CREATE TABLE capture_ended (
    session BYTEA PRIMARY KEY
);
CREATE TABLE capture_unsaid (
    said BYTEA PRIMARY KEY
);
CREATE TABLE capture_key (
    key BYTEA NOT NULL
);
CREATE TABLE memory_vectors (
    seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    space BIGINT NOT NULL,
    memory_id BIGINT NOT NULL,
    source TEXT NOT NULL,
    vector BYTEA,
    UNIQUE (memory_id, space)
);
CREATE TABLE relationship_sources (
    relationship TEXT NOT NULL,
    record BIGINT NOT NULL,
    PRIMARY KEY (relationship, record)
);
CREATE TABLE invoice_status (
    entity BIGINT PRIMARY KEY,
    status TEXT NOT NULL,
    unpaid TEXT NOT NULL,
    due BIGINT
);
CREATE TABLE entity_parts (
    entity BIGINT NOT NULL,
    words TEXT NOT NULL,
    part BIGINT NOT NULL,
    PRIMARY KEY (entity, words)
);

ALTER TABLE observations ADD FOREIGN KEY (entity_id) REFERENCES entities (id) ON DELETE CASCADE;
ALTER TABLE relations ADD FOREIGN KEY (from_id) REFERENCES entities (id) ON DELETE CASCADE;
ALTER TABLE relations ADD FOREIGN KEY (to_id) REFERENCES entities (id) ON DELETE CASCADE;
ALTER TABLE charts ADD FOREIGN KEY (entity_id) REFERENCES entities (id) ON DELETE CASCADE;
ALTER TABLE charts ADD FOREIGN KEY (parent_step_id) REFERENCES steps (entity_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE steps ADD FOREIGN KEY (entity_id) REFERENCES entities (id) ON DELETE CASCADE;
ALTER TABLE steps ADD FOREIGN KEY (chart_id) REFERENCES charts (entity_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE beats ADD FOREIGN KEY (entity_id) REFERENCES entities (id) ON DELETE CASCADE;
ALTER TABLE beats ADD FOREIGN KEY (chart_id) REFERENCES charts (entity_id) ON DELETE CASCADE;
ALTER TABLE beats ADD FOREIGN KEY (parent_beat_id) REFERENCES beats (entity_id) ON DELETE CASCADE;
ALTER TABLE l0_tags ADD FOREIGN KEY (l0_id) REFERENCES l0_raw (id) ON DELETE CASCADE;
ALTER TABLE l2_insights ADD FOREIGN KEY (superseded_by) REFERENCES l2_insights (id);
ALTER TABLE l2_sources ADD FOREIGN KEY (insight_id) REFERENCES l2_insights (id) ON DELETE CASCADE;
ALTER TABLE judge_scores ADD FOREIGN KEY (query_id) REFERENCES ground_truth (id) ON DELETE CASCADE;
ALTER TABLE golden_query_results ADD FOREIGN KEY (query_id) REFERENCES golden_queries (id) ON DELETE CASCADE;
ALTER TABLE records ADD FOREIGN KEY (entity) REFERENCES truth_entities (seq) ON DELETE SET NULL;
ALTER TABLE record_types ADD FOREIGN KEY (record) REFERENCES records (seq) ON DELETE CASCADE;
ALTER TABLE truth_entities ADD FOREIGN KEY (merged_into) REFERENCES truth_entities (seq);
ALTER TABLE truth_observations ADD FOREIGN KEY (entity) REFERENCES truth_entities (seq);
ALTER TABLE truth_observations ADD FOREIGN KEY (origin) REFERENCES truth_entities (seq);
ALTER TABLE truth_observations ADD FOREIGN KEY (record) REFERENCES records (seq);
ALTER TABLE snapshots ADD FOREIGN KEY (entity) REFERENCES truth_entities (seq) ON DELETE CASCADE;
ALTER TABLE timeline_events ADD FOREIGN KEY (entity) REFERENCES truth_entities (seq) ON DELETE CASCADE;
ALTER TABLE typed_relationships ADD FOREIGN KEY (source) REFERENCES truth_entities (seq);
ALTER TABLE typed_relationships ADD FOREIGN KEY (target) REFERENCES truth_entities (seq);
ALTER TABLE record_blobs ADD FOREIGN KEY (record) REFERENCES records (seq) ON DELETE CASCADE;
ALTER TABLE record_blobs ADD FOREIGN KEY (sha256) REFERENCES blobs (sha256);
ALTER TABLE record_parts ADD FOREIGN KEY (part) REFERENCES records (seq) ON DELETE CASCADE;
ALTER TABLE record_parts ADD FOREIGN KEY (parent) REFERENCES records (seq) ON DELETE CASCADE;
ALTER TABLE pocket_readings ADD FOREIGN KEY (dataset) REFERENCES pocket_datasets (seq);
ALTER TABLE pocket_outlets ADD FOREIGN KEY (dataset) REFERENCES pocket_datasets (seq);
ALTER TABLE pocket_ledger ADD FOREIGN KEY (dataset) REFERENCES pocket_datasets (seq);
ALTER TABLE pocket_attention ADD FOREIGN KEY (dataset) REFERENCES pocket_datasets (seq);
ALTER TABLE pocket_quality ADD FOREIGN KEY (dataset) REFERENCES pocket_datasets (seq);
ALTER TABLE pocket_predictions ADD FOREIGN KEY (dataset) REFERENCES pocket_datasets (seq);
ALTER TABLE metric_chunks ADD FOREIGN KEY (series) REFERENCES metric_series (id);
ALTER TABLE record_vectors ADD FOREIGN KEY (space) REFERENCES record_spaces (id);
ALTER TABLE record_history ADD FOREIGN KEY (record) REFERENCES records (seq) ON DELETE CASCADE;
ALTER TABLE outdated_snapshots ADD FOREIGN KEY (entity) REFERENCES truth_entities (seq) ON DELETE CASCADE;
ALTER TABLE capture_projects ADD FOREIGN KEY (joined) REFERENCES capture_projects (id) ON DELETE SET NULL;
ALTER TABLE capture_sessions ADD FOREIGN KEY (project) REFERENCES capture_projects (id) ON DELETE SET NULL;
ALTER TABLE capture_sessions ADD FOREIGN KEY (own_project) REFERENCES capture_projects (id) ON DELETE SET NULL;
ALTER TABLE capture_messages ADD FOREIGN KEY (l0_id) REFERENCES l0_raw (id) ON DELETE SET NULL;
ALTER TABLE capture_heard ADD FOREIGN KEY (l0_id) REFERENCES l0_raw (id) ON DELETE SET NULL;
ALTER TABLE capture_sightings ADD FOREIGN KEY (l0_id) REFERENCES l0_raw (id) ON DELETE CASCADE;
ALTER TABLE capture_things ADD FOREIGN KEY (insight) REFERENCES l2_insights (id) ON DELETE SET NULL;
ALTER TABLE capture_chains ADD FOREIGN KEY (l0_id) REFERENCES l0_raw (id) ON DELETE SET NULL;
ALTER TABLE capture_project_keys ADD FOREIGN KEY (project) REFERENCES capture_projects (id) ON DELETE CASCADE;
ALTER TABLE memory_vectors ADD FOREIGN KEY (space) REFERENCES memory_spaces (id);
ALTER TABLE memory_vectors ADD FOREIGN KEY (memory_id) REFERENCES memory_rows (id) ON DELETE CASCADE;
ALTER TABLE relationship_sources ADD FOREIGN KEY (relationship) REFERENCES typed_relationships (id) ON DELETE CASCADE;
ALTER TABLE invoice_status ADD FOREIGN KEY (entity) REFERENCES truth_entities (seq) ON DELETE CASCADE;
ALTER TABLE entity_parts ADD FOREIGN KEY (entity) REFERENCES truth_entities (seq) ON DELETE CASCADE;
ALTER TABLE entity_parts ADD FOREIGN KEY (part) REFERENCES truth_entities (seq) ON DELETE CASCADE;

CREATE INDEX entities_type ON entities (type, id);
CREATE INDEX entities_title ON entities (kind, folded_title) WHERE kind <> 'plain';
CREATE INDEX observations_entity ON observations (entity_id, id);
CREATE INDEX observations_start ON observations (entity_id, substr(content, 1, 48));
CREATE INDEX relations_to ON relations (to_id);
CREATE INDEX charts_parent ON charts (parent_step_id);
CREATE INDEX steps_title ON steps (chart_id, folded_title);
CREATE INDEX steps_order ON steps (chart_id, number);
CREATE INDEX beats_chart ON beats (chart_id, act, occurred_at);
CREATE INDEX beats_parent ON beats (parent_beat_id);
CREATE INDEX l0_raw_session ON l0_raw (session_id, occurred_at, id);
CREATE INDEX l0_raw_speaker ON l0_raw (speaker, occurred_at, id);
CREATE INDEX l0_raw_time ON l0_raw (occurred_at, id);
CREATE INDEX l0_tags_row ON l0_tags (l0_id);
CREATE INDEX l2_insights_time ON l2_insights (created_at, id);
CREATE INDEX l2_insights_history ON l2_insights (root_id, version);
CREATE INDEX l2_sources_l0 ON l2_sources (l0_id, insight_id);
CREATE INDEX stale_memory_time ON stale_memory (archived_at, id);
CREATE INDEX stale_memory_reason ON stale_memory (reason, archived_at, id);
CREATE INDEX episode_memory_time ON episode_memory (created_at, id);
CREATE INDEX memory_rows_time ON memory_rows (source, created);
CREATE INDEX memory_rows_speaker ON memory_rows (source, speaker);
CREATE INDEX records_newest ON records (created_at DESC, id);
CREATE INDEX records_entity ON records (entity);
CREATE INDEX record_types_record ON record_types (record);
CREATE INDEX truth_entities_name ON truth_entities (name_key);
CREATE INDEX truth_entities_root ON truth_entities (root);
CREATE INDEX truth_entities_merged ON truth_entities (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX truth_observations_entity ON truth_observations (entity, observed_at, seq, created_at);
CREATE INDEX truth_observations_record ON truth_observations (record, origin);
CREATE INDEX snapshots_newest ON snapshots (last_observed_at, entity);
CREATE INDEX snapshots_type ON snapshots (type, last_observed_at, entity);
CREATE INDEX timeline_events_at ON timeline_events (at, entity, field);
CREATE INDEX typed_relationships_out ON typed_relationships (source_root, created_at DESC, id);
CREATE INDEX typed_relationships_in ON typed_relationships (target_root, created_at DESC, id);
CREATE INDEX record_blobs_sha256 ON record_blobs (sha256);
CREATE INDEX record_parts_parent ON record_parts (parent, number);
CREATE INDEX pocket_outlets_pocket ON pocket_outlets (pocket, active, id);
CREATE INDEX pocket_attention_user ON pocket_attention ("user", occurred_at, kind) WHERE "user" <> '';
CREATE INDEX pocket_predictions_sealed ON pocket_predictions (sealed_at, seq, pocket, generator, revealed_at, accuracy);
CREATE INDEX pocket_predictions_pocket ON pocket_predictions (pocket, sealed_at, seq, generator, revealed_at, accuracy);
CREATE INDEX pocket_predictions_open ON pocket_predictions (reveal_at, seq) WHERE revealed_at IS NULL;
CREATE INDEX import_runs_newest ON import_runs (provider, started_at DESC, id);
CREATE INDEX plaid_items_oldest ON plaid_items (created_at, id);
CREATE INDEX metric_chunks_time ON metric_chunks (series, started);
CREATE INDEX analytics_actors_first ON analytics_actors (agent, first_at);
CREATE INDEX record_vectors_feed ON record_vectors (space, seq);
CREATE INDEX record_vectors_pending ON record_vectors (space, record) WHERE pending = 1;
CREATE INDEX record_history_record ON record_history (record, seq);
CREATE INDEX truth_observations_weighty ON truth_observations (entity) WHERE source_priority > 0;
CREATE INDEX memory_forgotten_feed ON memory_forgotten (source, seq);
CREATE INDEX truth_observations_origin ON truth_observations (origin);
CREATE INDEX typed_relationships_source ON typed_relationships (source);
CREATE INDEX typed_relationships_target ON typed_relationships (target);
CREATE INDEX l2_insights_superseded ON l2_insights (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX capture_sessions_project ON capture_sessions (project, ended_at);
CREATE INDEX capture_messages_row ON capture_messages (l0_id) WHERE l0_id IS NOT NULL;
CREATE INDEX hook_shown_time ON hook_shown (at);
CREATE INDEX capture_heard_said ON capture_heard (said, heard_at);
CREATE INDEX capture_heard_row ON capture_heard (l0_id) WHERE l0_id IS NOT NULL;
CREATE INDEX capture_sightings_row ON capture_sightings (l0_id);
CREATE INDEX capture_sightings_strength ON capture_sightings (thing, explicit DESC, said_at, session, l0_id);
CREATE INDEX capture_sightings_time ON capture_sightings (thing, said_at, session, l0_id);
CREATE INDEX capture_sightings_session ON capture_sightings (thing, session);
CREATE INDEX capture_sightings_subject ON capture_sightings (subject, said_at);
CREATE INDEX capture_sightings_value ON capture_sightings (value, said_at) WHERE value IS NOT NULL;
CREATE INDEX capture_sightings_replaces ON capture_sightings (replaces, said_at) WHERE replaces IS NOT NULL;
CREATE INDEX capture_things_insight ON capture_things (insight) WHERE insight IS NOT NULL;
CREATE INDEX capture_sessions_own_project ON capture_sessions (own_project) WHERE own_project IS NOT NULL;
CREATE INDEX capture_projects_joined ON capture_projects (joined) WHERE joined IS NOT NULL;
CREATE INDEX capture_chains_row ON capture_chains (l0_id) WHERE l0_id IS NOT NULL;
CREATE INDEX capture_heard_session ON capture_heard (session, heard_at) WHERE session IS NOT NULL;
CREATE INDEX capture_project_keys_project ON capture_project_keys (project);
CREATE INDEX memory_vectors_feed ON memory_vectors (space, source, seq);
CREATE INDEX memory_rows_order ON memory_rows (session, created) WHERE session IS NOT NULL;
CREATE INDEX invoice_status_due ON invoice_status (status, due, entity);
CREATE INDEX entity_parts_part ON entity_parts (part);
CREATE INDEX l2_insights_retired ON l2_insights (id) WHERE superseded_by IS NOT NULL OR deleted_at IS NOT NULL;

ALTER TABLE memory_forgotten ALTER COLUMN seq SET DEFAULT nextval('memory_vectors_seq_seq'); -- one feed with memory_vectors

-- Full-text indexes: by the number of a row its words, whose letter is the column.
CREATE TABLE entity_words (rowid BIGINT PRIMARY KEY, terms tsvector NOT NULL);
CREATE INDEX entity_words_terms ON entity_words USING gin (terms) WITH (fastupdate = off);
CREATE TABLE observation_words (rowid BIGINT PRIMARY KEY, terms tsvector NOT NULL);
CREATE INDEX observation_words_terms ON observation_words USING gin (terms) WITH (fastupdate = off);
CREATE TABLE memory_words_l0 (rowid BIGINT PRIMARY KEY, terms tsvector NOT NULL);
CREATE INDEX memory_words_l0_terms ON memory_words_l0 USING gin (terms) WITH (fastupdate = off);
CREATE TABLE memory_words_l2 (rowid BIGINT PRIMARY KEY, terms tsvector NOT NULL);
CREATE INDEX memory_words_l2_terms ON memory_words_l2 USING gin (terms) WITH (fastupdate = off);
CREATE TABLE memory_words_episode (rowid BIGINT PRIMARY KEY, terms tsvector NOT NULL);
CREATE INDEX memory_words_episode_terms ON memory_words_episode USING gin (terms) WITH (fastupdate = off);
CREATE TABLE record_words (rowid BIGINT PRIMARY KEY, terms tsvector NOT NULL);
CREATE INDEX record_words_terms ON record_words USING gin (terms) WITH (fastupdate = off);
CREATE TABLE snapshot_words (rowid BIGINT PRIMARY KEY, terms tsvector NOT NULL);
CREATE INDEX snapshot_words_terms ON snapshot_words USING gin (terms) WITH (fastupdate = off);

-- In how many rows of memory a term stands, by column.
CREATE TABLE memory_vocabulary_l0 (term TEXT NOT NULL, col TEXT NOT NULL, doc BIGINT NOT NULL, PRIMARY KEY (term, col)) WITH (fillfactor = 70);
CREATE TABLE memory_vocabulary_l2 (term TEXT NOT NULL, col TEXT NOT NULL, doc BIGINT NOT NULL, PRIMARY KEY (term, col)) WITH (fillfactor = 70);
CREATE TABLE memory_vocabulary_episode (term TEXT NOT NULL, col TEXT NOT NULL, doc BIGINT NOT NULL, PRIMARY KEY (term, col)) WITH (fillfactor = 70);
-- +goose StatementBegin
CREATE FUNCTION count_terms() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE vocabulary TEXT := replace(TG_TABLE_NAME, 'words', 'vocabulary');
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        EXECUTE format('TRUNCATE %I', vocabulary);
        RETURN NULL;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        EXECUTE format('UPDATE %I v SET doc = v.doc - 1 FROM (SELECT DISTINCT u.lexeme, w FROM unnest($1) u, unnest(u.weights) w) t
            WHERE v.term = t.lexeme AND v.col = CASE t.w WHEN ''A'' THEN ''body'' WHEN ''B'' THEN ''day'' ELSE ''sources'' END', vocabulary) USING OLD.terms;
        EXECUTE format('DELETE FROM %I v USING unnest($1) u WHERE v.term = u.lexeme AND v.doc <= 0', vocabulary) USING OLD.terms;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        EXECUTE format('INSERT INTO %I AS v(term, col, doc) SELECT DISTINCT u.lexeme, CASE w WHEN ''A'' THEN ''body'' WHEN ''B'' THEN ''day'' ELSE ''sources'' END, 1
            FROM unnest($1) u, unnest(u.weights) w ON CONFLICT (term, col) DO UPDATE SET doc = v.doc + 1', vocabulary) USING NEW.terms;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER memory_words_l0_counted AFTER INSERT OR UPDATE OR DELETE ON memory_words_l0 FOR EACH ROW EXECUTE FUNCTION count_terms();
CREATE TRIGGER memory_words_l0_emptied AFTER TRUNCATE ON memory_words_l0 FOR EACH STATEMENT EXECUTE FUNCTION count_terms();
CREATE TRIGGER memory_words_l2_counted AFTER INSERT OR UPDATE OR DELETE ON memory_words_l2 FOR EACH ROW EXECUTE FUNCTION count_terms();
CREATE TRIGGER memory_words_l2_emptied AFTER TRUNCATE ON memory_words_l2 FOR EACH STATEMENT EXECUTE FUNCTION count_terms();
CREATE TRIGGER memory_words_episode_counted AFTER INSERT OR UPDATE OR DELETE ON memory_words_episode FOR EACH ROW EXECUTE FUNCTION count_terms();
CREATE TRIGGER memory_words_episode_emptied AFTER TRUNCATE ON memory_words_episode FOR EACH STATEMENT EXECUTE FUNCTION count_terms();

-- What beside a file lies in files: the bytes of documents, and keys.
CREATE TABLE blob_bytes (
    sha256 TEXT PRIMARY KEY,
    bytes BYTEA NOT NULL
);
ALTER TABLE blob_bytes ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE keys (
    name TEXT PRIMARY KEY,
    key BYTEA NOT NULL
);

-- What cannot be changed.
-- +goose StatementBegin
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION refuse_unless_forgotten() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF EXISTS (SELECT 1 FROM forgetting WHERE stage = 0) THEN RETURN OLD; END IF;
    RAISE EXCEPTION '%', TG_ARGV[0];
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION keep_record() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO record_history(record, replaced_at, type, properties, file_urls, embedding)
    VALUES(OLD.seq, NEW.updated_at, OLD.type, OLD.properties, OLD.file_urls, CASE WHEN OLD.embedding IS DISTINCT FROM NEW.embedding THEN OLD.embedding END);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER ground_truth_frozen BEFORE UPDATE OF query, expected_docs, created_at ON ground_truth FOR EACH ROW WHEN (OLD.expected_docs IS NOT NULL) EXECUTE FUNCTION refuse('a labelled query is frozen');
CREATE TRIGGER golden_queries_frozen BEFORE UPDATE ON golden_queries FOR EACH ROW WHEN (OLD.expected_docs IS NOT NULL) EXECUTE FUNCTION refuse('a labelled query is frozen');
CREATE TRIGGER ground_truth_kept BEFORE DELETE ON ground_truth FOR EACH ROW WHEN (OLD.expected_docs IS NOT NULL) EXECUTE FUNCTION refuse_unless_forgotten('a labelled query is frozen');
CREATE TRIGGER golden_queries_kept BEFORE DELETE ON golden_queries FOR EACH ROW WHEN (OLD.expected_docs IS NOT NULL) EXECUTE FUNCTION refuse_unless_forgotten('a labelled query is frozen');
CREATE TRIGGER pocket_datasets_fixed BEFORE UPDATE ON pocket_datasets FOR EACH ROW EXECUTE FUNCTION refuse('the provenance of a data set is fixed');
CREATE TRIGGER pocket_predictions_sealed_once BEFORE UPDATE OF seq, id, dataset, pocket, generator, prediction_key, sealed_at, reveal_at, payload, seal ON pocket_predictions FOR EACH ROW EXECUTE FUNCTION refuse('a sealed prediction cannot be changed');
CREATE TRIGGER pocket_predictions_revealed_once BEFORE UPDATE OF revealed_at, observation, accuracy ON pocket_predictions FOR EACH ROW WHEN (OLD.revealed_at IS NOT NULL) EXECUTE FUNCTION refuse('a revealed prediction cannot be changed');
CREATE TRIGGER pocket_predictions_kept BEFORE DELETE ON pocket_predictions FOR EACH ROW EXECUTE FUNCTION refuse('a sealed prediction cannot be deleted');
CREATE TRIGGER records_kept AFTER UPDATE OF type, properties, file_urls, embedding ON records FOR EACH ROW
    WHEN ((OLD.type, OLD.properties, OLD.file_urls, OLD.embedding) IS DISTINCT FROM (NEW.type, NEW.properties, NEW.file_urls, NEW.embedding)) EXECUTE FUNCTION keep_record();

-- What is there from the beginning.
INSERT INTO memory_statistics VALUES ('l0', 0, 0), ('l2', 0, 0), ('episode', 0, 0);
INSERT INTO merge_policies (entity_type, field, strategy)
    SELECT t, f, 'merge_array' FROM unnest(ARRAY['company', 'person', 'contact']) t, unnest(ARRAY['aliases', 'tags', 'emails']) f
    UNION ALL SELECT 'note', 'tags', 'merge_array';
INSERT INTO capture_key(key) VALUES (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

-- +goose Down
SELECT 1;
