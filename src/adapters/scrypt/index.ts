export { defaultHashConcurrency, hashCostError } from './cost.js'
export { createScryptHasher } from './password-hasher.js'
export { boundVerifications } from './hash-pool.js'
export { createVerificationCache } from './verification-cache.js'
