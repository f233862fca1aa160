export { openMongo, type MongoOptions } from './store.js'
