#!/bin/sh
# Runs one step of the tests: says what it does in a line, and keeps its output
# to itself unless it fails. What was skipped is always said. It writes when the step ends and
# not before, since other steps run beside it.
#
#	scripts/step.sh "what it does" command argument...
set -u
name=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM
begun=$(date +%s)
"$@" >"$log" 2>&1
code=$?
seconds=$(($(date +%s) - begun))
if [ "$code" -ne 0 ]; then
	echo "$name: FAILED after $seconds s" | cat - "$log"
	exit "$code"
fi
echo "$name: passed in $seconds s"
grep -a 'SKIPPED' "$log" || true
