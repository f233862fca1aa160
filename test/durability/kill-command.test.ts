import { expect } from 'chai'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeWorkplace, type Workplace } from '../cli/app.js'
import { rotating } from '../support/rotation.js'
import { killCommand } from './kill-command.js'
import { activeOf, bytesOf, contentOf, makeOldFile, stateOf } from './old-file.js'

const ACCOUNTS = 10_000
const KIB = 1024
/** Bytes that the command has written when it is killed: at its beginning, in the middle and near its end. */
const MOMENTS = [1, 64 * KIB, ...rotating([512 * KIB, 1_024 * KIB, 2_048 * KIB, 3_072 * KIB], 1)]

describe('a killed command', () => {
  let place: Workplace
  let old: string
  const inFolder = (name: string) => join(place.folder, name)
  const on = (path: string) => ({ ...place.env, DATABASE_URL: `sqlite:${path}` })

  beforeEach(async () => {
    place = await makeWorkplace({ store: false })
    old = inFolder('old.db')
    await makeOldFile(old, ACCOUNTS)
  })
  afterEach(() => place.remove())

  /** Kills the command when it has written this much to a file; returns whether it was still running. */
  async function kill(path: string, args: readonly string[], { of = path, bytes = 1 }): Promise<boolean> {
    const before = bytesOf(path)
    const where = { folder: place.folder, env: on(of) }
    return await killCommand(where, args, () => bytesOf(path) - before >= bytes)
  }

  async function run(path: string, args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
    const { code, stdout, stderr } = await place.child(args, { env: on(path) })
    expect([code, stderr]).to.deep.equal([0, ''])
    return JSON.parse(stdout) as Readonly<Record<string, unknown>>
  }

  it('leaves the old or the new file, and no mixture, during a schema migration', async () => {
    const [expected, before] = [inFolder('expected.db'), await stateOf(old)]
    copyFileSync(old, expected)
    const content = await contentOf(expected)
    const after = await stateOf(expected)
    const inBetween: number[] = []
    for (const bytes of MOMENTS) {
      const path = inFolder(`killed-${String(bytes)}.db`)
      copyFileSync(old, path)
      await kill(path, ['role', 'list'], { bytes })
      const hasWritten = bytesOf(path) > bytesOf(old)
      const left = await stateOf(path)
      expect([before, after]).to.deep.include(left)
      if (hasWritten && left.version === before.version) inBetween.push(bytes)
      await place.child(['role', 'list'], { env: on(path) })
      expect([await stateOf(path), await contentOf(path)]).to.deep.equal([after, content])
    }
    expect(inBetween).to.not.deep.equal([])
  })

  it('leaves the source of a store copy unchanged, and another run completes the copy', async () => {
    const content = await contentOf(old)
    const [before, target] = [await stateOf(old), inFolder('target.db')]
    const args = ['store', 'copy', '--to', `sqlite:${target}`]
    const killed: boolean[] = []
    for (const bytes of MOMENTS) {
      killed.push(await kill(target, args, { of: old, bytes }))
      expect(await stateOf(old)).to.deep.equal(before)
      expect((await stateOf(target)).damages).to.deep.equal([])
    }
    expect(killed).to.include(true)
    const { code } = await place.child(args, { env: on(old) })
    expect([code, await contentOf(target)]).to.deep.equal([0, content])
    expect(await contentOf(old)).to.deep.equal(content)
  })

  it('leaves a target into which no other store is copied', async () => {
    const [other, target] = [inFolder('other.db'), inFolder('target.db')]
    await makeOldFile(other, 1)
    await contentOf(old)
    const to = ['store', 'copy', '--to', `sqlite:${target}`]
    expect(await kill(target, to, { of: old, bytes: 512 * KIB })).to.equal(true)
    const { code, stdout } = await place.child(to, { env: on(other) })
    expect(code).to.equal(1)
    expect(stdout).to.include('The target holds other data.')
  })

  it('purges nothing active, and the next purge removes the rest', async () => {
    const before = await contentOf(old)
    const killed: boolean[] = []
    for (const bytes of MOMENTS) {
      killed.push(await kill(old, ['store', 'purge'], { bytes }))
      const { account, session } = await contentOf(old)
      expect([(await stateOf(old)).damages, account]).to.deep.equal([[], before['account']])
      expect(session?.count).to.be.within(activeOf(ACCOUNTS), before['session']?.count ?? 0)
    }
    expect(killed).to.include(true)
    const { session, idempotencyKey } = await contentOf(old)
    const over = (session?.count ?? 0) - activeOf(ACCOUNTS) + (idempotencyKey?.count ?? 0)
    expect(await run(old, ['store', 'purge'])).to.include({ removed: over })
    expect((await contentOf(old))['session']?.count).to.equal(activeOf(ACCOUNTS))
  })
})
