export { createKeyRing, type KeyRing } from './key-ring.js'
export { createApiKeySecrets, createResetTokens, createSessionKeys } from './session-keys.js'
export { generatePassphrase, passphraseError, passphraseWarning } from './passphrase.js'
