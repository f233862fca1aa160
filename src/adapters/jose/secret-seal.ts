import { compactDecrypt, CompactEncrypt, decodeProtectedHeader } from 'jose'
import type { FactorSecret, SealedSecret } from '../../domain/identity/second-factor.js'
import type { OpenedSecret, SecretSeal } from '../../ports/second-factors.js'

const [ALG, ENC] = ['dir', 'A256GCM'] as const
const KEY_BYTES = 32

type SealingKey = {
  readonly kid: string
  readonly secret: Uint8Array
}

/**
 * Encrypts secrets as compact JWE (RFC 7516) with AES-256-GCM. The authenticated header contains the key ID and the account (`sub`), so one
 * account's secret cannot be decrypted for another account. Throws a RangeError if the key ring is invalid.
 */
export function createSecretSeal(options: {
  readonly keys: readonly SealingKey[]
  readonly currentKid: string
}): SecretSeal {
  const keys = new Map(options.keys.map(({ kid, secret }) => [kid, secret]))
  const { currentKid } = options
  const current = keys.get(currentKid)
  if (!current) throw new RangeError('no sealing key matches the current kid')
  if ([...keys.values()].some(({ length }) => length !== KEY_BYTES))
    throw new RangeError(`a sealing key needs ${KEY_BYTES} bytes`)

  async function openSecret(sealed: string, sub: string): Promise<OpenedSecret | undefined> {
    const { kid } = decodeProtectedHeader(sealed)
    const key = kid === undefined ? undefined : keys.get(kid)
    if (!key) return undefined
    const options = { keyManagementAlgorithms: [ALG], contentEncryptionAlgorithms: [ENC] }
    const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, options)
    if (protectedHeader['sub'] !== sub) return undefined
    return { secret: new TextDecoder().decode(plaintext) as FactorSecret, isCurrent: kid === currentKid }
  }

  return {
    async seal(secret, account) {
      const header = { alg: ALG, enc: ENC, kid: currentKid, sub: String(account) }
      const sealing = new CompactEncrypt(new TextEncoder().encode(secret)).setProtectedHeader(header)
      return (await sealing.encrypt(current)) as SealedSecret
    },
    async open(sealed, account) {
      try {
        return await openSecret(sealed, String(account))
      } catch {
        return undefined
      }
    },
  }
}
