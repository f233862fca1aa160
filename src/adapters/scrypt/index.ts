export { defaultHashConcurrency, hashCostError } from './cost.js'
export { createScryptHasher } from './password-hasher.js'
export { boundVerifications } from './bounded-verifications.js'
export { createVerificationCache } from './verification-cache.js'
