export { systemClock } from './clock.js'
export { systemRandomness } from './randomness.js'
export { systemDigest } from './digest.js'
