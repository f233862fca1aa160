import { expect } from 'chai'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { readPasswordFile } from '../../../src/adapters/blocklist/index.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

describe('the password file', () => {
  const inFolder = temporaryFolder()
  const read = (content: string | Uint8Array) => {
    const path = inFolder('passwords.txt')
    writeFileSync(path, content)
    return readPasswordFile(path)
  }
  const expectErrors = (...cases: readonly (readonly [content: string | Uint8Array, error: string])[]) => {
    for (const [content, error] of cases) expect(read(content)).to.deep.equal({ ok: false, error })
  }
  const has = (content: string, password: string) => {
    const loaded = read(content)
    return loaded.ok && loaded.list.has(password)
  }

  it('has one password per line, accepts any line ending, and is case-folded', () => {
    for (const content of [
      'one\nTWO\nthr\u00e9\u00e9',
      'one\r\nTWO\r\nthr\u00e9\u00e9\r\n',
      '\ufeffone\n\n\nTwo\n\uff34\uff48\uff52\u00e9\u00e9\n',
    ])
      for (const password of ['one', 'two', 'thr\u00e9\u00e9'])
        expect(has(content, password), content).to.equal(true)
  })

  it('matches whole lines only, not parts of lines, joined lines, empty lines or line endings', () => {
    const content = 'one\n two \n\nthree\n'
    for (const password of ['on', 'ne', 'two', 'one\n two ', '', '\n', 'thre', ' three'])
      expect(has(content, password), JSON.stringify(password)).to.equal(false)
    expect(has(content, ' two ')).to.equal(true)
  })

  it('is rejected with the line number if the file is not UTF-8', () => {
    expectErrors(
      [Buffer.from([0x61, 0x0a, 0x62, 0x0a, 0xff, 0x0a]), 'line 3 is not UTF-8'],
      [Buffer.from([0x61, 0x0a, 0xc3]), 'line 2 is not UTF-8'],
    )
  })

  it('is rejected with the line number if a line cannot be a password', () => {
    expectErrors(
      ['one\rtwo', 'line 1 has a control character'],
      [`one\n\n${'x'.repeat(1_025)}`, 'line 3 has more than 1024 characters'],
    )
    expect(has(`one\n${'\u{1f436}'.repeat(1_024)}`, 'one')).to.equal(true)
  })

  it('is rejected if the file contains no password, is too large, or cannot be read', () => {
    expectErrors(['', 'contains no password'], ['\n\r\n\u00ad\n', 'contains no password'])
    const large = inFolder('large.txt')
    writeFileSync(large, '')
    truncateSync(large, 16 * 1024 * 1024 + 1)
    expect(readPasswordFile(large)).to.deep.equal({ ok: false, error: 'cannot be read: larger than 16 MB' })
    expect(readPasswordFile(inFolder('none.txt'))).to.deep.equal({ ok: false, error: 'is missing' })
    mkdirSync(inFolder('folder'))
    expect(readPasswordFile(inFolder('folder'))).to.deep.equal({ ok: false, error: 'cannot be read: EISDIR' })
  })
})
