import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js'
import { mountSmallDisk, type SmallDisk } from './resources/small-disk.js'

const MODULE = new URL('resources/small-disk.js', import.meta.url).href
/** Mounts one and is killed. */
const KILLED = `
  const { mountSmallDisk } = await import(${JSON.stringify(MODULE)})
  mountSmallDisk(process.argv[1])
  process.kill(process.pid, 'SIGKILL')`

describe('a small disk', () => {
  let folder: TemporaryFolder
  let disk: SmallDisk | undefined
  beforeEach(function () {
    folder = makeTemporaryFolder()
    disk = process.platform === 'linux' ? mountSmallDisk(folder.path) : undefined
    if (process.platform !== 'linux' || !disk) this.skip()
  })
  afterEach(() => {
    disk?.unmount()
    folder.remove()
  })

  it('has as much space left as was said, and all of it again', () => {
    const file = join(disk?.path ?? '', 'file')
    disk?.fill(64 * 1024)
    expect(() => {
      writeFileSync(file, Buffer.alloc(1024 * 1024))
    }).to.throw(/ENOSPC/)
    disk?.empty()
    writeFileSync(file, Buffer.alloc(1024 * 1024))
  })

  it('refuses also what comes through a descriptor that is open while it is read-only', function () {
    if (process.platform !== 'linux' || !disk?.canBeReadOnly) this.skip()
    const file = join(disk.path, 'file')
    const descriptor = openSync(file, 'w')
    const heal = disk.makeReadOnly([file, disk.path])
    expect(() => writeSync(descriptor, 'x')).to.throw(/EPERM/)
    expect(() => {
      writeFileSync(`${file}-new`, 'x')
    }).to.throw(/EPERM/)
    heal()
    expect(writeSync(descriptor, 'x')).to.equal(1)
    closeSync(descriptor)
  })

  it('of a run that was killed is unmounted and removed by the next one', () => {
    const [killed, another] = [join(folder.path, 'killed'), join(folder.path, 'another')]
    for (const one of [killed, another]) mkdirSync(one)
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', KILLED, killed])
    expect([signal, mounts().includes(killed)]).to.deep.equal(['SIGKILL', true])
    const next = mountSmallDisk(another)
    expect([mounts().includes(killed), existsSync(killed)]).to.deep.equal([false, false])
    expect([mounts().includes(disk?.path ?? ''), mounts().includes(another)]).to.deep.equal([true, true])
    next?.unmount()
  })
})

function mounts(): string {
  return readFileSync('/proc/self/mounts', 'utf8')
}
