import { expect } from 'chai'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ANONYMOUS } from '../../src/domain/access/caller.js'
import { OPTION_NAMES } from '../../src/configuration/settings.js'
import { readOptions } from '../../src/embedding/read-options.js'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import type { KennelOptions } from '../../src/index.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { goodOptions } from './opening.js'

const OTHER_PASSPHRASE = 'Another-Battery-8-Staple!-horse-correct'

describe('the options of openKennel', () => {
  const read = (options: unknown) => readOptions(options as KennelOptions).settings

  const open = { roles: { everyone: { components: { pets: ['list'] } } } }

  it('can come from permissionsFile', () => {
    const folder = makeTemporaryFolder()
    const path = join(folder.path, 'permissions.json')
    writeFileSync(path, JSON.stringify(open))
    const { permissions } = read(goodOptions({ permissionsFile: path }))
    folder.remove()
    expect(permissions.allows(ANONYMOUS, 'pets', 'list')).to.equal(true)
    expect(read(goodOptions()).permissions.allows(ANONYMOUS, 'pets', 'list')).to.equal(false)
  })

  it('can come from permissions', () => {
    const { permissions } = read(goodOptions({ permissions: open }))
    expect(permissions.allows(ANONYMOUS, 'pets', 'list')).to.equal(true)
  })

  it('pass on a store and parts unchanged', () => {
    const [store, clock] = [createMemoryStore(), () => 7]
    const { options } = readOptions(goodOptions({ store, background: true, parts: { clock } }))
    expect(options.store).to.equal(store)
    expect(options.parts?.clock).to.equal(clock)
    expect(options.background).to.equal(true)
  })

  it('may have no prototype', () => {
    const bare = Object.assign(Object.create(null) as object, goodOptions({ trustProxy: 2 }))
    expect(read(bare).trustProxy).to.equal(2)
  })

  it('may be an instance of a class, whose getters are called once', () => {
    let asked = 0
    class Settings {
      readonly publicUrl = 'https://pets.example'
      get passphrase(): string {
        asked += 1
        return asked === 1 ? OTHER_PASSPHRASE : 'short'
      }
    }
    const { options, settings } = readOptions(new Settings())
    expect(settings.passphrase).to.equal(OTHER_PASSPHRASE)
    expect(options.passphrase).to.equal(OTHER_PASSPHRASE)
  })

  it('may contain undefined for an omitted option', () => {
    const absent = Object.fromEntries(OPTION_NAMES.map((name) => [name, undefined]))
    expect(read({ ...absent, ...goodOptions() })).to.have.property('trustProxy', 0)
  })
})
