package admin

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"toolkit/embed"
	"toolkit/internal/language"
	"toolkit/internal/transfer"
	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/tools/integrations"
	"toolkit/tools/integrations/telemetry"
	"toolkit/tools/memory"
)

const (
	// minFreeBytes is room for a copy of a usual database and its log.
	minFreeBytes = 200 << 20
	// maxStageAge is when a temporary file belongs to nobody any more.
	maxStageAge = time.Hour
	// checkTimeout is how long a configured service may take to answer.
	checkTimeout = 3 * time.Second
)

// settingVariables are the names that toolkit reads, to recognise misspelt ones.
func settingVariables() []string {
	names := []string{"TOOLKIT_CONFIG"}
	for _, s := range Settings() {
		names = append(names, s.Env)
	}
	return names
}

// checkVariableNames finds names that are nearly right, which would have no effect.
func checkVariableNames(_ context.Context, e *databaseExam) ([]CheckFinding, error) {
	var findings []CheckFinding
	known, set := settingVariables(), 0
	for _, pair := range e.Environ {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(strings.ToUpper(name), "TOOLKIT") {
			continue
		}
		set++
		if slices.Contains(known, name) {
			continue
		}
		for _, near := range known {
			if language.EditDistance(strings.ToUpper(name), near) <= 2 {
				findings = append(findings, CheckFinding{State: CheckProblem, Says: name + " has no effect", Do: "did you mean " + near + "?"})
				break
			}
		}
	}
	if len(findings) == 0 {
		findings = okFinding("%s set", language.FormatCount(set, "variable of toolkit is", "variables of toolkit are"))
	}
	return findings, nil
}

// checkSettings checks that what is configured means something.
func checkSettings(_ context.Context, e *databaseExam) ([]CheckFinding, error) {
	faults := findSettingFaults(e.Getenv)
	for _, err := range e.Faults {
		faults = append(faults, settingFaultFinding(err))
	}
	if len(faults) > 0 {
		return faults, nil
	}
	model := e.Getenv("TOOLKIT_EMBEDDER")
	if model == "" {
		model = "built-in"
	}
	says := okFinding("every value means something; embedder %s", model)
	if warning := embed.OldSettingWarning(e.Getenv); warning != "" {
		says = append(says, CheckFinding{State: CheckNote, Says: warning, Do: "correct it where it is set"})
	}
	switches, _ := ReadCaptureSwitches(e.Getenv) // faults were told
	if off, commands := switches.ListSwitchedOff(); len(off) > 0 {
		says = append(says, CheckFinding{State: CheckNote, Says: "switched off: " + strings.Join(off, ", "), Do: "if that is not meant: " + strings.Join(commands, ", ")})
	}
	return says, nil
}

// findSettingFaults returns the variables that mean nothing to models, judges and
// measuring.
func findSettingFaults(getenv func(string) string) []CheckFinding {
	var judges memory.Deps
	var measure integrations.MeasurementSources
	_, embedder := embed.FromEnvironment(getenv)
	memory := judges.ConfigureFidelityAndJudges(getenv)
	_, metrics := telemetry.ReadConfig(getenv)
	var faults []CheckFinding
	_, switches := ReadCaptureSwitches(getenv)
	for _, err := range []error{embedder, memory, judges.JudgesError, metrics, measure.ConfigurePrometheusAndPostHog(getenv), switches} {
		if err != nil {
			faults = append(faults, settingFaultFinding(err))
		}
	}
	return faults
}

func settingFaultFinding(err error) CheckFinding {
	return CheckFinding{State: CheckProblem, Says: err.Error(), Do: "correct it or take it out: in the environment, in config.toml, or in the configuration of your assistant"}
}

// checkServicesAnswer tries the addresses that somebody configured, and no others. It only
// connects: no request is sent and no key leaves the machine.
func checkServicesAnswer(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	addresses := map[string]string{}
	for _, pair := range e.Environ {
		name, value, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, "TOOLKIT_") && strings.HasSuffix(name, "_URL") && value != "" {
			addresses[name] = value
		}
	}
	if e.Getenv("TOOLKIT_EMBEDDER") == "ollama" && addresses["TOOLKIT_EMBED_URL"] == "" {
		addresses["Ollama"] = "http://127.0.0.1:11434"
	}
	var findings []CheckFinding
	for name, address := range addresses {
		u, err := url.Parse(address)
		if err != nil || u.Hostname() == "" {
			findings = append(findings, CheckFinding{State: CheckProblem, Says: name + " is not an address", Do: "give it as http://host:port"})
			continue
		}
		port := u.Port()
		if port == "" {
			port = map[string]string{"https": "443"}[u.Scheme]
		}
		if port == "" {
			port = "80"
		}
		ctx, stop := context.WithTimeout(ctx, checkTimeout)
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
		stop()
		if err != nil {
			findings = append(findings, CheckFinding{State: CheckProblem, Says: fmt.Sprintf("%s at %s does not answer: %v", name, u.Host, err), Do: "start the service or correct the address; until then search works by words"})
			continue
		}
		conn.Close() //nolint:errcheck // nothing was sent
		findings = append(findings, CheckFinding{State: CheckOK, Says: fmt.Sprintf("%s at %s answers", name, u.Host)})
	}
	slices.SortFunc(findings, func(a, b CheckFinding) int { return strings.Compare(a.Says, b.Says) })
	if len(findings) == 0 {
		findings = okFinding("no address is configured, none was contacted")
	}
	return findings, nil
}

