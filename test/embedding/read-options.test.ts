import { expect } from 'chai'
import { OPTION_NAMES } from '../../src/configuration/settings.js'
import { readOptions } from '../../src/embedding/read-options.js'
import type { KennelOptions } from '../../src/index.js'
import { goodOptions } from './opening.js'

const OTHER_PASSPHRASE = 'Another-Battery-8-Staple!-horse-correct'

describe('the options of openKennel', () => {
  const read = (options: unknown) => readOptions(options as KennelOptions).settings

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
