import { expect } from 'chai'
import { type Serving, workplaceOfTests } from './app.js'
import { linesIn, until } from './workers.js'

describe('the log of app serve', () => {
  const place = workplaceOfTests()

  /** A rejected request; the reason is logged at the level debug. */
  const refused = (origin: string, id: string) =>
    fetch(`${origin}/v1/pets`, { headers: { 'X-API-Key': 'unknown', 'X-Request-Id': id } })
  const levels = ({ log }: Serving) =>
    linesIn(log()).flatMap(({ event, detail }) => (event === 'log level' ? [detail] : []))

  it('changes to debug on SIGUSR2 and back on the next SIGUSR2, while the service responds', async () => {
    const serving = await place.serve({ TRUST_PROXY: '1' })
    const switchLevel = async (to: string, times: number) => {
      serving.child.kill('SIGUSR2')
      await until(() => levels(serving).filter((one) => one === to).length >= times)
    }
    const loggedFor = async (id: string) => {
      await refused(serving.origin, id)
      const told = () => linesIn(serving.log()).filter(({ requestId }) => requestId === id)
      await until(() => told().some(({ event }) => event === 'request'))
      return told().map(({ level, event }) => `${String(level)} ${String(event)}`)
    }
    for (const round of [1, 2]) {
      expect(await loggedFor(`request-info-${round}`)).to.deep.equal(['info request'])
      await switchLevel('debug', round)
      expect(await loggedFor(`request-debug-${round}`)).to.deep.equal([
        'debug request refused',
        'info request',
      ])
      await switchLevel('info', round)
    }
    expect(await serving.stop()).to.equal(0)
    expect(levels(serving)).to.deep.equal(['debug', 'info', 'debug', 'info'])
  })

  it('contains every finished request when a second signal stops the service immediately', async () => {
    const serving = await place.serve({ TRUST_PROXY: '1' })
    const ids = Array.from({ length: 50 }, (_, index) => `request-number-${index}`)
    await Promise.all(ids.map((id) => refused(serving.origin, id)))
    serving.child.kill('SIGTERM')
    serving.child.kill('SIGINT')
    await serving.ended
    const told = linesIn(serving.log()).filter(({ event }) => event === 'request')
    expect(told.map(({ requestId }) => requestId)).to.include.members(ids)
  })
})
