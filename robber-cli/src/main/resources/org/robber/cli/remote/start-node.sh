# shellcheck shell=sh
# Starts a node of 'robber-cli replicate -w' on this host. Comes through standard input, behind lines that set: sums of the files of the
# program as sha256sum prints them, digest of these, bytes of the archive with the program, java (empty: that of the environment), and the
# flags of Java as positional parameters.

# Ends with a reason. Lines for the other side begin anew, since a login shell may have ended without a line feed.
fail() {
  printf '\nrobber-failed %s\n' "$(printf '%s' "$1" | tr '\n' ' ')"
  exit 1
}

if [ -z "$java" ] && [ -n "${JAVA_HOME:-}" ]; then java=$JAVA_HOME/bin/java; fi
if [ -z "$java" ]; then
  java=$(command -v java) || fail "no java in PATH ($PATH): install Java 17 or newer there, or name it by --remote-java"
fi
version=$(timeout 30 "$java" -version 2>&1 </dev/null | sed -n 's/.* version "\([^"]*\)".*/\1/p' | head -n 1)
[ -n "$version" ] || fail "$java does not run: install Java 17 or newer there, or name it by --remote-java"
major=${version%%[!0-9]*}
[ "${major:-0}" -ge 17 ] || fail "$java is Java $version: install Java 17 or newer there, or name it by --remote-java"

cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/robber
# Whether the folder has the program as it was sent; a disk may have failed, or somebody changed a file.
whole() { (cd "$1" 2>/dev/null && printf '%s' "$sums" | sha256sum -c >/dev/null 2>&1); }
# The home may be that of other hosts, too, which do the same at this moment. So a folder with a name is never changed or deleted, not
# even a damaged one: the program is then in the next place, by a rename that fails if the name is taken.
places="$digest $digest-1 $digest-2 $digest-3 $digest-4 $digest-5 $digest-6 $digest-7 $digest-8 $digest-9"
# Sets place to the folder that has the program, if one has it. With a folder as argument, moves that to the first name that is free.
find_place() {
  for name in $places; do
    place=$cache/$name
    if [ -n "$1" ] && mv -T "$1" "$place" 2>/dev/null; then set -- ''; fi
    # On a network file system a rename may have been done although it failed.
    if whole "$place"; then return 0; fi
    if [ ! -e "$place" ] && [ ! -h "$place" ]; then return 1; fi
  done
  return 1
}

if ! find_place ''; then
  advice="make room there, or set XDG_CACHE_HOME there to a folder for the program"
  # Nobody else may change the program.
  why=$(umask 077 && mkdir -p "$cache" 2>&1) || fail "$why: $advice"
  # The number of a process is not enough for a name.
  work=$(mktemp -d "$cache/.$digest.XXXXXX" 2>&1) || fail "$work: $advice"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 129' HUP
  trap 'exit 143' TERM
  # Else a shell that cannot say why it fails would end without its EXIT trap.
  trap '' PIPE
  printf '\nrobber-need\n'
  why=$(head -c "$bytes" 2>&1 >"$work/archive") || fail "cannot write to $work: $why: $advice"
  [ "$(wc -c <"$work/archive")" -eq "$bytes" ] || fail "the program did not arrive as it was sent"
  why=$(tar -xf "$work/archive" -C "$work" 2>&1 </dev/null) || fail "cannot unpack to $work: $why: $advice"
  whole "$work" || fail "the program did not arrive as it was sent"
  rm "$work/archive"
  # Else a power failure could leave the name without the bytes.
  (cd "$work" && printf '%s' "$sums" | sed 's/^[0-9a-f]* *//' | xargs sync) 2>/dev/null || :
  find_place "$work" || fail "cannot move the program to $place: remove damaged programs from $cache, $advice"
  rm -rf "$work"
  trap - EXIT HUP TERM PIPE
fi

# What is made here can be read by its owner, who goes on with it after an interruption.
umask u=rwx
# Names of files are bytes, which Java needs a locale for that is installed.
[ "$(locale charmap 2>/dev/null)" = UTF-8 ] || export LC_ALL=C.UTF-8
if [ "$major" -ge 23 ]; then set -- "$@" --sun-misc-unsafe-memory-access=allow; fi
# From which address this host was reached, and at which: the first and the third of four words.
reached=${SSH_CONNECTION#* * }
printf '\nrobber-ready %s %s\n' "${SSH_CONNECTION%% *}" "${reached%% *}"
set -- "$@" "-Djava.library.path=$place/lib/native${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
# Jars of the user, with strategies of theirs.
if [ -d "$place/more" ]; then
  exec "$java" "$@" -cp "$place/robber-cli.jar:$place/more/*" org.robber.cli.Main local-node
fi
exec "$java" "$@" -jar "$place/robber-cli.jar" local-node
