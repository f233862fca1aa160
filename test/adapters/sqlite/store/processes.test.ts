import { expect } from 'chai'
import { setImmediate } from 'node:timers/promises'
import { openSqlite } from '../../../../src/adapters/sqlite/store.js'
import type { Account } from '../../../../src/domain/identity/account.js'
import { integrityOf } from '../../../durability/old-file.js'
import { codeOf } from '../../../support/refusal-of.js'
import { describeProcesses } from '../../../support/several-processes/describe-processes.js'
import { startProcess } from '../../../support/several-processes/other-process.js'
import { pet } from '../../../support/several-processes/samples.js'
import { suiteFolder } from '../../../support/temporary-folder.js'

describe('a SQLite file that is used by several processes', () => {
  const inFolder = suiteFolder()
  let files = 0

  const expectIntegrity = async (path: string) => expect(await integrityOf(path)).to.equal('ok')

  describe('with one store per process', () => {
    describeProcesses({
      place: () => inFolder(`shared ${(files += 1)}.db`),
      open: (path) => openSqlite(path),
      end: expectIntegrity,
    })
  })

  it('contains only complete accounts while another process creates accounts, even after that process is killed', async () => {
    const path = inFolder('killed.db')
    const other = await startProcess('enlist', path)
    await other.ask('begin')
    const store = await openSqlite(path)
    const seen: Account[] = []
    for (let reads = 0; reads < 20_000 && seen.length < 2_000; reads += 1) {
      seen.push(...(await store.accounts.page(seen.at(-1)?.id, 1_000)))
      await setImmediate()
    }
    await other.kill()
    const left = await store.accounts.page(undefined, 100_000)
    await store.close()
    expect(seen.length).to.be.at.least(2_000)
    expect([...seen, ...left].filter(({ roles }) => roles.length !== 3)).to.deep.equal([])
    await expectIntegrity(path)
  })

  describe('while another process holds the file lock', () => {
    async function withLock(path: string) {
      const other = await startProcess('lock', path)
      await other.ask('hold')
      return async () => {
        await other.ask('release')
        await other.end()
      }
    }

    it('waits for the lock without blocking the event loop', async () => {
      const path = inFolder('waits.db')
      const store = await openSqlite(path)
      const release = await withLock(path)
      const inserting = store.pets.insert(pet('Waiting'))
      const read = await store.accounts.page(undefined, 1)
      // If the event loop were blocked, the lock would never be released.
      for (let turns = 0; turns < 100; turns += 1) await setImmediate()
      await release()
      const inserted = await inserting
      await store.close()
      expect([read, inserted]).to.deep.equal([[], { kind: 'inserted', id: 1 }])
    })

    it('is unavailable if the lock outlasts the timeout, and works again afterward', async () => {
      const path = inFolder('outlasts.db')
      const store = await openSqlite(path, { busyTimeout: 5, timeout: 200 })
      const release = await withLock(path)
      expect(await codeOf(store.pets.insert(pet('Late')))).to.equal('unavailable')
      await release()
      const inserted = await store.pets.insert(pet('Next'))
      await store.close()
      expect(inserted).to.deep.equal({ kind: 'inserted', id: 1 })
    })

    it('can be opened', async () => {
      const path = inFolder('opened.db')
      await (await openSqlite(path)).close()
      const release = await withLock(path)
      const store = await openSqlite(path)
      expect(await store.accounts.page(undefined, 1)).to.deep.equal([])
      await release()
      await store.close()
    })
  })
})
