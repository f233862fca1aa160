import type { PasswordHash } from '../../domain/identity/password.js'
import { accepted, broken, type Parsed } from '../../domain/parsed.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'

/** A hash that was made elsewhere, where the hasher can verify it. */
export function knownHash(hasher: PasswordHasher, text: string): Parsed<PasswordHash> {
  const recognised = hasher.recognise(text)
  switch (recognised.kind) {
    case 'hash':
      return accepted(recognised.hash)
    case 'too-costly':
      return broken('NotValid', `would cost too much to verify: ${recognised.limit}`)
    case 'unknown':
      return broken('Format', 'is not a hash of a known format')
  }
}
