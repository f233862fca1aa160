import type { ApiKey } from '../../domain/access/api-key.js'
import type { Pet, PetPage } from '../../domain/catalogue/pet.js'
import type { AccountId } from '../../domain/identity/account.js'
import type { Instant } from '../../domain/instant.js'
import type { Project, ProjectPage } from '../../domain/project/project.js'
import type { Store, StorePort } from '../store.js'
import {
  answers,
  HOW_MANY,
  kinds,
  LIST,
  maybe,
  race,
  read,
  TRUE_OR_FALSE,
  UNCHECKED,
  words,
  write,
  type CallsOf,
} from './call.js'
import {
  accountWith,
  LOGIN_ROTATION,
  ROTATION,
  SESSION_OF_ID,
  SESSION_OF_KEY,
  FACTOR,
  ID_OR_SPENT,
  PASSKEY,
  PROOF_OF_BINDING,
  PROOF_OF_DIGEST,
  PROOF_OF_ID,
} from './identity.js'
import * as is from './shapes.js'

const PET = maybe('the pet with this id', (answer, _, [id]) => is.asked(id, (answer as Pet).id, 'id'))

type WithNumericId = { readonly id: number }

const existing = (plural: string) =>
  answers(`the existing ${plural} among the requested ones, in ascending order`, (answer, member, [ids]) => {
    const found = answer as readonly WithNumericId[]
    const wanted = new Set(ids as readonly number[])
    const isExpected = ({ id }: WithNumericId, at: number) => wanted.has(id) && id > (found[at - 1]?.id ?? 0)
    return (
      is.array(answer, member) ??
      is.flawUnless(found.every(isExpected), 'id', 'was not requested, or is not in ascending order')
    )
  })

/** Implements `findMany` by calling `find` for each ID. */
const findEach =
  <Id extends number, T>(port: { find(id: Id): Promise<T | undefined> }) =>
  async (ids: readonly Id[]): Promise<readonly T[]> => {
    const ascending = [...new Set(ids)].sort((one, other) => one - other)
    const found = await Promise.all(ascending.map((id) => port.find(id)))
    return found.filter((one) => one !== undefined)
  }

/** A limit high enough to return all API keys in one page. */
const ALL = 2 ** 31 - 1

/** Implements `revokeAllOf` by calling `revoke` for each key of the account. */
const revokeEach =
  (port: RequiredCalls<'apiKeys'>) =>
  async (accountId: AccountId, at: Instant): Promise<void> => {
    const own = (await port.page(undefined, ALL)).filter(({ createdBy }) => createdBy === accountId)
    await Promise.all(own.map(({ id }) => port.revoke(id, at)))
  }

const PET_PAGE = answers('a page of pets that does not exceed the limit', (answer, _, [, limit]) =>
  is.page((answer as PetPage).pets, limit, 'pets'),
)

/** The owner is also checked, because a result with another account's project would leak that account's data to this user. */
const PROJECT = maybe('the project with this id, created by this account', (answer, _, [id, createdBy]) => {
  const project = answer as Project
  return is.asked(id, project.id, 'id') ?? is.asked(createdBy, project.createdBy, 'createdBy')
})

const PROJECT_PAGE = answers(
  'at most `limit` projects of this account',
  (answer, _, [createdBy, , limit]) => {
    const { projects } = answer as ProjectPage
    const isOwn = (one: Project) => one.createdBy === createdBy
    return (
      is.page(projects, limit, 'projects') ??
      is.flawUnless(projects.every(isOwn), 'projects', 'contains projects of another account')
    )
  },
)

const API_KEY = maybe('a key that is neither revoked nor expired, with its roles', (answer, _, [, at]) => {
  const { id, roles, revokedAt, expiresAt } = answer as ApiKey
  return (
    is.positive(id, 'id') ??
    is.array(roles, 'roles') ??
    is.absent(revokedAt, 'revokedAt') ??
    (expiresAt === undefined ? undefined : is.after(at, expiresAt, 'expiresAt'))
  )
})

const ATTEMPT = answers(
  'either taken (with the attempt) or refused (with the time until which attempts are refused)',
  (answer) => {
    const { kind, attempt, until } = answer as Readonly<Record<string, unknown>>
    if (kind === 'taken') return is.object(attempt, 'attempt')
    return (
      is.flawUnless(kind === 'refused', 'kind', 'is neither taken nor refused') ?? is.number(until, 'until')
    )
  },
)

