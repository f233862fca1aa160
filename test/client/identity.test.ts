import { expect } from 'chai'
import { createCookieJar } from '../../src/client/index.js'
import { GET_IDENTITY } from '../support/http/browser.js'
import { createGate } from '../support/watched-store.js'
import { PASSWORD } from '../support/http/service.js'
import { clientOf, newcomer } from './clients.js'
import { sharedService } from '../support/http/services.js'

describe('the identity of a client', () => {
  const service = sharedService()

  it('is undefined before the login and after the logout, and otherwise comes from the service', async () => {
    const { email } = await newcomer(service)
    const { client } = clientOf(service)
    const seen: (string | undefined)[] = []
    client.subscribe(() => seen.push(client.identity()?.user?.email))
    expect(client.identity()).to.equal(undefined)
    await client.login(email, PASSWORD)
    await client.logout()
    expect(seen).to.deep.equal([email, undefined])
  })

  it('is the same object until the identity changes', async () => {
    const { client } = await newcomer(service)
    const known = client.identity()
    let changes = 0
    client.subscribe(() => (changes += 1))
    expect(await client.getIdentity()).to.deep.equal(known)
    expect([client.identity() === known, changes]).to.deep.equal([true, 0])
    await client.refresh()
    expect([client.identity() === known, changes]).to.deep.equal([true, 1])
  })

  it('is undefined after adopting a token pair, until the service confirms the pair', async () => {
    const cookieJar = createCookieJar()
    const { client: earlier } = await newcomer(service, { cookieJar })
    const { client } = clientOf(service, { cookieJar })
    client.adopt(earlier.tokens())
    expect(client.identity()).to.equal(undefined)
    const identity = await client.getIdentity()
    expect(client.identity()).to.deep.equal(identity)
  })

  it('is not set by a late response to a call from an earlier session', async () => {
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

  it('notifies a listener only once if it subscribes again during the notification', async () => {
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

  it('does not notify an unsubscribed listener', async () => {
    const { client } = await newcomer(service)
    let changes = 0
    const end = client.subscribe(() => (changes += 1))
    end()
    end()
    await client.logout()
    expect(changes).to.equal(0)
  })
})
