import { MUST_BE } from '../domain/messages.js'
import type { HashCost } from '../ports/password-hasher.js'

/**
 * What a text or an option says: its value, or the rule that it breaks, as the end of a sentence that begins
 * with the name of the setting. A rule never holds any part of what was given, since all of it may be a secret
 * in the wrong place.
 */
export type Reading<T> = { readonly ok: true; readonly value: T } | Unreadable

type Unreadable = {
  readonly ok: false
  readonly rule: string
  /** An option of another type than it takes, or an empty text, which counts as one that is not given. */
  readonly mistyped?: true
}

/** What only adapters know of good values; handed in, since no adapter is imported here. */
export type AdapterRules = {
  /** The rule that a passphrase breaks. */
  readonly passphraseError: (text: string, use: { production: boolean; host?: string }) => string | undefined
  /** What is to be said of one that passes outside production only. */
  readonly passphraseWarning?: (text: string) => string | undefined
  /** The rule that a cost of password hashes breaks. */
  readonly hashCostError: (cost: HashCost) => string | undefined
  /** Whether it is an address that mails can come from, with or without a name. */
  readonly isSender: (text: string) => boolean
  readonly isSmtpUrl: (text: string) => boolean
}

/** Gets a text that is not empty: an empty variable is an unset one. */
export type TextReader<T> = (text: string, rules: AdapterRules) => Reading<T>

/** How a setting is read, from the text of its variable and from its option of `openKennel`, which is an `Option`. */
export type Reader<T, Option = string> = {
  readonly text: TextReader<T>
  /** From a caller without types: of any type at all. */
  readonly option: (value: unknown, rules: AdapterRules) => Reading<T>
  /** Never there: it tells the compiler what the option takes. */
  readonly takes?: Option
}

/** Longer lists are not looked at. */
const LIST_MAX = 1_000

export function means<T>(value: T): Reading<T> {
  return { ok: true, value }
}

export function breaks(rule: string): Unreadable {
  return { ok: false, rule }
}

/** Of an option that is of another type than `mustBe` says. */
export function mistyped(mustBe: string): Unreadable {
  return { ok: false, rule: `is of the wrong type: it ${mustBe}`, mistyped: true }
}

/** An option that is a text. */
export function textOption<T>(value: string, rules: AdapterRules, read: TextReader<T>): Reading<T> {
  return value === '' ? { ok: false, rule: 'must not be empty', mistyped: true } : read(value, rules)
}

/** What is a text as a variable and as an option. */
export function textual<T, Option extends string = string>(text: TextReader<T>): Reader<T, Option> {
  return {
    text,
    option: (value, rules) =>
      typeof value === 'string' ? textOption(value, rules, text) : mistyped(MUST_BE.string),
  }
}

/** What is a switch as an option. */
export function switched(text: TextReader<boolean>): Reader<boolean, boolean> {
  return { text, option: (value) => (typeof value === 'boolean' ? means(value) : mistyped(MUST_BE.boolean)) }
}

/** What is a list as an option; every entry that `isEntry` is read together. */
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
  /** As the variable would have it. */
  readonly default?: string
  /** Replaces `default` if that follows from other settings: its value if no variable is set. */
  readonly otherwise?: string
  /** It may hold a secret: it can come from a file, which `<variable>_FILE` names. */
  readonly secret?: true
  /** No option of `openKennel`: it is the host that listens, logs, stops and has commands. */
  readonly serviceOnly?: true
  /** The HTTP interface uses it: it is a member of `HttpSettings`. */
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
