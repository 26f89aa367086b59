-- +goose Up
-- The program counts the terms of new rows of memory, a transaction at a time: a term
-- that every row has would otherwise be counted up once a row. Rows that go are counted
-- down here, a statement at a time.
DROP TRIGGER memory_words_l0_counted ON memory_words_l0;
DROP TRIGGER memory_words_l2_counted ON memory_words_l2;
DROP TRIGGER memory_words_episode_counted ON memory_words_episode;
-- The words of memory begin with the letter of their column, so that the index alone tells
-- the columns apart.
UPDATE memory_words_l0 SET terms = (SELECT coalesce(string_agg('''' || p.weight || u.lexeme || ''':' || p.place, ' '), '')::tsvector FROM unnest(terms) u, unnest(u.positions, u.weights) p(place, weight));
UPDATE memory_words_l2 SET terms = (SELECT coalesce(string_agg('''' || p.weight || u.lexeme || ''':' || p.place, ' '), '')::tsvector FROM unnest(terms) u, unnest(u.positions, u.weights) p(place, weight));
UPDATE memory_words_episode SET terms = (SELECT coalesce(string_agg('''' || p.weight || u.lexeme || ''':' || p.place, ' '), '')::tsvector FROM unnest(terms) u, unnest(u.positions, u.weights) p(place, weight));

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_terms() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE vocabulary TEXT := replace(TG_TABLE_NAME, 'words', 'vocabulary');
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        EXECUTE format('TRUNCATE %I', vocabulary);
        RETURN NULL;
    END IF;
    EXECUTE format('UPDATE %I v SET doc = v.doc - t.rows FROM (SELECT u.lexeme, count(*) AS rows FROM gone g, unnest(g.terms) u GROUP BY 1) t
        WHERE v.term = substr(t.lexeme, 2) AND v.col = CASE left(t.lexeme, 1) WHEN ''A'' THEN ''body'' WHEN ''B'' THEN ''day'' ELSE ''sources'' END', vocabulary);
    EXECUTE format('DELETE FROM %I v WHERE v.doc <= 0 AND v.term IN (SELECT substr(u.lexeme, 2) FROM gone g, unnest(g.terms) u)', vocabulary);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER memory_words_l0_counted AFTER DELETE ON memory_words_l0 REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_terms();
CREATE TRIGGER memory_words_l2_counted AFTER DELETE ON memory_words_l2 REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_terms();
CREATE TRIGGER memory_words_episode_counted AFTER DELETE ON memory_words_episode REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_terms();

-- New words wait in a short list and enter the index together.
ALTER INDEX entity_words_terms SET (fastupdate = on, gin_pending_list_limit = 128);
ALTER INDEX observation_words_terms SET (fastupdate = on, gin_pending_list_limit = 128);
ALTER INDEX memory_words_l0_terms SET (fastupdate = on, gin_pending_list_limit = 128);
ALTER INDEX memory_words_l2_terms SET (fastupdate = on, gin_pending_list_limit = 128);
ALTER INDEX memory_words_episode_terms SET (fastupdate = on, gin_pending_list_limit = 128);
ALTER INDEX record_words_terms SET (fastupdate = on, gin_pending_list_limit = 128);
ALTER INDEX snapshot_words_terms SET (fastupdate = on, gin_pending_list_limit = 128);

-- +goose Down
SELECT 1;
