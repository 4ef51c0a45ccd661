#!/usr/bin/env bash
# The programs that the tests need beside Python: a Chromium, Redis, Caddy and nginx. Missing ones come from Debian's packages where
# that is possible; otherwise this says which tests are skipped.
set -euo pipefail

has_chromium() {
  local place
  for place in "${WORKROOM_CHROMIUM:-}" /usr/bin/chromium /usr/bin/chromium-browser /usr/bin/google-chrome /usr/bin/google-chrome-stable; do
    if [ -n "$place" ] && [ -x "$place" ]; then return 0; fi
  done
  return 1
}

has_redis() { command -v redis-server >/dev/null; }
has_caddy() { command -v caddy >/dev/null; }
has_nginx() { [ -x /usr/sbin/nginx ] || command -v nginx >/dev/null; }

missing=()
has_chromium || missing+=(chromium)
has_redis || missing+=(redis-server)
has_caddy || missing+=(caddy)
has_nginx || missing+=(nginx-light)
[ ${#missing[@]} -eq 0 ] && exit 0

install() { DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends "$@" >/dev/null 2>&1; }
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing Debian's packages ${missing[*]} for the tests, as root with apt-get ..."
  # Redis is started by the tests themselves: its package must not start a service.
  [ -e /usr/sbin/policy-rc.d ] || { printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d; chmod +x /usr/sbin/policy-rc.d; own_policy=1; }
  install "${missing[@]}" || { apt-get update --quiet >/dev/null 2>&1 && install "${missing[@]}"; } || true
  [ -z "${own_policy:-}" ] || rm -f /usr/sbin/policy-rc.d
fi
has_chromium || echo "There is no Chromium, so the browser tests are skipped. Install the package chromium, or set WORKROOM_CHROMIUM." >&2
has_caddy || echo "There is no caddy, so the tests behind it are skipped. Install the package caddy." >&2
has_nginx || echo "There is no nginx, so the tests behind it are skipped. Install the package nginx-light." >&2
has_redis || echo "There is no redis-server, so the tests with Redis are skipped. Install the package redis-server." >&2
