import { expect } from 'chai'
import {
  becomes,
  expectEveryRouteRefuses,
  PET_UNAVAILABLE,
  probe,
  refusedForNow,
  type RealService,
} from '../mongodb-faults/real-service.js'
import { createBrowser, UNAVAILABLE } from './http/browser.js'
import { PETS } from './http/pet-calls.js'

/** The only database server of a service. */
type Server = {
  readonly kill: () => Promise<unknown>
  readonly restart: () => Promise<unknown>
  readonly freeze: () => Promise<unknown>
  readonly thaw: () => void
}

/** A service on one database server. */
export type ServiceOnServer = { readonly server: Server; readonly service: RealService }

/** Adds tests in which the database server of a service is killed, or hangs during `probes` probes of 2 s each. */
export function itSurvivesOutages(
  subject: () => ServiceOnServer,
  { probes }: { readonly probes: number },
): void {
  it('responds to every route and the probe with the documented body while the server is down', async () => {
    const { server, service } = subject()
    const browser = await loggedIn(service)
    await server.kill()
    expect(await probe(service)).to.equal(503)
    await expectEveryRouteRefuses(service, browser)
    await server.restart()
    await becomes(service, 200)
    expect((await browser.getIdentity()).status).to.equal(200)
  })

  it('responds to every probe while the server hangs, and is ready again after the server resumes', async () => {
    const { server, service } = subject()
    const browser = await loggedIn(service)
    await server.freeze()
    for (let count = 0; count < probes; count += 1) expect(await probe(service)).to.equal(503)
    expect(refusedForNow(await browser.getIdentity())).to.deep.equal(UNAVAILABLE)
    server.thaw()
    await becomes(service, 200)
    expect((await browser.getIdentity()).status).to.equal(200)
  })
}

/** Adds a test that stops the service while its database server hangs. The server still hangs after the test. */
export function itStopsDuringOutage(subject: () => ServiceOnServer): void {
  it('stops on a signal even if the server hangs', async () => {
    const { server, service } = subject()
    await server.freeze()
    const pending = service.client.call('GET', PETS, { headers: { 'X-API-Key': service.apiKey } })
    await probe(service)
    service.serving.child.kill('SIGTERM')
    expect(refusedForNow(await pending)).to.deep.equal(PET_UNAVAILABLE)
    expect(await service.serving.ended).to.equal(0)
  })
}

export async function loggedIn(service: RealService) {
  const browser = createBrowser(service, service.emails[0] ?? '')
  expect((await browser.login()).status).to.equal(200)
  return browser
}
