-- +goose Up
-- A NUL within JSON is written \u0000, of which PostgreSQL makes no text: taken apart, the
-- mark that stands for it elsewhere stands for it there too.
-- +goose StatementBegin
CREATE FUNCTION json_kept(document TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN strpos(document, '\u0000') = 0 THEN document ELSE regexp_replace(document, '(?<!\\)((?:\\\\)*)\\u0000', '\1' || U&'\+10FFFF' || '0', 'g') END $$;
-- +goose StatementEnd
-- What stays JSON is read as JSON again.
-- +goose StatementBegin
CREATE FUNCTION json_given(document TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT replace(document, U&'\+10FFFF' || '0', '\u0000') $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION json_texts(list TEXT) RETURNS TABLE(key BIGINT, value TEXT) LANGUAGE sql IMMUTABLE ROWS 100 AS
$$ SELECT ordinality - 1, v FROM json_array_elements_text(json_kept(list)::json) WITH ORDINALITY AS e(v, ordinality) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION json_each(list TEXT) RETURNS TABLE(key BIGINT, value TEXT) LANGUAGE sql IMMUTABLE ROWS 100 AS
$$ SELECT ordinality - 1, v FROM json_array_elements_text(json_kept(list)::json) WITH ORDINALITY AS e(v, ordinality) $$;
-- +goose StatementEnd
-- The elements of a list within a document are taken apart further.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION json_each(document TEXT, path TEXT) RETURNS TABLE(key BIGINT, value TEXT) LANGUAGE sql IMMUTABLE AS
$$ SELECT ordinality - 1, json_given(v) FROM json_array_elements_text(json_kept(document)::json -> ltrim(path, '$.')) WITH ORDINALITY AS e(v, ordinality) $$;
-- +goose StatementEnd
-- A truth value is 1 or 0, as SQLite has it; a text that says true is none.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION json_member(document TEXT, path TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN json_typeof(json_kept(document)::json -> ltrim(path, '$.')) = 'boolean'
        THEN CASE json_kept(document)::json ->> ltrim(path, '$.') WHEN 'true' THEN '1' ELSE '0' END
        ELSE json_kept(document)::json ->> ltrim(path, '$.')
    END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION json_element(document TEXT, place INTEGER) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT json_kept(document)::json ->> place $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION json_part(document TEXT, path TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT json_given((json_kept(document)::json -> ltrim(path, '$.'))::text) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION json_array_length(document TEXT, path TEXT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS
$$ SELECT json_array_length(json_kept(document)::json -> ltrim(path, '$.'))::bigint $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION json_set(document TEXT, path TEXT, value TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN (json_kept(document)::jsonb) ? ltrim(path, '$.') THEN json_given((json_kept(document)::jsonb || jsonb_build_object(ltrim(path, '$.'), json_kept(value)::json))::text)
        WHEN json_kept(document)::jsonb = '{}' THEN '{' || to_json(ltrim(path, '$.')) || ':' || value || '}'
        ELSE regexp_replace(document, '\}\s*$', ',') || to_json(ltrim(path, '$.')) || ':' || value || '}'
    END $$;
-- +goose StatementEnd

-- Lists that were kept with the mark itself.
UPDATE records SET file_urls = json_given(file_urls) WHERE strpos(file_urls, U&'\+10FFFF' || '0') > 0;
UPDATE payloads SET source_refs = json_given(source_refs) WHERE strpos(source_refs, U&'\+10FFFF' || '0') > 0;

-- +goose Down
SELECT 1;
