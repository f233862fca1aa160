import type { Issued } from '../../../src/application/identity/issue.js'
import { createStartSession, createStartStateless } from '../../../src/application/identity/start-login.js'
import type { Session, SessionKey } from '../../../src/domain/identity/session.js'
import { ACTOR, ADA, AT, SESSION_ID } from '../../support/logins.js'
import { expect } from 'chai'
import { CLIENT, fakedParts } from './faked-parts.js'

describe('starting a login, with faked parts', () => {
  const opened = { id: SESSION_ID, accountId: ADA.id } as Session
  const before = { id: 'before', accountId: ADA.id, endsAt: AT } as unknown as Session

  const start = async (found: Session | undefined, telling = true) => {
    const terms: unknown[] = []
    const told: unknown[] = []
    const { parts, entries } = fakedParts()
    const ended: unknown[] = []
    const startLogin = createStartSession({
      ...parts,
      sessions: {
        find: async () => found && { account: ADA, session: found },
        end: async (id: string) => void ended.push(id),
      } as never,
      sessionKeys: { digest: (key: string) => key } as never,
      openSession: async (_account, term) => {
        terms.push(term)
        return { session: opened, sessionKey: 'key' as SessionKey }
      },
      issue: async () => ({ accessToken: 'token' }) as Issued,
      ...(telling && { tellNewClient: async (login: unknown) => void told.push(login) }),
    })
    await startLogin(ADA, { sessionKey: 'cookie', client: CLIENT }, { factor: 7, remember: true })
    expect(terms).to.deep.equal([{ client: CLIENT, factor: 7, remember: true }])
    return { told, entries, ended }
  }
  const news = (replaced: Session | undefined) => [
    { account: ADA, session: opened, replaced, client: CLIENT },
  ]

  it('passes the replaced session to the new-client notice', async () => {
    expect(await start(before)).to.deep.equal({ told: news(before), entries: [], ended: ['before'] })
    expect(await start(undefined)).to.deep.equal({ told: news(undefined), entries: [], ended: [] })
    expect((await start(undefined, false)).told).to.deep.equal([])
  })

  it('ends and audits an impersonation, which does not count as an earlier login of the account', async () => {
    const { told, entries, ended } = await start({ ...before, actor: ACTOR })
    expect([told, ended]).to.deep.equal([news(undefined), ['before']])
    expect(entries.map(({ event, subject, client }) => [event, subject, client])).to.deep.equal([
      ['impersonation.end', ADA.id, CLIENT],
    ])
  })

  it('passes the second factor to the new login in stateless mode', async () => {
    const begun: unknown[] = []
    const startLogin = createStartStateless({
      beginLogin: async (...args) => {
        begun.push(args)
        return { accessToken: 'token' } as Issued
      },
    })
    await startLogin(ADA, { client: CLIENT }, { factor: 7, remember: true })
    await startLogin(ADA, { client: CLIENT })
    expect(begun).to.deep.equal([
      [ADA, { client: CLIENT, factor: 7, passkey: undefined }],
      [ADA, { client: CLIENT, factor: undefined, passkey: undefined }],
    ])
  })
})
