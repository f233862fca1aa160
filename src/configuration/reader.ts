import { MUST_BE } from '../domain/messages.js'
import type { HashCost } from '../ports/passwords.js'

/** The error for a quoted value. Unlike `.env`, `docker --env-file` does not remove the quotes. */
export const IN_QUOTES = 'is in quotes, and the quotes are part of the value: remove them'

export function unquoted(text: string): string | undefined {
  return /^(["'])(.*)\1$/s.exec(text.trim())?.[2]
}

/**
 * The value parsed from a variable or an option, or the violated rule. The `rule` completes a sentence that begins with the name of the
 * setting; it contains no part of the input, which may be a misplaced secret.
 */
export type Reading<T> = { readonly ok: true; readonly value: T } | Unreadable

type Unreadable = {
  readonly ok: false
  readonly rule: string
  /** The most likely intended value, used to check rules that involve several settings. */
  readonly likely?: unknown
  /** Set if the option has the wrong type or is empty; rules that involve such an option are not checked. */
  readonly mistyped?: true
}

/** The checks of setting values; adapters provide these checks, because the configuration modules import no adapter. */
export type AdapterRules = {
  /** Returns the rule that a passphrase violates. */
  readonly passphraseError: (text: string, use: { production: boolean; host?: string }) => string | undefined
  /** Returns a warning about a passphrase that only production would reject. */
  readonly passphraseWarning?: (text: string) => string | undefined
  readonly hashCostError: (cost: HashCost) => string | undefined
  /** Returns whether the string is an email address, with or without a display name. */
  readonly isSender: (text: string) => boolean
  readonly smtpUrlError: (text: string) => string | undefined
}

/** Parses a variable's value, which is never empty, because an empty variable counts as unset. */
export type TextReader<T> = (text: string, rules: AdapterRules) => Reading<T>

/** Reads a setting from its variable or from its option of `openKennel`. */
export type Reader<T, Option = string> = {
  readonly text: TextReader<T>
  /** Reads the option's value, which may have any type because callers may not use TypeScript. */
  readonly option: (value: unknown, rules: AdapterRules) => Reading<T>
  /** The option's type; exists only at compile time. */
  readonly takes?: Option
}

/** Maximum length of a list option; a longer list is rejected without being read. */
const LIST_MAX = 1_000

export function means<T>(value: T): Reading<T> {
  return { ok: true, value }
}

export function invalid(rule: string): Unreadable {
  return { ok: false, rule }
}

export function wrongType(mustBe: string): Unreadable {
  return { ok: false, rule: `is of the wrong type: it ${mustBe}`, mistyped: true }
}

export function textOption<T>(value: string, rules: AdapterRules, read: TextReader<T>): Reading<T> {
  return value === ''
    ? { ok: false, rule: 'must not be empty', mistyped: true }
    : readText(value, rules, read)
}

/** Parses a string; a string in quotes is an error. */
export function readText<T>(text: string, rules: AdapterRules, read: TextReader<T>): Reading<T> {
  const inner = unquoted(text)
  if (inner === undefined) return read(text, rules)
  const meant = read(inner, rules)
  return { ...(meant.ok ? { likely: meant.value } : meant), ...invalid(IN_QUOTES) }
}

/** Returns a copy of the reader that uses `guess` to guess the intended value of a rejected string. */
export function withGuess<T, Option>(
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

export function textual<T, Option extends string = string>(text: TextReader<T>): Reader<T, Option> {
  return {
    text,
    option: (value, rules) =>
      typeof value === 'string' ? textOption(value, rules, text) : notText(value, rules, text),
  }
}

/** The error for an option such as `loginLimit: 10` also states the rule that `'10'` would violate. */
function notText<T>(value: unknown, rules: AdapterRules, read: TextReader<T>): Unreadable {
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  const reading = isPlain ? read(String(value), rules) : undefined
  return wrongType(reading?.ok === false ? `${MUST_BE.string}, which ${reading.rule}` : MUST_BE.string)
}

/**
 * Creates a reader for a setting whose option is a list of strings that `isEntry` accepts. In a variable, the entries are separated by
 * commas, unless `text` reads them.
 */
export function listSetting<T, Entry extends string = string>(
  read: (entries: readonly string[]) => Reading<T>,
  {
    text = (entries) => read(entries.split(',')),
    isEntry = () => true,
  }: { readonly text?: TextReader<T>; readonly isEntry?: (entry: string) => boolean } = {},
): Reader<T, readonly Entry[]> {
  const fits = (one: unknown) => typeof one === 'string' && one !== '' && isEntry(one)
  const wrong = wrongType(`must be an array of at most ${LIST_MAX} strings, with one string per entry`)
  return {
    text,
    option: (value) => {
      if (!Array.isArray(value) || value.length > LIST_MAX) return wrong
      const entries: unknown[] = Array.from(value)
      return entries.every(fits) ? read(entries as readonly string[]) : wrong
    },
  }
}

/** The optional properties of a row of the settings table. */
type Details = {
  readonly default?: string
  /** Describes a default value that depends on other settings; used instead of `default`. */
  readonly otherwise?: string
  /** Whether the setting may be a secret, so that `<variable>_FILE` can name a file that contains it. */
  readonly secret?: true
  /** Set if `openKennel` has no such option, because the host application controls listening, logging and stopping. */
  readonly serviceOnly?: true
  /** Set if `HttpSettings` contains the setting. */
  readonly http?: true
}

/** A setting. */
export type Row<Value, Option> = { readonly variable: string; readonly read: Reader<Value, Option> }

export function row<Value, Option, const More extends Details = object>(
  variable: string,
  read: Reader<Value, Option>,
  more?: More,
) {
  return { variable, read, ...more } as Row<Value, Option> & More
}
