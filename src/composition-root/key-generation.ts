import { generatePassphrase } from '../adapters/keyring/passphrase.js'
import { systemRandomness } from '../adapters/system/index.js'

/** A passphrase that passes the check, with 256 bit of the system's randomness. */
export function generate(): string {
  return generatePassphrase(systemRandomness)
}
