# Completion of ordeal's verbs and options in bash.
declare -A _ordeal_options _ordeal_with_value
@bash@

_ordeal() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$_ordeal_verbs" -- "$word")
    return
  fi
  [[ -n $verb && -v _ordeal_options[$verb] && -n ${_ordeal_options[$verb]} ]] || return # compilers: files
  case $before in
    --model) mapfile -t COMPREPLY < <(compgen -W 'cpp20 rc11 sc tso' -- "$word") && return ;;
    --color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word") && return ;;
    --output) return ;;
  esac
  [[ ${_ordeal_with_value[$verb]} != *" $before "* ]] || return
  [[ $word != -* ]] || mapfile -t COMPREPLY < <(compgen -W "${_ordeal_options[$verb]}" -- "$word")
}
complete -o default -F _ordeal ordeal
