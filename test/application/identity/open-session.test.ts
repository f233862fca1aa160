import { expect } from 'chai'
import { createNextGeneration, createOpenSession } from '../../../src/application/identity/open-session.js'
import type { ClientContext } from '../../../src/application/client-context.js'
import type { Generation, KeyDigest, SessionKey } from '../../../src/domain/identity/session.js'
import { collectingLog } from '../../support/log-collector.js'
import { ACTOR, ADA, AT } from '../../support/logins.js'

const LIFETIMES = { accessToken: 1, refreshToken: 1, session: 1000, refreshGrace: 1 }
const NAMED = 'Firefox 130 on Linux'

describe('opening a session', () => {
  const opening = ({
    limit,
    ended = 0,
    named = true,
    logged = true,
    rememberLogin = false,
  }: { limit?: number; ended?: number; named?: boolean; logged?: boolean; rememberLogin?: boolean } = {}) => {
    const calls: string[] = []
    const { log, lines } = collectingLog()
    const sessions = {
      open: async () => void calls.push('open'),
      openWithLimit: async (_session: unknown, most: number) => {
        calls.push(`open with ${most}`)
        return ended
      },
    } as never
    const openSession = createOpenSession({
      sessions,
      sessionKeys: { fresh: () => 'key' as SessionKey, digest: (key: string) => `digest of ${key}` } as never,
      nextGeneration: () => ({ number: 1 }) as Generation,
      lifetimes: LIFETIMES,
      randomness: { base64url: () => 'id', uuid: () => expect.fail() },
      clock: () => AT,
      ...(named && { nameClient: async () => NAMED }),
      sessionLimit: limit,
      rememberLogin,
      ...(logged && { log }),
    })
    return { calls, lines, openSession }
  }

  it('logs how many sessions have been ended because of the limit', async () => {
    const some = opening({ limit: 2, ended: 3 })
    await some.openSession(ADA)
    expect(some.lines).to.deep.equal([
      {
        level: 'info',
        event: 'sessions were ended: an account may have at most SESSION_LIMIT',
        fields: { accountId: ADA.id, count: 3 },
      },
    ])
    const none = opening({ limit: 2 })
    await none.openSession(ADA)
    expect(none.lines).to.deep.equal([])
    expect([...some.calls, ...none.calls]).to.deep.equal(['open with 2', 'open with 2'])
  })

  it('works without a log', async () => {
    const { session } = await opening({ limit: 2, ended: 3, logged: false }).openSession(ADA)
    expect(session.endsAt).to.equal(AT + LIFETIMES.session)
  })

  it('applies a limit only if a limit is configured, and never to an impersonation', async () => {
    const free = opening()
    await free.openSession(ADA)
    const limited = opening({ limit: 2 })
    await limited.openSession(ADA, { actor: ACTOR })
    expect([...free.calls, ...limited.calls]).to.deep.equal(['open', 'open'])
  })

  it('marks the ID of a remembered session if the settings allow remembered sessions', async () => {
    const idWith = async (rememberLogin: boolean, remember?: boolean) =>
      (await opening({ rememberLogin }).openSession(ADA, { remember })).session.id
    expect(await idWith(true, true)).to.equal('id.r')
    const others = [idWith(true, false), idWith(true), idWith(false, true)]
    expect(await Promise.all(others)).to.deep.equal(['id', 'id', 'id'])
  })

  it('stores the client and the network if they are known', async () => {
    const of = async (client: ClientContext, named = true) =>
      (await opening({ named }).openSession(ADA, { client })).session
    const address = '192.0.2.1'
    expect(await of({})).to.not.have.property('openedBy')
    expect((await of({ address })).openedBy).to.deep.equal({ network: '192.0.2.1' })
    expect((await of({ address, userAgent: 'Firefox' }, false)).openedBy).to.deep.equal({
      network: '192.0.2.1',
    })
    const { openedBy } = await of({ userAgent: 'Firefox' })
    expect(Object.keys(openedBy ?? {})).to.deep.equal(['client'])
    expect(openedBy?.client).to.include('Firefox')
    expect((await of({ address, userAgent: 'Firefox' })).openedBy).to.deep.equal({
      client: openedBy?.client,
      network: '192.0.2.1',
    })
  })
})

describe('the next generation of a session', () => {
  it('expires with the refresh token or with the session', () => {
    const next = createNextGeneration({
      currentKid: 'kid',
      lifetimes: { ...LIFETIMES, refreshToken: 500 },
      randomness: { base64url: (bytes) => `random-${bytes}`, uuid: () => expect.fail() },
    })
    const digest = 'digest' as KeyDigest
    const common = { number: 3, pairId: 'random-16', kid: 'kid', issuedAt: AT, keyDigest: digest }
    expect(next(3, digest, AT, AT + 1000)).to.deep.equal({ ...common, idleEndsAt: AT + 500 })
    expect(next(3, digest, AT, AT + 100)).to.deep.equal({ ...common, idleEndsAt: AT + 100 })
  })
})
