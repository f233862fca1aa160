import type { AnyBulkWriteOperation, Collection, Filter } from 'mongodb'
import type { Role, RoleKey } from '../../domain/access/role.js'
import type { CounterName, RecordKind, RecordOf } from '../../ports/copyable-records.js'
import type { Database } from './database.js'
import {
  accountOf,
  documentOf,
  documentOfMailJob,
  documentOfSession,
  mailJobOf,
  NOT_REMOVED,
  petOf,
  PETS_BY_ID,
  recordOf,
  sessionOf,
  type AccountDocument,
  type MetaDocument,
  type PetDocument,
  type RemovedPetDocument,
} from './documents.js'
import { counterOf } from './writes.js'
import { passkeysOf } from './passkeys.js'
import { proofOf } from './proofs.js'
import { roleOf } from './roles.js'

export type StoredDocument = { _id: string | number }
type Operation = AnyBulkWriteOperation<StoredDocument>
type RolesOf = (keys: readonly RoleKey[]) => Role[]

/** Describes to `createCopyableRecords` how a collection stores records of one kind. */
export type RecordCollection<Kind extends RecordKind> = {
  readonly collection: Collection<StoredDocument>
  readonly only?: Filter<StoredDocument>
  /** Selects the documents of other kinds in the same collection; set only if there are few such documents. */
  readonly except?: Filter<StoredDocument>
  readonly sort: Readonly<Record<string, 1>>
  readonly after: (record: RecordOf[Kind]) => Filter<StoredDocument>
  readonly read: (document: StoredDocument) => RecordOf[Kind]
  readonly remove: (record: RecordOf[Kind]) => readonly Operation[]
  readonly put: (record: RecordOf[Kind], roles: RolesOf) => Operation
}

const REMOVED: Filter<StoredDocument> & { readonly removed: true } = { removed: true }
const COUNTERS = 'counter:'

export function recordCollections(database: Database): {
  readonly [Kind in RecordKind]: RecordCollection<Kind>
} {
  const { roles, accounts, proofs, sessions, revocations, pets, apiKeys, projects, mailJobs, auditRecords } =
    database
  return {
    role: byId(roles, roleOf, ({ key, ...rest }) => ({ _id: key, ...rest })),
    account: byId(accounts, accountRecordOf, ({ roles: keys, ...rest }, rolesOf) =>
      documentOf({ ...rest, roles: rolesOf(keys) }),
    ),
    proof: byId(proofs, proofOf, documentOf),
    session: byId(sessions, sessionOf, documentOfSession),
    revocation: byId(
      revocations,
      ({ _id, ...rest }) => ({ sessionId: _id, ...rest }),
      ({ sessionId, ...rest }) => ({ _id: sessionId, ...rest }),
    ),
    pet: {
      ...byId<'pet', PetDocument>(untyped(pets) as never, petOf, documentOf),
      ...{ only: NOT_REMOVED, except: REMOVED, sort: PETS_BY_ID },
    },
    idempotencyKey: idempotencyKeys(pets),
    apiKey: byId(
      apiKeys,
      ({ _id, roles: held, ...rest }) => ({ id: _id, ...rest, roles: held.map(({ key }) => key) }),
      ({ roles: keys, ...rest }, rolesOf) => documentOf({ ...rest, roles: rolesOf(keys) }),
    ),
    project: byId(projects, recordOf, documentOf),
    mailJob: byId(mailJobs, mailJobOf, documentOfMailJob),
    auditRecord: byId(auditRecords, recordOf, documentOf),
    counter: counters(database.meta),
  }
}

function byId<Kind extends RecordKind, Document extends StoredDocument>(
  collection: Collection<Document>,
  read: (document: Document) => RecordOf[Kind],
  write: (record: RecordOf[Kind], roles: RolesOf) => StoredDocument,
): RecordCollection<Kind> {
  const idOf = (record: RecordOf[Kind]) => write(record, () => [])._id
  return {
    collection: untyped(collection),
    sort: { _id: 1 },
    after: (record) => ({ _id: { $gt: idOf(record) } }),
    read: (document) => read(document as Document),
    remove: (record) => [{ deleteOne: { filter: { _id: idOf(record) } } }],
    put: (record, roles) => {
      const { _id, ...replacement } = write(record, roles)
      return { replaceOne: { filter: { _id }, replacement, upsert: true } }
    },
  }
}

function accountRecordOf(document: AccountDocument): RecordOf['account'] {
  const { factor } = document
  const passkeys = passkeysOf(document).map(({ accountId: _, ...passkey }) => passkey)
  const { roles, secondFactor: _, ...rest } = accountOf(document)
  return {
    ...rest,
    roles: roles.map(({ key }) => key),
    ...(factor && { factor: { ...factor, recovery: factor.recovery ?? [] } }),
    ...(passkeys.length > 0 && { passkeys }),
  }
}

function idempotencyKeys(pets: Database['pets']): RecordCollection<'idempotencyKey'> {
  return {
    collection: untyped(pets),
    only: { 'idempotency.key': { $exists: true } },
    sort: { 'idempotency.scope': 1, 'idempotency.key': 1 },
    after: ({ scope, key }) => ({
      'idempotency.scope': { $gte: scope },
      $or: [{ 'idempotency.scope': { $gt: scope } }, { 'idempotency.key': { $gt: key } }],
    }),
    read: (document) => {
      const { _id: petId, idempotency } = document as RemovedPetDocument
      const { scope, key, fingerprint, until } = idempotency
      return { scope, key, fingerprint, petId, until }
    },
    remove: ({ petId }) => [
      { deleteOne: { filter: { _id: petId, ...REMOVED } } },
      { updateOne: { filter: { _id: petId }, update: { $unset: { idempotency: true } } as object } },
    ],
    // Pets are copied before idempotency keys. If the pet of a key is missing, it has therefore been removed.
    put: ({ petId, ...idempotency }) => ({
      updateOne: {
        filter: { _id: petId },
        update: { $set: { idempotency }, $setOnInsert: REMOVED } as object,
        upsert: true,
      },
    }),
  }
}

function counters(meta: Database['meta']): RecordCollection<'counter'> {
  return {
    collection: untyped(meta),
    only: { _id: { $gte: COUNTERS, $lt: `${COUNTERS}~` } },
    sort: { _id: 1 },
    after: ({ name }) => ({ _id: { $gt: counterOf(name), $lt: `${COUNTERS}~` } }),
    read: (document) => {
      const { _id, value } = document as MetaDocument
      return { name: _id.slice(COUNTERS.length) as CounterName, last: value }
    },
    remove: ({ name }) => [{ deleteOne: { filter: { _id: counterOf(name) } } }],
    put: ({ name, last }) => ({
      updateOne: { filter: { _id: counterOf(name) }, update: { $max: { value: last } }, upsert: true },
    }),
  }
}

function untyped(collection: unknown): Collection<StoredDocument> {
  return collection as Collection<StoredDocument>
}
