import type { Parsed } from '../domain/parsed.js'
import { Refusal, type Message } from '../domain/refusal.js'

type Values<P> = { [K in keyof P]: P[K] extends Parsed<infer T> ? T : never }

/** The values of parsed fields, or one `invalid` refusal that names every broken rule at once. */
export function parseFields<P extends Record<string, Parsed<unknown>>>(parsed: P): Values<P> {
  const messages: Message[] = []
  const values: Record<string, unknown> = {}
  for (const [field, one] of Object.entries(parsed)) {
    if (one.ok) values[field] = one.value
    else messages.push({ field, type: one.type, message: one.rule })
  }
  if (messages.length > 0) throw new Refusal('invalid', messages)
  return values as Values<P>
}
