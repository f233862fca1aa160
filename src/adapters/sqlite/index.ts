/** Entry point `kennel-id/sqlite`: the store in a SQLite file. */
export { openSqlite, type SqliteOptions } from './store.js'
