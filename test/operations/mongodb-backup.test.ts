import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { Workplace } from '../cli/app.js'
import { blocksOf } from '../support/pages/blocks.js'
import { makeWalkPlace, runScript } from '../support/pages/walk.js'
import { freshDatabase, type FreshDatabase } from '../support/mongodb/server.js'
import { KEPT, createBackupData, restored, writePets } from './backup-data.js'
import { describeWith } from '../support/required-tools.js'

const PETS = 50
const blocksFor = (page: string) =>
  blocksOf(`docs/operate/${page}.md`).flatMap(({ language, text }) =>
    language === 'sh mongodb' ? [text] : [],
  )

describeWith('mongodb', 'a backup of a MongoDB database, as on the pages', () => {
  let place: Workplace
  let databases: readonly FreshDatabase[]

  beforeEach(async () => {
    place = await makeWalkPlace()
    databases = [freshDatabase(), freshDatabase(), freshDatabase()]
  })
  afterEach(async () => {
    await place.remove()
    for (const one of databases) await one.drop()
  })

  /** Runs one block of the page; returns its output if it did not exit with 0. */
  async function does(block: string, env: Record<string, string>): Promise<string> {
    const { code, stdout, stderr } = await runScript(place, block, env)
    return code === 0 ? '' : `${stdout}${stderr}`
  }

  it('contains every session and pet, both as a file and when restored to other databases', async () => {
    const [first, second, third] = databases.map(({ url }) => url) as [string, string, string]
    const env = { ...KEPT, DATABASE_URL: first }
    const service = await place.serve(env)
    const backupData = await createBackupData(place, service, env)
    const writing = writePets(service, backupData)
    while (writing.acknowledged.size < PETS) await pause(5)
    await writing.stop()
    await service.stop()
    const file = `sqlite:${join(place.folder, 'backup.db')}`
    const errors: string[] = []
    for (const [page, from, to] of [
      ['backup', first, ''],
      ['restore', first, second],
      ['copy-store', file, third],
    ] as const) {
      for (const block of blocksFor(page))
        errors.push(await does(block, { DATABASE_URL: from, EMPTY_DATABASE_URL: to }))
    }
    expect(errors).to.deep.equal(['', '', ''])
    for (const DATABASE_URL of [file, third, second]) {
      const { pets, nextId } = await restored(place, backupData, DATABASE_URL)
      expect([...pets].sort()).to.deep.equal([...writing.acknowledged].sort())
      expect(nextId).to.equal(Math.max(...pets.keys()) + 1)
    }
  })
})
