import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { TestService } from '../../support/http/service.js'
import { createBrowser, newcomer, type Browser } from '../../support/http/browser.js'
import { NEW_PASSWORD, resettingsOfTests } from '../../support/http/resetting.js'
import { servicesOfTests } from '../../support/http/services.js'
import { STORES, storesOfTests } from '../../support/stores.js'
import { watching } from '../../support/watched-store.js'

/** What ends all sessions of the account, on the service whose store is watched; and the password that is good then. */
type End = {
  readonly password?: string
  /** What may be needed before, such as a mail with a link; gives the end itself. */
  readonly prepare: (service: TestService, email: string) => Promise<() => Promise<unknown>>
  /** What another operator does as soon as the end can be seen. */
  readonly undo?: (service: TestService, email: string) => Promise<unknown>
}

const caller = OPERATOR

const ENDS: Readonly<Record<string, End>> = {
  'all its sessions are revoked': {
    prepare: async (service, email) => () => service.useCases.revokeSessions({ caller, email }),
  },
  'its password is set': {
    password: NEW_PASSWORD,
    prepare: async (service, email) => () =>
      service.useCases.setPassword({ caller, email, password: NEW_PASSWORD }),
  },
  'all passwords are set': {
    password: NEW_PASSWORD,
    prepare: async (service) => () =>
      service.useCases.setAllPasswords({ caller, password: () => NEW_PASSWORD }),
  },
  'it is disabled by one operator and enabled by another': {
    prepare: async (service, email) => () => service.useCases.disableUser({ caller, email }),
    undo: (service, email) => service.useCases.enableUser({ caller, email }),
  },
}

for (const { name, open } of STORES) {
  describe(`a login while the sessions of its account are ended, on the ${name} store`, () => {
    const serve = servicesOfTests()
    const serveResets = resettingsOfTests()
    const opened = storesOfTests()

    /** The end, and after each of its store calls a login of the one who finds that the old session has ended. */
    async function loginsDuring(
      { store, service, email }: { store: Between; service: TestService; email: string },
      {
        end,
        undo,
        password,
      }: { end: () => Promise<unknown>; undo?: End['undo']; password?: string | undefined },
    ): Promise<readonly Browser[]> {
      const old = createBrowser(service, email)
      expect((await old.login()).status).to.equal(200)
      const logins: Browser[] = []
      store.afterEachCall = async () => {
        if ((await old.getIdentity()).status === 200) return
        await undo?.(service, email)
        const browser = createBrowser(service, email)
        const { status, text } = await browser.login(password)
        expect(status, text).to.equal(200)
        logins.push(browser)
      }
      await end()
      store.afterEachCall = async () => undefined
      expect((await old.getIdentity()).status, 'the old session').to.equal(401)
      return logins
    }

    for (const [what, { prepare, undo, password }] of Object.entries(ENDS)) {
      it(`lives on where it began after an effect was seen, when ${what}`, async () => {
        const { store } = await opened(open)
        const between = betweenCalls()
        const ending = await serve({ store: watching(between.watcher)(store) })
        const service = await serve({ store, settings: { publicUrl: ending.origin } })
        const { email } = await newcomer(service)
        const end = await prepare(ending, email)
        const logins = await loginsDuring({ store: between, service, email }, { end, undo, password })
        expect(logins.length).to.be.at.least(1)
        for (const browser of logins) {
          expect((await browser.getIdentity()).status).to.equal(200)
          expect((await browser.refresh()).status).to.equal(200)
        }
      })
    }

    it('lives on where it began after an effect was seen, when the password is reset', async () => {
      const { store } = await opened(open)
      const between = betweenCalls()
      const resets = await serveResets({ store: watching(between.watcher)(store) })
      const service = await serve({ store, settings: { publicUrl: resets.service.origin } })
      const { email } = await newcomer(service)
      const token = await resets.mailedToken(email)
      const end = async () => {
        expect((await resets.consume(email, token)).status).to.equal(200)
      }
      const logins = await loginsDuring({ store: between, service, email }, { end, password: NEW_PASSWORD })
      expect(logins.length).to.be.at.least(1)
      for (const browser of logins) expect((await browser.getIdentity()).status).to.equal(200)
    })
  })
}

/** Calls of one watched store; whatever is set here is done between one of them and the next. */
type Between = { afterEachCall: () => Promise<void> }

function betweenCalls() {
  const between = {
    afterEachCall: async (): Promise<void> => undefined,
    watcher: async (_: string, run: () => Promise<unknown>) => {
      const answer = await run()
      await between.afterEachCall()
      return answer
    },
  }
  return between
}
