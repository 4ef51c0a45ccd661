#!/usr/bin/env bash
# The programs that the tests need beside Python: `programs.sh` for `make test`, `programs.sh all` for the campaigns too. Missing
# ones come from Debian's packages where that is possible; otherwise this says which tests are skipped.
set -euo pipefail

# Package, how to find its program, and what is skipped without it. The last ones are large or only for the campaigns.
tests=(
  "chromium|${WORKROOM_CHROMIUM:-} chromium chromium-browser google-chrome google-chrome-stable|the browser tests"
  "redis-server|redis-server|the tests with Redis"
  "caddy|caddy|the tests behind Caddy"
  "nginx-light|nginx|the tests behind nginx"
  "pgbouncer|pgbouncer|the tests with PgBouncer"
  "prometheus|promtool|the checks of Prometheus' files"
)
campaigns=(
  "rabbitmq-server|/usr/lib/rabbitmq/bin/rabbitmq-server|the tests with RabbitMQ"
  "munge|munged|the tests with SLURM"
  "slurmctld|slurmctld|the tests with SLURM"
  "slurmd|slurmd|the tests with SLURM"
  "slurm-client|sbatch|the tests with SLURM"
  "postgresql-15|/usr/lib/postgresql/15/bin/postgres|the tests with an older PostgreSQL"
)
needed=("${tests[@]}")
[ "${1:-}" != all ] || needed+=("${campaigns[@]}")

is_here() {
  local program
  for program in $1; do
    if PATH="$PATH:/usr/sbin:/usr/local/sbin" command -v "$program" >/dev/null; then return 0; fi
  done
  return 1
}

missing=()
for line in "${needed[@]}"; do
  IFS='|' read -r package programs _ <<<"$line"
  is_here "$programs" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

install() { DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends "$@" >/dev/null 2>&1; }
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing Debian's packages ${missing[*]} for the tests, as root with apt-get ..."
  # The tests start these servers themselves: their packages must not start services.
  [ -e /usr/sbin/policy-rc.d ] || { printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d; chmod +x /usr/sbin/policy-rc.d; own_policy=1; }
  # A release of Debian may lack one of them, and apt-get then installs none: they are tried one by one.
  install "${missing[@]}" || { apt-get update --quiet >/dev/null 2>&1 && install "${missing[@]}"; } ||
    for package in "${missing[@]}"; do install "$package" || true; done
  [ -z "${own_policy:-}" ] || rm -f /usr/sbin/policy-rc.d
fi
for line in "${needed[@]}"; do
  IFS='|' read -r package programs skipped <<<"$line"
  is_here "$programs" || echo "$package is not installed, so $skipped are skipped." >&2
done
