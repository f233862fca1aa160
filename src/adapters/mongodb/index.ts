export { openMongo } from './open-mongo.js'
export type { MongoOptions } from './store.js'
