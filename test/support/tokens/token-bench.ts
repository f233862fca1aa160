import { LRUCache } from 'lru-cache'
import { createTokenSigner } from '../../../src/application/identity/token-signer.js'
import type { RoleKey } from '../../../src/domain/access/role.js'
import type { AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { CarriedLogin, ClaimedActor, Claims, TokenKind } from '../../../src/domain/identity/claims.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { JsonObject } from '../../../src/domain/identity/json-object.js'
import type { SessionId } from '../../../src/domain/identity/session.js'
import type { TokenFormat, TokenSigner, Verification } from '../../../src/ports/tokens.js'

export const ISSUER = 'https://kennel.example'
export const ISSUED = 1_900_000_000
export const NOW = (ISSUED + 60) * 1000

/** The maximum length of a token according to decision 3.4: 8 kB. */
export const LONGEST = 8192

const LIFETIMES = { access: 900, refresh: 604_800 } as const

export type ForgingKey = { readonly kid: string; readonly secret: Uint8Array }

export type Ring = { readonly keys: readonly ForgingKey[]; readonly currentKid: string }

/** An attacker's tool for one format. It creates any token, even with our own keys, and uses neither our code nor the format's library. */
export type Bench = {
  readonly name: 'HS512' | 'EdDSA' | 'v4.public'
  /** The part of the tokens that contains their type and key ID. */
  readonly part: 'header' | 'footer'
  /** The log detail for an invalid signature. */
  readonly misfit: string
  /** The expected log detail if the library itself checks the types of the registered claims. */
  readonly mistyped?: string
  readonly key: ForgingKey
  readonly oldKey: ForgingKey
  readonly foreignKey: ForgingKey
  /** The header or footer of a valid token. */
  label(kind: TokenKind, kid: string): JsonObject
  time(seconds: number): number | string
  /** Signs objects, raw JSON text or bytes with this key. */
  forge(label: unknown, payload: unknown, key: ForgingKey): string
  openFormat(ring: Ring): Promise<TokenFormat>
}

/** Whether sessions are stored; otherwise the tokens contain the login. */
export type Mode = { readonly name: 'stateful' | 'stateless'; readonly login?: CarriedLogin }

const LOGIN: CarriedLogin = {
  email: 'ada@kennel.example' as Email,
  roles: [
    { uuid: '0b6b7a52-0b7c-4d5e-9a4f-000000000001', key: 'admin' as RoleKey, label: 'Administrator' },
    { uuid: '0b6b7a52-0b7c-4d5e-9a4f-000000000002', key: 'editor' as RoleKey, label: 'Éditeur «ß»' },
  ],
  epoch: 3 as Epoch,
  endsAt: ISSUED + 2_592_000,
}

export const STATEFUL: Mode = { name: 'stateful' }
export const STATELESS: Mode = { name: 'stateless', login: LOGIN }
export const MODES: readonly Mode[] = [STATEFUL, STATELESS]

export function claimsOf(kind: TokenKind, { login }: Mode): Claims {
  return {
    kind,
    subject: 42 as AccountId,
    sessionId: 'session-1' as SessionId,
    tokenId: 'pair-1',
    issuedAt: ISSUED,
    expiresAt: ISSUED + LIFETIMES[kind],
    ...(login && { login }),
  }
}

/**
 * An administrator who acts as the account in the claims; separate from the claims, because few tokens have an actor.
 */
export function actorOf({ login }: Mode): ClaimedActor {
  const actor = { accountId: 7 as AccountId, email: 'boss@kennel.example' as Email }
  return login ? { ...actor, login: { epoch: 5 as Epoch, endsAt: ISSUED + 2_000_000 } } : actor
}

/** The payload for the claims above, written by hand in the specified order. */
export function payloadOf(bench: Bench, kind: TokenKind, { login }: Mode): JsonObject {
  return {
    iss: ISSUER,
    aud: `${ISSUER}/${kind}`,
    sub: '42',
    sid: 'session-1',
    jti: 'pair-1',
    iat: bench.time(ISSUED),
    nbf: bench.time(ISSUED),
    exp: bench.time(ISSUED + LIFETIMES[kind]),
    ...(login && {
      email: login.email,
      roles: login.roles,
      epoch: login.epoch,
      session_exp: login.endsAt,
    }),
  }
}

/** The payload for this actor, in the specified order. */
export function actOf({ login }: Mode): JsonObject {
  const act = { sub: '7', email: 'boss@kennel.example' }
  return login ? { ...act, epoch: 5, session_exp: ISSUED + 2_000_000 } : act
}

/** A valid access token with changed members in its payload, validly signed with our key. */
export function withPayload(bench: Bench, mode: Mode, change: JsonObject = {}): string {
  return bench.forge(
    bench.label('access', bench.key.kid),
    { ...payloadOf(bench, 'access', mode), ...change },
    bench.key,
  )
}

/** A valid access token with changed members in its header or footer, validly signed with our key. */
export function withLabel(bench: Bench, mode: Mode, change: JsonObject): string {
  const label = { ...bench.label('access', bench.key.kid), ...change }
  return bench.forge(label, payloadOf(bench, 'access', mode), bench.key)
}

export function without(members: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([key]) => key !== name))
}

export type SignerOptions = {
  readonly mode?: Mode
  readonly ring?: Ring
  readonly remembered?: number
}

export async function openSigner(bench: Bench, options: SignerOptions = {}): Promise<TokenSigner> {
  const { ring = ringOf(bench) } = options
  return signerOf(await bench.openFormat(ring), options)
}

export function signerOf(format: TokenFormat, options: Omit<SignerOptions, 'ring'> = {}): TokenSigner {
  const { mode = STATEFUL, remembered = 100 } = options
  return createTokenSigner({
    format,
    issuer: ISSUER,
    lifetimes: { accessToken: LIFETIMES.access * 1000, refreshToken: LIFETIMES.refresh * 1000 },
    stateless: mode === STATELESS,
    ...(remembered > 0 && { authenticated: new LRUCache<string, Claims>({ max: remembered }) }),
  })
}

export function ringOf({ key, oldKey }: Bench): Ring {
  return { keys: [key, oldKey], currentKid: key.kid }
}

/** Signs a token with these claims; throws if the key ring does not contain the key. */
export async function signedBy(
  signer: TokenSigner,
  claims: Claims,
  kid = signer.currentKid,
): Promise<string> {
  const token = await signer.sign(claims, kid)
  if (token === undefined) throw new Error('the ring has no such key')
  return token
}

export function detailOf(verification: Verification): string {
  return verification.kind === 'invalid' ? verification.detail : `not invalid but ${verification.kind}`
}
