// Completion scripts for bash, zsh and fish. They hold words only and never call the program, so that completing is
// instant; where an option or an argument takes something else, the shell offers files.

export interface CompletionOption {
  readonly short?: string
  readonly long: string
  readonly description: string
  readonly takesValue: boolean
  /** Words that it takes as its value. */
  readonly values: readonly string[]
  /** Whether its value may be a file, or anything else that is no word. */
  readonly takesFile: boolean
}

export interface CompletionCommand {
  readonly name: string
  readonly description: string
  /** The words that its argument may be; empty for anything. */
  readonly words: readonly string[]
  readonly options: readonly CompletionOption[]
}

export type Shell = 'bash' | 'zsh' | 'fish'

const namesOf = ({ short, long }: CompletionOption): string[] => (short === undefined ? [long] : [short, long])

/** A text between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Offers the values of an option. Where there are none bash offers files by itself. */
function bashValues({ values, takesFile }: CompletionOption): string {
  if (values.length === 0) return ''
  const offer = `COMPREPLY=($(compgen -P "$prefix" -W ${quoted(values.join(' '))} -- "$word")); `
  return takesFile ? `${offer}_bcast_files; ` : offer
}

function bash(commands: readonly CompletionCommand[]): string {
  const cases = commands.flatMap(({ name, words, options }) => {
    const values = options.filter(({ takesValue }) => takesValue)
    const offers = [...words, ...options.map(({ long }) => long)].join(' ')
    return [
      `    ${name})`,
      '      case "$previous" in',
      ...values.map((option) => `        ${namesOf(option).join('|')}) ${bashValues(option)}return ;;`),
      '      esac',
      ...(words.length === 0 ? ['      [[ $word == -* ]] || return'] : []),
      `      COMPREPLY=($(compgen -W ${quoted(offers)} -- "$word")) ;;`,
    ]
  })
  return [
    '# bash completion for bcast',
    '# Adds files, whose names may have spaces.',
    '_bcast_files() {',
    "  local IFS=$'\\n'",
    '  COMPREPLY+=($(compgen -P "$prefix" -f -- "$word"))',
    '  compopt -o filenames 2> /dev/null',
    '}',
    '_bcast() {',
    `  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" prefix=''`,
    '  COMPREPLY=()',
    '  # --rule=pd is three words where = divides words, as it does unless COMP_WORDBREAKS says otherwise.',
    '  if [[ $word == = ]]; then',
    "    word=''",
    '  elif [[ $previous == = ]]; then',
    `    previous="\${COMP_WORDS[COMP_CWORD-2]}"`,
    '  elif [[ $word == --*=* ]]; then',
    `    previous="\${word%%=*}" prefix="\${word%%=*}=" word="\${word#*=}"`,
    '  fi',
    '  if [[ $COMP_CWORD -eq 1 ]]; then',
    `    COMPREPLY=($(compgen -W ${quoted([...commands.map(({ name }) => name), '--help', '--version'].join(' '))} -- "$word"))`,
    '    return',
    '  fi',
    `  case "\${COMP_WORDS[1]}" in`,
    ...cases,
    '  esac',
    '}',
    'complete -o default -F _bcast bcast',
    '',
  ].join('\n')
}

/** A description inside a specification of _arguments. */
const zshText = (text: string): string => text.replace(/[[\]:\\]/g, (char) => `\\${char}`)

/** An action of _arguments; colons end one. */
function zshValues({ values, takesFile }: CompletionOption): string {
  if (values.length === 0) return '_files'
  const words = `(${values.join(' ')})`
  return takesFile ? `{_alternative "words\\:word\\:${words}" "files\\:file\\:_files"}` : words
}

function zsh(commands: readonly CompletionCommand[]): string {
  const optionSpecs = (option: CompletionOption): string[] => {
    const value = option.takesValue ? `:value:${zshValues(option)}` : ''
    // `*` allows an option again, as --input.
    return namesOf(option).map((name) => quoted(`*${name}[${zshText(option.description)}]${value}`))
  }
  const cases = commands.flatMap(({ name, words, options }) => [
    `    ${name})`,
    `      _arguments ${[...options.flatMap(optionSpecs), quoted(`*:argument:${words.length === 0 ? '_files' : `(${words.join(' ')})`}`)].join(' \\\n        ')} ;;`,
  ])
  return [
    '#compdef bcast',
    '_bcast() {',
    '  local -a commands',
    '  commands=(',
    ...commands.map(({ name, description }) => `    ${quoted(`${name}:${description.replaceAll(':', '\\:')}`)}`),
    '  )',
    '  if (( CURRENT == 2 )); then',
    "    _describe 'command' commands",
    '    return',
    '  fi',
    `  local command="\${words[2]}"`,
    '  shift words',
    '  (( CURRENT-- ))',
    '  case "$command" in',
    ...cases,
    '  esac',
    '}',
    `if [[ "\${funcstack[1]}" == _bcast ]]; then _bcast "$@"; else compdef _bcast bcast; fi`,
    '',
  ].join('\n')
}

function fish(commands: readonly CompletionCommand[]): string {
  const lines = commands.flatMap(({ name, description, words, options }) => {
    const inCommand = `complete -c bcast -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`
    return [
      `complete -c bcast -f -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
      ...(words.length === 0 ? [] : [`${inCommand} -f -a ${quoted(words.join(' '))}`]),
      ...options.map(({ short, long, description: text, takesValue, values, takesFile }) => {
        const names = [...(short === undefined ? [] : [`-s ${short.slice(1)}`]), `-l ${long.slice(2)}`].join(' ')
        const offer = values.length === 0 ? '' : ` -a ${quoted(values.join(' '))}`
        const value = takesValue ? ` ${takesFile ? '-r -F' : '-x'}${offer}` : ''
        return `${inCommand} ${names}${value} -d ${quoted(text)}`
      }),
    ]
  })
  return ['# fish completion for bcast', ...lines, ''].join('\n')
}

export const completionScripts: Readonly<Record<Shell, (commands: readonly CompletionCommand[]) => string>> = {
  bash,
  zsh,
  fish,
}
