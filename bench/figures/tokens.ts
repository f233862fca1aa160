import { jwtVerify, type CryptoKey } from 'jose'
import { PublicProtocol } from 'paseto'
import { PublicKeyFromCryptoKey, VerifyFactory } from 'paseto/v4/public'
import { createKeyRing } from '../../src/adapters/keyring/index.js'
import type { TokenUse } from '../../src/ports/token-format.js'
import { createJoseFormat } from '../../src/adapters/jose/index.js'
import { createPasetoFormat } from '../../src/adapters/paseto/index.js'
import { systemRandomness } from '../../src/adapters/system/index.js'
import { createTokenSigner } from '../../src/application/identity/token-signer.js'
import type { RoleKey } from '../../src/domain/access/role.js'
import type { AccountId, Epoch } from '../../src/domain/identity/account.js'
import type { CarriedLogin, Claims } from '../../src/domain/identity/claims.js'
import type { Email } from '../../src/domain/identity/email.js'
import type { SessionId } from '../../src/domain/identity/session.js'
import type { TokenFormat } from '../../src/ports/token-format.js'
import type { TokenSigner } from '../../src/ports/token-signer.js'
import { median, ratio, type Contestant, type Results } from '../alternate.js'
import { atLeast, thousands, type Claim as Goal, type Column, type Report, type Row } from '../report.js'
import type { Run } from '../run.js'

const ISSUER = 'https://kennel.example'
const PASSPHRASE = 'Bench-of-4 kennels & 12 hounds, all asleep'
const USES: readonly TokenUse[] = ['HS512', 'EdDSA', 'v4.public']
const LIFETIMES = { accessToken: 900_000, refreshToken: 604_800_000 }

/** Microseconds of one call, sequentially. */
type Cost = { readonly microseconds: number }

/** Size, signing, and verifying without a cache, compared with the plain library doing the same checks. */
export async function measureTokens(run: Run): Promise<Report> {
  const calls = run.quick ? 300 : 3_000
  const rows: Row[] = []
  const claims: Goal[] = []
  for (const use of USES) {
    const bench = await makeBench(use)
    const [signing, ours, plain] = await run.alternate(
      [
        timed('sign', calls, bench.sign),
        timed('verify', calls, bench.verify),
        timed('plain', calls, bench.plain),
      ],
      { usual: 7, quick: 3 },
    )
    if (!signing || !ours || !plain) throw new Error('three were measured')
    const quotient = ratio(plain, ours, ({ microseconds }) => microseconds)
    rows.push({ name: use, values: [...bench.sizes, ...[signing, ours, plain].map(micros), quotient] })
    claims.push(atLeast(`${use}: time of the plain library per time of ours to verify`, 0.9, quotient))
  }
  return {
    setting: `${thousands(calls)} calls one after the other in one process, nothing cached.`,
    columns: [
      ...['access, bytes', 'access, stateless', 'refresh, stateless'],
      ...['sign µs', 'verify µs', 'plain library µs'],
    ]
      .map((name): Column => ({ name, digits: 0 }))
      .concat({ name: 'plain per ours', digits: 2 }),
    rows,
    claims,
  }
}

function micros({ rounds }: Results<Cost>): number {
  return median(rounds.map(({ microseconds }) => microseconds))
}

function timed(name: string, calls: number, work: (index: number) => Promise<unknown>): Contestant<Cost> {
  return {
    name,
    round: async () => {
      const begun = performance.now()
      for (let index = 0; index < calls; index += 1) await work(index)
      return { microseconds: ((performance.now() - begun) * 1000) / calls }
    },
  }
}

async function makeBench(use: TokenUse) {
  const ring = await createKeyRing({ current: PASSPHRASE, previous: [] }, use)
  const keys = {
    keys: [{ kid: ring.current.kid, secret: ring.current.tokenSecret }],
    currentKid: ring.current.kid,
  }
  const format =
    use === 'v4.public' ? await createPasetoFormat(keys) : await createJoseFormat({ algorithm: use, ...keys })
  const common = { format, issuer: ISSUER, lifetimes: LIFETIMES }
  const [stateful, stateless] = [false, true].map((one) =>
    createTokenSigner({ ...common, stateless: one }),
  ) as [TokenSigner, TokenSigner]
  const now = Date.now()
  const sign = async (signer: TokenSigner, claims: Claims) =>
    (await signer.sign(claims, signer.currentKid)) ?? ''
  const token = await sign(stateful, claimsAt('access', now))
  const carrying = (kind: Claims['kind']) => sign(stateless, { ...claimsAt(kind, now), login: loginAt(now) })
  const sizes = [token, await carrying('access'), await carrying('refresh')].map(({ length }) => length)
  return {
    sizes,
    sign: () => sign(stateful, claimsAt('access', now)),
    verify: () => stateful.verify('access', token, now),
    plain: await plainCheck(use, format, { token, secret: ring.current.tokenSecret, now }),
  }
}

function claimsAt(kind: Claims['kind'], now: number): Claims {
  const issuedAt = Math.floor(now / 1000)
  const lifetime = kind === 'access' ? LIFETIMES.accessToken : LIFETIMES.refreshToken
  return {
    kind,
    subject: 123_456 as AccountId,
    sessionId: systemRandomness.base64url(16) as SessionId,
    tokenId: `${systemRandomness.base64url(16)}.${kind}`,
    issuedAt,
    expiresAt: issuedAt + lifetime / 1000,
  }
}

/** One role. */
function loginAt(now: number): CarriedLogin {
  return {
    email: 'ada@kennel.example' as Email,
    roles: [{ uuid: systemRandomness.uuid(), key: 'editor' as RoleKey, label: 'Editor' }],
    epoch: 1 as Epoch,
    endsAt: Math.floor(now / 1000) + 2_592_000,
  }
}

type Signed = { readonly token: string; readonly secret: Uint8Array; readonly now: number }

/** The code of a careful user of the library: every option that it has for these checks. */
async function plainCheck(use: TokenUse, format: TokenFormat, { token, secret, now }: Signed) {
  const currentDate = new Date(now)
  const audience = `${ISSUER}/access`
  const requiredClaims = ['sub', 'sid', 'jti', 'iat', 'nbf', 'exp']
  if (use === 'v4.public') {
    const v4 = new PublicProtocol(VerifyFactory)
    const key = await PublicKeyFromCryptoKey(await publicKeyOf(format))
    const options = {
      issuer: ISSUER,
      audience,
      requiredClaims,
      clockTolerance: 5,
      maxTokenAge: 900,
      now: currentDate,
    }
    return () => v4.Verify(key, token, options)
  }
  const key = use === 'EdDSA' ? await publicKeyOf(format) : await hmacKeyOf(secret)
  const options = {
    algorithms: [use],
    typ: 'at+jwt',
    issuer: ISSUER,
    audience,
    requiredClaims,
    clockTolerance: 5,
    maxTokenAge: 900,
    currentDate,
  }
  return () => jwtVerify(token, key, options)
}

function publicKeyOf({ publicKeys: [key] }: TokenFormat): Promise<CryptoKey> {
  if (!key) throw new Error('this format has public keys')
  const { kty, crv, x } = key
  return crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify'])
}

function hmacKeyOf(secret: Uint8Array): Promise<CryptoKey> {
  const hmac = { name: 'HMAC', hash: 'SHA-512' }
  return crypto.subtle.importKey('raw', Uint8Array.from(secret), hmac, false, ['verify'])
}
