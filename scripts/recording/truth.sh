#!/usr/bin/env bash
# The session that docs/truth.cast shows: a correction stands against a newer
# document, and a forgetting that leaves no byte. Record it again, from the
# repository's root, after 'make build':
#
#   asciinema rec --overwrite --cols 110 --rows 34 -c scripts/recording/truth.sh docs/truth.cast
#   python3 scripts/recording/record.py scripts/recording/truth.sh docs/truth.cast    # without asciinema
set -euo pipefail
program="$PWD/bin/toolkit"
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir "$home/bin" && cp "$program" "$home/bin/toolkit"
export HOME="$home" PATH="$home/bin:$PATH" TOOLKIT_DB="$home/truth.db"
cd "$home"

# say explains, run shows a command as if it were typed, and runs it.
say() { printf '\033[2m# %s\033[0m\n' "$*"; sleep 0.8; }
run() {
	printf '\033[1m$ %s\033[0m\n' "$*"
	sleep 0.6
	bash -c "$*" 2>&1 | sed "s#$home#~#g" | cut -c1-400
	echo
	sleep 1.2
}

letter() { # number, date, address
	printf '{"type":"contact","properties":{"name":"Anna Berg","address":"%s","date":"%s"}}' "$2" "$1"
}

say "A document says where Anna lives."
toolkit call store_record "$(letter 2026-01-10 'Old Street 1')" >first.json
entity=$(toolkit call find_entities '{"name":"Anna Berg"}' | grep -o 'ent_[0-9a-f]*' | head -1)
run "toolkit call get_entity_snapshot '{\"entity_id\":\"$entity\"}'"
say "The user knows better, and says so."
run "toolkit call correct_field '{\"entity_id\":\"$entity\",\"field\":\"address\",\"value\":\"New Lane 7\",\"reason\":\"she moved\"}'"
say "A newer document repeats the old address. The correction stands."
run "toolkit call store_record '$(letter 2026-06-01 'Old Street 1')'"
run "toolkit call get_entity_snapshot '{\"entity_id\":\"$entity\"}'"

say "Something is to be forgotten: first what would go, and what else mentions it."
run "toolkit call store_raw_dialogue '{\"session_id\":\"monday\",\"speaker\":\"user\",\"content\":\"Anna hides her key under the quincewort pot\"}'"
run "toolkit call compress_to_l2_insight '{\"content\":\"The quincewort pot hides a key\",\"source_ids\":[1]}'"
run "grep -c quincewort truth.db* || true"
run "toolkit forget --session monday || true"
say "With everything that contains the word, for good."
run "toolkit forget quincewort --yes"
run "grep -ic quincewort truth.db* || true"
run "toolkit backup after.zip && unzip -p after.zip | grep -ic quincewort || true"
