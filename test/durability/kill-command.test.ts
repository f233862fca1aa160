import { expect } from 'chai'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { APP, makeWorkplace, type Workplace } from '../cli/app.js'
import { rotating } from '../support/rotation.js'
import { bytesOf, contentOf, makeOldFile, stateOf } from './old-file.js'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

const ACCOUNTS = 10_000
const KIB = 1024
/** A program that opens the SQLite file at the path in its argument, and so upgrades its schema. */
const OPEN = [
  ...['--input-type=module', '--eval'],
  `const { openSqlite } = await import(${JSON.stringify(import.meta.resolve('../../src/adapters/sqlite/store.js'))})
  await (await openSqlite(process.argv[1])).close()`,
]
/** The numbers of bytes after which the process is killed: at the beginning, in the middle and near the end of its writes. */
const MOMENTS = [1, 64 * KIB, ...rotating([512 * KIB, 1_024 * KIB, 2_048 * KIB, 3_072 * KIB], 1)]

describe('a process that is killed during a write', () => {
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

  async function kill(path: string, args: readonly string[], { of = path, bytes = 1 }): Promise<boolean> {
    const before = bytesOf(path)
    const where = { folder: place.folder, env: on(of) }
    return await killCommand(where, args, () => bytesOf(path) - before >= bytes)
  }

  it('leaves a file with either the complete old schema or the complete new schema', async () => {
    const [expected, before] = [inFolder('expected.db'), await stateOf(old)]
    copyFileSync(old, expected)
    const content = await contentOf(expected)
    const after = await stateOf(expected)
    const inBetween: number[] = []
    for (const bytes of MOMENTS) {
      const path = inFolder(`killed-${String(bytes)}.db`)
      copyFileSync(old, path)
      await kill(path, [...OPEN, path], { bytes })
      const hasWritten = bytesOf(path) > bytesOf(old)
      const left = await stateOf(path)
      expect([before, after]).to.deep.include(left)
      if (hasWritten && left.version === before.version) inBetween.push(bytes)
      expect(await contentOf(path)).to.deep.equal(content)
      expect(await stateOf(path)).to.deep.equal(after)
    }
    expect(inBetween).to.not.deep.equal([])
  })

  it('leaves the source of a store copy unchanged, and a second run completes the copy', async () => {
    const content = await contentOf(old)
    const [before, target] = [await stateOf(old), inFolder('target.db')]
    const args = ['store', 'copy', '--to', `sqlite:${target}`]
    const killed: boolean[] = []
    for (const bytes of MOMENTS) {
      killed.push(await kill(target, [APP, ...args], { of: old, bytes }))
      expect(await stateOf(old)).to.deep.equal(before)
      expect((await stateOf(target)).damages).to.deep.equal([])
    }
    expect(killed).to.include(true)
    const { code } = await place.child(args, { env: on(old) })
    expect([code, await contentOf(target)]).to.deep.equal([0, content])
    expect(await contentOf(old)).to.deep.equal(content)
  })
})

/**
 * Runs Node with these arguments, and kills it with SIGKILL as soon as the condition is true, unless it ends earlier. Returns whether the
 * process was killed.
 */
async function killCommand(
  { folder, env }: Pick<Workplace, 'folder' | 'env'>,
  args: readonly string[],
  isTime: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const child = spawn(process.execPath, [...args], { cwd: folder, env, stdio: 'ignore' })
  const ended = once(child, 'close')
  const isRunning = () => child.exitCode === null && child.signalCode === null
  while (isRunning() && !(await isTime())) await pause(1)
  child.kill('SIGKILL')
  await ended
  return child.signalCode === 'SIGKILL'
}
