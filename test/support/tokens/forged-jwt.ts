import { createHmac } from 'node:crypto'
import { createJoseFormat } from '../../../src/adapters/jose/index.js'
import type { TokenKind } from '../../../src/domain/identity/claims.js'
import type { Bench } from './token-bench.js'
import { ed25519Key, signEd25519 } from './ed25519.js'

/** An attacker's tool that creates any JWT, even with our own key, without the package jose. */

const KEY = { kid: 'kid-current', secret: new Uint8Array(64).fill(1) }

const TYPES = { access: 'at+jwt', refresh: 'rt+jwt' }

export function base64url(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64url')
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return Buffer.from(text, 'utf8').toString('base64url')
}

/** Creates a token with this header and payload (objects or raw JSON text), validly signed with the key. */
export function forge(header: unknown, payload: unknown, key = KEY, hash = 'sha512'): string {
  const signed = `${base64url(header)}.${base64url(payload)}`
  return `${signed}.${createHmac(hash, key.secret).update(signed).digest('base64url')}`
}

/** Creates a token that is validly signed with an Ed25519 key; `secret` holds the PKCS #8 bytes of the key. */
function forgeEdDSA(header: unknown, payload: unknown, key: { readonly secret: Uint8Array }): string {
  const signed = `${base64url(header)}.${base64url(payload)}`
  return `${signed}.${base64url(signEd25519(Buffer.from(signed), key.secret))}`
}

const common = {
  part: 'header',
  misfit: 'signature verification failed',
  time: (seconds: number) => seconds,
} as const

export const hs512Bench: Bench = {
  ...common,
  name: 'HS512',
  key: KEY,
  oldKey: { kid: 'kid-old', secret: new Uint8Array(64).fill(2) },
  foreignKey: { kid: KEY.kid, secret: new Uint8Array(64).fill(3) },
  label: (kind: TokenKind, kid) => ({ alg: 'HS512', typ: TYPES[kind], kid }),
  forge: (header, payload, { kid, secret }) =>
    forge(header, payload, { kid, secret: new Uint8Array(secret) }),
  openFormat: async (ring) => await createJoseFormat({ algorithm: 'HS512', ...ring }),
}

export const eddsaBench: Bench = {
  ...common,
  name: 'EdDSA',
  key: ed25519Key('kid-current', 1),
  oldKey: ed25519Key('kid-old', 2),
  foreignKey: ed25519Key('kid-current', 3),
  label: (kind: TokenKind, kid) => ({ alg: 'EdDSA', typ: TYPES[kind], kid }),
  forge: forgeEdDSA,
  openFormat: async (ring) => await createJoseFormat({ algorithm: 'EdDSA', ...ring }),
}
