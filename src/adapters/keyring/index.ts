export { createKeyRing, type DerivedKeys, type KeyRing } from './key-ring.js'
export { API_KEY_PREFIX, createApiKeySecrets, createSessionKeys } from './session-keys.js'
export { generatePassphrase, passphraseFault, passphraseWarning } from './passphrase.js'
