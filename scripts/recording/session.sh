#!/usr/bin/env bash
# The session that docs/session.cast shows: install, first chart, view, backup,
# restore. Record it again, from the repository's root, after 'make build':
#
#   asciinema rec --overwrite --cols 100 --rows 30 -c scripts/recording/session.sh docs/session.cast
set -euo pipefail
program="$PWD/bin/toolkit"
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir "$home/bin" && cp "$program" "$home/bin/toolkit"
export HOME="$home" PATH="$home/bin:$PATH" PS1='$ '
unset TOOLKIT_DB XDG_DATA_HOME XDG_CONFIG_HOME || true
cd "$home"

# run shows a command as if it were typed, and runs it.
run() {
	printf '\033[1m$ %s\033[0m\n' "$*"
	sleep 0.6
	bash -c "$*" 2>&1 | sed "s#$home#~#g"
	echo
	sleep 1.2
}

run "toolkit install claude-code"
run "toolkit call create_structural_tension_chart '{\"desiredOutcome\":\"Write a finished first draft of my novel\",\"currentReality\":\"Outline exists\",\"dueDate\":\"2030-12-31T00:00:00Z\",\"actionSteps\":[\"Act one drafted\",\"Act two drafted\"]}'"
run "toolkit call mark_action_complete '{\"actionStepName\":\"Act one drafted\"}'"

# The page is opened by a program in place of a browser.
printf '\033[1m$ toolkit view\033[0m\n'
toolkit view 2>view.log &
view=$!
until grep -q 'http://' view.log; do sleep 0.1; done
cat view.log
address=$(grep -o 'http://[^ ]*' view.log)
curl -sL -c cookies "$address" -o page.html
printf 'the page answers: %s\n\n' "$(grep -o '<title>[^<]*</title>' page.html)"
kill -INT "$view" && wait "$view" || true
sleep 1

run "toolkit backup novel.toolkit"
run "toolkit restore novel.toolkit --db elsewhere.db"
run "toolkit call list_active_charts --db elsewhere.db"
run "toolkit doctor --db elsewhere.db | tail -3"
