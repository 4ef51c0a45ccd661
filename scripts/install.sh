#!/usr/bin/env bash
# install.sh LOCK VENV: the packages of a lock file and Workroom itself, into VENV. Says how far it is, and what it took.
set -euo pipefail
lock=$1 venv=$2
python=$venv/bin/python
packages=$(grep -c '==' "$lock")
started=$SECONDS

megabytes() { du -sm "$venv" | cut -f1; }
before=$(megabytes)
echo "Installing $packages locked packages of $lock into $venv ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# One line that counts on a terminal; elsewhere a line for each 20 packages, so that a log shows that it goes on.
count() {
  awk -v all="$packages" -v live="$1" '
    { print > log_file }
    /^(Collecting|Requirement already satisfied)/ { n++
      if (live) { printf "\r  %d of at most %d packages", n, all; fflush() }
      else if (n % 20 == 0) { printf "  %d of at most %d packages\n", n, all; fflush() } }
    /^Installing collected packages/ { printf "%s  unpacking ...\n", live ? "\r" : ""; fflush() }
  ' log_file="$log"
}
live=0
[ -t 1 ] && live=1
if ! "$python" -m pip install --progress-bar off --disable-pip-version-check --require-hashes --requirement "$lock" 2>&1 | count "$live"; then
  cat "$log" >&2
  echo "The installation failed; the reason is above. Workroom needs the network for it, once." >&2
  exit 1
fi
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
took=$((SECONDS - started))
echo "Installed in $((took / 60)) min $((took % 60)) s; $venv has $(megabytes) MB, $(($(megabytes) - before)) MB more than before."
