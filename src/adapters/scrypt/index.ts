/** Entry point `kennel-id/scrypt`: the password hasher and its limits. */
export { defaultHashConcurrency, hashCostError } from './cost.js'
export { createScryptHasher } from './password-hasher.js'
export { boundVerifications } from './hash-pool.js'
export { createVerificationCache } from './verification-cache.js'
