import { expect } from 'chai'
import { ANONYMOUS } from '../../../src/domain/access/caller.js'
import type { Claims } from '../../../src/domain/identity/claims.js'
import type { Rotation, RotationRequest } from '../../../src/domain/identity/rotation.js'
import type {
  ActiveSession,
  Generation,
  KeyDigest,
  Session,
  SessionId,
} from '../../../src/domain/identity/session.js'
import type { AttemptCount } from '../../../src/ports/attempt-limiter.js'
import type { AuditEntry } from '../../../src/application/audit/audit-trail.js'
import type { ClientContext } from '../../../src/application/client-context.js'
import { auditSharedRefresh } from '../../../src/application/identity/refresh.js'
import { operations, type PartsOf } from '../../../src/application/index.js'
import { ACTOR, ADA, AT, BOSS, CLAIMS, SESSION_ID } from '../../support/logins.js'
import { refusalOf } from '../../support/refusal-of.js'
import { CLIENT, fakedParts, type FakedParts } from './faked-parts.js'

describe('a refresh, with fakes', () => {
  const REFRESH: Claims = { ...CLAIMS, kind: 'refresh', tokenId: 'pair-1.refresh' }
  const digestOf = (key: string) => `digest of ${key}` as KeyDigest
  const generation = (number: number, key: string) =>
    ({ number, kid: 'kid', keyDigest: digestOf(key) }) as Generation
  const SESSION = {
    id: SESSION_ID,
    accountId: ADA.id,
    endsAt: AT + 1000,
    current: generation(1, 'key'),
    openedBy: { client: 'Firefox' },
  } as Session
  const ACTIVE: ActiveSession = { account: ADA, session: SESSION }
  /** The session after another call has rotated it. */
  const AFTER: Session = {
    ...SESSION,
    current: generation(2, 'key+'),
    previous: { keyDigest: digestOf('key') } as Required<Session>['previous'],
  }

  type Setting = {
    readonly active?: ActiveSession | null
    readonly other?: ActiveSession
    readonly outcome?: Rotation
    readonly sessionKey?: string
    readonly successor?: (key: string) => string | undefined
    readonly client?: ClientContext
    readonly silent?: boolean
  }
  let faked: FakedParts
  let requests: RotationRequest[]
  let searched: string[]
  beforeEach(() => {
    faked = fakedParts()
    requests = []
    searched = []
  })

  const judge = async ({
    active = ACTIVE,
    other,
    outcome = { kind: 'rotated', session: AFTER },
    sessionKey,
    successor = (key) => `${key}+`,
    client = CLIENT,
    silent = false,
  }: Setting) => {
    const parts = {
      ...faked.parts,
      tokens: { currentKid: 'kid', verify: async () => ({ kind: 'valid', claims: REFRESH }) },
      sessions: {
        findById: async () => active ?? undefined,
        find: async (digest: string) => {
          searched.push(digest)
          return other
        },
        rotate: async (request: RotationRequest) => {
          requests.push(request)
          return outcome
        },
      },
      sessionKeys: {
        digest: digestOf,
        fresh: () => 'fresh',
        successor: (_kid: string, key: string) => successor(key),
      },
      nextGeneration: (number: number, keyDigest: KeyDigest) => ({ number, keyDigest }),
      issue: async (_: ActiveSession, key: string) => ({ sessionKey: key }),
      refuseLapsed: () => Promise.resolve(),
      lifetimes: { refreshGrace: 7 },
      attempts: { take: async () => ({ kind: 'refused' }) },
      ...(silent && { notices: undefined }),
    } as unknown as PartsOf<'refresh'>
    const presented = { client, ...(sessionKey !== undefined && { sessionKey }) }
    return await operations.refresh.factory(parts)({ refreshToken: 'token', presented })
  }
  const detail = async (setting: Setting) => (await refusalOf(judge(setting))).detail
  const mismatched = () => ({
    ...{ event: 'binding.mismatch', caller: ANONYMOUS, subject: ADA.id, outcome: 'failure', client: CLIENT },
  })

  it('rotates the session to the key derived from the current key, and records the network', async () => {
    expect(await judge({ sessionKey: 'key' })).to.deep.equal({ sessionKey: 'key+' })
    expect(requests).to.deep.equal([
      {
        sessionId: SESSION_ID,
        from: 'pair-1',
        keyDigest: 'digest of key',
        next: { number: 2, keyDigest: 'digest of key+', network: '192.0.2.1' },
        at: AT,
        grace: 7,
        found: SESSION,
      },
    ])
    expect(searched).to.deep.equal([])
  })

  it('rotates to a random key if there is no cookie, and records no network if the network is unknown', async () => {
    await judge({ client: {} })
    expect(requests[0]?.keyDigest).to.equal(undefined)
    expect(requests[0]?.next).to.deep.equal({ number: 2, keyDigest: 'digest of fresh' })
    expect(searched).to.deep.equal([])
  })

  it('rejects a session that has ended or belongs to another account', async () => {
    for (const active of [null, { ...ACTIVE, account: BOSS }])
      expect(await detail({ active })).to.equal('the session is not active')
    expect(requests).to.deep.equal([])
  })

  it('is refused and audited if the cookie belongs to another session', async () => {
    const other = { account: BOSS, session: { ...SESSION, id: 'another' as SessionId } }
    expect(await detail({ sessionKey: 'foreign', other })).to.equal('the cookie belongs to another session')
    expect(faked.entries).to.deep.equal([{ ...mismatched(), subject: BOSS.id, by: 'tally' }])
    expect([searched, requests]).to.deep.equal([['digest of foreign'], []])
  })

  it('passes a cookie to the rotation unless the cookie belongs to another active session', async () => {
    for (const other of [undefined, ACTIVE]) await judge({ sessionKey: 'foreign', ...(other && { other }) })
    expect(requests.map(({ keyDigest }) => keyDigest)).to.deep.equal([
      'digest of foreign',
      'digest of foreign',
    ])
    await judge({ sessionKey: 'key', active: { ...ACTIVE, session: AFTER } })
    expect(searched).to.have.lengthOf(2)
    expect(faked.entries).to.deep.equal([])
  })

  it('audits a cookie that does not belong to the token', async () => {
    const outcome = { kind: 'mismatched' } as const
    expect(await detail({ outcome })).to.equal('refresh: mismatched')
    expect(faked.entries).to.deep.equal([])
    expect(await detail({ outcome, sessionKey: 'key' })).to.equal('refresh: mismatched')
    expect(faked.entries).to.deep.equal([{ ...mismatched(), by: 'tally' }])
  })

  it('audits a reused token, and sends a notice to the account or the actor', async () => {
    const outcome = { kind: 'replayed' } as const
    expect(await detail({ outcome, sessionKey: 'key' })).to.equal('refresh: replayed')
    const entry = { ...mismatched(), event: 'refresh.reuse' }
    expect(faked.notices).to.deep.equal([
      ['refresh-reuse', { email: ADA.email, client: CLIENT, about: 'Firefox' }],
    ])
    const { openedBy: _openedBy, ...session } = { ...SESSION, actor: ACTOR }
    await detail({ outcome, active: { ...ACTIVE, session } })
    expect(faked.notices[1]).to.deep.equal([
      'refresh-reuse',
      { email: ACTOR.email, client: CLIENT, about: undefined },
    ])
    expect(await detail({ outcome, silent: true })).to.equal('refresh: replayed')
    expect(faked.entries).to.deep.equal([entry, entry, entry])
  })

  it('returns the current pair again only if the key of that pair can be derived from the presented key', async () => {
    const outcome = { kind: 'superseded', session: AFTER } as const
    for (const sessionKey of ['key', 'key+'])
      expect(await judge({ outcome, sessionKey })).to.deep.equal({ sessionKey: 'key+' })
    const lost = 'refresh: the session key of the successor cannot be derived again'
    const { previous: _previous, ...first } = AFTER
    for (const setting of [
      {},
      { sessionKey: 'foreign', successor: () => expect.fail('a key was made') },
      { sessionKey: 'key', successor: () => undefined },
      { sessionKey: 'key', successor: () => 'of another ring' },
      { sessionKey: 'foreign', outcome: { kind: 'superseded', session: first } as const },
    ])
      expect(await detail({ outcome, ...setting })).to.equal(lost)
  })
})

