import { expect } from 'chai'
import { makeWorkplace, type Workplace } from '../cli/app.js'
import { onLinuxOnly, until } from '../cli/workers.js'
import { stopProcess } from '../support/stop-process.js'
import { logIn, logOut, refresh, seenBy } from './kept-connection.js'
import { connectToEach, startWithWorkers, type ServiceWithWorkers } from './service-with-workers.js'

const ADA = { email: 'ada@example.com', password: 'a good long password' }

describe('a worker that is suspended during the grace window of a refresh', () => {
  onLinuxOnly()
  let place: Workplace
  let service: ServiceWithWorkers

  beforeEach(async () => {
    place = await makeWorkplace()
    await place.app(['user', 'create', ADA.email, '--password-stdin'], { input: ADA.password })
    const env = { ...place.env, REFRESH_GRACE: '1s', KEEP_ALIVE_TIMEOUT: '1h' }
    service = await startWithWorkers({ folder: place.folder, env }, 2)
  })
  afterEach(async () => {
    await service.killAll()
    await place.remove()
  })

  it('rejects the earlier pair and an ended session after it resumes, and ends a replayed session', async () => {
    const [running, stopped] = await connectToEach(service, 2)
    if (!running || !stopped) throw new Error('there are two workers')
    const pid = service.pidOf(service.workerOf(stopped.firstRequestId()) ?? 0)
    const [login, ended] = [await logIn(running, ADA), await logIn(running, ADA)]
    const earlier = { ...login, connection: stopped }
    expect([await seenBy(stopped, login), await seenBy(stopped, ended)]).to.deep.equal([200, 200])
    await stopProcess(pid)
    await refresh(login)
    expect((await logOut(ended))?.status).to.equal(200)
    await until(async () => (await seenBy(running, earlier)) === 401)
    const seen = [earlier, ended, login].map((one) => seenBy(stopped, one))
    process.kill(pid, 'SIGCONT')
    expect(await Promise.all(seen)).to.deep.equal([401, 401, 200])
    expect((await refresh(earlier))?.status).to.equal(401)
    expect(await seenBy(running, login)).to.equal(401)
    for (const one of [running, stopped]) one.close()
  })
})
