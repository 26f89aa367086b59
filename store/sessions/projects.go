package sessions

import (
	"time"

	"toolkit/store/internal/query"
)

// Project is what sessions of one repository or folder belong to.
type Project struct {
	ID     int64
	Key    string // by which a folder found it first
	Name   string
	Root   string
	Remote string // host/owner/name, or empty
	Joined int64  // the project that it was joined to; 0: none
}

// EnsureProject returns the id of the project of a key, which is made if it is missing.
// Others are further keys by which it may be known. Where it is, it is continued,
// or joined to the earlier one when that has another remote or was met apart.
func (tx Rows) EnsureProject(p Project, others ...string) (id int64, err error) {
	var known []int64
	keys := append([]string{p.Key}, others...)
	for _, key := range keys {
		found, err := tx.findProjectID(key)
		if err != nil {
			return 0, err
		}
		known = append(known, found)
	}
	if id = known[0]; id == 0 {
		if id, err = tx.findOrInsertProject(p, known); err != nil {
			return 0, err
		}
	}
	for i, key := range keys {
		if known[i] == id {
			continue
		}
		if err := tx.joinToEarlierProject(id, known[i]); err != nil {
			return 0, err
		}
		if err := tx.sql.Exec(`INSERT INTO capture_project_keys(key, project) VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET project = excluded.project`, key, id); err != nil {
			return 0, err
		}
	}
	return id, nil
}

// findProjectID returns the project that a key finds; 0: none.
func (tx Rows) findProjectID(key string) (int64, error) {
	id, _, err := query.Find(tx.sql, query.Column[int64], `SELECT project FROM capture_project_keys WHERE key = ?`, key)
	return id, err
}

// findOrInsertProject returns the first of the known projects whose remote does not say that it is
// another one, else a new one.
func (tx Rows) findOrInsertProject(p Project, known []int64) (int64, error) {
	for _, id := range known {
		if id == 0 {
			continue
		}
		earlier, err := tx.ProjectByID(id)
		if err != nil {
			return 0, err
		}
		if earlier.Remote == "" || p.Remote == "" || earlier.Remote == p.Remote {
			return id, tx.sql.Exec(`UPDATE capture_projects SET remote = ? WHERE id = ? AND remote = ''`, p.Remote, id)
		}
	}
	return tx.sql.Insert(`INSERT INTO capture_projects(key, name, root, remote, created_at) VALUES(?, ?, ?, ?, ?)`, p.Key, p.Name, p.Root, p.Remote, tx.sql.Now())
}

// joinToEarlierProject makes two projects one, whose top is the one that was met first. The
// second may be 0.
func (tx Rows) joinToEarlierProject(one, other int64) error {
	if other == 0 {
		return nil
	}
	first, err := tx.TopProject(one)
	if err != nil {
		return err
	}
	second, err := tx.TopProject(other)
	if err != nil || first.ID == second.ID {
		return err
	}
	return tx.JoinProject(max(first.ID, second.ID), min(first.ID, second.ID))
}

const projectColumns = `SELECT id, key, name, root, remote, coalesce(joined, 0) FROM capture_projects `

func (p *Project) fields() []any {
	return []any{&p.ID, &p.Key, &p.Name, &p.Root, &p.Remote, &p.Joined}
}

// ProjectByKey returns the project that the sessions of a folder's project belong
// to, by the first of its keys that is known. The zero Project: none is.
func (tx Rows) ProjectByKey(keys ...string) (Project, error) {
	for _, key := range keys {
		id, err := tx.findProjectID(key)
		if err != nil {
			return Project{}, err
		}
		if id != 0 {
			return tx.TopProject(id)
		}
	}
	return Project{}, nil
}

// TopProject returns the project at the top of those that one was joined to.
func (tx Rows) TopProject(project int64) (Project, error) {
	p, _, err := query.Find(tx.sql, (*Project).fields, projectColumns+`WHERE id = (`+topProjectQuery(`?1`)+`)`, project)
	return p, err
}

// ProjectByID returns a project; the zero Project when there is none.
func (tx Rows) ProjectByID(id int64) (Project, error) {
	p, _, err := query.Find(tx.sql, (*Project).fields, projectColumns+`WHERE id = ?`, id)
	return p, err
}

// topProjectQuery selects the project at the top of those that one was joined to.
func topProjectQuery(id string) string {
	return `WITH RECURSIVE up(id) AS (SELECT ` + id + ` UNION SELECT p.joined FROM capture_projects p JOIN up ON p.id = up.id WHERE p.joined IS NOT NULL)
		SELECT p.id FROM capture_projects p JOIN up ON p.id = up.id WHERE p.joined IS NULL`
}

// projectTree selects a project and all that were joined to it.
const projectTree = `WITH RECURSIVE part(id) AS (SELECT ?1 UNION SELECT p.id FROM capture_projects p JOIN part ON p.joined = part.id) SELECT id FROM part`

