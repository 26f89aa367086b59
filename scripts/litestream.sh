#!/bin/sh
# Builds the pinned Litestream once into the cache of this user and links it into
# a folder.
set -eu
version=v0.5.18
target=$1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/toolkit/litestream-$version
[ -x "$cache/litestream" ] || GOBIN="$cache" CGO_ENABLED=0 GOFLAGS=-trimpath go install -ldflags "-s -w" "github.com/benbjohnson/litestream/cmd/litestream@$version"
mkdir -p "$target"
ln -sf "$cache/litestream" "$target/litestream"
