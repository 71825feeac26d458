# shellcheck shell=sh
# Read by bin/robber-cli, of a distribution or of a checkout, not run: finds Java, and its flags for the arguments of the script.
# The script says where the jar is, in $jar, and calls run or make_archive.

# A descriptor that is closed would be that of the next file opened, by Java say, and get what is meant for people. Results that
# cannot be delivered are an error: writing to what is open for reading fails. So is a source that cannot be read, which an empty one
# would hide: reading what is open for writing fails.
if [ -d /dev/fd ]; then
  [ -e /dev/fd/0 ] || exec 0>/dev/null
  [ -e /dev/fd/1 ] || exec 1</dev/null
  [ -e /dev/fd/2 ] || exec 2>/dev/null
fi

# What is made here can be read by its owner, who goes on with it after an interruption.
umask u=rwx

# Ends with the exit code 1, or another one.
die() {
  printf 'robber-cli: error: %s\n' "$1" >&2
  exit "${2:-1}"
}

# Java raises its soft limit to the hard one. With fewer files it cannot load its own classes.
least_files=64
# shellcheck disable=SC3045
files=$(ulimit -Hn 2>/dev/null) || files=unlimited
[ "$files" = unlimited ] || [ "$files" -ge "$least_files" ] \
  || die "a process may open $files files here, but Java needs $least_files, and each node of a job 2 more: raise ulimit -n" 2

# Java: JAVA_HOME, then PATH.
if [ -n "${JAVA_HOME:-}" ]; then
  java=$JAVA_HOME/bin/java
  [ -x "$java" ] || die "JAVA_HOME is $JAVA_HOME, but there is no bin/java in it"
else
  java=$(command -v java) || die "no java: install Java 17 or newer, or set JAVA_HOME"
  java=$(readlink -f "$java")
fi
# A file beside java knows its version; asking java itself would take longer than all the rest of this script.
version=
release=${java%/bin/java}/release
if [ -r "$release" ]; then
  while IFS='=' read -r key value; do
    if [ "$key" = JAVA_VERSION ]; then
      version=${value#\"}
      version=${version%\"*}
    fi
  done <"$release"
fi
if [ -z "$version" ]; then
  version=$("$java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p' | head -n 1)
fi
major=${version%%[!0-9]*}
[ "${major:-0}" -ge 17 ] || die "$java is version ${version:-unknown}: Java 17 or newer is needed; set JAVA_HOME"

# Names of files are bytes; Java mangles those of arguments unless the locale can express them. One that is not installed cannot,
# whatever its name.
[ "$(locale charmap 2>/dev/null)" = UTF-8 ] || export LC_ALL=C.UTF-8

# One flag a line. Jobs are short: small heap, the quick compiler alone, which copies only short methods into others, classes from an archive. Direct memory is not limited
# here, because --memory limits it. Whether buffers leak is a question for tests. Netty reaches direct buffers without their
# cleaners: the jar's manifest opens java.nio to it. The archive of classes is used at the address that it was made for: elsewhere each process would
# have to change, and to hold, a copy of all its pages. Java goes without one of another build, and need not say so. Native libraries lie unpacked beside the
# jars; Netty unpacks its own copy where they are missing.
flags="-XX:+UseSerialGC
-Xms16m
-Xmx512m
-XX:MaxDirectMemorySize=64g
-XX:TieredStopAtLevel=1
-XX:C1MaxInlineSize=20
-XX:-UsePerfData
-Xshare:auto
-XX:+UnlockDiagnosticVMOptions
-XX:ArchiveRelocationMode=0
-Xlog:disable
-Xlog:all=error,cds=off:stderr
-Dio.netty.tryReflectionSetAccessible=true
-Dio.netty.jfr.enabled=false
-Dio.netty.leakDetection.level=disabled
-Djava.library.path=${jar%/*}/lib/native"
if [ "$major" -ge 23 ]; then
  flags="$flags
--sun-misc-unsafe-memory-access=allow"
fi
newline='
'

# SHA-256 is fast in the code of the optimising compiler only. The last of several flags counts.
digest=${ROBBER_DIGEST:-}
previous=
for argument in "$@"; do
  case $argument in
    --) break ;;
    --digest=*) digest=${argument#--digest=} ;;
    *) [ "$previous" != --digest ] || digest=$argument ;;
  esac
  previous=$argument
done
if [ "$digest" = sha256 ]; then
  flags="$flags
-XX:TieredStopAtLevel=4"
fi

# Experiments take longer and hold more: they get the compiler that makes faster code, and a larger heap.
flags_of_command=
if [ "${1:-}" = emulate ] || [ "${1:-}" = bench ]; then
  flags_of_command="-XX:TieredStopAtLevel=4
-XX:-UseSerialGC
-XX:+UseParallelGC
-Xmx4g"
fi

if [ -t 2 ]; then
  read -r rows columns <<END || columns=
$(stty size <&2 2>/dev/null || true)
END
  # Some terminals do not know how wide they are.
  [ "${columns:-0}" -gt 0 ] || columns=80
  flags="$flags
-Drobber.cli.columns=$columns"
fi
flags_of_user=
if [ -n "${ROBBER_JAVA_FLAGS:-}" ]; then
  flags_of_user=$(printf '%s' "$ROBBER_JAVA_FLAGS" | tr -s ' ' "$newline")
fi

# Runs java with the flags, which may contain blanks, and the arguments given. The nodes that it starts get those of short jobs.
run() {
  IFS=$newline
  set -f
  # shellcheck disable=SC2086
  ROBBER_CLI_JAVA_FLAGS=$flags$newline$flags_of_user exec "$java" $flags $flags_of_command $flags_of_user -jar "$jar" "$@"
}

# Makes an archive of the classes of all roles, for this jar and this version of Java, in the file of this name; nothing if that fails.
make_archive() {
  work=$(mktemp -d) || return 0
  mkdir "$work/source"
  head -c 1000000 "$jar" >"$work/source/file"
  # A job of 2 x 2 nodes has a process of every role. Each lists the classes that it loads, and the archive holds all of them. Encryption needs 800 more than
  # a job without it.
  (
    flags="$flags
-XX:DumpLoadedClassList=$work/%p.list"
    flags_of_command=
    flags_of_user=
    export XDG_STATE_HOME="$work/state"
    run replicate --local=2x2 --tls=on --progress=none "$work/source" "$work/destination"
  ) >/dev/null 2>&1 </dev/null || true
  # Newer versions of Java number classes, and want all classes before what they say of them.
  {
    grep -hv '^[#@]' "$work"/*.list 2>/dev/null | sed 's/ id: [0-9]*$//' | sort -u
    grep -h '^@' "$work"/*.list 2>/dev/null | sort -u
  } >"$work/classes" || true
  # Java 17 keeps objects in an archive only with this collector; all collectors may load them.
  # From Java 24 on it keeps linked classes and call sites, too.
  linked=
  [ "$major" -lt 24 ] || linked=-XX:+AOTClassLinking
  "$java" -XX:+UseG1GC $linked -Xshare:dump -XX:SharedClassListFile="$work/classes" -XX:SharedArchiveFile="$work/classes.jsa" -cp "$jar" \
    >/dev/null 2>&1 </dev/null || true
  # Whoever starts meanwhile finds the whole archive, or none.
  if [ -f "$work/classes.jsa" ]; then
    cp "$work/classes.jsa" "$1.$$" && mv "$1.$$" "$1" || true
  fi
  rm -rf "$work" "$1.$$"
}
