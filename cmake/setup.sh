# Sourced by ./ordeal, ./test and ./bench, which set `root` (this tree) first: packages, configuration, build.
#
#   ordeal_up_to_date PRESET         whether the command `ordeal` of PRESET is built from the sources as they are
#   ordeal_build PRESET [TARGET]     installs what is missing, configures if need be, builds (default: everything)
#
# Builds of one preset wait for each other. What apt-get and the compiler print goes to a log file; when they fail, the
# part that matters is shown.

ordeal_say() { printf 'ordeal: %s\n' "$*" >&2; }

# The stamp is as old as the start of the last good build. A file that changed since then, or a directory that gained or
# lost a file, is newer. Status change times are compared, so that files restored with old dates count too.
ordeal_up_to_date() {
  local stamp=$root/build/$1/.built input inputs=()
  [[ -x $root/build/$1/bin/ordeal && -e $stamp ]] || return 1
  for input in src include cmake viewer/src viewer/build.mjs viewer/build.sh viewer/package-lock.json CMakeLists.txt CMakePresets.json packages.txt; do
    [[ -e $root/$input ]] && inputs+=("$root/$input")
  done
  [[ -z $(find "${inputs[@]}" -newercm "$stamp" -print -quit) ]]
}

# Prints the packages of packages.txt that are not installed, for a target.
ordeal_missing_packages() {
  local target=$1 package condition command wanted=()
  declare -A installed=()
  while read -r package condition command; do
    [[ -z $package || $package == \#* ]] && continue
    [[ $condition == tests && $target != all ]] && continue
    [[ $condition == unless ]] && command -v "$command" >/dev/null && continue
    wanted+=("$package")
  done <"$root/packages.txt"
  while read -r package; do
    installed[$package]=1
  done < <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p')
  for package in "${wanted[@]}"; do
    [[ -n ${installed[$package]-} ]] || printf '%s\n' "$package"
  done
}

# Installs missing packages: as root, or through sudo; else says what to do. A copy of packages.txt under build/ says
# that all of them were there once, and then nothing is asked again.
ordeal_install_packages() {
  local target=$1 stamp=$root/build/.packages log=$root/build/packages.log missing as_root=()
  [[ $target != all ]] || stamp+=.all
  [[ -e $stamp && $(<"$stamp") == "$(<"$root/packages.txt")" ]] && return 0
  if ! command -v dpkg-query >/dev/null; then
    ordeal_say "this is not Debian: please see to it that the counterparts of packages.txt are installed"
    return 0
  fi
  mapfile -t missing < <(ordeal_missing_packages "$target")
  if ((${#missing[@]} > 0)); then
    local install=(apt-get install -y --no-install-recommends "${missing[@]}")
    if [[ $(id -u) != 0 ]]; then
      if command -v sudo >/dev/null && { [[ -t 0 && -t 2 ]] || sudo -n true 2>/dev/null; }; then
        as_root=(sudo)
      else
        ordeal_say "packages are missing; please run this as root, then try again:"
        printf '  apt-get update && %s\n' "${install[*]}" >&2
        return 2
      fi
    fi
    ordeal_say "installing packages: ${missing[*]} …"
    # When the lists cannot be refreshed, those that are there may still do.
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 update >"$log" 2>&1 || true
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get -o DPkg::Lock::Timeout=600 "${install[@]:1}" >>"$log" 2>&1; then
      tail -n 15 "$log" >&2
      ordeal_say "the packages could not be installed (all output: $log); the command was:"
      printf '  %s\n' "${install[*]}" >&2
      return 2
    fi
  fi
  cp "$root/packages.txt" "$stamp"
}

# Shows the part of a build log that explains the failure: from ninja's first "FAILED" on, without the command lines.
ordeal_show_build_failure() {
  if grep -q '^FAILED:' "$1"; then
    awk '/^FAILED:/ { shown = 1; skip = 1; print; next } skip { skip = 0; next } /^\[[0-9]+\/[0-9]+\] / { next } shown' "$1" |
      head -n 120 >&2
  else
    tail -n 40 "$1" >&2
  fi
}

ordeal_configure_and_build() {
  local preset=$1 target=$2 tree=$root/build/$1
  local log=$tree/build.log configured=$tree/.configured started=$tree/.started
  # A tree that was moved, or presets that changed, need a fresh configuration; ninja sees to everything else.
  if [[ ! -e $tree/build.ninja || ! -e $configured || $(<"$configured") != "$root" ||
    $root/CMakePresets.json -nt $configured ]]; then
    ordeal_say "building ($preset, the first time takes some minutes) …"
    : >"$started"
    if ! (cd "$root" && cmake --preset "$preset" --fresh) >"$log" 2>&1; then
      tail -n 40 "$log" >&2
      ordeal_say "the configuration failed (all output: $log)"
      return 2
    fi
    printf '%s\n' "$root" >"$configured"
  else
    ordeal_say "building ($preset) …"
    : >"$started"
    : >"$log"
  fi
  if ! cmake --build "$tree" --target "$target" -j "$(nproc)" >>"$log" 2>&1; then
    ordeal_show_build_failure "$log"
    ordeal_say "the build failed (all output: $log)"
    return 2
  fi
  if [[ $target == all || $target == ordeal ]]; then mv "$started" "$tree/.built"; fi
}

ordeal_build() {
  local preset=$1 target=${2:-all}
  trap 'exit 130' INT # ninja ends on Ctrl-C like on a compile error
  if ! mkdir -p "$root/build/$preset"; then
    ordeal_say "cannot write to $root/build"
    return 2
  fi
  {
    flock 9
    ordeal_install_packages "$target" || return
  } 9>"$root/build/.lock"
  {
    flock 9
    # Whoever had the lock before may have done the work.
    if [[ $target == ordeal ]] && ordeal_up_to_date "$preset"; then return 0; fi
    ordeal_configure_and_build "$preset" "$target"
  } 9>"$root/build/$preset/.lock"
}
