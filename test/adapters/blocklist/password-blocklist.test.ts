import { expect } from 'chai'
import {
  createPasswordBlocklist,
  readPasswordFile,
} from '../../../src/adapters/blocklist/password-blocklist.js'
import { COMMON_PASSWORDS } from '../../../src/adapters/blocklist/common-passwords.js'
import { foldedPassword, type Password } from '../../../src/domain/identity/password.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { temporaryFolder } from '../../support/temporary-folder.js'

const LIST = COMMON_PASSWORDS.trim().split('\n')

const objection = async (
  password: string,
  email?: string,
  options?: Parameters<typeof createPasswordBlocklist>[0],
) =>
  await createPasswordBlocklist(options).refuses(password.normalize('NFKC') as Password, {
    email: email as Email,
  })

describe('the built-in blocklist', () => {
  it('contains the 10,000 most common passwords, case-folded, once each, sorted by frequency', () => {
    expect(LIST.slice(0, 5)).to.deep.equal(['123456', 'password', '12345678', 'qwerty', '123456789'])
    expect(LIST).to.have.lengthOf(10_000)
    expect(new Set(LIST)).to.have.lengthOf(10_000)
    expect(LIST.filter((one) => foldedPassword(one) !== one)).to.deep.equal([])
    expect(LIST).to.include.members(['password123', 'qwertyuiop', 'iloveyou', 'p@ssw0rd', 'changeme'])
  })

  it('rejects each common password regardless of case, even in full-width letters', async () => {
    for (const password of ['PassWord', 'P@SSW0RD', '\uff30\uff21ssword'])
      expect(await objection(password), password).to.equal('too-common')
  })

  it('rejects a password that consists mostly of the service name or the email, and returns the reason', async () => {
    const options = { names: ['kennel', 'doghouse.example'] }
    expect(await objection('Kennel2026!', undefined, options)).to.equal('too-close-to-context')
    expect(await objection('DogHouse-77', undefined, options)).to.equal('too-close-to-context')
    expect(await objection('lovelace1815', 'ada.lovelace@pets.example', options)).to.equal(
      'too-close-to-context',
    )
    expect(await objection('Kennel2026!')).to.equal(undefined)
    // The list is checked first, because every attacker knows it.
    expect(await objection('michael', 'michael@pets.example', options)).to.equal('too-common')
  })

  it('combines a custom list with the built-in list', async () => {
    const list = { has: (folded: string) => folded === 'walrus anvil' }
    expect(await objection('Walrus Anvil', undefined, { list })).to.equal('too-common')
    expect(await objection('password', undefined, { list })).to.equal('too-common')
    expect(await objection('walrus and anvil', undefined, { list })).to.equal(undefined)
  })
})

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

  it('is rejected with the line number if a line is not UTF-8 or cannot be a password', () => {
    expectErrors(
      [Buffer.from([0x61, 0x0a, 0x62, 0x0a, 0xff, 0x0a]), 'line 3 is not UTF-8'],
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
