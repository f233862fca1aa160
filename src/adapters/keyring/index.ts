export { createKeyRing, type DerivedKeys, type KeyRing, type TokenUse } from './key-ring.js'
export { createApiKeySecrets, createResetTokens, createSessionKeys } from './session-keys.js'
export { generatePassphrase, passphraseFault, passphraseWarning } from './passphrase.js'
