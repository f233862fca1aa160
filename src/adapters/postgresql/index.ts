/** Entry point `kennel-id/postgresql`: the store in a schema of a PostgreSQL database. */
export type { PostgresOptions } from './options.js'
export { openPostgres, type PostgresStore } from './store.js'
