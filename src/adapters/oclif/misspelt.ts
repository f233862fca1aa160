import { Errors, type Command } from '@oclif/core'
import { isOneEditApart } from '../../domain/messages.js'
import { shownLines } from './output.js'

/** The commands of the program, passed in because the build script loads this module before it generates their descriptions. */
export type Program = {
  readonly bin: string
  readonly commands: Readonly<Record<string, Pick<Command.Cached, 'args'>>>
  readonly topics: object
}

const ABOUT_PROGRAM = ['--help', '-h', '--version']

/** If the typed words are neither a command nor a topic, returns an error that suggests the command that was probably meant. */
export function commandError(args: readonly string[], program: Program): Errors.CLIError | undefined {
  const flagAt = args.findIndex((arg) => arg.startsWith('-'))
  const [first, ...rest] = flagAt < 0 ? args : args.slice(0, flagAt)
  if (first === undefined)
    return ABOUT_PROGRAM.includes(args[0] ?? '--help')
      ? undefined
      : noCommand(args.slice(0, 1), args, program)
  if (first === 'help') return rest.length === 0 ? undefined : commandError(rest, program)
  const words = [...first.split(':'), ...rest]
  const id = commandOf(words, program)
  if (id !== undefined)
    return args.some((arg) => ABOUT_PROGRAM.includes(arg)) ? undefined : extraError(id, words, program)
  const isTopic = words.length === 1 && Object.hasOwn(program.topics, first)
  return isTopic ? undefined : noCommand(words.slice(0, 2), words, program)
}

function commandOf([topic = '', verb = '']: readonly string[], { commands }: Program): string | undefined {
  return [`${topic}:${verb}`, topic].find((one) => Object.hasOwn(commands, one))
}

/** If a command takes no arguments, oclif would interpret extra words as part of the command name. */
function extraError(
  id: string,
  words: readonly string[],
  { commands }: Program,
): Errors.CLIError | undefined {
  const extra = words.slice(id.split(':').length)
  if (extra.length === 0 || Object.keys(commands[id]?.args ?? {}).length > 0) return undefined
  return wrongUsage(`Unexpected argument: ${extra.join(', ')}\nSee more help with --help`)
}

/** Returns the error message for flags that a command does not have, without the values after `=`, which may be secrets. */
export function flagsError(unknown: readonly string[], known: readonly string[]): string {
  const names = unknown.map((flag) => flag.split('=')[0] ?? '')
  const meant = known.map((name) => `--${name}`).filter((flag) => names.some((name) => isLike(name, flag)))
  return `Nonexistent flag${names.length === 1 ? '' : 's'}: ${names.join(', ')}.${question(meant)}`
}

function wrongUsage(message: string): Errors.CLIError {
  return new Errors.CLIError(shownLines(message), { exit: 2 })
}

function noCommand(shown: readonly string[], typed: readonly string[], program: Program): Errors.CLIError {
  const { bin, commands, topics: known } = program
  const words = typed.filter((word) => !word.startsWith('-'))
  // Reversed, so that the commands of `user` come first.
  const names = [...Object.keys(commands).sort().reverse(), ...Object.keys(known)]
  const meant = names.filter((name) => words.length > 0 && isMeant(words, name))
  const topics = new Set(meant.map(topicOf))
  const topic = [words[0] ?? '', ...(topics.size === 1 ? topics : [])].find((one) =>
    Object.hasOwn(known, one),
  )
  const asked = question(meant.map((name) => `\`${bin} ${name.replace(':', ' ')}\``))
  return wrongUsage(
    `There is no command "${shown.join(' ').trim()}".${asked}\n${describeCommands(topic, program)}`,
  )
}

function isMeant([one = '', other = '']: readonly string[], name: string): boolean {
  const [topic = '', verb = ''] = name.split(':')
  return (
    (isLike(one, topic) && isLike(other, verb)) ||
    (isLike(one, verb) && (other === '' || isLike(other, topic)))
  )
}

function isLike(typed: string, name: string): boolean {
  const word = typed.toLowerCase()
  return word === name || (word.length > 1 && (isOneEditApart(word, name) || name.startsWith(word)))
}

function question(meant: readonly string[]): string {
  return meant.length === 0 ? '' : ` Did you mean ${meant.join(', ').replace(/, (?=[^,]*$)/, ' or ')}?`
}

function describeCommands(topic: string | undefined, { bin, commands }: Program): string {
  const ids = Object.keys(commands)
  if (topic === undefined)
    return `Commands begin with ${joinWords(ids.map(topicOf))}; \`${bin} --help\` describes them.`
  const verbs = ids.filter((id) => topicOf(id) === topic).map((id) => id.slice(topic.length + 1))
  return `Commands of ${topic}: ${joinWords(verbs)}; \`${bin} ${topic} --help\` describes them.`
}

function topicOf(id: string): string {
  return id.split(':')[0] ?? ''
}

function joinWords(words: readonly string[]): string {
  return [...new Set(words)].sort().join(', ')
}
