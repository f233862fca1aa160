import type { Caller } from '../../domain/access/caller.js'
import type { RoleKey } from '../../domain/access/role.js'
import { shownEmail } from '../../domain/identity/account.js'
import { email as emailRule, enteredEmail, type Email } from '../../domain/identity/email.js'
import {
  CODE_ALGORITHMS,
  CODE_DIGITS,
  CODE_PERIODS,
  factorSecret,
  type FactorSecret,
} from '../../domain/identity/second-factor.js'
import type { Instant } from '../../domain/instant.js'
import { accepted } from '../../domain/parsed.js'
import { defined } from '../../domain/plain-data.js'
import type { AccountInsertion, NewAccount } from '../../ports/accounts.js'
import { noRoom } from '../access/role-room.js'
import { givenRoles, unknownRole } from '../access/roles.js'
import { within, type Limited } from '../access/within.js'
import { choice, fields, flag, listOf, optional, parseFields, text, type ReadBy } from '../fields.js'
import { operation } from '../operation.js'
import type { GivenShared } from '../shared-parts.js'
import {
  addImportedFactor,
  disabledUntilFactor,
  factorParts,
  isUnfinishedImport,
  type ImportFactorParts,
} from './import-factor.js'
import { knownHash } from './passwords.js'

export const importedUser = fields({
  email: text,
  passwordHash: optional(text),
  roles: optional(listOf(text)),
  disabled: optional(flag),
  totp: optional(
    fields({
      secret: text,
      algorithm: optional(choice(CODE_ALGORITHMS)),
      digits: optional(choice(CODE_DIGITS)),
      period: optional(choice(CODE_PERIODS)),
    }),
  ),
})

/** An account to import from another system. An account without a `passwordHash` cannot log in until a password is set. */
export type ImportedUser = ReadBy<typeof importedUser>

/**
 * Imports one account: keeps its hash and writes the account and its roles in one atomic write. An account with `totp` stays disabled until
 * its second factor is active; if the import is interrupted, a repeated import completes the account. Resolves with `unchanged` if the
 * email already has an account, so the same import can be repeated. Creates nothing if it refuses the call:
 * - `forbidden`: roles are given without the permission `user-task: role`;
 * - `invalid`: the email or a role key is malformed, the hash is unknown or too costly, the roles do not fit into a token, the secret is
 *   not base32, or the store has no second factors;
 * - `not-found`: a role is not in the role table.
 */
export type ImportUser = (user: ImportedUser) => Promise<'saved' | 'unchanged'>

/**
 * Imports accounts after the store of a service has opened and before the service handles its first request. Returns how many accounts were
 * created and how many already existed. Rejects with an `OperatorError` if the service must not start.
 */
export type ImportAtStart = (
  importUsers: (input: { readonly caller: Caller }) => ImportUser,
) => Promise<{ readonly saved: number; readonly unchanged: number }>

type InsertionParts = ImportFactorParts & GivenShared<['roleRoom']>

export type ImportUsersParts = InsertionParts &
  GivenShared<['hasher', 'authorize', 'assertWithin', 'audit', 'roles'], ['roles']>

/**
 * Begins an import; the returned function may be called concurrently for many users. With `dryRun`, the function gives the same results,
 * but changes nothing.
 */
export const importUsers = operation({
  permission: ['user', 'import'],
  input: fields({ within, dryRun: optional(flag) }),
  parts: [
    ...(['accounts', 'secondFactors', 'loadSecretSeal', 'hasher', 'assertWithin'] as const),
    ...(['audit', 'clock', 'roleRoom', 'roles'] as const),
  ],
  optional: ['secondFactors', 'roles'],
  synchronous: true,
  run:
    (parts: ImportUsersParts) =>
    ({ caller, within, dryRun }): ImportUser => {
      const inTurn = createTurns()
      let onRecord: Promise<void> | undefined
      if (dryRun) {
        const rehearse = rehearsal(parts)
        return async (user) => await rehearse(accountOf(user, { caller, within }, parts))
      }
      return async (user) => {
        const { account, secret } = accountOf(user, { caller, within }, parts)
        const insert = () => insertImported(parts, account, secret)
        const result = resultOf(await inTurn(account.email, insert))
        // Writes one audit record for the whole import, if any account was created.
        if (result === 'saved') await (onRecord ??= parts.audit.record({ event: 'user.import', caller }))
        return result
      }
    },
})

type Turns = { open: number; current?: Promise<unknown> | undefined; isWon: boolean }

/**
 * The first successful insertion of an email wins, even if the store runs insertions concurrently. Until an insertion has succeeded,
 * insertions of the same email run one after another; afterwards they run concurrently, because all of them have the same result.
 */
