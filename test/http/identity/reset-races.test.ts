import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { tokenIn } from '../../support/mail/postbox.js'
import { rounds } from '../../support/http/modes.js'
import { PASSWORD } from '../../support/http/service.js'
import { createBrowser, freshEmail } from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut } from '../../support/http/expected.js'
import { NEW_PASSWORD, startResetting, type Resetting } from '../../support/http/resetting.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const ROUNDS = rounds(20)
const NOT_VALID = loggedOut(400, { message: 'not-valid', field: 'resetToken', type: 'NotValid' })

for (const { name, open } of STORES) {
  describe(`resets at the same time on the ${name} store`, () => {
    let opened: OpenedStore
    let resets: Resetting
    /** Another instance of the service on the same store. */
    let second: Resetting
    let email: string
    before(async () => {
      opened = await open()
      resets = await startResetting({ store: opened.store })
      second = await startResetting({ store: opened.store })
    })
    after(async () => {
      await resets.service.close()
      await second.service.close()
      await opened.remove()
    })

    const newAccount = async () => {
      email = freshEmail()
      return await resets.service.account(email)
    }
    const statusOfLogin = async (password: string) =>
      (await createBrowser(resets.service, email).login(password)).status

    it('let one of 16 with one token through, and its password is the one that counts', async () => {
      for (let round = 0; round < rounds(5); round += 1) {
        const id = await newAccount()
        const token = await resets.mailedToken(email)
        const replies = await Promise.all(
          Array.from({ length: 16 }, (_, n) =>
            (n % 2 === 0 ? resets : second).consume(email, token, `the password of ${n}`),
          ),
        )
        const winners = replies.flatMap(({ status }, n) => (status === 200 ? [n] : []))
        expect(winners).to.have.length(1)
        for (const { status, json } of replies) if (status !== 200) expect(json).to.deep.equal(NOT_VALID)
        for (const n of [0, 1, 2, 15].filter((one) => !winners.includes(one)))
          expect(await statusOfLogin(`the password of ${n}`)).to.equal(401)
        expect(await statusOfLogin(`the password of ${String(winners[0])}`)).to.equal(200)
        const records = await opened.store.audit.page({ accountId: id as AccountId, limit: 100 })
        expect(records.filter(({ event }) => event === 'reset.done')).to.have.length(1)
        expect(await resets.sendMails()).to.equal(1)
      }
    })

    it('never undo a password that the operator sets', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await newAccount()
        const token = await resets.mailedToken(email)
        const set = () =>
          resets.service.useCases.setPassword({ caller: OPERATOR, email, password: 'of the operator' })
        await shuffled(round, [() => resets.consume(email, token), set])
        expect(await statusOfLogin('of the operator')).to.equal(200)
        expect(await statusOfLogin(NEW_PASSWORD)).to.equal(401)
        expect((await resets.consume(email, token)).json).to.deep.equal(NOT_VALID)
      }
    })

    it('never enable an account that is disabled meanwhile', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await newAccount()
        const token = await resets.mailedToken(email)
        const consume = async () => (await resets.consume(email, token)).status
        const [status] = await shuffled(round, [
          consume,
          async () => {
            await resets.service.useCases.disableUser({ caller: OPERATOR, email })
          },
        ])
        const passwords = [PASSWORD, NEW_PASSWORD]
        for (const one of passwords) expect(await statusOfLogin(one)).to.equal(401)
        await resets.service.useCases.enableUser({ caller: OPERATOR, email })
        const statuses = [await statusOfLogin(PASSWORD), await statusOfLogin(NEW_PASSWORD)]
        expect(statuses).to.deep.equal(status === 200 ? [401, 200] : [200, 401])
      }
    })

    it('let the older token through and void it, and the newest one too unless its mail was made after that', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await newAccount()
        const older = await resets.mailedToken(email)
        resets.service.clock.now += 60_000
        await resets.ask(email)
        const before = resets.postbox.arrived.length
        const [{ status }] = await shuffled(round, [
          () => resets.consume(email, older),
          () => resets.sendMails(),
        ])
        expect(status).to.equal(200)
        const mails = resets.postbox.arrived.slice(before).filter(({ text }) => text.includes('https://'))
        expect(mails).to.have.length(1)
        expect((await resets.consume(email, older)).json).to.deep.equal(NOT_VALID)
        const newest = await resets.consume(email, tokenIn(mails[0]), 'the newest one')
        if (newest.status !== 200) expect(newest.json).to.deep.equal(NOT_VALID)
        const right = newest.status === 200 ? 'the newest one' : NEW_PASSWORD
        for (const password of ['the newest one', NEW_PASSWORD])
          expect(await statusOfLogin(password)).to.equal(password === right ? 200 : 401)
      }
    })

    it('leave no login of the old password alive', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await newAccount()
        const token = await resets.mailedToken(email)
        const browser = createBrowser(second.service, email)
        const consume = async () => (await resets.consume(email, token)).status
        const [status, login] = await shuffled(round, [consume, async () => (await browser.login()).status])
        expect(status).to.equal(200)
        expectInvalidToken(await browser.getIdentity(), `round ${round}`)
        if (login === 200) expectInvalidToken(await browser.refresh(), `round ${round}`)
      }
    })
  })
}

/** Runs both; which one begins, and how many turns of the event loop before the other, depends on the round. */
async function shuffled<A, B>(
  round: number,
  [one, two]: readonly [() => Promise<A>, () => Promise<B>],
): Promise<readonly [A, B]> {
  const turns = (round % 11) - 5
  const late = async <T>(run: () => Promise<T>, count: number) => {
    for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    return await run()
  }
  return await Promise.all([late(one, turns), late(two, -turns)])
}
