import { z } from 'zod'

/**
 * What the text of a variable says: its value, or the rule that it breaks, as the end of a
 * sentence that begins with the variable's name. A rule never holds any part of the text, since
 * every text may be a secret in the wrong place.
 */
export type Reading<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly rule: string }

/** Gets a text that is not empty: an empty variable is an unset one. */
export type Reader<T> = (text: string) => Reading<T>

export function means<T>(value: T): Reading<T> {
  return { ok: true, value }
}

export function breaks(rule: string): Reading<never> {
  return { ok: false, rule }
}

/** A variable of the schema. */
export function setting<T>(read: Reader<T>): z.ZodType<T, string> {
  return z.string().transform((text, context) => {
    const reading = read(text)
    if (reading.ok) return reading.value
    context.addIssue({ code: 'custom', message: reading.rule })
    return z.NEVER
  })
}
