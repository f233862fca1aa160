export { defaultHashConcurrency, hashCostFault, type HashCost } from './cost.js'
export { type Kdf } from './kdf.js'
export { createScryptHasher } from './password-hasher.js'
export { rememberVerifications } from './verification-memory.js'
