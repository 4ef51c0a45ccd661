#!/usr/bin/env bash
# A Chromium for the browser tests, from Debian's packages where that is possible; otherwise it says what is missing.
set -euo pipefail
for place in "${WORKROOM_CHROMIUM:-}" /usr/bin/chromium /usr/bin/chromium-browser /usr/bin/google-chrome /usr/bin/google-chrome-stable; do
  if [ -n "$place" ] && [ -x "$place" ]; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing Chromium for the browser tests ..."
  if DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends chromium >/dev/null 2>&1 \
    || { apt-get update --quiet >/dev/null 2>&1 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends chromium >/dev/null 2>&1; }; then
    exit 0
  fi
fi
echo "There is no Chromium, so the browser tests are skipped. Install the package chromium, or set WORKROOM_CHROMIUM." >&2
