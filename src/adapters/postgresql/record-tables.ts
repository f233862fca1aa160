import type { RecordKind, RecordOf } from '../../ports/copyable-records.js'
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
type Factor = NonNullable<RecordOf['account']['factor']>

const PASSKEYS_OF = `(
  SELECT CAST(coalesce(json_agg(json_build_array(${PASSKEY.list}) ORDER BY p.created_at, p.id), '[]') AS text)
  FROM {passkeys} AS p WHERE p.account_id = a.id
)`

const account = inTable<'account', unknown>(
  '{accounts}',
  {
    columns: [...ACCOUNT.columns, 'sealed_secret', 'begun_at', 'last_step', 'recovery'],
    values: ({ factor, roles: _, passkeys: __, ...own }) => {
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
      a.sealed_secret, a.begun_at, a.last_step, CAST(coalesce(a.recovery, '[]') AS text), ${PASSKEYS_OF}`,
    read: (row) => {
      const { roles, secondFactor, ...own } = accountOf(row)
      const [sealedSecret, begunAt, lastStep, recovery, passkeys] = row.slice(-5)
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
        ...parsePasskeys(passkeys),
      }
    },
    dependent: [MEMBERSHIPS, PASSKEYS],
  },
)

/** How PostgreSQL tables store the records of each kind, except the counters, which are sequences. */
export const RECORD_TABLES: {
  readonly [Kind in Exclude<RecordKind, 'counter'>]: RecordTable<Kind, unknown>
} = {
  ...SHARED_TABLES,
  account,
  apiKey: apiKeyTable(API_KEY_COLUMNS),
}
