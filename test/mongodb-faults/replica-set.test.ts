import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { makeWorkplace, type Workplace } from '../cli/app.js'
import type { Outcome } from '../support/outcome.js'
import { createBrowser, identityWith } from '../support/http/browser.js'
import { expectNothingLost } from './found.js'
import { createLeftovers } from './leftovers.js'
import { startLoad } from './load.js'
import { stormLogins } from './login-storm.js'
import { becomes, expectEveryRouteRefuses, serveOn, type RealService } from './real-service.js'
import { command, startReplicaSet, type ReplicaSet } from './replica-set.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { describeWith } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'

/** Writes that are acknowledged before the server fails. */
const ENOUGH = 200
/** Clients must be able to retry when the replica set is available again, even on a slow machine. */
const LONG_GRACE = { REFRESH_GRACE: '60s' }

describeWith('mongod', 'a service on a MongoDB replica set', () => {
  const leftovers = createLeftovers()
  let set: ReplicaSet
  let service: RealService
  let place: Workplace
  /** A service that can reach only the read-only member, from beginning to end. */
  let starting: Promise<Outcome>

  before(async () => {
    const folder = makeTemporaryFolder()
    leftovers.add(folder.remove)
    set = await startReplicaSet(folder.path)
    leftovers.add(set.stop)
    service = await serveOn(set.url, 4, LONG_GRACE)
    leftovers.add(service.remove)
    place = await makeWorkplace()
    leftovers.add(() => place.remove())
    const { url } = set.readOnly
    const env = { DATABASE_URL: `${url}kennel?directConnection=true`, PORT: '0' }
    starting = place.child(['serve'], { env })
    leftovers.add(() => starting)
  })
  after(() => leftovers.clear())

  /** Each case leaves the replica set intact, so that the order of the cases does not matter. */
  const CASES: Readonly<Record<string, () => Promise<void>>> = {
    'answers each login with 200 or 503 while its primary steps down, and each 200 has its session':
      async () => {
        const storm = stormLogins(service)
        await storm.next(20)
        const primary = await set.primary()
        await command(primary, { replSetStepDown: 3, secondaryCatchUpPeriodSecs: 2, force: true })
        await set.primary()
        await storm.next(20)
        const { loggedIn, wrong } = await storm.stop()
        expect(wrong).to.deep.equal([])
        for (const held of loggedIn) expect((await identityWith(service, held)).status).to.equal(200)
      },
    'loses no acknowledged write when its primary is killed under load, and continues with the next primary':
      async () => {
        const load = await startLoad(service)
        await load.acknowledged(ENOUGH)
        const killed = await set.primary()
        await killed.kill()
        await load.next('pet', 'refresh')
        const report = await load.stop()
        await killed.restart()
        expect(report.wrong).to.deep.equal([])
        await expectNothingLost(set.url, report)
        expect(service.serving.child.exitCode).to.equal(null)
      },
    'loses no acknowledged write when its primary hangs under load and later resumes': async () => {
      const load = await startLoad(service)
      await load.acknowledged(ENOUGH)
      const frozen = await set.primary()
      await frozen.freeze()
      await load.next('pet', 'refresh')
      frozen.thaw()
      await load.next('pet', 'refresh')
      const report = await load.stop()
      expect(report.wrong).to.deep.equal([])
      await expectNothingLost(set.url, report)
    },
    'loses no acknowledged write when all members die under load and only outdated members return':
      async () => {
        const browser = createBrowser(service, service.emails[0] ?? '')
        expect((await browser.login()).status).to.equal(200)
        const load = await startLoad(service)
        await load.acknowledged(ENOUGH)
        const primary = await set.primary()
        const others = set.nodes.filter((node) => node !== primary)
        await Promise.all(others.map((node) => node.kill()))
        // A write that is accepted at this moment would exist only on this primary.
        await pause(300)
        await primary.kill()
        await becomes(service, 503)
        await expectEveryRouteRefuses(service, browser)
        await Promise.all(others.map((node) => node.restart()))
        await becomes(service, 200)
        await load.next('pet', 'refresh')
        const report = await load.stop()
        expect(report.wrong).to.deep.equal([])
        await expectNothingLost(set.url, report)
        expect((await browser.getIdentity()).status).to.equal(200)
      },
  }
  for (const [title, happens] of rotating(Object.entries(CASES), 2)) it(title, happens)

  it('exits with code 1 and an error, like a command, if it can reach only a read-only member', async () => {
    const env = { DATABASE_URL: `${set.readOnly.url}kennel?directConnection=true` }
    const service = await starting
    const reason = 'The MongoDB server does not accept writes: it is not the primary.'
    expect(service.stdout).to.contain('"event":"waiting for the store"').and.to.contain(reason)
    expect(service.code).to.equal(1)
    // It waits while another test briefly stops all members, and reports the failure of its last attempt.
    expect([reason, 'No MongoDB server that accepts writes can be reached']).to.include(
      service.stderr.trim().split(': connect')[0],
    )
    const { code, stderr } = await place.app(['user', 'list'], { env })
    expect([code, stderr.trim()]).to.deep.equal([1, reason])
  })
})
