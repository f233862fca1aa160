import type { MessageType } from './refusal.js'

/** How a rule judges a raw value: the value in its branded form, or the broken rule. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly type: MessageType; readonly rule: string }

export function accepted<T>(value: T): Parsed<T> {
  return { ok: true, value }
}

/** `rule` completes the sentence "name: …" and holds no part of the value. */
export function broken(type: MessageType, rule: string): Parsed<never> {
  return { ok: false, type, rule }
}
