import { createPasetoFormat } from '../../../src/adapters/paseto/token-format.js'
import type { TokenKind } from '../../../src/domain/identity/claims.js'
import type { Bench, ForgingKey } from './token-bench.js'
import { ed25519Key, signEd25519 } from './ed25519.js'

/** An attacker's tool that creates any PASETO that Ed25519 can sign, without the PASETO library. */

const TYPES = { access: 'at+paseto', refresh: 'rt+paseto' }

export const REFUSED = 'refused by paseto: ERR_PASETO_INVALID_TOKEN'
export const REFUSED_CLAIM = 'refused by paseto: ERR_PASETO_CLAIM_VALIDATION'

type Parts = {
  readonly payload: unknown
  /** There is no footer if this is undefined. */
  readonly footer?: unknown
  readonly key: Pick<ForgingKey, 'secret'>
  /** `v4.public.` by default; the signature also covers this header. */
  readonly header?: string
  /**
   * The implicit assertion, which is signed but not part of the token. Empty in our tokens; `null` for version 2, which has no assertion.
   */
  readonly implicit?: string | null
}

export function forgePaseto({ payload, footer, key, header = 'v4.public.', implicit = '' }: Parts): string {
  const message = bytesOf(payload)
  const foot = footer === undefined ? Buffer.alloc(0) : bytesOf(footer)
  const pieces = [Buffer.from(header), message, foot]
  if (implicit !== null) pieces.push(Buffer.from(implicit))
  const body = Buffer.concat([message, signEd25519(authenticated(pieces), key.secret)])
  return header + body.toString('base64url') + (footer === undefined ? '' : `.${foot.toString('base64url')}`)
}

export const pasetoBench: Bench = {
  name: 'v4.public',
  part: 'footer',
  misfit: REFUSED,
  mistyped: REFUSED_CLAIM,
  key: ed25519Key('kid-current', 1),
  oldKey: ed25519Key('kid-old', 2),
  foreignKey: ed25519Key('kid-current', 3),
  label: (kind: TokenKind, kid) => ({ typ: TYPES[kind], kid }),
  time: (seconds) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`,
  forge: (footer, payload, key) => forgePaseto({ payload, footer, key }),
  openFormat: async (ring) => await createPasetoFormat(ring),
}

/** The pre-authentication encoding: the number of pieces, and then each piece, preceded by its length. */
function authenticated(pieces: readonly Uint8Array[]): Buffer {
  return Buffer.concat([count(pieces.length), ...pieces.flatMap((piece) => [count(piece.length), piece])])
}

function count(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function bytesOf(value: unknown): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value)
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value), 'utf8')
}
