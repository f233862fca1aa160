import { decoded, decodedDigest, withinLimits, type ReadHash } from './imported-hash.js'
import { inThread } from './hash-thread.js'
import type { Argon2Variant } from './in-thread/hash-task.js'

const FORMAT =
  /^\$(?<variant>argon2(?:id|i|d))\$v=19\$m=(?<m>\d{1,10}),t=(?<t>\d{1,10}),p=(?<p>\d{1,10})\$(?<salt>[^$]+)\$(?<digest>[^$]+)$/u

/** Minimum length in bytes (RFC 9106, 3.1). */
const SALT_MIN = 8

/**
 * Reads a hash of Argon2id, Argon2i or Argon2d in the PHC string format, such as `$argon2id$v=19$m=65536,t=3,p=4$salt$digest`; `m` is in
 * KiB. The older version 16 is not supported, because neither Node nor hash-wasm computes it.
 */
export function readArgon2(text: string): ReadHash {
  const { variant, m, t, p, salt: encoded, digest } = FORMAT.exec(text)?.groups ?? {}
  const salt = decoded(encoded)
  const expected = decodedDigest(digest)
  if (!isVariant(variant) || !salt || salt.length < SALT_MIN || !expected) return undefined
  const [memory, passes, lanes] = [Number(m), Number(t), Number(p)]
  return withinLimits(
    variant,
    // Each lane needs at least 8 KiB (RFC 9106, 3.1).
    { m: [8 * lanes, memory, 262_144], t: [1, passes, 10], p: [1, lanes, 16] },
    {
      text,
      expected,
      derive: (password) =>
        inThread({ kind: 'argon2', variant, password, salt, memory, passes, lanes, length: expected.length }),
    },
  )
}

function isVariant(text: string | undefined): text is Argon2Variant {
  return text === 'argon2id' || text === 'argon2i' || text === 'argon2d'
}
