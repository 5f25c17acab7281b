# Finds the JDK that Evenkeel is built with and runs on. Sourced by ./evenkeel and ./check; works in
# bash 3.2, which is what macOS has.

JDK_WANTED=25

# Whether the folder is a JDK of the wanted release. Reads its "release" file: asking each java for
# its version would take half a second for each.
is_wanted_jdk() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  local line
  while read -r line || [ -n "$line" ]; do
    case $line in JAVA_VERSION=\"$JDK_WANTED[\".+-]*) return 0 ;; esac
  done <"$1/release"
  return 1
}

# Prints the home of the java on the PATH, if there is one.
java_home_on_path() {
  local java
  java=$(command -v java) || return 1
  while [ -L "$java" ]; do
    local link
    link=$(readlink "$java")
    case $link in
      /*) java=$link ;;
      *) java=$(dirname "$java")/$link ;;
    esac
  done
  (cd "$(dirname "$java")/.." 2>/dev/null && pwd -P)
}

# Sets JDK to the home of a wanted JDK; fails if there is none.
find_jdk() {
  local candidate
  for candidate in \
    "${JAVA_HOME:-}" \
    /usr/lib/jvm/* \
    /opt/* \
    "${HOME:-}"/.sdkman/candidates/java/* \
    "${HOME:-}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -n "$candidate" ] && is_wanted_jdk "$candidate"; then
      JDK=$candidate
      return 0
    fi
  done
  if [ -x /usr/libexec/java_home ]; then
    candidate=$(/usr/libexec/java_home -v "$JDK_WANTED" 2>/dev/null) || candidate=
    if [ -n "$candidate" ] && is_wanted_jdk "$candidate"; then
      JDK=$candidate
      return 0
    fi
  fi
  candidate=$(java_home_on_path) || candidate=
  if [ -n "$candidate" ] && is_wanted_jdk "$candidate"; then
    JDK=$candidate
    return 0
  fi
  return 1
}

# Says what to install, in the name of the given program.
say_no_jdk() {
  echo "$1: no JDK $JDK_WANTED found. Install one, for example Temurin $JDK_WANTED (package" \
    "temurin-$JDK_WANTED-jdk or openjdk-$JDK_WANTED-jdk), or point JAVA_HOME at one." >&2
}

# Says that Maven is missing, in the name of the given program.
say_no_maven() {
  echo "$1: Maven is needed to build from source and mvn is not on the PATH. Install it (package maven)." >&2
}
