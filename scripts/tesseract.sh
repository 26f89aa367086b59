#!/bin/sh
# Installs Tesseract where that is possible. Without it the reading of pictures is
# tested with a stand-in only.
command -v tesseract >/dev/null && exit 0
if command -v apt-get >/dev/null; then
	as=
	[ "$(id -u)" = 0 ] || as="sudo -n"
	$as apt-get update -qq && $as apt-get install -y -qq --no-install-recommends tesseract-ocr && exit 0
fi
echo "SKIPPED: there is no Tesseract, so pictures are read by a stand-in only"
