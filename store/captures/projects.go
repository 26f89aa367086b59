package captures

import (
	"time"

	"toolkit/store/internal/query"
)

// Project is what sessions of one repository or folder belong to.
type Project struct {
	ID     int64
	Key    string // by which a folder finds it
	Name   string
	Root   string
	Remote string // host/owner/name, or empty
	Joined int64  // the project that it was joined to; 0: none
}

// Project returns the id of the project of a key, which is made if it is
// missing.
func (tx Rows) Project(p Project) (id int64, err error) {
	found, err := query.Found(tx.sql.Row(`SELECT id FROM capture_projects WHERE key = ?`, p.Key).Scan(&id))
	if err != nil || found {
		return id, err
	}
	return tx.sql.Insert(`INSERT INTO capture_projects(key, name, root, remote, created_at) VALUES(?, ?, ?, ?, ?)`, p.Key, p.Name, p.Root, p.Remote, tx.sql.Now())
}

const projectColumns = `SELECT id, key, name, root, remote, coalesce(joined, 0) FROM capture_projects `

func (tx Rows) projects(statement string, args ...any) ([]Project, error) {
	return query.All(tx.sql, func(scan query.Scan) (p Project, err error) {
		err = scan(&p.ID, &p.Key, &p.Name, &p.Root, &p.Remote, &p.Joined)
		return p, err
	}, projectColumns+statement, args...)
}

// ProjectByKey returns the project that the sessions of a folder's project belong
// to: the one at the top of those it was joined to. The zero Project: none is known.
func (tx Rows) ProjectByKey(key string) (Project, error) {
	list, err := tx.projects(`WHERE id = (`+topOf(`(SELECT id FROM capture_projects WHERE key = ?1)`)+`)`, key)
	if err != nil || len(list) == 0 {
		return Project{}, err
	}
	return list[0], nil
}

// ProjectByID returns a project; the zero Project when there is none.
func (tx Rows) ProjectByID(id int64) (p Project, err error) {
	list, err := tx.projects(`WHERE id = ?`, id)
	if len(list) > 0 {
		p = list[0]
	}
	return p, err
}

// topOf selects the project at the top of those that one was joined to.
func topOf(id string) string {
	return `WITH RECURSIVE up(id) AS (SELECT ` + id + ` UNION SELECT p.joined FROM capture_projects p JOIN up ON p.id = up.id WHERE p.joined IS NOT NULL)
		SELECT p.id FROM capture_projects p JOIN up ON p.id = up.id WHERE p.joined IS NULL`
}

// below selects a project and all that were joined to it.
const below = `WITH RECURSIVE part(id) AS (SELECT ?1 UNION SELECT p.id FROM capture_projects p JOIN part ON p.joined = part.id) SELECT id FROM part`

// Parts returns a project and all that were joined to it, in the order in which
// they were met.
func (tx Rows) Parts(project int64) ([]Project, error) {
	return tx.projects(`WHERE id IN (`+below+`) ORDER BY id`, project)
}

// ProjectsMeant returns the projects of which a text is the id, key, folder or
// remote, or, when it is none of these, the name; joined ones as themselves.
func (tx Rows) ProjectsMeant(text string) ([]Project, error) {
	list, err := tx.projects(`WHERE CAST(id AS TEXT) = ?1 OR key = ?1 OR root = ?1 OR remote = ?1 ORDER BY id`, text)
	if err != nil || len(list) > 0 {
		return list, err
	}
	return tx.projects(`WHERE name = ?1 COLLATE NOCASE ORDER BY id`, text)
}

// ProjectsOf returns the projects of the sessions in which rows of dialogue were
// said, by their ids.
func (tx Rows) ProjectsOf(dialogue []int64) (map[int64]int64, error) {
	projects := map[int64]int64{}
	err := tx.sql.Each(func(scan query.Scan) error {
		var id, project int64
		err := scan(&id, &project)
		projects[id] = project
		return err
	}, `SELECT d.id, c.project FROM json_each(?) j CROSS JOIN l0_raw d ON d.id = j.value CROSS JOIN capture_sessions c ON c.session_id = d.session_id
		WHERE c.project IS NOT NULL`, query.List(dialogue))
	return projects, err
}

// Rename gives a project another name.
func (tx Rows) Rename(project int64, name string) error {
	return tx.sql.Exec(`UPDATE capture_projects SET name = ? WHERE id = ?`, name, project)
}

// Join joins a project, with all that were joined to it, to another; to none when
// that is 0, and then its sessions are its own again. The other must not be among
// those that were joined to it.
func (tx Rows) Join(project, to int64) error {
	if err := tx.sql.Exec(`UPDATE capture_projects SET joined = nullif(?, 0) WHERE id = ?`, to, project); err != nil {
		return err
	}
	return tx.sql.Exec(`UPDATE capture_sessions SET project = (`+topOf(`?1`)+`) WHERE own_project IN (`+below+`)`, project)
}

// ProjectUse is a project and what is kept of it.
type ProjectUse struct {
	Project
	Sessions, Turns int // its own, without those of projects joined to it
	Last            time.Time
}

// Projects returns all projects, the one that was last at work first.
func (tx Rows) Projects() ([]ProjectUse, error) {
	return query.All(tx.sql, func(scan query.Scan) (u ProjectUse, err error) {
		var last int64
		p := &u.Project
		err = scan(&p.ID, &p.Key, &p.Name, &p.Root, &p.Remote, &p.Joined, &u.Sessions, &u.Turns, &last)
		u.Last = instant(last)
		return u, err
	}, `SELECT p.id, p.key, p.name, p.root, p.remote, coalesce(p.joined, 0), count(s.session_id),
			coalesce(sum((SELECT count(*) FROM l0_raw d WHERE d.session_id = s.session_id)), 0), coalesce(max(s.ended_at), p.created_at) AS last
		FROM capture_projects p LEFT JOIN capture_sessions s ON s.own_project = p.id GROUP BY p.id ORDER BY last DESC, p.id`)
}
