import { Refusal } from '../../domain/refusal.js'

/** A member that has to be text where it is there at all; `malformed` for any other type. */
export function textField(field: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  throw new Refusal('malformed', [{ field, type: 'Format', message: 'must be a string' }])
}
