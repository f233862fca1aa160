import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { useFakeTimers } from 'sinon'
import type { Store } from '../../../src/ports/store.js'
import { createGate } from '../../support/watched-store.js'
import { servicesOfTests } from '../../support/http/service.js'

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
    const { status, json } = await client.call('GET', '/health/ready')
    expect({ status, json }).to.deep.equal({ status: 503, json: { status: 'unavailable' } })
    error = undefined
    expect((await client.call('GET', '/health/ready')).json).to.deep.equal({ status: 'ok' })
  })

  it('wait exactly 2 seconds for the store', async () => {
    const gate = createGate()
    const { client } = await serve({ aroundStore: withProbe(gate.pass) })
    const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const reply = client.call('GET', '/health/ready')
      await gate.reached
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
