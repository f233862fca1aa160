import type { StoredSecondFactor } from '../../domain/identity/second-factor.js'
import type { RecordKind } from '../../ports/copyable-records.js'
import {
  apiKeyTable,
  inTable,
  MEMBERSHIPS,
  parsePasskeys,
  PASSKEYS,
  SHARED_TABLES,
  type RecordTable,
} from '../sql/record-tables.js'
import { PASSKEY } from '../sql/records.js'
import { ACCOUNT } from '../sql/rows.js'
import { API_KEY_COLUMNS } from './api-keys.js'
import { accountOf } from '../sql/accounts.js'
import { ACCOUNT_COLUMNS } from './rows.js'

const FACTOR = `(
  SELECT json_object(
    'sealedSecret', sealed_secret, 'begunAt', begun_at, 'activeSince', active_since, 'lastStep', last_step,
    'recovery', json((
      SELECT json_group_array(digest)
      FROM (SELECT digest FROM recovery_codes AS r WHERE r.account_id = f.account_id ORDER BY digest)
    ))
  )
  FROM second_factors AS f WHERE f.account_id = a.id
)`

const PASSKEYS_OF = `(
  SELECT json_group_array(json_array(${PASSKEY.list}))
  FROM (SELECT * FROM passkeys AS p WHERE p.account_id = a.id ORDER BY created_at, id)
)`

const account = inTable<'account'>(
  'accounts',
  {
    columns: ACCOUNT.columns,
    values: ({ factor: { activeSince: secondFactor } = {}, roles: _, passkeys: __, ...own }) =>
      ACCOUNT.values({ ...own, ...(secondFactor !== undefined && { secondFactor }) }),
  },
  {
    from: 'accounts AS a',
    columns: `${ACCOUNT_COLUMNS}, ${FACTOR}, ${PASSKEYS_OF}`,
    read: (row) => {
      const { roles, secondFactor: _, ...own } = accountOf(row)
      const factor = JSON.parse(String(row.at(-2))) as Readonly<Record<string, unknown>> | null
      return {
        ...own,
        roles: roles.map(({ key }) => key),
        ...(factor && { factor: withoutNulls(factor) as StoredSecondFactor }),
        ...parsePasskeys(row.at(-1)),
      }
    },
    dependent: [
      {
        table: 'second_factors',
        columns: ['account_id', 'sealed_secret', 'begun_at', 'active_since', 'last_step'],
        rows: ({ id, factor }) =>
          factor
            ? [[id, factor.sealedSecret, factor.begunAt, factor.activeSince ?? null, factor.lastStep ?? null]]
            : [],
      },
      {
        table: 'recovery_codes',
        columns: ['account_id', 'digest'],
        rows: ({ id, factor }) => (factor?.recovery ?? []).map((digest) => [id, digest]),
      },
      MEMBERSHIPS,
      PASSKEYS,
    ],
  },
)

function withoutNulls(record: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}

/** How SQLite tables store the records of each kind, except the counters, which SQLite stores itself. */
export const RECORD_TABLES: { readonly [Kind in Exclude<RecordKind, 'counter'>]: RecordTable<Kind> } = {
  ...SHARED_TABLES,
  account,
  apiKey: apiKeyTable(API_KEY_COLUMNS),
}
