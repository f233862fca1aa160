import { expect } from 'chai'
import { createCookieJar } from '../../src/client/index.js'
import { GET_IDENTITY } from '../support/http/browser.js'
import { createGate } from '../support/watched-store.js'
import { PASSWORD, startService, type TestService } from '../support/http/service.js'
import { clientOf, newcomer } from './clients.js'

describe('what a client knows of who is logged in', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('is nothing at first, then what the service says, and nothing after the logout', async () => {
    const { email } = await newcomer(service)
    const { client } = clientOf(service)
    const seen: (string | undefined)[] = []
    client.subscribe(() => seen.push(client.identity()?.user?.email))
    expect(client.identity()).to.equal(undefined)
    await client.login(email, PASSWORD)
    await client.logout()
    expect(seen).to.deep.equal([email, undefined])
  })

  it('is one object until something has changed', async () => {
    const { client } = await newcomer(service)
    const known = client.identity()
    let changes = 0
    client.subscribe(() => (changes += 1))
    expect(await client.getIdentity()).to.deep.equal(known)
    expect([client.identity() === known, changes]).to.deep.equal([true, 0])
    await client.refresh()
    expect([client.identity() === known, changes]).to.deep.equal([true, 1])
  })

  it('is nothing where a pair alone was handed over, until the service says it', async () => {
    const cookieJar = createCookieJar()
    const { client: earlier } = await newcomer(service, { cookieJar })
    const { client } = clientOf(service, { cookieJar })
    client.adopt(earlier.tokens())
    expect(client.identity()).to.equal(undefined)
    const identity = await client.getIdentity()
    expect(client.identity()).to.deep.equal(identity)
  })

  it('is not the answer to a call for the login before', async () => {
    const gate = createGate()
    let late = false
    const { client } = await newcomer(service, {
      around: async (path, send) => {
        const response = await send()
        if (late && path === GET_IDENTITY) await gate.pass()
        return response
      },
    })
    const other = await newcomer(service)
    late = true
    const earlier = client.getIdentity()
    await gate.reached
    client.adopt(other.client.tokens())
    gate.release()
    expect((await earlier).loggedIn).to.equal(true)
    expect(client.identity()).to.equal(undefined)
  })

  it('is told once to the one who subscribes anew while it is told', async () => {
    const { client } = await newcomer(service)
    let changes = 0
    let end = () => {}
    const listen = () => {
      changes += 1
      end()
      if (changes < 5) end = client.subscribe(listen)
    }
    end = client.subscribe(listen)
    await client.logout()
    expect(changes).to.equal(1)
  })

  it('is told no more to the one who does not want to hear it', async () => {
    const { client } = await newcomer(service)
    let changes = 0
    const end = client.subscribe(() => (changes += 1))
    end()
    end()
    await client.logout()
    expect(changes).to.equal(0)
  })
})
