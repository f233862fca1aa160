import { expect } from 'chai'
import { limitPreviousAccounts } from '../../src/composition-root/previous-accounts.js'
import type { Email } from '../../src/domain/identity/email.js'
import type { PreviousAnswer } from '../../src/ports/callbacks.js'
import { refusalOf } from '../support/refusal-of.js'

const LOGIN = ['ada@example.com' as Email, 'a quiet river'] as const
const ANSWER: PreviousAnswer = { kind: 'account' }

describe('a call to the previous system', () => {
  it('resolves with the answer, and its signal is not aborted', async () => {
    const calls: unknown[][] = []
    const limited = limitPreviousAccounts({
      async verify(...call) {
        calls.push(call)
        return ANSWER
      },
    })
    expect(await limited.verify(...LOGIN)).to.equal(ANSWER)
    expect(calls).to.have.lengthOf(1)
    expect(calls[0]?.slice(0, 2)).to.deep.equal(LOGIN)
    expect(calls[0]?.[2]).to.include({ aborted: false })
  })

  it('rejects after the time limit, and its signal is aborted', async () => {
    const signals: AbortSignal[] = []
    const limited = limitPreviousAccounts(
      {
        async verify(_, __, signal) {
          signals.push(signal)
          return await new Promise<never>(() => undefined)
        },
      },
      1,
    )
    const refusal = await refusalOf(limited.verify(...LOGIN))
    expect(refusal).to.include({ detail: 'The previous login server did not answer in time.' })
    expect(signals).to.have.lengthOf(1)
    expect(signals[0]).to.include({ aborted: true, reason: refusal })
  })
})
