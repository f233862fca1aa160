import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import { envelopeOf, newcomer, sessionIdOf, setCookies, type Held } from '../../support/http/browser.js'

describe('refresh', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  const generation = async (held: Held) =>
    (await service.store.sessions.findById(sessionIdOf(held.accessToken), service.clock.now))?.session.current
      .number

  itWithSessions('answers with the full view, a new pair and one new cookie', async () => {
    const browser = await newcomer(service, ['editor'])
    const before = browser.held()
    const reply = await browser.refresh()
    const { jwt, refreshToken } = envelopeOf(reply).view
    const [role] = await service.store.roles.list()
    expect(reply.status).to.equal(200)
    expect(reply.json).to.deep.equal({
      code: 200,
      response: true,
      view: {
        jwt,
        refreshToken,
        refreshed: true,
        loggedIn: true,
        loggedInAs: false,
        user: { id: browser.id, email: browser.email },
        userAs: null,
        messages: [],
        roleList: { editor: { uuid: role?.uuid, key: 'editor', label: 'Label of editor' } },
        groupList: {},
        typeList: {},
      },
    })
    expect(setCookies(reply)).to.have.length(1)
    const after = browser.held()
    expect(after.accessToken).to.not.equal(before.accessToken)
    expect(after.refreshToken).to.not.equal(before.refreshToken)
    expect(after.cookie).to.not.equal(before.cookie)
    expect(sessionIdOf(after.accessToken)).to.equal(sessionIdOf(before.accessToken))
    expect((await browser.getIdentity()).status).to.equal(200)
    expect(await generation(after)).to.equal(2)
  })
})
