/**
 * The store's state, in plain arrays that can be written as JSON. Every lookup scans an array, which is fast
 * enough for a few thousand rows; a faster store
 * has an index for each `find`.
 *
 * @typedef {import('kennel-id').Account} Account
 * @typedef {import('kennel-id/ports').Idempotency} Idempotency
 * @typedef {import('kennel-id/ports').RecordOf} RecordOf
 *
 * @typedef {object} State
 * @property {{ accounts: number, apiKeys: number, pets: number, projects: number }} lastIds
 *   The last used id of each kind; an id is never used again, even after its row was removed.
 * @property {Mutable<RecordOf['account']>[]} accounts
 * @property {RecordOf['role'][]} roles
 * @property {Mutable<RecordOf['session']>[]} sessions
 * @property {RecordOf['revocation'][]} revocations
 * @property {Mutable<RecordOf['pet']>[]} pets
 * @property {RecordOf['idempotencyKey'][]} idempotencyKeys
 * @property {Mutable<RecordOf['apiKey']>[]} apiKeys
 * @property {Mutable<RecordOf['project']>[]} projects
 * @property {{ name: string, count: number, until: number }[]} attempts
 * @property {{ job: RecordOf['mailJob'], dueAt: number, claimedUntil: number }[]} mails
 * @property {RecordOf['auditRecord'][]} audit
 * @property {Mutable<RecordOf['proof']>[]} proofs
 */

/**
 * @template Row
 * @typedef {{ -readonly [Name in keyof Row]: Row[Name] }} Mutable
 */

/**
 * A port with synchronous calls. No other call runs in between, so each call is atomic without a lock: only one of
 * 16 concurrent callers
 * finds the email free.
 *
 * @template Port
 * @typedef {{ [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Answer>
 *   ? (...args: Args) => Answer : never }} SyncPort
 */

/** @returns {State} */
export function emptyState() {
  return {
    lastIds: { accounts: 0, apiKeys: 0, pets: 0, projects: 0 },
    accounts: [],
    roles: [],
    sessions: [],
    revocations: [],
    pets: [],
    idempotencyKeys: [],
    apiKeys: [],
    projects: [],
    attempts: [],
    mails: [],
    audit: [],
    proofs: [],
  }
}

/**
 * @param {State} state
 * @param {keyof State['lastIds']} kind
 * @returns {any} The result is `any`, because each kind of ID has a branded type.
 */
export function nextId({ lastIds }, kind) {
  lastIds[kind] += 1
  return lastIds[kind]
}

/**
 * Compares by code unit, because the result of `localeCompare` depends on the machine.
 *
 * @param {string | number} left
 * @param {string | number} right
 */
export function compare(left, right) {
  if (left === right) return 0
  return left < right ? -1 : 1
}

/**
 * Returns the roles with these keys, each only once, as accounts and API keys contain them; removed roles are left out.
 *
 * @param {State} state
 * @param {readonly string[]} keys
 */
export function rolesOf({ roles }, keys) {
  return roles.filter(({ key }) => keys.includes(key)).sort((one, other) => compare(one.key, other.key))
}

/**
 * Returns the first of these keys that does not belong to a role.
 *
 * @param {State} state
 * @param {readonly import('kennel-id').RoleKey[]} keys
 */
export function unknownRole({ roles }, keys) {
  return keys.find((wanted) => !roles.some(({ key }) => key === wanted))
}

/**
 * Returns the account in this row, with full roles instead of role keys, and with the time at which a second
 * factor became active.
 *
 * @param {State} state
 * @param {State['accounts'][number]} row
 * @returns {Account}
 */
export function accountFrom(state, row) {
  const account = { ...row, roles: rolesOf(state, row.roles) }
  delete account.factor
  delete account.passkeys
  const secondFactor = row.factor?.activeSince
  return secondFactor === undefined ? account : { ...account, secondFactor }
}

/**
 * A login is active while its account is enabled and still has the epoch in which the login began.
 *
 * @param {State} state
 * @param {{ readonly accountId: number, readonly epoch: number }} login
 */
export function activeAccount({ accounts }, { accountId, epoch }) {
  const account = accounts.find(({ id }) => id === accountId)
  return account && account.disabledAt === undefined && account.epoch === epoch ? account : undefined
}

/**
 * Every session contains its epoch, so this single write ends all sessions of the account. The rows of the
 * sessions are also removed.
 *
 * @param {State} state
 * @param {State['accounts'][number]} account
 */
export function bumpEpoch({ sessions }, account) {
  account.epoch = /** @type {Account['epoch']} */ (account.epoch + 1)
  takeOut(sessions, ({ accountId }) => accountId === account.id, Infinity)
}

/**
 * Removes at most `limit` matching rows and returns how many it removed.
 *
 * @template Row
 * @param {Row[]} rows
 * @param {(row: Row) => boolean} isOver
 * @param {number} limit
 */
export function takeOut(rows, isOver, limit) {
  let count = 0
  for (let place = 0; place < rows.length && count < limit;) {
    if (isOver(/** @type {Row} */ (rows[place]))) count += rows.splice(place, 1).length
    else place += 1
  }
  return count
}

/**
 * Returns the rows in the given order; the input must be ordered from the oldest to the newest.
 *
 * @template Row
 * @param {readonly Row[]} rows
 * @param {import('kennel-id/ports').PageOrder | undefined} order
 */
export function inOrder(rows, order) {
  return order === 'newest-first' ? rows.toReversed() : rows
}
