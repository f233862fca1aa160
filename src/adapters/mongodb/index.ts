export type { MongoOptions } from './options.js'
export { openMongo } from './store.js'
