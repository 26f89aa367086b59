#!/usr/bin/env bash
# The session that docs/remembering.cast shows: what is said in one session comes
# back in the next, without a tool call. The hooks are run as Claude Code runs them,
# with its JSON on standard input. Record it again, from the repository's root, after
# 'make build':
#
#   asciinema rec --overwrite --cols 110 --rows 34 -c scripts/recording/remembering.sh docs/remembering.cast
#   python3 scripts/recording/record.py scripts/recording/remembering.sh docs/remembering.cast    # without asciinema
set -euo pipefail
program="$PWD/bin/toolkit"
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir "$home/bin" && cp "$program" "$home/bin/toolkit"
export HOME="$home" PATH="$home/bin:$PATH" TOOLKIT_DB="$home/memory.db" TOOLKIT_PATIENCE=10
unset XDG_DATA_HOME XDG_CONFIG_HOME || true
git init -q "$home/bakery" && git init -q "$home/garden" && cd "$home/bakery"

# say explains, run shows a command as if it were typed, and runs it.
say() { printf '\033[2m# %s\033[0m\n' "$*"; sleep 0.8; }
run() {
	printf '\033[1m$ %s\033[0m\n' "$*"
	sleep 0.6
	bash -c "$*" 2>&1 | sed "s#$home#~#g" | fold -s -w 108
	echo
	sleep 1.2
}
# hook hands an event to toolkit as the client does, and shows what was said and what the client's
# model gets to read.
hook() { # event, session, field, text
	case "$1" in
	SessionStart) printf '\033[1m(the session of %s begins)\033[0m\n' "$2" ;;
	UserPromptSubmit) printf '\033[1mYou:\033[0m %s\n' "$4" ;;
	Stop) printf '\033[1mAssistant:\033[0m %s\n' "$4" ;;
	esac | fold -s -w 108
	printf '{"hook_event_name":"%s","session_id":"%s","cwd":"%s","%s":"%s"}' "$1" "$2" "$PWD" "$3" "$4" | toolkit hook >answer.json
	python3 -c 'import json,sys; t = sys.stdin.read(); print(json.loads(t)["hookSpecificOutput"]["additionalContext"] if t else "(nothing)")' <answer.json | fold -s -w 108
	rm answer.json
	echo
	sleep 1.2
}

say "Monday, in the folder of a project. The assistant's program calls toolkit at each prompt; nobody calls a tool."
hook SessionStart monday source 'startup'
hook UserPromptSubmit monday prompt 'We decided to ship flour orders by rail, trucks are too dear. Remember that Heike signs every order.'
hook Stop monday last_assistant_message 'Noted: rail for the flour orders, and Heike signs them.'
hook UserPromptSubmit monday prompt 'the supplier portal key is sk-ant-api03-'"$(printf 'a1B2c3D4%.0s' 1 2 3 4 5 6 7 8 9 10 11)"'-AA, keep it out of the repository'

say "Tuesday, a new session: it begins with what is known."
hook SessionStart tuesday source 'startup'
say "An order that needs no memory is told nothing; a question is told what fits."
hook UserPromptSubmit tuesday prompt 'run the tests again'
hook UserPromptSubmit wednesday prompt 'How do the flour orders travel to us?'

say "Another project does not hear of it unasked."
cd "$home/garden"
hook SessionStart thursday source 'startup'
cd "$home/bakery"

say "For people: the same memory on the command line."
run "toolkit recall 'who signs the orders?'"
run "toolkit recall 'key of the supplier portal'"
run "toolkit projects"
say "And gone for good."
run "toolkit forget --session claude-code/monday --yes"
run "toolkit recall 'who signs the orders?'"
