#!/bin/sh
# Installs the Debian package $1 without leaving a service of it running. $2 stands in for / in tests.
#
# A shell script, because it goes on when the process that asked for it is killed: an installation that is cut off
# leaves dpkg broken, and a policy-rc.d that is left behind keeps every later package from starting its service.
set -u
export DEBIAN_FRONTEND=noninteractive
policy="${2:-}/usr/sbin/policy-rc.d"
clusters="${2:-}/etc/postgresql-common/createcluster.d"

made_policy=
made_cluster=
clean_up() {
  if [ -n "$made_policy" ]; then rm -f "$made_policy"; fi
  if [ -n "$made_cluster" ]; then rm -f "$made_cluster"; fi
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# noclobber: a policy that was there before is the machine's own, and stays.
if (set -C && printf '#!/bin/sh\n# Temporary: tests install a package, whose service is not wanted.\nexit 101\n' > "$policy") 2> /dev/null; then
  made_policy="$policy"
  chmod 755 "$policy"
fi
# postgresql would create a cluster that starts at the next boot.
if [ "$1" = postgresql ] && mkdir -p "$clusters"; then
  made_cluster="$clusters/test-services.conf"
  echo 'create_main_cluster = false' > "$made_cluster"
fi

# The lists may be empty (images ship without) or stale; one source that does not answer need not matter.
apt-get -q update || echo "apt-get update failed; trying with the package lists at hand."
apt-get -q install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$1"