const JOB = maybe('a job', { id: is.text })
const NEW_PROJECT = answers('the project', { id: is.positive })
const EPOCH = maybe('the new epoch', is.positive)
const HOW_MANY_SESSIONS = maybe('the number of sessions', is.count)
const STRING = answers('a string', is.text)

/** The calls that a custom store may omit, by port; the table below has a `fallback` for each of them. */
export type OptionalCalls = {
  readonly accounts: 'findMany'
  readonly pets: 'findMany'
  readonly apiKeys: 'revokeAllOf'
}

/** A port of the store without its optional calls. */
export type RequiredCalls<Port extends StorePort> = Omit<
  NonNullable<Store[Port]>,
  Port extends keyof OptionalCalls ? OptionalCalls[Port] : never
>

type StoreCalls = {
  readonly [Port in StorePort]: CallsOf<
    NonNullable<Store[Port]>,
    Port extends keyof OptionalCalls ? OptionalCalls[Port] : never
  >
}

/**
 * All calls of all ports of a store. The following are derived from this table: the checks of a custom store and of its results, metering,
 * and fault injection in tests. docs/contribute/new-port-call.md describes how to add a call.
 */
export const STORE_CALLS: StoreCalls = {
  accounts: {
    insert: race(kinds('inserted', 'duplicate-email', 'unknown-role'), 'account'),
    findByEmail: read(accountWith('email'), 'email', 'former'),
    find: read(accountWith('id'), 'id'),
    findMany: { ...read(existing('accounts'), 'ids'), fallback: findEach },
    page: read(LIST, 'after', 'limit', 'order'),
    search: read(LIST, 'search'),
    replaceHash: race(words('replaced', 'changed'), 'id', 'expected', 'next'),
    setPassword: write(words('set', 'unknown'), 'id', 'hash'),
    changePassword: race(EPOCH, 'change'),
    changeEmail: race(words('changed', 'email-taken', 'unknown'), 'change'),
    setDisabled: write(words('set', 'unchanged', 'unknown'), 'id', 'at', 'since'),
    remove: race(words('removed', 'unknown'), 'id', 'epoch'),
  },
  sessions: {
    open: write(UNCHECKED, 'session'),
    openWithLimit: race(HOW_MANY, 'session', 'max'),
    find: read(SESSION_OF_KEY, 'keyDigest', 'at'),
    findById: read(SESSION_OF_ID, 'id', 'at'),
    pageOf: read(LIST, 'request'),
    rotate: race(ROTATION, 'request'),
    end: race(words('ended', 'unknown'), 'id'),
    endOne: race(words('ended', 'unknown'), 'accountId', 'id'),
    endOthers: race(HOW_MANY, 'accountId', 'keep', 'at'),
    endAllOf: write(HOW_MANY_SESSIONS, 'accountId'),
    purge: write(HOW_MANY, 'at', 'limit', 'signal'),
  },
  pets: {
    insert: race(kinds('inserted', 'repeated', 'key-reused'), 'draft', 'idempotency'),
    find: read(PET, 'id'),
    findMany: { ...read(existing('pets'), 'ids'), fallback: findEach },
    page: read(PET_PAGE, 'after', 'limit'),
    patch: race(kinds('patched', 'stale', 'unknown'), 'id', 'change', 'expected'),
    remove: race(words('removed', 'stale', 'unknown'), 'id', 'expected'),
    purgeIdempotencyKeys: write(HOW_MANY, 'at', 'limit'),
  },
  roles: {
    insert: race(words('inserted', 'duplicate-key'), 'role'),
    list: read(LIST),
    remove: race(words('removed', 'held', 'unknown'), 'key', 'at'),
    assign: race(words('assigned', 'already-assigned', 'unknown-account', 'unknown-role'), 'email', 'key'),
    unassign: race(words('unassigned', 'not-assigned', 'unknown-account', 'unknown-role'), 'email', 'key'),
  },
  apiKeys: {
    insert: write(kinds('inserted', 'unknown-role'), 'key'),
    find: read(API_KEY, 'digest', 'at'),
    page: read(LIST, 'after', 'limit'),
    recordUse: write(UNCHECKED, 'id', 'at'),
    revoke: race(words('revoked', 'already-revoked', 'unknown'), 'id', 'at'),
    revokeAllOf: { ...write(UNCHECKED, 'accountId', 'at'), fallback: revokeEach },
  },
  projects: {
    insert: write(NEW_PROJECT, 'draft', 'createdBy', 'createdAt'),
    find: read(PROJECT, 'id', 'createdBy'),
    page: read(PROJECT_PAGE, 'createdBy', 'after', 'limit'),
    close: race(PROJECT, 'id', 'createdBy', 'at'),
  },
  revocations: {
    isRevoked: read(TRUE_OR_FALSE, 'login', 'at'),
    rotate: race(LOGIN_ROTATION, 'request'),
    revoke: race(words('revoked', 'unchanged'), 'sessionId', 'until'),
    purge: write(HOW_MANY, 'at', 'limit'),
  },
  attempts: {
    take: race(ATTEMPT, 'counts', 'at'),
    refund: write(UNCHECKED, 'attempt'),
    clear: write(UNCHECKED, 'names'),
    purge: write(HOW_MANY, 'at', 'limit'),
  },
  audit: {
    append: write(UNCHECKED, 'record'),
    page: read(LIST, 'request'),
    forget: write(HOW_MANY, 'accountId'),
    purge: write(HOW_MANY, 'before', 'limit'),
  },
  mailQueue: {
    enqueue: write(words('queued', 'full'), 'job', 'max'),
    claim: race(JOB, 'at', 'until'),
    waiting: read(LIST, 'after', 'at', 'limit'),
    discard: race(LIST, 'ids', 'at'),
    listTo: read(LIST, 'email'),
    removeTo: write(HOW_MANY, 'email'),
    remove: write(UNCHECKED, 'claim'),
    postpone: write(UNCHECKED, 'claim', 'dueAt'),
  },
  secondFactors: {
    begin: write(words('begun', 'active', 'unknown-account'), 'id', 'pending'),
    activate: race(words('activated', 'changed'), 'id', 'activation'),
    find: read(FACTOR, 'id'),
    takeStep: race(words('taken', 'spent'), 'id', 'taken'),
    takeRecovery: race(words('taken', 'unknown'), 'id', 'digest'),
    renewRecovery: race(words('renewed', 'spent'), 'id', 'renewal'),
    reseal: race(words('resealed', 'changed'), 'id', 'before', 'next'),
    remove: race(words('removed', 'unknown'), 'id'),
  },
  passkeys: {
    add: race(words('added', 'taken', 'full', 'changed'), 'passkey', 'epoch'),
    find: read(PASSKEY, 'id'),
    listOf: read(LIST, 'accountId'),
    use: race(words('used', 'rewound', 'unknown'), 'id', 'use'),
    rename: write(words('renamed', 'unknown'), 'accountId', 'id', 'name'),
    remove: race(words('removed', 'last-way', 'unknown'), 'accountId', 'id'),
  },
  proofs: {
    issue: write(UNCHECKED, 'proof'),
    renew: race(PROOF_OF_ID, 'renewal'),
    find: read(PROOF_OF_DIGEST, 'use'),
    attempt: race(PROOF_OF_BINDING, 'binding', 'at'),
    consume: race(words('consumed', 'spent'), 'use'),
    createAccount: race(kinds('created', 'email-taken', 'unknown-role', 'spent'), 'proven'),
    changeEmail: race(words('changed', 'email-taken', 'spent'), 'use', 'undo'),
    undoEmail: race(words('changed', 'email-taken', 'spent'), 'use'),
    resetPassword: race(ID_OR_SPENT, 'use', 'hash'),
    get: read(PROOF_OF_ID, 'id'),
    page: read(LIST, 'purpose', 'after', 'limit'),
    listOf: read(LIST, 'accountId'),
    remove: race(words('removed', 'unknown'), 'id', 'at'),
    purge: write(HOW_MANY, 'at', 'limit'),
  },
  copyableRecords: {
    identity: read(STRING),
    changeToken: read(STRING),
    count: read(HOW_MANY, 'kind'),
    page: read(LIST, 'kind', 'after', 'limit'),
    put: write(words('put', 'contradicted'), 'kind', 'records'),
    remove: write(UNCHECKED, 'kind', 'records'),
    claim: race(words('begun', 'resumed', 'complete', 'occupied', 'same'), 'source'),
    complete: write(UNCHECKED, 'source'),
  },
}

/** The names of all ports of a store; not every store has `copyableRecords`. */
export const STORE_PORTS = Object.keys(STORE_CALLS) as readonly StorePort[]
