export { createKeyRing, type DerivedKeys, type KeyRing, type KeyRingOptions } from './key-ring.js'
export { createApiKeySecrets, createResetTokens, createSessionKeys } from './session-keys.js'
export { generatePassphrase, passphraseError, passphraseWarning, type PassphraseUse } from './passphrase.js'
export type { TokenUse } from '../../ports/token-format.js'
