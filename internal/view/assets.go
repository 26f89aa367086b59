package view

import (
	"embed"
	"net/http"
	"path"
)

//go:embed assets
var assets embed.FS

// contentTypes of the files there are; nothing else is served.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// servePage is the door of the page: it exchanges the token, or shows the page to
// whoever holds the cookie, and to all others how to get in.
func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	parameters := r.URL.Query()
	switch {
	case parameters.Has("token") && s.session.redeemTokenOnce(parameters.Get("token")):
		s.session.setCookie(w)
		// A redirect at the end of a chain that began on another site would not
		// carry the strict cookie; a page that goes on by itself does.
		w.Header().Set("Refresh", "0; url=/")
		writeAsset(w, http.StatusOK, "opening.html")
	case parameters.Has("token") && s.session.hasValidCookie(r):
		http.Redirect(w, r, "/", http.StatusSeeOther) // the address was opened twice
	case s.session.hasValidCookie(r):
		writeAsset(w, http.StatusOK, "index.html")
	default:
		writeAsset(w, http.StatusForbidden, "closed.html")
	}
}

func serveAsset(w http.ResponseWriter, r *http.Request) {
	writeAsset(w, http.StatusOK, r.PathValue("file"))
}

func writeAsset(w http.ResponseWriter, status int, name string) {
	kind, known := contentTypes[path.Ext(name)]
	content, err := assets.ReadFile(path.Join("assets", name))
	if err != nil || !known {
		refuse(w, http.StatusNotFound, "There is no such file.")
		return
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	w.Write(content) //nolint:errcheck // the caller may be gone
}