func checkDiskSpace(_ context.Context, e *databaseExam) ([]CheckFinding, error) {
	folder := e.folder()
	for !fileExists(folder) && filepath.Dir(folder) != folder {
		folder = filepath.Dir(folder)
	}
	free, err := localfile.FreeBytes(folder)
	if err != nil {
		return []CheckFinding{{State: CheckSkipped, Says: "free space cannot be asked here: " + err.Error()}}, nil
	}
	size := uint64(0)
	if info, err := os.Stat(e.Database); err == nil {
		size = uint64(info.Size())
	}
	if need := minFreeBytes + size; free < need {
		return []CheckFinding{{State: CheckProblem, Says: fmt.Sprintf("%d MB are free in %s", free>>20, folder), Do: fmt.Sprintf("free some: a copy of the database and room to work take %d MB", need>>20)}}, nil
	}
	return okFinding("%d MB are free", free>>20), nil
}

// checkPermissions: what is remembered is for its owner alone, who has to be able to
// write it. SQLite gives the mode of the database to the files beside it, which
// can outlive it.
func checkPermissions(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	if e.isForeign(ctx) {
		return []CheckFinding{{State: CheckSkipped, Says: "nothing here is toolkit's"}}, nil
	}
	if runtime.GOOS == "windows" {
		return []CheckFinding{{State: CheckSkipped, Says: "Windows keeps them with the user's folder"}}, nil
	}
	var findings []CheckFinding
	tight := 0
	look := func(path string, want, need fs.FileMode, state CheckState, mayFix bool) {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink != 0 {
			return
		}
		mode, lacks := info.Mode().Perm(), ""
		if mode&need != need {
			state, lacks = CheckProblem, ", with which nothing can be written"
		}
		if mode&^want == 0 && lacks == "" {
			tight++
		} else if e.Fix && mayFix && os.Chmod(path, want) == nil {
			findings = append(findings, CheckFinding{State: CheckFixed, Says: fmt.Sprintf("%s had mode %04o, now %04o", path, mode, want)})
		} else {
			findings = append(findings, CheckFinding{State: state, Says: fmt.Sprintf("%s has mode %04o%s", path, mode, lacks), Do: fmt.Sprintf("chmod %o %s", want, path)})
		}
	}
	// A folder that toolkit did not make may serve other programs as well.
	folderState := CheckNote
	if e.Default {
		folderState = CheckProblem
	}
	look(e.folder(), 0o700, 0o700, folderState, e.Default)
	for _, ending := range []string{"", "-wal", "-shm"} {
		look(e.Database+ending, 0o600, 0o600, CheckProblem, true)
	}
	look(filepath.Join(e.folder(), "files"), 0o700, 0o700, CheckProblem, true)
	for _, k := range transfer.KeyFiles(e.Database) {
		look(filepath.Join(e.folder(), k), 0o600, 0o400, CheckProblem, true)
	}
	if len(findings) == 0 {
		findings = okFinding("%s can be read by you alone", language.FormatCount(tight, "file or folder", "files and folders"))
	}
	return findings, nil
}

// checkLeftovers returns temporary files of commands that were killed.
func checkLeftovers(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	if e.isForeign(ctx) {
		return []CheckFinding{{State: CheckSkipped, Says: "nothing here is toolkit's"}}, nil
	}
	var left, fresh []string
	for _, place := range []struct {
		folder   string
		patterns []string
		age      time.Duration
	}{
		{e.folder(), []string{".toolkit-backup-*", transfer.StagePattern, ".*.part"}, maxStageAge},
		{store.StagingFolder(e.Database), []string{"*"}, maxStageAge},
		{os.TempDir(), []string{"toolkit-dry-run-*", "toolkit-import-*"}, 24 * time.Hour},
	} {
		entries, err := os.ReadDir(place.folder)
		if err != nil {
			continue // the check of the database tells
		}
		for _, entry := range entries {
			info, err := entry.Info()
			matches := slices.ContainsFunc(place.patterns, func(p string) bool { m, _ := filepath.Match(p, entry.Name()); return m })
			switch path := filepath.Join(place.folder, entry.Name()); {
			case err != nil || !matches:
			case e.Now().Sub(info.ModTime()) > place.age:
				left = append(left, path)
			case place.folder == store.StagingFolder(e.Database):
				fresh = append(fresh, path)
			}
		}
	}
	if len(left) == 0 && len(fresh) == 0 {
		return okFinding("no temporary files are left behind"), nil
	}
	if len(left) == 0 {
		return []CheckFinding{{State: CheckNote, Says: language.FormatCount(len(fresh), "file is", "files are") + " on the way in, or left by an upload that was killed",
			Do: "toolkit doctor --fix removes them an hour after they were written", Details: fresh}}, nil
	}
	f := CheckFinding{State: CheckNote, Says: language.FormatCount(len(left), "temporary file is", "temporary files are") + " left behind", Do: "toolkit doctor --fix removes them", Details: left}
	return e.reportOrRemoveFiles(f)
}
