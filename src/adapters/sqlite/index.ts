export { openSqlite, type SqliteOptions } from './store.js'
