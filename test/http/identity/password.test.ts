import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { Refusal } from '../../../src/domain/refusal.js'
import { startService, type TestService } from '../../support/http/service.js'
import { createBrowser, freshEmail } from '../../support/http/browser.js'
import { LOGIN_FAILED } from '../../support/http/expected.js'

describe('the password', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** Makes an account with this password; gives what a login with another text is answered. */
  async function account(password: string) {
    const email = freshEmail()
    await service.useCases.createUser({ caller: OPERATOR, email, password, anyLength: true })
    return (text: string) => createBrowser(service, email).login(text)
  }

  const good: readonly (readonly [what: string, set: string, sent: string])[] = [
    ['of 7 characters', 'seven-7', 'seven-7'],
    ['of 8 characters', 'eight-88', 'eight-88'],
    ['of 1024 characters', 'x'.repeat(1024), 'x'.repeat(1024)],
    ['of 1024 characters outside the BMP', '🐕'.repeat(1024), '🐕'.repeat(1024)],
    ['of blanks', ' '.repeat(8), ' '.repeat(8)],
    ['with blanks around it', '  a password  ', '  a password  '],
    ['with line ends and tabs in it', 'a\tpass\r\nword', 'a\tpass\r\nword'],
    ['composed, sent decomposed', 'Zürich-Café', 'Zürich-Café'.normalize('NFD')],
    ['decomposed, sent composed', 'Zürich-Café'.normalize('NFD'), 'Zürich-Café'],
    ['in full width, sent plain', 'ｐａｓｓｗｏｒｄ', 'password'],
    ['with a ligature, sent as letters', 'ﬁnd the ﬂag', 'find the flag'],
    ['that looks like an operator', '{"$gt":""}', '{"$gt":""}'],
  ]
  for (const [what, set, sent] of good) {
    it(`is right ${what}`, async () => {
      expect((await (await account(set))(sent)).status).to.equal(200)
    })
  }

  const bad: readonly (readonly [what: string, set: string, sent: string])[] = [
    ['without its leading blank', ' a password', 'a password'],
    ['without its trailing blank', 'a password ', 'a password'],
    ['with a blank more', 'a password', 'a password '],
    ['with a line end more', 'a password', 'a password\n'],
    ['in another case', 'a password', 'A password'],
    ['with U+0000 at its end', 'a password', 'a password\u0000'],
    ['with U+0000 in it', 'a password', 'a pass\u0000word'],
    ['cut after 72 bytes', 'x'.repeat(80), 'x'.repeat(72)],
    ['cut to 1023 characters', 'x'.repeat(1024), 'x'.repeat(1023)],
    ['with a 1025th character', 'x'.repeat(1024), 'x'.repeat(1025)],
    ['without its accent', 'Zürich-Café', 'Zurich-Cafe'],
  ]
  for (const [what, set, sent] of bad) {
    it(`is wrong ${what}`, async () => {
      const login = await account(set)
      expect((await login(sent)).json).to.deep.equal(LOGIN_FAILED)
      expect((await login(set)).status).to.equal(200)
    })
  }

  const unfit = [
    ['7 characters', 'seven-7'],
    ['1025 characters', 'x'.repeat(1025)],
    ['1 MB', 'x'.repeat(2 ** 20)],
    ['U+0000', 'a pass\u0000word'],
    ['7 characters after normalisation', 'Zu\u0308rich-'],
  ] as const
  for (const [what, password] of unfit) {
    it(`cannot be set with ${what}`, async () => {
      const email = freshEmail()
      let refused: unknown
      await service.useCases
        .createUser({ caller: OPERATOR, email, password })
        .catch((error: unknown) => (refused = error))
      expect(refused).to.be.instanceOf(Refusal)
      expect((refused as Refusal).code).to.equal('invalid')
      expect((refused as Refusal).messages.map(({ field }) => field)).to.deep.equal(['password'])
      expect((await createBrowser(service, email).login(password.slice(0, 1000))).status).to.equal(401)
    })
  }
})
