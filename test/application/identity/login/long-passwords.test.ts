import { hashSync } from 'bcryptjs'
import { expect } from 'chai'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import { type Composed, composeUseCases } from '../../../support/use-cases.js'

/** A 72-byte password; bcrypt ignores all further bytes. */
const SEEN = `${'0123456789'.repeat(7)}01`
const SCRYPT = /^c2NyeXB0/
const BCRYPT = '$2b$04$abcdefghijklmnopqrstuum2G75IXDN/xsgbNa/hCiPSKyIHQd70S'

describe('an account that has a bcrypt hash and a password of 72 bytes or more', () => {
  let service: Composed
  const email = 'ada@example.com'

  beforeEach(async () => {
    service = await composeUseCases()
    await service.useCases.importUsers({ caller: OPERATOR })({ email, passwordHash: BCRYPT })
  })

  const login = async (password: string) =>
    (await service.useCases.login({ email, password, presented: {} })).identity.email
  const stored = async () => (await service.store.accounts.findByEmail(email as Email))?.passwordHash

  it('keeps its bcrypt hash at each login, because bcrypt ignores the bytes after the 72nd', async () => {
    for (const end of [' and a wrong end', '', ' and the right end']) {
      expect(await login(`${SEEN}${end}`)).to.equal(email)
      expect(await stored()).to.equal(BCRYPT)
    }
  })

  it('keeps its bcrypt hash if the password has more than 71 bytes before or after normalization', async () => {
    const password = SEEN.slice(0, 71)
    const passwordHash = hashSync(password, 4)
    await service.useCases.setPassword({ caller: OPERATOR, email, passwordHash })
    // A full-width digit has three bytes, and is normalized to an ASCII digit.
    expect(await login(`０${password.slice(1)}`)).to.equal(email)
    expect(await stored()).to.equal(passwordHash)
    expect(await login(password)).to.equal(email)
    expect(await stored()).to.match(SCRYPT)
  })

  it('keeps its bcrypt hash if bcrypt ignores the end of the unnormalized password', async () => {
    // This password has 74 bytes, but only 26 bytes after normalization.
    const sent = (end: string) => `${'０'.repeat(24)}${end}`
    const passwordHash = hashSync(sent('ab'), 4)
    await service.useCases.setPassword({ caller: OPERATOR, email, passwordHash })
    for (const end of ['xy', 'ab']) expect(await login(sent(end))).to.equal(email)
    expect(await stored()).to.equal(passwordHash)
  })
})
