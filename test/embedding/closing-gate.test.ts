import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { createClosingGate } from '../../src/embedding/closing-gate.js'
import { refusalOf } from '../support/refusal-of.js'

describe('a closing gate', () => {
  it('waits for pending work, even if the work fails, and rejects new work', async () => {
    const events: string[] = []
    let reject: (error: Error) => void = () => undefined
    const promise = new Promise<never>((_, give) => (reject = give))
    const gate = createClosingGate('It is closed.')
    const failed = gate.pass(() => promise).catch(() => events.push('failed'))
    const closed = gate.close(async () => void events.push('closed'))
    const again = gate.close(async () => void events.push('closed again'))
    const refused = await refusalOf(gate.pass(async () => events.push('passed')))
    expect([gate.isClosed(), refused.code, refused.detail]).to.deep.equal([
      true,
      'unavailable',
      'It is closed.',
    ])
    expect(gate.assertOpen).to.throw().with.property('code', 'unavailable')
    await setImmediate()
    expect(events).to.deep.equal([])
    reject(new Error('away'))
    await Promise.all([failed, closed, again])
    expect(events).to.deep.equal(['failed', 'closed'])
  })
})
