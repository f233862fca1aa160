import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { useFakeTimers } from 'sinon'
import type { Store } from '../../../src/ports/store.js'
import { servicesOfTests } from '../../support/http/service.js'

const OK = { status: 'ok' }
const AWAY = { status: 'unavailable' }

function withProbe(ready: () => Promise<void>) {
  return (store: Store): Store => ({ ...store, ready })
}

describe('the health endpoints', () => {
  const serve = servicesOfTests()

  it('report the service as ready again when the store has recovered, and do not reveal the cause of the outage', async () => {
    let error: Error | undefined = new Error('connect ECONNREFUSED mongodb://root:hunter2@db')
    const aroundStore = withProbe(async () => {
      if (error) throw error
    })
    const { client } = await serve({ aroundStore })
    const away = await client.call('GET', '/health/ready')
    expect(away.status).to.equal(503)
    expect(away.json).to.deep.equal(AWAY)
    error = undefined
    expect((await client.call('GET', '/health/ready')).json).to.deep.equal(OK)
  })

  it('wait exactly 2 seconds for the store', async () => {
    let asked = (): void => undefined
    const probing = new Promise<void>((resolve) => (asked = resolve))
    const aroundStore = withProbe(() => {
      asked()
      return new Promise(() => undefined)
    })
    const { client } = await serve({ aroundStore })
    const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const reply = client.call('GET', '/health/ready')
      await probing
      // Earlier timers may belong to the store.
      let last = 0
      while (last < 2_000 && clock.countTimers() > 0) last = await clock.nextAsync()
      expect(last).to.equal(2_000)
      expect((await reply).status).to.equal(503)
    } finally {
      clock.restore()
    }
  })

  it('report the service as live even if the store fails after the probe has timed out', async () => {
    let fail = (): void => undefined
    const failing = new Promise<void>((_, reject) => (fail = () => reject(new Error('too late'))))
    const { client } = await serve({ aroundStore: withProbe(() => failing), probeTimeout: 20 })
    expect((await client.call('GET', '/health/ready')).status).to.equal(503)
    fail()
    await setImmediate()
    expect((await client.call('GET', '/health/live')).status).to.equal(200)
  })
})
