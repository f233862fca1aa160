import { z } from 'zod'
import type { Parsed } from '../../../domain/parsed.js'

/** Makes a domain rule the last step of a schema: its value is the branded one, its message the rule's. */
export function rule<I, T>(parse: (value: I) => Parsed<T>): (value: I, context: z.core.$RefinementCtx) => T {
  return (value, context) => {
    const parsed = parse(value)
    if (parsed.ok) return parsed.value
    context.issues.push({ code: 'custom', message: parsed.rule, input: value })
    return z.NEVER
  }
}
