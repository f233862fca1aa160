import { combineStores } from 'kennel-id'
import { openSqlite } from 'kennel-id/sqlite'
import { accountsOf } from './accounts.js'
import { openDatabase, port } from './database.js'
import { proofsOf } from './proofs.js'
import { rolesOf } from './roles.js'
import { sessionsOf } from './sessions.js'

/** Keeps accounts, roles, sessions and email proofs in the users' database, and everything else in a separate file. */
export default async function openStore(users = 'users.db', rest = 'kennel.db') {
  const own = await openSqlite(rest)
  const database = openDatabase(users)
  const accounts = accountsOf(database)
  return combineStores(own, {
    accounts: port(database, accounts),
    roles: port(database, rolesOf(database)),
    sessions: port(database, sessionsOf(database, accounts)),
    proofs: port(database, proofsOf(database, accounts)),
    // These ports need roles and accounts, which Kennel's own file does not contain.
    apiKeys: undefined,
    revocations: undefined,
    secondFactors: undefined,
    passkeys: undefined,
    ready: async () => database.exec('SELECT 1 FROM users LIMIT 1'),
    close: async () => database.close(),
  })
}