function createTurns() {
  const all = new Map<Email, Turns>()
  return async (email: Email, insert: () => Promise<Insertion>): Promise<Insertion> => {
    const turns = all.get(email) ?? { open: 0, isWon: false }
    all.set(email, turns)
    turns.open += 1
    try {
      // If an insertion fails, the waiting insertions of the same email also fail, so that retries keep their order.
      while (turns.current && !turns.isWon) await turns.current
      return await insertedIn(turns, insert())
    } finally {
      turns.open -= 1
      if (turns.open === 0) all.delete(email)
    }
  }
}

type Insertion = AccountInsertion | typeof NO_ROOM
const NO_ROOM = { kind: 'no-room' } as const

function rehearsal(parts: ImportUsersParts) {
  const { accounts, roleRoom, roles: table } = parts
  let known: Promise<ReadonlySet<RoleKey>> | undefined
  const knownRoles = async () => new Set((await table?.list())?.map(({ key }) => key))
  return async ({ account, secret }: ReadUser): Promise<'saved' | 'unchanged'> => {
    const { email, roles = [] } = account
    if (secret !== undefined) await factorParts(parts)
    const found = await accounts.findByEmail(email)
    if (found) return secret !== undefined && isUnfinishedImport(found) ? 'saved' : 'unchanged'
    if ((await roleRoom?.(shownEmail(account), roles)) === false) throw noRoom()
    const keys = roles.length === 0 ? undefined : await (known ??= knownRoles())
    const unknown = roles.find((role) => !keys?.has(role))
    if (unknown !== undefined) throw unknownRole(unknown)
    return 'saved'
  }
}

/** Loads the seal first, because an account must not be inserted if its second factor cannot be stored. */
export async function insertImported(
  parts: InsertionParts,
  account: NewAccount,
  secret: FactorSecret | undefined,
): Promise<Insertion> {
  if (secret === undefined) return await insertAccount(parts, account)
  const forFactor = await factorParts(parts)
  const insertion = await insertAccount(parts, account)
  if (insertion.kind === 'no-room') return insertion
  return await addImportedFactor(forFactor, { account, secret }, insertion)
}

/** Returns `duplicate-email` for a known email regardless of the roles, so that an import can be repeated. */
async function insertAccount(
  { accounts, roleRoom }: InsertionParts,
  account: NewAccount,
): Promise<Insertion> {
  if (!roleRoom || (await roleRoom(shownEmail(account), account.roles ?? [])))
    return await accounts.insert(account)
  return (await accounts.findByEmail(account.email)) ? { kind: 'duplicate-email' } : NO_ROOM
}

async function insertedIn(turns: Turns, insertion: Promise<Insertion>): Promise<Insertion> {
  turns.current = insertion
  try {
    const outcome = await insertion
    if (outcome.kind === 'inserted' || outcome.kind === 'duplicate-email') turns.isWon = true
    return outcome
  } finally {
    turns.current = undefined
  }
}

function resultOf(insertion: Insertion): 'saved' | 'unchanged' {
  if (insertion.kind === 'no-room') throw noRoom()
  if (insertion.kind === 'unknown-role') throw unknownRole(insertion.role)
  return insertion.kind === 'inserted' ? 'saved' : 'unchanged'
}

type ReadUser = { readonly account: NewAccount; readonly secret: FactorSecret | undefined }

function accountOf(user: ImportedUser, call: Limited, parts: ImportUsersParts): ReadUser {
  const { hasher, clock } = parts
  const roles = givenRoles(parts, call, user.roles ?? [])
  const {
    email: address,
    passwordHash,
    totp: secret,
  } = parseFields({
    email: emailRule(user.email),
    totp: user.totp === undefined ? accepted(undefined) : factorSecret(user.totp),
    passwordHash:
      user.passwordHash === undefined ? accepted(undefined) : knownHash(hasher, user.passwordHash),
  })
  // A spread would create objects that outlive V8's young generation, so a large import would need 50% more memory.
  const account: NewAccount =
    passwordHash === undefined
      ? { email: address, roles, createdAt: clock() }
      : { email: address, passwordHash, roles, createdAt: clock() }
  const entered = enteredEmail(user.email)
  const disabledAt = disabledAtOf(user, account)
  if (entered === address && disabledAt === undefined) return { account, secret }
  const enteredForm = entered !== address && { enteredEmail: entered }
  return { account: { ...account, ...enteredForm, ...defined({ disabledAt }) }, secret }
}

/**
 * For an account without a factor, `disabledAt` is later than `createdAt`, because equal times mean that the account waits for approval
 * (see `approveUser`).
 */
function disabledAtOf(
  { totp, disabled = false }: ImportedUser,
  { createdAt }: NewAccount,
): Instant | undefined {
  if (totp !== undefined) return disabledUntilFactor(createdAt, disabled)
  return disabled ? createdAt + 1 : undefined
}
