import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { RoleKey } from '../../../src/domain/access/role.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { Workplace } from '../../cli/app.js'
import { killImport } from '../../durability/kill-import.js'
import type { CrashDatabase } from './database.js'
import { refusalOf } from './operator.js'
import type { Random } from '../random.js'

const ACCOUNTS = 400
const ROLE = 'imported' as RoleKey
const FILE = 'import.ndjson'
/** For how long it may go on once it has begun to save, in milliseconds. */
const LONGEST_LIFE = 30
const ATTEMPTS = 5
/** What a command says of a store that takes too long. */
const LATE = 'did not answer in time'

/**
 * Kills an import of accounts while the service works, looks at each that it has left, and runs it again to its end. Gives
 * what is wrong: an account without its role, or one that is missing then.
 */
export async function interruptImport(
  place: Pick<Workplace, 'folder' | 'env'>,
  { open }: Pick<CrashDatabase, 'open'>,
  random: Random,
): Promise<readonly string[]> {
  const run = Math.floor(random.next() * 2 ** 40)
  const emails = Array.from(
    { length: ACCOUNTS },
    (_, n) => `import-${String(run)}-${String(n)}@example.com` as Email,
  )
  const lines = emails.map((email) => JSON.stringify({ email, roles: [ROLE] }))
  await writeFile(join(place.folder, FILE), lines.join('\n'))
  const store = await open()
  try {
    await store.roles.insert({ uuid: randomUUID(), key: ROLE, label: 'Imported' })
    const [first = '' as Email] = emails
    await killImport(place, FILE, async () => {
      const hasBegun = (await store.accounts.findByEmail(first)) !== undefined
      if (hasBegun) await pause(random.next() * LONGEST_LIFE)
      return hasBegun
    })
    const found = () => Promise.all(emails.map((email) => store.accounts.findByEmail(email)))
    const half = (await found()).filter((one) => one && one.roles.length !== 1)
    const refusal = await importAgain(place)
    const left = (await found()).filter((one) => one?.roles.length !== 1)
    return [
      ...(half.length === 0 ? [] : [`${String(half.length)} accounts of a killed import have no role`]),
      ...(refusal === undefined ? [] : [`an import that was killed cannot be run again: ${refusal}`]),
      ...(left.length === 0 ? [] : [`${String(left.length)} accounts are missing after the second import`]),
    ]
  } finally {
    await store.close()
  }
}

/** Until it is done; gives the last refusal where it never is. On a busy machine the database is late now and then. */
async function importAgain(place: Pick<Workplace, 'folder' | 'env'>): Promise<string | undefined> {
  let refusal: string | undefined
  for (let left = ATTEMPTS; left > 0; left -= 1) {
    refusal = await refusalOf(place, ['user', 'import', FILE])
    if (refusal?.includes(LATE) !== true) return refusal
  }
  return refusal
}