// ProjectKeys returns all by which a project and those that were joined to it are found.
func (tx Rows) ProjectKeys(project int64) ([]string, error) {
	return tx.sql.Texts(`SELECT key FROM capture_project_keys WHERE project IN (`+projectTree+`) ORDER BY project, key`, project)
}

// FindProjects returns the projects of which a text is a key, else the id, folder
// or remote, else the name; joined ones as themselves.
func (tx Rows) FindProjects(text string) (list []Project, err error) {
	for _, statement := range []string{
		`WHERE id = (SELECT project FROM capture_project_keys WHERE key = ?1)`,
		`WHERE CAST(id AS TEXT) = ?1 OR 'project:' || id = ?1 OR key = ?1 OR root = ?1 OR remote = ?1 ORDER BY id`,
		`WHERE lower(name) = lower(?1) ORDER BY id`,
	} {
		if list, err = query.Select(tx.sql, (*Project).fields, projectColumns+statement, text); err != nil || len(list) > 0 {
			return list, err
		}
	}
	return nil, nil
}

// inProject is the project of dialogue d that was said in session c, which may be moved
// by turn m.
const inProject = `CASE WHEN m.l0_id IS NULL THEN c.project ELSE m.project END`

// ProjectsOfTurns returns the projects in which rows of dialogue were said, by their ids.
func (tx Rows) ProjectsOfTurns(dialogue []int64) (map[int64]int64, error) {
	return query.Map[int64, int64](tx.sql, `SELECT d.id, `+inProject+` FROM json_each(?) j CROSS JOIN l0_raw d ON d.id = j.value CROSS JOIN capture_sessions c ON c.session_id = d.session_id
		LEFT JOIN capture_turns m ON m.l0_id = d.id WHERE `+inProject+` IS NOT NULL`, query.List(dialogue))
}

// ProjectsOfInsights returns the projects that insights were remembered for, by the
// ids of these.
func (tx Rows) ProjectsOfInsights(insights []int64) (map[int64]int64, error) {
	return query.Map[int64, int64](tx.sql, `SELECT i.id, (`+topProjectQuery(`k.id`)+`) FROM json_each(?) j CROSS JOIN l2_insights i ON i.id = j.value CROSS JOIN capture_projects k ON k.key = `+insightProjectKey, query.List(insights))
}

// RenameProject gives a project another name.
func (tx Rows) RenameProject(project int64, name string) error {
	return tx.sql.Exec(`UPDATE capture_projects SET name = ? WHERE id = ?`, name, project)
}

// JoinProject joins a project, with all that were joined to it, to another; to none when
// that is 0, and then its sessions are its own again. The other must not be among
// those that were joined to it.
func (tx Rows) JoinProject(project, to int64) error {
	if err := tx.sql.Exec(`UPDATE capture_projects SET joined = nullif(?, 0) WHERE id = ?`, to, project); err != nil {
		return err
	}
	if err := tx.sql.Exec(`UPDATE capture_turns SET project = (`+topProjectQuery(`?1`)+`) WHERE own_project IN (`+projectTree+`)`, project); err != nil {
		return err
	}
	return tx.sql.Exec(`UPDATE capture_sessions SET project = (`+topProjectQuery(`?1`)+`) WHERE own_project IN (`+projectTree+`)`, project)
}

// ListProjects returns up to limit projects that are joined to no other, the one that was
// last at work first.
func (tx Rows) ListProjects(limit int) ([]Project, error) {
	return query.Select(tx.sql, (*Project).fields, projectColumns+`p WHERE joined IS NULL
		ORDER BY coalesce((SELECT max(s.ended_at) FROM capture_sessions s WHERE s.project = p.id), created_at) DESC, id LIMIT ?`, limit)
}

// ProjectUse is a project and what is kept of it.
type ProjectUse struct {
	Project
	Sessions, Turns int // its own, without those of projects joined to it
	Last            time.Time
}

// ListProjectUse returns all projects, the one that was last at work first.
func (tx Rows) ListProjectUse() ([]ProjectUse, error) {
	return query.Select(tx.sql, func(u *ProjectUse) []any {
		return append(u.fields(), &u.Sessions, &u.Turns, query.Millis(&u.Last))
	}, `SELECT p.id, p.key, p.name, p.root, p.remote, coalesce(p.joined, 0), count(s.session_id),
			coalesce(sum((SELECT count(*) FROM l0_raw d WHERE d.session_id = s.session_id AND d.id NOT IN (SELECT l0_id FROM capture_turns))), 0)
			+ (SELECT count(*) FROM capture_turns m WHERE m.own_project = p.id), coalesce(max(s.ended_at), p.created_at) AS last
		FROM capture_projects p LEFT JOIN capture_sessions s ON s.own_project = p.id GROUP BY p.id ORDER BY last DESC, p.id`)
}
