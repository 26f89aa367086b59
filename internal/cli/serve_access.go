package cli

import (
	"context"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"toolkit/internal/server/access"
	"toolkit/internal/server/web"
	"toolkit/store"
)

// accessSettings say who may ask over HTTP, and what keeps others from listening.
type accessSettings struct {
	issuer, audience, claim string
	spaces                  []string // VALUE=SPACE
	cert, key               string
	behindProxy             bool
}

func (s *accessSettings) addFlags(o *settings, f *pflag.FlagSet) {
	f.StringVar(&s.issuer, "oidc-issuer", o.envOr("TOOLKIT_OIDC_ISSUER", ""), "HTTP: take the access tokens of this OpenID provider, such as https://login.example.org ($TOOLKIT_OIDC_ISSUER)")
	f.StringVar(&s.audience, "oidc-audience", o.envOr("TOOLKIT_OIDC_AUDIENCE", ""), "HTTP: the audience that the provider's tokens must be for ($TOOLKIT_OIDC_AUDIENCE)")
	f.StringVar(&s.claim, "oidc-space-claim", o.envOr("TOOLKIT_OIDC_SPACE_CLAIM", ""), "HTTP: the claim that names the caller's space; without it everybody has one of his own ($TOOLKIT_OIDC_SPACE_CLAIM)")
	f.StringSliceVar(&s.spaces, "oidc-space", o.envList("TOOLKIT_OIDC_SPACES"), "HTTP: the space for a value of that claim, or of sub, as VALUE=SPACE; VALUE= is the database itself ($TOOLKIT_OIDC_SPACES)")
	f.StringVar(&s.cert, "tls-cert", o.envOr("TOOLKIT_TLS_CERT", ""), "HTTP: encrypt with the certificate in this file, read again when it changes ($TOOLKIT_TLS_CERT)")
	f.StringVar(&s.key, "tls-key", o.envOr("TOOLKIT_TLS_KEY", ""), "HTTP: the file of the certificate's key ($TOOLKIT_TLS_KEY)")
	f.BoolVar(&s.behindProxy, "behind-proxy", false, "HTTP: all requests come through a proxy that encrypts, and ends X-Forwarded-For with the client's address ($TOOLKIT_BEHIND_PROXY=1)")
}

// checkAccess finds what would keep the settings from being used at an address.
func (h *httpSettings) checkAccess(o *settings, address *net.TCPAddr) error {
	s := &h.access
	if err := o.readSwitch("behind-proxy", "TOOLKIT_BEHIND_PROXY", &s.behindProxy); err != nil {
		return err
	}
	switch {
	case (s.issuer == "") != (s.audience == ""):
		return usagef("--oidc-issuer and --oidc-audience go together: without an audience, tokens for other services would open this one")
	case s.issuer == "" && (s.claim != "" || len(s.spaces) > 0):
		return usagef("--oidc-space-claim and --oidc-space are for the tokens of a provider; name it with --oidc-issuer")
	case s.issuer != "" && !isSafeIssuer(s.issuer):
		return o.newSettingError("TOOLKIT_OIDC_ISSUER", "%q is no https:// address; tokens could be forged on the way", s.issuer)
	case (s.cert == "") != (s.key == ""):
		return usagef("--tls-cert and --tls-key go together")
	}
	if _, err := s.parseSpaceMapping(); err != nil {
		return err
	}
	if web.IsLoopback(address) && !s.behindProxy {
		return nil
	}
	if h.token == "" && s.issuer == "" && !o.canHaveTokens() {
		return newTokenRequiredError(address)
	}
	if s.cert == "" && !s.behindProxy {
		return usagef("%s can be reached from other machines, and without encryption tokens can be read on the way: give --tls-cert and --tls-key, or --behind-proxy where a proxy in front encrypts", h.address)
	}
	return nil
}

func newTokenRequiredError(address net.Addr) error {
	return usagef("%s can be reached from other machines and needs a token: add one with 'toolkit token add NAME', set TOOLKIT_TOKEN, or name an OpenID provider with --oidc-issuer", address)
}

// canHaveTokens reports whether local tokens may be stored; they are not where there is no database file.
func (o *settings) canHaveTokens() bool {
	path, err := o.databasePath()
	if err != nil {
		return false
	}
	_, err = os.Stat(path)
	return err == nil || strings.Contains(path, "://")
}

// isSafeIssuer reports whether nobody can stand between a provider and this machine.
func isSafeIssuer(issuer string) bool {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "https" || u.Scheme == "http" && ip != nil && ip.IsLoopback()
}

// parseSpaceMapping returns --oidc-space.
func (s *accessSettings) parseSpaceMapping() (map[string]string, error) {
	spaces := map[string]string{}
	for _, one := range s.spaces {
		at := strings.LastIndexByte(one, '=')
		if at < 1 || one[at+1:] != "" && !store.ValidSpace(one[at+1:]) {
			return nil, usagef("--oidc-space %q is not VALUE=SPACE with a space of letters from a to z, digits and _", one)
		}
		spaces[one[:at]] = one[at+1:]
	}
	return spaces, nil
}

// setAccess completes the options of a server with who may ask, now that the database is open.
func (h *httpSettings) setAccess(ctx context.Context, options *web.Options, db *store.DB, address net.Addr, logger *slog.Logger) error {
	s := &h.access
	tokens, err := access.ListTokens(ctx, db)
	if err != nil {
		return err
	}
	options.Guarded = h.token != "" || len(tokens) > 0 || s.issuer != ""
	if !options.Guarded && (s.behindProxy || !web.IsLoopback(address)) {
		return newTokenRequiredError(address)
	}
	options.BehindProxy, options.Provider = s.behindProxy, s.issuer
	options.HasTokens = func(ctx context.Context) (bool, error) {
		tokens, err := access.ListTokens(ctx, db)
		return len(tokens) > 0, err
	}
	callers := []access.Check{access.NewStoredTokenCheck(db)}
	if h.token != "" {
		callers = append(callers, access.NewSecretCheck(h.token))
	}
	if s.issuer != "" {
		spaces, err := s.parseSpaceMapping()
		if err != nil {
			return err
		}
		provider := &access.Provider{Issuer: s.issuer, Audience: s.audience, SpaceClaim: s.claim, Spaces: spaces}
		callers = append(callers, provider.CheckAccessToken)
		go func() {
			if err := provider.Discover(ctx); err != nil && ctx.Err() == nil {
				logger.Error("its callers have to wait until the OpenID provider answers", "issuer", s.issuer, "error", err.Error())
			}
		}()
	}
	options.Callers = access.JoinChecks(callers...)
	if s.cert != "" {
		options.TLS, err = web.LoadReloadingTLSConfig(s.cert, s.key, logger)
	}
	return err
}
