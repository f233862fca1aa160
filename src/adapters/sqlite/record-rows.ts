import type { ApiKeyDigest } from '../../domain/access/api-key.js'
import type { RoleKey } from '../../domain/access/role.js'
import type { PetId } from '../../domain/catalogue/pet.js'
import type { SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { CounterName, RecordKind } from '../../ports/records.js'
import { account } from './account-record.js'
import { API_KEY_COLUMNS, apiKeyOf, type ApiKeyRow } from './api-keys.js'
import { auditRecord, mailJob } from './mail-and-audit-rows.js'
import { PET_COLUMNS, petOf, type PetRow } from './pets.js'
import { PROJECT_COLUMNS, projectOf, type ProjectRow } from './projects.js'
import { upsert, type RecordTable } from './record-table.js'
import { LOGIN_COLUMNS, loginOf, loginValues, PUT_LOGIN, type LoginRow } from './revocations.js'
import { SESSION_COLUMNS, sessionOf, sessionValues, STORED_COLUMNS, type SessionRow } from './session-rows.js'

const role: RecordTable<'role'> = {
  source: 'roles',
  columns: 'key, uuid, label',
  key: ['key'],
  keyOf: ({ key }) => [key],
  read: (row) => {
    const [key, uuid, label] = row as readonly [RoleKey, string, string]
    return { uuid, key, label }
  },
  remove: 'DELETE FROM roles WHERE key = ?',
  put: [
    {
      sql: upsert('roles', ['key', 'uuid', 'label'], ['key']),
      values: ({ key, uuid, label }) => [[key, uuid, label]],
    },
  ],
}

const session: RecordTable<'session'> = {
  source: 'sessions AS s',
  columns: SESSION_COLUMNS,
  key: ['s.id'],
  keyOf: ({ id }) => [id],
  read: (row) => sessionOf(row as unknown as SessionRow),
  remove: 'DELETE FROM sessions WHERE id = ?',
  put: [
    {
      sql: upsert('sessions', STORED_COLUMNS, ['id']),
      values: (one) => [sessionValues(one)],
    },
  ],
}

const revocation: RecordTable<'revocation'> = {
  source: 'revocations',
  columns: ['session_id', ...LOGIN_COLUMNS].join(', '),
  key: ['session_id'],
  keyOf: ({ sessionId }) => [sessionId],
  read: (row) => {
    const [sessionId, ...login] = row as unknown as readonly [SessionId, ...LoginRow]
    return { sessionId, ...loginOf(login) }
  },
  remove: 'DELETE FROM revocations WHERE session_id = ?',
  put: [{ sql: PUT_LOGIN, values: ({ sessionId, ...login }) => [[sessionId, ...loginValues(login)]] }],
}

const pet: RecordTable<'pet'> = {
  source: 'pets',
  columns: PET_COLUMNS,
  key: ['id'],
  keyOf: ({ id }) => [id],
  read: (row) => petOf(row as unknown as PetRow),
  remove: 'DELETE FROM pets WHERE id = ?',
  put: [
    {
      sql: upsert('pets', ['id', 'name', 'tag', 'category', 'revision', 'traits'], ['id']),
      values: ({ id, name, tag, category, revision, traits }) => [
        [id, name, tag ?? null, category ?? null, revision, traits ? JSON.stringify(traits) : null],
      ],
    },
  ],
}

const idempotencyKey: RecordTable<'idempotencyKey'> = {
  source: 'idempotency_keys',
  columns: 'scope, key, fingerprint, pet_id, until',
  key: ['scope', 'key'],
  keyOf: ({ scope, key }) => [scope, key],
  read: (row) => {
    const [scope, key, fingerprint, petId, until] = row as readonly [string, string, string, PetId, Instant]
    return { scope, key, fingerprint, petId, until }
  },
  remove: 'DELETE FROM idempotency_keys WHERE scope = ? AND key = ?',
  put: [
    {
      sql: upsert('idempotency_keys', ['scope', 'key', 'fingerprint', 'pet_id', 'until'], ['scope', 'key']),
      values: ({ scope, key, fingerprint, petId, until }) => [[scope, key, fingerprint, petId, until]],
    },
  ],
}

type ApiKeyRecordRow = readonly [...key: ApiKeyRow, digest: ApiKeyDigest]

const apiKey: RecordTable<'apiKey'> = {
  source: 'api_keys AS k',
  columns: `${API_KEY_COLUMNS}, k.digest`,
  key: ['k.id'],
  keyOf: ({ id }) => [id],
  read: (row) => {
    const { roles, ...rest } = apiKeyOf(row as unknown as ApiKeyRow)
    return { ...rest, digest: (row as unknown as ApiKeyRecordRow)[7], roles: roles.map((one) => one.key) }
  },
  remove: 'DELETE FROM api_keys WHERE id = ?',
  put: [
    {
      sql: upsert(
        'api_keys',
        ['id', 'name', 'digest', 'created_at', 'revoked_at', 'expires_at', 'last_used_at'],
        ['id'],
      ),
      values: ({ id, name, digest, createdAt, revokedAt, expiresAt, lastUsedAt }) => [
        [id, name, digest, createdAt, revokedAt ?? null, expiresAt ?? null, lastUsedAt ?? null],
      ],
    },
    { sql: 'DELETE FROM api_key_roles WHERE api_key_id = ?', values: ({ id }) => [[id]] },
    {
      sql: 'INSERT INTO api_key_roles (api_key_id, role_key) VALUES (?, ?)',
      values: ({ id, roles }) => roles.map((key) => [id, key]),
    },
  ],
}

const project: RecordTable<'project'> = {
  source: 'projects',
  columns: PROJECT_COLUMNS,
  key: ['id'],
  keyOf: ({ id }) => [id],
  read: (row) => projectOf(row as unknown as ProjectRow),
  remove: 'DELETE FROM projects WHERE id = ?',
  put: [
    {
      sql: upsert('projects', PROJECT_COLUMNS.split(', '), ['id']),
      values: ({ id, label, status, budget, createdBy, createdAt, closedAt }) => [
        [id, label, status, budget, createdBy, createdAt, closedAt ?? null],
      ],
    },
  ],
}

/** SQLite keeps the counters itself; only our tables' are ours, and only the keys' has another name. */
const counter: RecordTable<'counter'> = {
  source: `(
    SELECT CASE name WHEN 'api_keys' THEN 'apiKeys' ELSE name END AS name, seq FROM sqlite_sequence
    WHERE name IN ('accounts', 'api_keys', 'pets', 'projects') AND seq > 0
  )`,
  columns: 'name, seq',
  key: ['name'],
  keyOf: ({ name }) => [name],
  read: (row) => {
    const [name, last] = row as readonly [CounterName, number]
    return { name, last }
  },
  remove: "DELETE FROM sqlite_sequence WHERE name = CASE ?1 WHEN 'apiKeys' THEN 'api_keys' ELSE ?1 END",
  put: [
    {
      sql: 'INSERT INTO sqlite_sequence (name, seq) SELECT ?, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)',
      values: ({ name }) => [[tableOf(name), tableOf(name)]],
    },
    {
      sql: 'UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?',
      values: ({ name, last }) => [[last, tableOf(name)]],
    },
  ],
}

function tableOf(name: CounterName): string {
  return name === 'apiKeys' ? 'api_keys' : name
}

export const RECORD_TABLES: { readonly [Kind in RecordKind]: RecordTable<Kind> } = {
  role,
  account,
  session,
  revocation,
  pet,
  idempotencyKey,
  apiKey,
  project,
  mailJob,
  auditRecord,
  counter,
}
