import { createAccounts } from '../../src/adapters/sqlite/accounts.js'
import { createApiKeys } from '../../src/adapters/sqlite/api-keys.js'
import type { Database } from '../../src/adapters/sqlite/database.js'
import type { Connection } from '../../src/adapters/sqlite/driver.js'
import { createPets } from '../../src/adapters/sqlite/pets.js'
import { createSessions } from '../../src/adapters/sqlite/sessions.js'
import type { ApiKeyDigest, ApiKeyId } from '../../src/domain/access/api-key.js'
import type { RoleKey } from '../../src/domain/access/role.js'
import type { PetId, Age } from '../../src/domain/catalogue/pet.js'
import type { Account } from '../../src/domain/identity/account.js'
import type { PasswordHash } from '../../src/domain/identity/password.js'
import type { SessionId } from '../../src/domain/identity/session.js'
import type { PageLimit } from '../../src/domain/page-limit.js'
import type { Store } from '../../src/ports/store.js'
import { account, generation, NOON, pet, role, session } from './several-processes/samples.js'

/** A change to cached rows; the number selects the account, the session, the pet or the API key. */
export type StoreChange = readonly [name: string, pick: number]

/** Changes the file, either through a store, or with `sqlite3` as an operator would. */
type Writer = { readonly store: Store; readonly sql: Pick<Connection, 'exec'> }

const [NAMES, GENERATIONS, KEYS, PETS] = [8, 4, 3, 12]
const EMAILS = ['ann@example.org', 'bob@example.org', 'eve@example.org']
const EDITOR = 'editor' as RoleKey

const sessionName = (pick: number) => `s${pick % NAMES}` as SessionId
const emailOf = (pick: number) => EMAILS[pick % EMAILS.length] ?? ''
const keyDigest = (pick: number) => `digest ${pick % KEYS}` as ApiKeyDigest
const petId = (pick: number) => ((pick % PETS) + 1) as PetId

async function accountOf({ store }: Writer, pick: number): Promise<Account | undefined> {
  return await store.accounts.findByEmail(account(emailOf(pick)).email)
}

/** Creates the account with a role unless it exists; enables it in either case. */
async function usableAccount(writer: Writer, pick: number): Promise<Account | undefined> {
  const { accounts } = writer.store
  await accounts.insert({ ...account(emailOf(pick)), roles: [EDITOR] })
  const found = await accountOf(writer, pick)
  if (found) await accounts.setDisabled(found.id, undefined)
  return found
}

/** Reopens half of the sessions with their previous IDs and keys. */
async function open(writer: Writer, pick: number, hasActor = false): Promise<void> {
  const { sessions } = writer.store
  const [owner, other] = [await usableAccount(writer, pick), await usableAccount(writer, pick + 1)]
  if (!owner || !other) return
  for (let name = pick; name < pick + NAMES / 2; name += 1) {
    await sessions.end(sessionName(name))
    const { endsAt, ...opened } = { ...session(sessionName(name), owner.id), epoch: owner.epoch }
    const actor = { accountId: other.id, email: other.email, epoch: other.epoch, endsAt }
    await sessions.open({ ...opened, endsAt, ...(hasActor && { actor }) })
  }
}

async function logIn({ store }: Writer, pick: number): Promise<void> {
  const name = sessionName(pick)
  const [owner] = await store.accounts.page(undefined, 1)
  if (!owner || (await store.sessions.findById(name, NOON))) return
  await store.sessions.end(name)
  await store.sessions.open({ ...session(name, owner.id), epoch: owner.epoch })
}

async function rotate({ store }: Writer, pick: number): Promise<void> {
  const id = sessionName(pick)
  const active = await store.sessions.findById(id, NOON)
  if (!active || active.session.current.number === GENERATIONS) return
  const { number, pairId, keyDigest } = active.session.current
  const next = generation(id, number + 1)
  await store.sessions.rotate({ sessionId: id, from: pairId, keyDigest, next, at: NOON, grace: 10_000 })
}

const OPERATOR = [
  "UPDATE roles SET label = 'Label ' || (random() % 100)",
  'DELETE FROM memberships',
  'UPDATE accounts SET disabled_at = NULL',
  'INSERT OR REPLACE INTO accounts (email, epoch, created_at) SELECT email, 1, created_at FROM accounts LIMIT 1',
  "UPDATE OR REPLACE accounts SET email = 'ann@example.org' WHERE email = 'bob@example.org'",
  'UPDATE api_keys SET revoked_at = NULL',
  "UPDATE pets SET tag = 'tag ' || (random() % 100) WHERE id % 3 = 1",
  'UPDATE sessions SET ends_at = ends_at - 1 WHERE rowid % 2 = 1',
  'DELETE FROM row_changes',
  'BEGIN; DELETE FROM memberships; DELETE FROM sessions; ROLLBACK',
  "INSERT OR IGNORE INTO api_key_roles SELECT id, 'editor' FROM api_keys",
  'DELETE FROM api_key_roles WHERE api_key_id = 1',
]

type Act = (writer: Writer, pick: number) => Promise<unknown>

function withAccount(act: (store: Store, account: Account) => Promise<unknown>): Act {
  return async (writer, pick) => {
    const found = await accountOf(writer, pick)
    if (found) await act(writer.store, found)
  }
}

