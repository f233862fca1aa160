import { roleKey, type RoleKey } from '../domain/access/role.js'
import { MUST_BE } from '../domain/messages.js'
import {
  invalid,
  withGuess,
  listSetting,
  means,
  textual,
  wrongType,
  type Reader,
  type Reading,
} from './reader.js'

/** Accepts only one of these words, exactly as written. */
export function choice<const T extends string>(...words: readonly T[]): Reader<T, T> {
  return textual((text) => {
    const word = words.find((one) => one === text)
    return word === undefined ? invalid(`must be ${alternatives(words)}`) : means(word)
  })
}

/** Whether the service runs in production; an unknown word most likely means production. */
export const mode = withGuess(
  booleanWord(['production'], ['development', 'test'], 'must be development, test or production'),
  (text) => !/^(?:dev|test|local)/i.test(text),
)

export const flag = booleanWord(['1', 'true'], ['0', 'false'], 'must be 1, 0, true or false')

export const onOff = booleanWord(
  ['on', '1', 'true'],
  ['off', '0', 'false'],
  'must be on, off, 1, 0, true or false',
)

function booleanWord(on: readonly string[], off: readonly string[], rule: string): Reader<boolean, boolean> {
  return {
    text: (text) => {
      const isOn = on.includes(text)
      return isOn || off.includes(text) ? means(isOn) : invalid(rule)
    },
    option: (value) => (typeof value === 'boolean' ? means(value) : wrongType(MUST_BE.boolean)),
  }
}

export type AuditTarget = 'store' | 'log'

/** Accepts `off`, or one or both of `store` and `log`, separated by commas. */
export const auditTargets: Reader<readonly AuditTarget[]> = textual((text) => {
  if (text === 'off') return means([])
  const targets = text.split(',').map((one) => one.trim())
  const known = targets.filter((one): one is AuditTarget => one === 'store' || one === 'log')
  return known.length === targets.length && new Set(known).size === known.length
    ? means(known)
    : invalid('must be off, store, log or store,log')
})

/** Accepts a string without control characters, such as a path. */
export function plain(what: string, most: number): Reader<string> {
  return textual((text) =>
    text.length <= most && !/\p{Cc}/u.test(text)
      ? means(text)
      : invalid(`must be ${what} of at most ${most} characters, without control characters`),
  )
}

/** Accepts a string that can be a header value (RFC 9110, 5.5): printable ASCII, without a space at either end. */
export function headerText(what: string, most: number): Reader<string> {
  return textual((text) =>
    text.length <= most && /^[!-~](?:[ -~]*[!-~])?$/.test(text)
      ? means(text)
      : invalid(
          `must be ${what} of at most ${most} printable ASCII characters, without a leading or trailing space`,
        ),
  )
}

export const roleKeys: Reader<readonly RoleKey[], readonly string[]> = listSetting(keysOf)

function keysOf(entries: readonly string[]): Reading<readonly RoleKey[]> {
  const keys = entries.map((entry) => roleKey(entry.trim()))
  const wrong = keys.findIndex((key) => !key.ok)
  if (wrong >= 0) return invalid(`entry ${wrong + 1} must be the key of a role`)
  return means([...new Set(keys.flatMap((key) => (key.ok ? key.value : [])))])
}

/** Accepts a key of a JSON object; rejects the names of prototype members. */
export const modelName: Reader<string> = textual((text) =>
  /^[A-Za-z][\w.\\-]{0,99}$/.test(text) && !(text in {})
    ? means(text)
    : invalid('must be a name of 1 to 100 letters, digits, dots, hyphens, underscores or backslashes'),
)

function alternatives(words: readonly string[]): string {
  return words.length === 1 ? String(words[0]) : `${words.slice(0, -1).join(', ')} or ${String(words.at(-1))}`
}
