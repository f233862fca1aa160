import { hashSync } from 'bcryptjs'
import { expect } from 'chai'
import { verifyPassword } from '../../../src/application/identity/verify-password.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import { composeUseCases, type Composed } from '../../support/use-cases.js'

const email = 'ada@example.com'
const SENT = 'wait for it…'
const NORMAL = 'wait for it...'

/** Hashes of `SENT`, created with Python's argon2-cffi 25.1, passlib 1.7.4 and hashlib. */
const HASHES: Readonly<Record<string, string>> = {
  bcrypt: hashSync(SENT, 4),
  Argon2: '$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$bAi0M2B2FCiNUU6y1OIaxPHuiXIy67EtN2UFhjPPWI4',
  PBKDF2: 'pbkdf2_sha256$1000$salt$o1G3uB0RJuMVvglyXOfSACp2UlYyYw1uaI0KLiVmCMg=',
  'SHA-crypt':
    '$6$rounds=1000$saltsalt$zVUqAKLcPY8/p0t2ARGIkmaF8AmroM7nVdNW63NpWL/wifr131iwVftkdRTC5VmfohAgegk4boz3BPD819f89.',
  'salted SHA': '{SSHA256}oxS77rFRL8yybiHTqEu36cw1yPXb2YjVpAvlbtRBUc1zYWx0c2FsdA==',
}

describe('a password that another system hashed without normalization', () => {
  let kennel: Composed
  beforeEach(async () => {
    kennel = await composeUseCases()
    await importHash(HASHES['bcrypt']!)
  })

  const importHash = async (passwordHash: string) =>
    await kennel.useCases.importUsers({ caller: OPERATOR })({ email, passwordHash })
  const login = async (password = SENT) => await kennel.useCases.login({ email, password, presented: {} })
  const basic = (password: string) => kennel.useCases.authenticatePetClient({ basic: { email, password } })
  const refused = async (call: Promise<unknown>) =>
    await call.then(
      () => false,
      () => true,
    )

  for (const [name, hash] of Object.entries(HASHES))
    it(`allows a login with ${name}, which replaces the hash, and then also accepts the normalized form`, async () => {
      kennel = await composeUseCases()
      await importHash(hash)
      expect(await refused(login(NORMAL))).to.equal(true)
      expect((await login()).identity.email).to.equal(email)
      const { passwordHash } = (await kennel.store.accounts.findByEmail(email as Email)) ?? {}
      expect(passwordHash).to.match(/^c2NyeXB0/)
      for (const text of [SENT, NORMAL]) expect((await login(text)).identity.email).to.equal(email)
    })

  it('allows HTTP Basic, but other text with the same normalized form is rejected', async () => {
    for (let time = 1; time <= 2; time += 1) {
      expect(await basic(SENT)).to.include({ email })
      for (const text of [NORMAL, 'wait for it‥.']) expect(await refused(basic(text)), text).to.equal(true)
    }
  })

  it("is accepted by the operations on one's own account", async () => {
    const { accessToken, sessionKey } = await login()
    const presented = { accessToken, sessionKey }
    // The account still has the old hash, as if a login had failed to replace the hash.
    const { id, passwordHash: now } = (await kennel.store.accounts.findByEmail(email as Email))!
    await kennel.store.accounts.replaceHash(id, now!, hashSync(SENT, 4) as PasswordHash)
    expect(await refused(kennel.useCases.setUpSecondFactor({ password: NORMAL, presented }))).to.equal(true)
    expect(await kennel.useCases.setUpSecondFactor({ password: SENT, presented })).to.have.property('secret')
    const change = { newPassword: 'a kite above the harbour', presented }
    expect(await refused(kennel.useCases.changePassword({ ...change, password: NORMAL }))).to.equal(true)
    expect(await kennel.useCases.changePassword({ ...change, password: SENT })).to.have.property(
      'accessToken',
    )
  })
})

describe('password verification', () => {
  it('passes both the normalized password and the original password to the hasher', async () => {
    const given: unknown[] = []
    const hasher = { verify: async (...args: unknown[]) => given.push(args) > 0 }
    const hash = 'of a custom hasher' as PasswordHash
    for (const text of ['½ cup', 'ﬁne', '１２３４', 'ﾊﾟｽﾜｰﾄﾞ', 'Zoe\u0308', 'a\u00a0b', 'plain'])
      expect(await verifyPassword(hasher, text, hash)).to.equal(text.normalize('NFKC'))
    expect(given).to.deep.equal([
      ['1⁄2 cup', hash, '½ cup'],
      ['fine', hash, 'ﬁne'],
      ['1234', hash, '１２３４'],
      ['パスワード', hash, 'ﾊﾟｽﾜｰﾄﾞ'],
      ['Zoë', hash, 'Zoe\u0308'],
      ['a b', hash, 'a\u00a0b'],
      ['plain', hash, 'plain'],
    ])
  })
})