const ACTS: Readonly<Record<string, Act>> = {
  open: (writer, pick) => open(writer, pick),
  openWithActor: (writer, pick) => open(writer, pick, true),
  rotate,
  logIn,
  logInAndOut: withAccount(async ({ sessions }, { id, epoch }) => {
    const login = { ...session(`login ${process.pid}`, id), epoch }
    await sessions.open(login)
    await sessions.end(login.id)
  }),
  end: ({ store }, pick) => store.sessions.end(sessionName(pick)),
  endAllOf: withAccount((store, { id }) => store.sessions.endAllOf(id)),
  setPassword: withAccount((store, { id }) => store.accounts.setPassword(id, 'another hash' as PasswordHash)),
  setDisabled: withAccount((store, { id, disabledAt }) =>
    store.accounts.setDisabled(id, disabledAt === undefined ? NOON : undefined),
  ),
  changeRole: withAccount((store, { email, roles }) =>
    store.roles[roles.length === 0 ? 'assign' : 'unassign'](email, EDITOR),
  ),
  removeAccount: withAccount((store, { id }) => store.accounts.remove(id)),
  insertAccount: ({ store }, pick) => store.accounts.insert({ ...account(emailOf(pick)), roles: [EDITOR] }),
  insertAccountWithoutRole: ({ store }, pick) => store.accounts.insert(account(emailOf(pick))),
  insertKey: async ({ store, sql }, pick) => {
    sql.exec(`DELETE FROM api_keys WHERE digest = '${keyDigest(pick)}'`)
    const roles = pick % 2 === 0 ? [EDITOR] : []
    const createdBy = (await accountOf({ store, sql }, pick))?.id ?? 'cli'
    await store.apiKeys.insert({ name: 'ci', digest: keyDigest(pick), roles, createdAt: NOON, createdBy })
  },
  revokeKeysOf: withAccount((store, { id }) => store.apiKeys.revokeAllOf(id, NOON)),
  revokeKey: async ({ store }, pick) => {
    const found = await store.apiKeys.find(keyDigest(pick), NOON)
    if (found) await store.apiKeys.revoke(found.id, NOON)
  },
  useKey: ({ store }, pick) => store.apiKeys.recordUse((pick % KEYS) as ApiKeyId, NOON + pick),
  insertPet: ({ store }, pick) => store.pets.insert(pet(`pet ${pick}`)),
  patchPet: ({ store }, pick) => store.pets.patch(petId(pick), { kind: 'cat', age: (pick % 30) as Age }),
  removePet: ({ store }, pick) => store.pets.remove(petId(pick)),
  sql: async ({ sql }, pick) => sql.exec(OPERATOR[pick % OPERATOR.length] ?? ''),
}

export const CHANGE_NAMES = Object.keys(ACTS)

/** Changes that may add one row but change no existing row. */
export const ADDING_CHANGES = ['logIn', 'insertAccountWithoutRole', 'insertKey']

/** Random changes that depend only on the seed; the generator comes from Numerical Recipes. */
export function storeChanges(seed: number, rounds: number): readonly StoreChange[] {
  let state = seed
  const below = (limit: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.floor((state / 2 ** 32) * limit)
  }
  return Array.from({ length: rounds }, () => [CHANGE_NAMES[below(CHANGE_NAMES.length)] ?? '', below(1_000)])
}

export async function makeChange(writer: Writer, [name, pick]: StoreChange): Promise<void> {
  await ACTS[name]?.(writer, pick)
}

export async function fillStore(writer: Writer): Promise<void> {
  await writer.store.roles.insert(role(EDITOR))
  const act = async (name: string) => await makeChange(writer, [name, 0])
  for (const [index] of EMAILS.entries()) await makeChange(writer, ['insertAccount', index])
  for (const index of [0, NAMES / 2]) await makeChange(writer, ['open', index])
  for (let index = 0; index < KEYS; index += 1) await makeChange(writer, ['insertKey', index])
  for (let index = 0; index < PETS / 2; index += 1) await act('insertPet')
}

export type CachedPorts = Pick<Store, 'accounts' | 'sessions' | 'apiKeys' | 'pets'>

export function uncachedPorts(database: Database): CachedPorts {
  const uncached: Database = { ...database, rowCaches: { cache: () => (_, read) => read() } }
  const [accounts, sessions] = [createAccounts(uncached), createSessions(uncached)]
  return { accounts, sessions, apiKeys: createApiKeys(uncached), pets: createPets(uncached) }
}

/** Reads through the ports everything that the changes can affect. */
export async function readEverything(ports: CachedPorts): Promise<readonly unknown[]> {
  const { accounts, sessions, apiKeys, pets } = ports
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
  const digests = numbers(NAMES).flatMap((name) =>
    numbers(GENERATIONS).map((number) => generation(sessionName(name), number + 1).keyDigest),
  )
  return await Promise.all([
    ...digests.map((digest) => sessions.find(digest, NOON)),
    ...EMAILS.map((email) => accounts.findByEmail(account(email).email)),
    ...numbers(KEYS).map((pick) => apiKeys.find(keyDigest(pick), NOON)),
    ...numbers(PETS).map((pick) => pets.find(petId(pick))),
    pets.page(undefined, 3 as PageLimit),
    pets.page(3 as PetId, 1_000 as PageLimit),
  ])
}

/** Returns how many of the results are active sessions; a comparison without active sessions would prove nothing. */
export function sessionsAmong(answers: readonly unknown[]): number {
  return answers.filter((one) => typeof one === 'object' && one !== null && 'session' in one).length
}
