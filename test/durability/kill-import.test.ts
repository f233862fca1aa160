import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import { makeWorkplace, type Workplace } from '../cli/app.js'
import { rounds } from '../support/rotation.js'
import { killCommand } from './kill-command.js'

const ACCOUNTS = 20_000
const KILLS = rounds(4, 2)

describe('a killed import', () => {
  let place: Workplace

  before(async () => {
    place = await makeWorkplace()
    await place.app(['role', 'create', 'editor', 'Editor'])
    const lines = Array.from({ length: ACCOUNTS }, (_, n) =>
      JSON.stringify({ email: `user${n}@example.com`, roles: ['editor'] }),
    )
    await writeFile(join(place.folder, 'accounts.ndjson'), lines.join('\n'))
  })
  after(() => place.remove())

  it('is completed by another run: nothing is missing or doubled, and no role is missing', async () => {
    const counts: number[] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      await importUntilKilled(place, counts.at(-1) ?? 0)
      counts.push((await accounts(place)).length)
    }
    const last = await place.app(['user', 'import', 'accounts.ndjson'])
    const rows = await accounts(place)
    const before = counts.at(-1) ?? 0
    expect(before).to.be.greaterThan(0).and.lessThan(ACCOUNTS)
    expect(JSON.parse(last.stdout)).to.deep.equal({
      errors: [],
      save: ACCOUNTS - before,
      unchanged: before,
    })
    expect(new Set(rows.map((row) => row.email)).size).to.equal(ACCOUNTS)
    expect(rows.filter((row) => row.roles.join() !== 'editor')).to.deep.equal([])
    expect(rows).to.have.length(ACCOUNTS)
  })
})

/** SIGKILL as soon as the store holds an account that it did not hold before. */
async function importUntilKilled(place: Workplace, before: number): Promise<void> {
  const store = await openSqlite(join(place.folder, 'app.db'))
  const hasBegun = async () => (await store.accounts.page(before as AccountId, 1)).length > 0
  await killCommand(place, ['user', 'import', 'accounts.ndjson'], hasBegun)
  await store.close()
}

type Row = { readonly email: string; readonly roles: readonly string[] }

async function accounts(place: Workplace): Promise<readonly Row[]> {
  return JSON.parse((await place.app(['user', 'list'])).stdout) as Row[]
}
