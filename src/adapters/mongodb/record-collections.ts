import type { AnyBulkWriteOperation, Collection, Filter } from 'mongodb'
import type { Role, RoleKey } from '../../domain/access/role.js'
import type { CounterName, RecordKind, RecordOf } from '../../ports/records.js'
import type { Database } from './database.js'
import {
  accountOf,
  auditRecordOf,
  documentOfAuditRecord,
  documentOfMailJob,
  documentOfSession,
  mailJobOf,
  NOT_REMOVED,
  petOf,
  PETS_BY_ID,
  projectOf,
  sessionOf,
  type AccountDocument,
  type ApiKeyDocument,
  type AuditDocument,
  type MailDocument,
  type MetaDocument,
  type PetDocument,
  type ProjectDocument,
  type RemovedPetDocument,
  type RevocationDocument,
  type RoleDocument,
  type SessionDocument,
} from './documents.js'
import { counterOf } from './ids.js'
import { resetTokensOf } from './password-resets.js'
import { roleOf } from './role-table.js'

/** A document of any collection of ours. */
export type StoredDocument = { _id: string | number }
type CommandContext = AnyBulkWriteOperation<StoredDocument>

/** How records of a kind lie in a collection. */
export type RecordCollection<Kind extends RecordKind> = {
  readonly collection: Collection<StoredDocument>
  /** Which documents of the collection are of the kind, beyond all. */
  readonly only?: Filter<StoredDocument>
  /** Which of them are few, and no records of the kind. */
  readonly butFor?: Filter<StoredDocument>
  /** What orders the records; its index serves them. */
  readonly sort: Readonly<Record<string, 1>>
  /** Documents after this record. */
  readonly after: (record: RecordOf[Kind]) => Filter<StoredDocument>
  readonly read: (document: StoredDocument) => RecordOf[Kind]
  readonly remove: (record: RecordOf[Kind]) => readonly CommandContext[]
  readonly put: (record: RecordOf[Kind], roles: (keys: readonly RoleKey[]) => Role[]) => CommandContext
}

type Collections = { readonly [Kind in RecordKind]: RecordCollection<Kind> }

const COUNTERS = 'counter:'

export function recordCollections(database: Database): Collections {
  return {
    ...peoplesCollections(database),
    ...petCollections(database),
    ...otherCollections(database),
  }
}

function peoplesCollections({
  roles,
  accounts,
  sessions,
  revocations,
  apiKeys,
}: Database): Pick<Collections, 'role' | 'account' | 'session' | 'revocation' | 'apiKey'> {
  return {
    role: {
      collection: untyped(roles),
      sort: { _id: 1 },
      after: ({ key }) => ({ _id: { $gt: key } }),
      read: (document) => roleOf(document as RoleDocument),
      remove: ({ key }) => [removing(key)],
      put: ({ key, ...rest }) => replacing(key, rest),
    },
    account: {
      collection: untyped(accounts),
      ...BY_ID,
      read: (document) => accountRecordOf(document as AccountDocument),
      put: ({ id, roles: keys, ...rest }, rolesOf) => replacing(id, { ...rest, roles: rolesOf(keys) }),
    },
    session: {
      collection: untyped(sessions),
      ...BY_ID,
      read: (document) => sessionOf(document as SessionDocument),
      put: (session) => {
        const { _id, ...rest } = documentOfSession(session)
        return replacing(_id, rest)
      },
    },
    revocation: {
      collection: untyped(revocations),
      sort: { _id: 1 },
      after: ({ sessionId }) => ({ _id: { $gt: sessionId } }),
      read: (document) => {
        const { _id, ...rest } = document as RevocationDocument
        return { sessionId: _id, ...rest }
      },
      remove: ({ sessionId }) => [removing(sessionId)],
      put: ({ sessionId, ...rest }) => replacing(sessionId, rest),
    },
    apiKey: {
      collection: untyped(apiKeys),
      ...BY_ID,
      read: (document) => {
        const { _id, roles: held, ...rest } = document as ApiKeyDocument
        return { id: _id, ...rest, roles: held.map((one) => one.key) }
      },
      put: ({ id, roles: keys, ...rest }, rolesOf) => replacing(id, { ...rest, roles: rolesOf(keys) }),
    },
  }
}

