import { expect } from 'chai'
import { rulesOf } from '../model/rules.js'
import { openStage } from '../model/stage.js'
import { hasMongodb } from '../support/mongodb/server.js'
import { openStoreOf } from '../support/stores.js'
import type { Bench, CheckedStore } from './checker.js'
import { modelChecker } from './model/checker.js'

/** Every mode, each with other tokens. */
const SEEDS = [0, 4, 8]
/** Replies that say little to themselves: the model has to know what was before. */
const KINDS = [
  ...['login 200', 'login 401', 'login 429', 'refresh 200', 'refresh 401', 'logout 200', 'logout 401'],
  ...['login-as 200', 'login-as 403', 'change-password 200', 'reset-password 200', 'reset-password 400'],
  ...['sessions/end 200', 'sessions/end 404', 'delete-account 200', 'delete-account 400'],
].map((kind) => `POST /api/auth/${kind}`)

/** Rounds in which a planted bug has to be found. */
const MOST = 30

async function benchOf<T>(
  store: CheckedStore,
  planted: string | undefined,
  work: (bench: Bench) => Promise<T>,
) {
  const bench = await modelChecker.open({
    store,
    note: () => undefined,
    ...(planted !== undefined && { planted }),
  })
  try {
    return await work(bench)
  } finally {
    await bench.close()
  }
}

describe('the model of the specification', () => {
  for (const store of modelChecker.stores.filter((one) => one !== 'mongodb' || hasMongodb()))
    it(`allows every reply over ${store}`, () =>
      benchOf(store, undefined, async (bench) => {
        for (const seed of SEEDS) {
          const { violations, histories, operations } = await bench.round(seed)
          expect(violations.join('\n')).to.equal('')
          expect(histories).to.be.greaterThan(20)
          expect(operations).to.be.greaterThan(10 * histories)
        }
      }))

  it('comes to replies of every kind, so that it could be wrong about them', async () => {
    const { store, remove } = await openStoreOf('memory')
    const stage = await openStage(rulesOf(3, 'stateful'), store)
    const { seen } = await stage.play({ seed: 3, runs: 160 })
    await stage.close()
    await remove()
    expect([...seen.keys()]).to.include.members(KINDS)
  })

  for (const [planted, wrong] of Object.entries(modelChecker.planted))
    it(`finds that ${wrong}, and tells how`, () =>
      benchOf('memory', planted, async (bench) => {
        const found: string[] = []
        for (let seed = 0; seed < MOST && found.length === 0; seed += 1)
          found.push(...(await bench.round(seed)).violations)
        expect(found, `${MOST} rounds`).to.have.lengthOf(1)
        expect(found[0]).to.match(/seed: -?\d+, path: "[\d:]+"/)
        expect(found[0]).to.match(/^1\. client 0: login as /m)
        expect(found[0]).to.match(/^=> .* expected/m)
      }))
})
