/**
 * Each script calls `tool complete` at TAB. That prints one candidate per line, its description after a tab,
 * and `:files` if the shell should offer files. Words are passed on unchanged and never evaluated.
 */

const bash = `# bash completion for tool; bash 3.2 and later
_tool() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" line part parted gone="" words=() index
  COMPREPLY=()
  # bash parts words at colons, and puts what is chosen behind the last one: addresses are put together again.
  line="$COMP_LINE"
  for ((index = 0; index <= COMP_CWORD; index++)); do
    part="\${COMP_WORDS[index]}"
    parted="\${line#"\${line%%[![:space:]]*}"}"
    if [[ index -gt 0 && "$line" == "$parted" && "$part\${COMP_WORDS[index - 1]}" == *:* ]]; then
      words[\${#words[@]}-1]+="$part"
    else
      words+=("$part")
    fi
    line="\${parted#"$part"}"
  done
  line="\${words[\${#words[@]}-1]}"
  if [[ "$COMP_WORDBREAKS" == *:* ]]; then gone="\${line%"\${line##*:}"}"; fi
  while IFS= read -r line; do
    if [ "$line" = ":files" ]; then
      if ! compopt -o default 2>/dev/null; then
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
      fi
    else
      line="\${line%%$'\\t'*}"
      COMPREPLY+=("$(printf %q "\${line#"$gone"}")")
    fi
  done < <(tool complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _tool tool
`;

const zsh = `#compdef tool
# zsh completion for tool
_tool() {
  local line value
  local -a candidates
  while IFS= read -r line; do
    if [[ "$line" == ":files" ]]; then
      _files
      return
    fi
    value="\${line%%$'\\t'*}"
    candidates+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
  done < <(tool complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  _describe -t values 'tool' candidates
}
if [[ "$funcstack[1]" == "_tool" ]]; then _tool "$@"; else compdef _tool tool; fi
`;

const fish = `# fish completion for tool
function __tool_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in (tool complete -- $words[2..-1] "$current" 2>/dev/null)
    if test "$line" = ":files"
      __fish_complete_path "$current"
    else
      echo $line
    end
  end
end
complete -c tool -f -a '(__tool_complete)'
`;

const powershell = `# PowerShell completion for tool; Windows PowerShell 5.1 and later
Register-ArgumentCompleter -Native -CommandName tool -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
    ForEach-Object { if ($_.Value -is [string]) { $_.Value } else { $_.Extent.Text } })
  if ($wordToComplete -eq '') {
    # Before 7.3 an empty argument is dropped on its way to a program.
    if (Get-Variable PSNativeCommandArgumentPassing -ErrorAction Ignore) { $words += '' } else { $words += '""' }
  }
  & tool complete '--' @words 2>$null | Where-Object { $_ -ne ':files' } | ForEach-Object {
    $value, $tip = $_ -split [char]9, 2
    if (-not $tip) { $tip = $value }
    $text = if ($value -match '[\\s''"]') { "'" + $value.Replace("'", "''") + "'" } else { $value }
    [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $tip)
  }
}
`;

export const COMPLETION_SCRIPTS = { bash, zsh, fish, powershell };
