import type { MessageType } from './refusal.js'

/** The result of parsing a raw value: the branded value, or the rule that the value violates. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly type: MessageType; readonly rule: string }

export function accepted<T>(value: T): Parsed<T> {
  return { ok: true, value }
}

/** `rule` completes the sentence "field: …" and contains no part of the value. */
export function broken(type: MessageType, rule: string): Parsed<never> {
  return { ok: false, type, rule }
}
