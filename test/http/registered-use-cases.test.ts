import { expect } from 'chai'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { registeredUseCases } from '../../src/http/parts.js'
import { openKennel } from '../../src/index.js'
import { goodOptions } from '../embedding/opening.js'
import { createGate, watching } from '../support/watched-store.js'

const basic = { email: 'ada@pets.example', password: 'no password of any account' }

describe('the use cases that the HTTP interface calls', () => {
  it('make `close` wait for pending calls, and are unavailable afterwards', async () => {
    const gate = createGate()
    const store = watching(async (name, run) => {
      if (name === 'accounts.findByEmail') await gate.pass()
      return await run()
    })(createMemoryStore())
    const kennel = await openKennel(goodOptions({ store }))
    const { authenticatePetClient } = registeredUseCases(kennel)
    const order: string[] = []
    const refused = authenticatePetClient?.({ basic }).catch(() => order.push('refused'))
    await gate.reached
    const closed = kennel.close().then(() => order.push('closed'))
    gate.release()
    await Promise.all([refused, closed])
    expect(order).to.deep.equal(['refused', 'closed'])
    const late: unknown = await authenticatePetClient?.({ basic }).catch((error: unknown) => error)
    expect(late).to.have.property('code', 'unavailable')
  })

  it('include methods that the host has replaced', async () => {
    const kennel = await openKennel(goodOptions())
    const changed = { ...kennel, authorize: kennel.authorize }
    expect(registeredUseCases(changed)).to.equal(changed)
    expect(registeredUseCases(kennel)).not.to.equal(kennel)
    await kennel.close()
  })
})
