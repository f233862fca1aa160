export {
  createKeyRing,
  type DerivedKeys,
  type KeyRing,
  type KeyRingOptions,
  type TokenUse,
} from './key-ring.js'
export { createApiKeySecrets, createResetTokens, createSessionKeys } from './session-keys.js'
export { generatePassphrase, passphraseError, passphraseWarning, type PassphraseUse } from './passphrase.js'
