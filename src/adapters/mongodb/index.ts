/** Entry point `kennel-id/mongodb`: the store in a MongoDB database. */
export type { MongoOptions } from './database.js'
export { openMongo } from './store.js'
