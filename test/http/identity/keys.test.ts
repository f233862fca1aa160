import { expect } from 'chai'
import { itWithSessions } from '../../support/http/modes.js'
import { createBrowser, identityWith, keep, newcomer, refreshWith } from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import { KEPT, storesOfTests } from '../../support/stores.js'
import { servicesOfTests } from '../../support/http/services.js'

const settings = { publicUrl: 'http://127.0.0.1:3000' }

describe(`two services that share data in ${KEPT.name}`, () => {
  const serve = servicesOfTests()
  const opened = storesOfTests()

  itWithSessions('share sessions, refreshes and ended sessions', async () => {
    const { store, again } = await opened(KEPT.open)
    const other = await opened(again)
    const one = await serve({ store, settings })
    const two = await serve({ store: other.store, settings })
    const browser = await newcomer(one)
    const first = browser.held()
    expect((await identityWith(two, first)).status).to.equal(200)
    const [here, there] = await Promise.all([refreshWith(one, first), refreshWith(two, first)])
    expect(here.text).to.equal(there.text)
    const second = keep(first, there)
    expect((await identityWith(one, second)).status).to.equal(200)
    await createBrowser(two, browser.email, { held: second }).logout()
    expectInvalidToken(await identityWith(one, second))
    expectInvalidToken(await refreshWith(one, second))
  })
})
