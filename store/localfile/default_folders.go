package localfile

import (
	"os"
	"path/filepath"
	"strings"
)

// DefaultFolders are the folders that files may come from when nobody said otherwise: the
// working directory, and the user's documents, downloads and desktop. The home
// folder as a whole is none of them, and nothing that holds it: a server that is
// started there, or at the root, was given nothing by that.
//
// userDirs is the text of user-dirs.dirs, in which desktops for X say where these
// folders are; oneDrive is the folder to which Windows may have moved them.
func DefaultFolders(home, working, userDirs, oneDrive string) []string {
	folders := []string{working}
	for _, name := range []string{"Documents", "Downloads", "Desktop"} {
		folders = append(folders, userDir(home, name, userDirs))
		if oneDrive != "" {
			folders = append(folders, filepath.Join(oneDrive, name))
		}
	}
	var usual []string
	for _, folder := range folders {
		if filepath.IsAbs(folder) && filepath.Dir(folder) != folder && !isWithin(home, folder) {
			usual = append(usual, folder)
		}
	}
	return usual
}

// userDir is where one of the user's folders is. A folder that he has not is set
// to his home, see xdg-user-dirs.
func userDir(home, name, userDirs string) string {
	key := map[string]string{"Documents": "XDG_DOCUMENTS_DIR=", "Downloads": "XDG_DOWNLOAD_DIR=", "Desktop": "XDG_DESKTOP_DIR="}[name]
	folder := ""
	if home != "" {
		folder = filepath.Join(home, name)
	}
	for line := range strings.Lines(userDirs) {
		if value, found := strings.CutPrefix(strings.TrimSpace(line), key); found {
			value = strings.ReplaceAll(strings.Trim(value, `"`), `\`, "")
			if rest, below := strings.CutPrefix(value, "$HOME"); below {
				value = home + rest
			}
			folder = filepath.Clean(value)
		}
	}
	return folder
}

// isWithin reports whether a path lies in a folder or is it, under any name.
func isWithin(path, folder string) bool {
	info, err := os.Stat(folder)
	if path == "" || err != nil {
		return false
	}
	for _, form := range []string{filepath.Clean(path), ResolveLinks(path)} {
		for {
			if here, err := os.Stat(form); err == nil && os.SameFile(here, info) {
				return true
			}
			if filepath.Dir(form) == form {
				break
			}
			form = filepath.Dir(form)
		}
	}
	return false
}
