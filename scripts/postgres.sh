#!/bin/sh
# Runs a command beside a PostgreSQL of its own: in a temporary folder, on a socket
# there, gone when the command ends. The command finds its address in
# TOOLKIT_TEST_POSTGRES. Where there is no PostgreSQL the distribution's package is
# installed without the service it would start, and where that is not possible the
# command is skipped, or fails where CI is set.
set -eu
server() { ls -d /usr/lib/postgresql/*/bin/postgres "$(command -v postgres || true)" 2>/dev/null | sort -V | tail -1; }
if [ -z "$(server)" ] && command -v apt-get >/dev/null; then
	as=
	[ "$(id -u)" = 0 ] || as="sudo -n"
	$as mkdir -p /etc/postgresql-common &&
		echo 'create_main_cluster = false' | $as tee /etc/postgresql-common/createcluster.conf >/dev/null &&
		$as apt-get update -qq && $as apt-get install -y -qq --no-install-recommends postgresql >/dev/null || true
fi
if [ -z "$(server)" ]; then
	echo "SKIPPED: there is no PostgreSQL, so nothing was tested there"
	[ -z "${CI:-}" ]
	exit
fi
bin=$(dirname "$(readlink -f "$(server)")")
folder=$(mktemp -d)
chmod 755 "$folder"
mkdir "$folder/data" "$folder/socket"
as=
if [ "$(id -u)" = 0 ]; then # PostgreSQL refuses to run as root
	user=$(id -un postgres 2>/dev/null || echo nobody)
	chown "$user" "$folder/data" "$folder/socket"
	as="setpriv --reuid=$user --clear-groups"
fi
stop() {
	$as "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
	rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM
cd "$folder"
$as "$bin/initdb" -D "$folder/data" -A trust -U toolkit --locale=C -E UTF8 --no-sync >/dev/null
# What the tests ask of it is what it answers, not what survives a power cut; a
# benchmark asks with POSTGRES_DURABLE=1 for one that writes as it is installed.
printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$folder/socket'" "max_connections = 300" \
	"max_locks_per_transaction = 1024" "log_min_messages = fatal" >>"$folder/data/postgresql.conf"
[ -n "${POSTGRES_DURABLE:-}" ] || printf '%s\n' "fsync = off" "full_page_writes = off" >>"$folder/data/postgresql.conf"
$as "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/data/log" start >/dev/null
$as "$bin/createdb" -h "$folder/socket" -U toolkit toolkit
cd "$OLDPWD"
TOOLKIT_TEST_POSTGRES="postgres://toolkit@/toolkit?host=$folder/socket" POSTGRES_BIN=$bin "$@"
