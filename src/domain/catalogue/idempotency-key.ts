import { accepted, broken, type Parsed } from '../parsed.js'

/** Names one attempt to create something, so that a repeated attempt creates nothing. */
export type IdempotencyKey = string & { readonly brand: 'IdempotencyKey' }

/** 1 to 255 visible ASCII characters. */
export function idempotencyKey(text: string): Parsed<IdempotencyKey> {
  return /^[\x21-\x7e]{1,255}$/.test(text)
    ? accepted(text as IdempotencyKey)
    : broken('Format', 'must have 1 to 255 visible characters')
}
