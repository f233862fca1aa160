import { expect } from 'chai'
import { meterLogin } from '../../../src/application/metering/meter-login.js'
import type { Issued } from '../../../src/application/identity/issue.js'
import { refuse } from '../../../src/domain/refusal.js'
import { recordingMetrics } from '../../support/recording-metrics.js'

const ISSUED = Object.freeze({ accessToken: 'cAnArY' }) as unknown as Issued
const ASK = { email: 'cAnArY@example.com', password: 'cAnArY', presented: {} }
const REFUSED = refuse('too-many-attempts', 'TooMany', 'cAnArY')

describe('a metered login', () => {
  it('returns the same answer, and is counted as a success', async () => {
    const { metrics, told } = recordingMetrics()
    const asked: unknown[] = []
    const login = meterLogin(async (input) => {
      asked.push(input)
      return ISSUED
    }, metrics)
    expect(await login(ASK)).to.equal(ISSUED)
    expect(asked).to.deep.equal([ASK])
    expect(told).to.deep.equal([['loginTried', 'success']])
  })

  it('is counted by the code of its refusal, which is passed on', async () => {
    const { metrics, told } = recordingMetrics()
    const outcome = await meterLogin(
      () => Promise.reject(REFUSED),
      metrics,
    )(ASK).catch((error: unknown) => error)
    expect(outcome).to.equal(REFUSED)
    expect(told).to.deep.equal([['loginTried', 'too-many-attempts']])
  })

  it('is counted as a fault for any other error, even a synchronous one', async () => {
    const { metrics, told } = recordingMetrics()
    const fault = new Error('a fault')
    const login = meterLogin(() => {
      throw fault
    }, metrics)
    expect(await login(ASK).catch((error: unknown) => error)).to.equal(fault)
    expect(told).to.deep.equal([['loginTried', 'fault']])
  })
})

describe('without metrics', () => {
  it('a login is unchanged', () => {
    const call = async () => await Promise.resolve(ISSUED)
    expect(meterLogin(call, undefined)).to.equal(call)
  })
})
