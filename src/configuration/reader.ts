import { MUST_BE } from '../domain/messages.js'
import type { HashCost } from '../ports/password-hasher.js'
import { IN_QUOTES, unquoted } from './quotes.js'

/**
 * The value of a text or an option, or the rule that it breaks: the end of a sentence that begins with the name of the
 * setting. A rule contains no part of the given text, which may be a misplaced secret.
 */
export type Reading<T> = { readonly ok: true; readonly value: T } | Unreadable

type Unreadable = {
  readonly ok: false
  readonly rule: string
  /** The most likely meaning of the text, by which the rules between settings are judged. */
  readonly likely?: unknown
  /** The option has another type or is empty, so it counts as missing. */
  readonly mistyped?: true
}

/** The rules of adapters for values of settings: configuration imports no adapter. */
export type AdapterRules = {
  /** The rule that a passphrase breaks. */
  readonly passphraseError: (text: string, use: { production: boolean; host?: string }) => string | undefined
  /** A warning about a passphrase that only production would refuse. */
  readonly passphraseWarning?: (text: string) => string | undefined
  readonly hashCostError: (cost: HashCost) => string | undefined
  /** Whether the text is an address, with or without a name. */
  readonly isSender: (text: string) => boolean
  readonly smtpUrlError: (text: string) => string | undefined
}

/** The text is not empty, because an empty variable counts as unset. */
export type TextReader<T> = (text: string, rules: AdapterRules) => Reading<T>

/** Reads a setting from the text of its variable, and from its option of `openKennel`. */
export type Reader<T, Option = string> = {
  readonly text: TextReader<T>
  /** The value comes from an untyped caller. */
  readonly option: (value: unknown, rules: AdapterRules) => Reading<T>
  /** The type of the option, for the compiler only. */
  readonly takes?: Option
}

/** Longer lists are rejected unread. */
const LIST_MAX = 1_000

export function means<T>(value: T): Reading<T> {
  return { ok: true, value }
}

export function breaks(rule: string): Unreadable {
  return { ok: false, rule }
}

/** The error of an option of another type. */
export function mistyped(mustBe: string): Unreadable {
  return { ok: false, rule: `is of the wrong type: it ${mustBe}`, mistyped: true }
}

export function textOption<T>(value: string, rules: AdapterRules, read: TextReader<T>): Reading<T> {
  return value === ''
    ? { ok: false, rule: 'must not be empty', mistyped: true }
    : readText(value, rules, read)
}

/** Reads a text, unless it is in quotes. */
export function readText<T>(text: string, rules: AdapterRules, read: TextReader<T>): Reading<T> {
  const inner = unquoted(text)
  if (inner === undefined) return read(text, rules)
  const meant = read(inner, rules)
  return { ...(meant.ok ? { likely: meant.value } : meant), ...breaks(IN_QUOTES) }
}

/** The same reader; `guess` says what a text that it refuses most likely means. */
export function guessing<T, Option>(
  reader: Reader<T, Option>,
  guess: (text: string) => T,
): Reader<T, Option> {
  const withGuess = (reading: Reading<T>, value: unknown): Reading<T> =>
    reading.ok || typeof value !== 'string' ? reading : { likely: guess(value), ...reading }
  return {
    text: (text, rules) => withGuess(reader.text(text, rules), text),
    option: (value, rules) => withGuess(reader.option(value, rules), value),
  }
}

/** A setting whose option is a string. */
export function textual<T, Option extends string = string>(text: TextReader<T>): Reader<T, Option> {
  return {
    text,
    option: (value, rules) =>
      typeof value === 'string' ? textOption(value, rules, text) : mistyped(MUST_BE.string),
  }
}

/** A setting whose option is a boolean. */
export function switched(text: TextReader<boolean>): Reader<boolean, boolean> {
  return { text, option: (value) => (typeof value === 'boolean' ? means(value) : mistyped(MUST_BE.boolean)) }
}

/** A setting whose option is a list of texts that fit `isEntry`. */
export function listed<T, Entry extends string = string>(
  text: TextReader<T>,
  read: (entries: readonly string[]) => Reading<T>,
  isEntry: (entry: string) => boolean = () => true,
): Reader<T, readonly Entry[]> {
  const fits = (one: unknown) => typeof one === 'string' && one !== '' && isEntry(one)
  const wrong = mistyped(`must be an array of at most ${LIST_MAX} strings, one for each`)
  return {
    text,
    option: (value) => {
      if (!Array.isArray(value) || value.length > LIST_MAX) return wrong
      const entries: unknown[] = Array.from(value)
      return entries.every(fits) ? read(entries as readonly string[]) : wrong
    },
  }
}

/** The optional members of a row of the table. */
type Details = {
  /** The text of the variable. */
  readonly default?: string
  /** Replaces `default` if it follows from other settings: the value when no variable is set. */
  readonly otherwise?: string
  /** It may be a secret: `<variable>_FILE` can name a file with its text. */
  readonly secret?: true
  /** Not an option of `openKennel`, because the host listens, logs and stops. */
  readonly serviceOnly?: true
  /** A member of `HttpSettings`. */
  readonly http?: true
}

/** A setting. */
export type Row<Value, Option> = { readonly variable: string; readonly read: Reader<Value, Option> }

/** One row of the table of settings. */
export function row<Value, Option>(variable: string, read: Reader<Value, Option>): Row<Value, Option>
export function row<Value, Option, const More extends Details>(
  variable: string,
  read: Reader<Value, Option>,
  more: More,
): Row<Value, Option> & More
export function row(variable: string, read: Reader<unknown, unknown>, more?: Details) {
  return { variable, read, ...more }
}
