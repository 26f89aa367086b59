#!/bin/sh
# Fetches the assistants from npm, once, and runs the tests of this folder with
# them; arguments go to the tests, such as -test.v or -test.run NAME. Where npm
# cannot fetch them it says so and succeeds; a test that fails always fails.
set -eu
cd "$(dirname "$0")"
skip() {
	echo "SKIPPED: real clients: $1"
	exit 0
}
# fetch ends npm where it needs too long. Claude Code's own script puts its program
# in place; nobody else's is run.
fetch() {
	limit=
	! command -v timeout >/dev/null 2>&1 || limit="timeout -k 10 ${FETCH_SECONDS:-300}"
	$limit npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1 &&
		$limit npm rebuild --loglevel=error @anthropic-ai/claude-code
}
if ! cmp -s package-lock.json node_modules/.fetched; then
	command -v npm >/dev/null 2>&1 || skip "there is no npm to fetch them with"
	said=$(fetch 2>&1) || skip "npm could not fetch them, with ${FETCH_SECONDS:-300} s for it: $(echo "$said" | sed -n 's/^npm error //p' | head -n 3 | tr '\n' ' ')"
	cp package-lock.json node_modules/.fetched
fi
"${GO:-go}" test -c -vet=off -ldflags "-s -w" -o ../../bin/clients.test .
export CLIENTS=1
# A network of their own, with nothing in it but loopback, where the system lets
# us have one; elsewhere the clients' settings and a proxy that refuses must do.
if unshare -rn sh -c 'ip link set lo up' 2>/dev/null; then
	exec unshare -rn sh -c 'ip link set lo up && exec ../../bin/clients.test -test.timeout 20m "$@"' clients "$@"
fi
exec ../../bin/clients.test -test.timeout 20m "$@"
