export { systemClock } from './clock.js'
export { systemRandomness } from './randomness.js'
