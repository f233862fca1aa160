import { broken, type Parsed } from '../domain/parsed.js'
import { Refusal, type Message } from '../domain/refusal.js'
import { MUST_BE, REQUIRED } from '../domain/messages.js'

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

/** A member that has to be text where it is there at all; `malformed` for any other type. */
export function textField(field: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  throw new Refusal('malformed', [{ field, type: 'Format', message: MUST_BE.string }])
}

/** What the rule says of a text; one that is missing or empty is `required`. */
export function given<Judged extends Parsed<unknown> | Promise<Parsed<unknown>>>(
  text: string | undefined,
  rule: (text: string) => Judged,
): Judged | Parsed<never> {
  return text ? rule(text) : broken('Required', REQUIRED)
}
