export { defaultHashConcurrency, hashCostFault, type HashCost } from './cost.js'
export { type Kdf } from './kdf.js'
export { createScryptHasher, type ScryptHasherOptions } from './password-hasher.js'
export { rememberVerifications, type VerificationMemoryOptions } from './verification-memory.js'
