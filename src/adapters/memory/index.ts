/** Entry point `kennel-id/memory`: the store in memory. */
export { createMemoryStore } from './store.js'
