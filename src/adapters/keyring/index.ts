/** Entry point `kennel-id/keyring`: keys, session keys and tokens derived from a passphrase. */
export { createKeyRing, type KeyRing } from './key-ring.js'
export { createApiKeySecrets, createProofSecrets, createSessionKeys } from './key-ring.js'
export { generatePassphrase, passphraseError, passphraseWarning } from './passphrase.js'
