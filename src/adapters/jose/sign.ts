import { createHmac, createSecretKey } from 'node:crypto'
import { CompactSign, type CryptoKey } from 'jose'
import type { Header } from './header.js'

/** Makes the compact JWS (RFC 7515, 7.1) of a header and of a payload as text, the members in the order in which they are. */
export type Sign = (header: Header, payload: string) => string | Promise<string>

/**
 * HMAC with SHA-512 on this thread: it takes microseconds, and to wake a thread of the pool for it, as Web Crypto and so
 * jose do, ten times as long (docs/decisions/0042). The bytes are those that jose writes.
 */
export function hs512Signer(secret: Uint8Array): Sign {
  const key = createSecretKey(secret)
  return (header, payload) => {
    const signed = `${base64url(JSON.stringify(header))}.${base64url(payload)}`
    return `${signed}.${createHmac('sha512', key).update(signed).digest('base64url')}`
  }
}

/** Ed25519 by jose. */
export function ed25519Signer(key: CryptoKey): Sign {
  const encoder = new TextEncoder()
  return (header, payload) =>
    new CompactSign(encoder.encode(payload)).setProtectedHeader({ ...header }).sign(key)
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
