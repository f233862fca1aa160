import { timeOption, milliseconds, type DurationOption } from './units.js'
import { breaks, means, textual, type Reader, type Reading } from './reader.js'

/** Where audit records go. */
export type AuditTarget = 'store' | 'log'

/** `off`, or one or both of `store` and `log`, separated by commas. */
export const auditTargets: Reader<readonly AuditTarget[]> = textual((text) => {
  if (text === 'off') return means([])
  const targets = text.split(',').map((one) => one.trim())
  const known = targets.filter((one): one is AuditTarget => one === 'store' || one === 'log')
  return known.length === targets.length && new Set(known).size === known.length
    ? means(known)
    : breaks('must be off, store, log or store,log')
})

/** Milliseconds; `undefined` for `forever`. */
export const retention: Reader<number | undefined, DurationOption> = {
  text: (text) => (text === 'forever' ? means(undefined) : retained(milliseconds(text))),
  option: (value, rules) => timeOption(value, rules, retention.text, retained),
}

function retained(time: number | undefined): Reading<number | undefined> {
  return time !== undefined && time >= 86_400_000 && time <= 3_650 * 86_400_000
    ? means(time)
    : breaks('must be forever, or a duration from 1d to 3650d')
}
