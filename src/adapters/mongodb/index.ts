/** Entry point `kennel-id/mongodb`: the store in a MongoDB database. */
export type { MongoOptions } from './options.js'
export { openMongo } from './store.js'
