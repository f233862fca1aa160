import { MUST_BE, REQUIRED } from '../../domain/messages.js'
import { broken, type Parsed } from '../../domain/parsed.js'
import { Refusal } from '../../domain/refusal.js'

/** A member that has to be text where it is there at all; `malformed` for any other type. */
export function textField(field: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  throw new Refusal('malformed', [{ field, type: 'Format', message: MUST_BE.string }])
}

/** What the rule says of a text; one that is missing or empty is `required`. */
export function given<T>(text: string | undefined, rule: (text: string) => Parsed<T>): Parsed<T> {
  return text ? rule(text) : broken('Required', REQUIRED)
}
