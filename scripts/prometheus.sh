#!/bin/sh
# Unpacks Debian's or Ubuntu's package of Prometheus into a folder, once, without
# installing it: the package would start a service. Where there are no such
# packages it says so and succeeds: the test that needs Prometheus then skips,
# or fails where CI is set.
set -eu
target=$1
if [ -x "$target/prometheus" ] || command -v prometheus >/dev/null 2>&1; then
	exit 0
fi
if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg >/dev/null 2>&1; then
	echo "SKIPPED: no Prometheus: there is neither a prometheus on the path nor apt-get to fetch one"
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fetch() { (cd "$work" && apt-get download prometheus >/dev/null 2>&1) }
refresh() {
	if [ "$(id -u)" = 0 ]; then apt-get update >/dev/null 2>&1; else sudo -n apt-get update >/dev/null 2>&1; fi
}
if ! fetch && ! { refresh && fetch; }; then
	echo "SKIPPED: no Prometheus: its package could not be fetched"
	exit 0
fi
dpkg -x "$work"/prometheus_*.deb "$work/unpacked"
mkdir -p "$target"
cp "$work/unpacked/usr/bin/prometheus" "$target/prometheus"
