import { hash } from 'node:crypto'
import { createKeyRing, createSessionKeys, type KeyRing } from '../adapters/keyring/index.js'
import type { LoadSecretSeal } from '../application/accounts/import-factor.js'
import type { Credentials } from '../application/shared-parts.js'
import { bytesOf, createByteCache } from '../application/byte-cache.js'
import { createTokenSigner, type Authenticated } from '../application/identity/token-signer.js'
import type { Claims } from '../domain/identity/claims.js'
import type { SecretSeal } from '../ports/second-factors.js'
import type { PublicKey, TokenFormat, TokenUse } from '../ports/tokens.js'
import type { Settings } from '../configuration/derived.js'

/** The credentials, and the keys that other programs use to verify tokens. */
export type KeyedCredentials = Credentials & {
  /** One public key for each verification key; empty if the format has only secret keys. */
  readonly publicKeys: readonly PublicKey[]
}

/**
 * The size of the token cache, which holds about 10,000 tokens. Stateless mode caches no sessions, so its token cache is larger and holds
 * about 20,000 tokens without roles.
 */
const CACHED_TOKEN_BYTES = { stateful: 4 * 1024 * 1024, stateless: 16 * 1024 * 1024 }
/** The size of a cache entry, without digest and claims. */
const ENTRY_BYTES = 150

/** Creates the credentials of a service. */
export async function createCredentials(
  {
    previousPassphrases: previous,
    tokenAlg: use,
    lifetimes,
    stateless,
  }: Pick<Settings, 'previousPassphrases' | 'tokenAlg' | 'lifetimes' | 'stateless'>,
  {
    passphrase: current,
    publicUrl: issuer,
    keyLogN: logN,
  }: {
    readonly passphrase: string
    readonly publicUrl: string
    /** Tests use a cheaper key derivation; see `KeyRingOptions`. */
    readonly keyLogN?: number
  },
): Promise<KeyedCredentials> {
  const [ring, createFormat, { createSecretSeal }, { createOneTimeCodes }] = await Promise.all([
    createKeyRing({ current, previous }, use, logN === undefined ? {} : { logN }),
    loadFormat(use),
    import('../adapters/jose/index.js'),
    import('../adapters/otpauth/one-time-codes.js'),
  ])
  const format = await createFormat({
    keys: ring.all.map(({ kid, tokenSecret }) => ({ kid, secret: tokenSecret })),
    currentKid: ring.current.kid,
  })
  return {
    tokens: createTokenSigner({
      format,
      issuer,
      lifetimes,
      stateless,
      authenticated: createTokenCache(stateless ? CACHED_TOKEN_BYTES.stateless : CACHED_TOKEN_BYTES.stateful),
    }),
    sessionKeys: createSessionKeys(ring),
    secretSeal: createSecretSeal(sealingKeys(ring)),
    oneTimeCodes: createOneTimeCodes({ issuer: new URL(issuer).hostname }),
    publicKeys: format.publicKeys,
  }
}

function sealingKeys({ all, current }: KeyRing) {
  return { keys: all.map(({ sealing }) => sealing), currentKid: current.sealing.kid }
}

/** Returns a function that derives the second-factor keys on its first call. */
export function secretSealLoader(
  { previousPassphrases: previous }: Pick<Settings, 'previousPassphrases'>,
  passphrase: () => string,
): LoadSecretSeal {
  let seal: Promise<SecretSeal> | undefined
  const load = async () => {
    const { createSecretSeal } = await import('../adapters/jose/index.js')
    return createSecretSeal(sealingKeys(await createKeyRing({ current: passphrase(), previous })))
  }
  return () => (seal ??= load())
}

/** The cache key is the token's digest, which needs a fifth of the token's memory. */
export function createTokenCache(limit: number): Authenticated {
  const tokens = createByteCache<string, { readonly claims: Claims; readonly bytes: number }>(limit)
  const digestOf = (token: string) => hash('sha256', token, 'base64url')
  return {
    get: (token) => tokens.get(digestOf(token))?.claims,
    set: (token, claims) => {
      const digest = digestOf(token)
      if (!tokens.admits(digest)) return
      tokens.set(digest, { claims, bytes: ENTRY_BYTES + bytesOf(digest) + bytesOf(claims) })
    },
  }
}

type Keys = {
  readonly keys: readonly { readonly kid: string; readonly secret: Uint8Array }[]
  readonly currentKid: string
}

async function loadFormat(use: TokenUse): Promise<(keys: Keys) => Promise<TokenFormat>> {
  if (use === 'v4.public') return (await import('../adapters/paseto/token-format.js')).createPasetoFormat
  const { createJoseFormat } = await import('../adapters/jose/index.js')
  return (keys) => createJoseFormat({ algorithm: use, ...keys })
}
