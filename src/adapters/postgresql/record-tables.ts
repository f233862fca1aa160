import type { RecordKind, RecordOf } from '../../ports/copyable-records.js'
import { apiKeyTable, inTable, MEMBERSHIPS, SHARED_TABLES, type RecordTable } from '../sql/record-tables.js'
import { ACCOUNT } from '../sql/rows.js'
import { API_KEY_COLUMNS } from './api-keys.js'
import { ACCOUNT_COLUMNS, accountOf } from './rows.js'

type AccountRecord = RecordOf['account']
type Factor = NonNullable<AccountRecord['factor']>

const account = inTable<'account', unknown>(
  '{accounts}',
  {
    columns: [...ACCOUNT.columns, 'sealed_secret', 'begun_at', 'last_step', 'recovery'],
    values: ({ factor, roles: _, ...own }) => {
      const { activeSince: secondFactor, sealedSecret = null, begunAt = null, lastStep = null } = factor ?? {}
      return [
        ...ACCOUNT.values({ ...own, ...(secondFactor !== undefined && { secondFactor }) }),
        ...[sealedSecret, begunAt, lastStep, factor?.recovery ?? null],
      ]
    },
  },
  {
    from: '{accounts} AS a',
    columns: `${ACCOUNT_COLUMNS},
      a.sealed_secret, a.begun_at, a.last_step, CAST(coalesce(a.recovery, '[]') AS text)`,
    read: (row) => {
      const { roles, secondFactor, ...own } = accountOf(row)
      const [sealedSecret, begunAt, lastStep, recovery] = row.slice(-4)
      const factor = {
        ...{ sealedSecret, begunAt },
        ...(secondFactor !== undefined && { activeSince: secondFactor }),
        ...(lastStep !== null && { lastStep }),
        recovery: JSON.parse(String(recovery)) as unknown,
      } as Factor
      return {
        ...own,
        roles: roles.map(({ key }) => key),
        ...(sealedSecret !== null && { factor }),
      }
    },
    dependent: [MEMBERSHIPS],
  },
)

/** How the tables of PostgreSQL store the records of each kind, except the counters, which are sequences. */
export const RECORD_TABLES: {
  readonly [Kind in Exclude<RecordKind, 'counter'>]: RecordTable<Kind, unknown>
} = {
  ...SHARED_TABLES,
  account,
  apiKey: apiKeyTable(API_KEY_COLUMNS),
}