function accountRecordOf(document: AccountDocument): RecordOf['account'] {
  const resets = resetTokensOf(document)
  const { factor } = document
  const { roles, secondFactor: _, ...rest } = accountOf(document)
  return {
    ...rest,
    roles: roles.map((one) => one.key),
    ...(resets.length > 0 && { resets }),
    ...(factor && { factor: { ...factor, recovery: factor.recovery ?? [] } }),
  }
}

function petCollections({ pets }: Database): Pick<Collections, 'pet' | 'idempotencyKey'> {
  return {
    pet: {
      collection: untyped(pets),
      only: NOT_REMOVED,
      butFor: REMOVED,
      ...BY_ID,
      sort: PETS_BY_ID,
      read: (document) => petOf(document as PetDocument),
      put: ({ id, ...rest }) => replacing(id, rest),
    },
    idempotencyKey: {
      collection: untyped(pets),
      only: { 'idempotency.key': { $exists: true } },
      sort: { 'idempotency.scope': 1, 'idempotency.key': 1 },
      after: ({ scope, key }) => ({
        'idempotency.scope': { $gte: scope },
        $or: [{ 'idempotency.scope': { $gt: scope } }, { 'idempotency.key': { $gt: key } }],
      }),
      read: (document) => {
        const { _id, idempotency } = document as PetDocument | RemovedPetDocument
        if (!idempotency) throw new Error('a pet without a key')
        const { scope, key, fingerprint, until } = idempotency
        return { scope, key, fingerprint, petId: _id, until }
      },
      remove: ({ petId }) => [
        { deleteOne: { filter: { _id: petId, ...REMOVED } } },
        { updateOne: { filter: { _id: petId }, update: { $unset: { idempotency: true } } as object } },
      ],
      // Pets come first: one that is not there was removed.
      put: ({ petId, ...idempotency }) => ({
        updateOne: {
          filter: { _id: petId },
          update: { $set: { idempotency }, $setOnInsert: REMOVED } as object,
          upsert: true,
        },
      }),
    },
  }
}

const REMOVED: Filter<StoredDocument> & { readonly removed: true } = { removed: true }

function otherCollections({
  projects,
  mailJobs,
  auditRecords,
  meta,
}: Database): Pick<Collections, 'project' | 'mailJob' | 'auditRecord' | 'counter'> {
  return {
    project: {
      collection: untyped(projects),
      ...BY_ID,
      read: (document) => projectOf(document as ProjectDocument),
      put: ({ id, ...rest }) => replacing(id, rest),
    },
    mailJob: {
      collection: untyped(mailJobs),
      ...BY_ID,
      read: (document) => mailJobOf(document as MailDocument),
      put: (job) => {
        const { _id, ...rest } = documentOfMailJob(job)
        return replacing(_id, rest)
      },
    },
    auditRecord: {
      collection: untyped(auditRecords),
      ...BY_ID,
      read: (document) => auditRecordOf(document as AuditDocument),
      put: (record) => {
        const { _id, ...rest } = documentOfAuditRecord(record)
        return replacing(_id, rest)
      },
    },
    counter: counterCollection(meta),
  }
}

const BY_ID = {
  sort: { _id: 1 },
  after: ({ id }: { readonly id: string | number }) => ({ _id: { $gt: id } }),
  remove: ({ id }: { readonly id: string | number }) => [removing(id)],
} as const

/** The driver's types know one collection's documents only. */
function untyped(collection: unknown): Collection<StoredDocument> {
  return collection as Collection<StoredDocument>
}

/** Under its id, whatever is there. */
function replacing(_id: string | number, replacement: object): CommandContext {
  return { replaceOne: { filter: { _id }, replacement, upsert: true } }
}

function removing(_id: string | number): CommandContext {
  return { deleteOne: { filter: { _id } } }
}

function counterCollection(meta: Database['meta']): RecordCollection<'counter'> {
  return {
    collection: untyped(meta),
    only: { _id: { $gte: COUNTERS, $lt: `${COUNTERS}~` } },
    sort: { _id: 1 },
    after: ({ name }) => ({ _id: { $gt: counterOf(name), $lt: `${COUNTERS}~` } }),
    read: (document) => {
      const { _id, value } = document as MetaDocument
      return { name: _id.slice(COUNTERS.length) as CounterName, last: value }
    },
    remove: ({ name }) => [removing(counterOf(name))],
    put: ({ name, last }) => ({
      updateOne: {
        filter: { _id: counterOf(name) },
        update: { $max: { value: last } },
        upsert: true,
      },
    }),
  }
}
