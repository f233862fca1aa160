import { openKennel } from 'kennel-id'
import { openDatabase } from './database.js'
import openStore from './store.js'

// A user of your program, with a string ID and a bcrypt hash.
const database = openDatabase('users.db')
database
  .prepare('INSERT OR IGNORE INTO users (id, email, name, password_hash, created_at) VALUES (?, ?, ?, ?, ?)')
  .run(
    'usr_01HZX3',
    'ada@example.com',
    'Ada',
    '$2b$04$uTyVkt6wahKxm62OQxFRPOierJDI0aWC6Cg.2mRmKOeZrOTi2r1qm',
    Date.now(),
  )

const store = await openStore('users.db', 'kennel.db')
const kennel = await openKennel({
  store,
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: 'http://127.0.0.1:3000',
  production: false,
  loginLimit: '10/15m',
})
const { identity } = await kennel.login({
  email: 'ada@example.com',
  password: process.env.PASSWORD ?? '',
  presented: {},
})

// Find the row of your table that belongs to Kennel's account ID.
const user = database
  .prepare('SELECT users.* FROM users JOIN kennel_accounts ON user_id = users.id WHERE account_id = ?')
  .get(identity.accountId)
console.log(`${user.id} (${user.name}) is account ${identity.accountId}`)

await kennel.close()
await store.close()
database.close()
