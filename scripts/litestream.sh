#!/bin/sh
# Builds the pinned Litestream once into the cache of this user and links it into
# a folder. Where it cannot be built it says so and succeeds: the tests that need
# it then skip, or fail where CI is set.
set -eu
version=v0.5.18
target=$1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/toolkit/litestream-$version
if [ ! -x "$cache/litestream" ] && ! GOBIN="$cache" CGO_ENABLED=0 GOFLAGS=-trimpath go install -ldflags "-s -w" "github.com/benbjohnson/litestream/cmd/litestream@$version"; then
	echo "SKIPPED: no Litestream: it could not be built"
	exit 0
fi
mkdir -p "$target"
ln -sf "$cache/litestream" "$target/litestream"
