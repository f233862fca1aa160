/** Entry point `kennel-id/sqlite`: the store in an SQLite file. */
export { openSqlite, type SqliteOptions } from './store.js'
