#!/bin/sh
# Installs strace where that is possible. Without it, whether anything leaves the
# machine is not watched.
command -v strace >/dev/null && exit 0
if command -v apt-get >/dev/null; then
	as=
	[ "$(id -u)" = 0 ] || as="sudo -n"
	$as apt-get update -qq && $as apt-get install -y -qq strace && exit 0
fi
echo "SKIPPED: there is no strace, so whether anything leaves the machine is not watched"