describe('a refresh that uses the same session as another refresh', () => {
  const shared = async (network: string | undefined, address: string | undefined, kind = 'taken') => {
    const entries: AuditEntry[] = []
    const names: string[] = []
    const attempts = {
      take: async (counts: readonly AttemptCount[]) => {
        names.push(...counts.map(({ name }) => name))
        return { kind }
      },
    } as never
    const audit = { record: async (entry: AuditEntry) => void entries.push(entry) } as never
    const session = { id: SESSION_ID, endsAt: AT, current: { network } } as never
    const client = address === undefined ? undefined : { address }
    await auditSharedRefresh({ attempts, audit }, { account: ADA, session }, { client, at: AT })
    return { names, events: entries.map(({ event, subject }) => [event, subject]) }
  }

  it('is audited if the refresh comes from a different network', async () => {
    expect(await shared('192.0.2.1', '192.0.2.2')).to.deep.equal({
      names: [`refresh shared ${SESSION_ID}`],
      events: [['refresh.shared', ADA.id]],
    })
  })

  it('is audited at most once a minute', async () => {
    expect((await shared('192.0.2.1', '192.0.2.2', 'refused')).events).to.deep.equal([])
  })

  it('is not audited if both networks are the same or one network is unknown', async () => {
    for (const [network, address] of [
      ['192.0.2.1', '192.0.2.1'],
      [undefined, '192.0.2.2'],
      ['192.0.2.1', undefined],
      [undefined, undefined],
    ])
      expect(await shared(network, address)).to.deep.equal({ names: [], events: [] })
  })
})
