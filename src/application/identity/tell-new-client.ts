import { shownEmail, type Account } from '../../domain/identity/account.js'
import type { Session } from '../../domain/identity/session.js'
import type { Sessions } from '../../ports/sessions.js'
import type { ClientContext } from '../client-context.js'
import type { Notices } from '../mail/notices.js'

/** A login that was just begun. */
export type BegunLogin = {
  readonly account: Account
  readonly session: Session
  /** The session that this login has taken the place of, if any: the same client goes on. */
  readonly replaced?: Session | undefined
  readonly client: ClientContext | undefined
}

/** Tells an account of a login with a client that none of its other active sessions was begun with. */
export type TellNewClient = (begun: BegunLogin) => Promise<void>

const PAGE = 100
/** Of an account with more sessions than these pages hold, which no person has, nothing is said. */
const PAGES = 10

/** Nothing is read where no account is told. */
export function createTellNewClient({
  sessions,
  notices,
}: {
  sessions: Sessions
  notices: Notices
}): TellNewClient {
  return async ({ account, session, replaced, client }) => {
    await notices.send('new-client', async () => {
      const isReplacement = replaced?.accountId === account.id && isSameClient(replaced, session)
      if (isReplacement || (await isKnown(sessions, session))) return undefined
      return { email: shownEmail(account), client, about: session.openedBy?.client }
    })
  }
}

/**
 * Only sessions that were begun before count: of several at once with one client the first finds none, or who logs in
 * twice at once would be told of neither.
 */
async function isKnown(sessions: Sessions, session: Session): Promise<boolean> {
  const { accountId, createdAt: at } = session
  let after: Session | undefined
  for (let page = 0; page < PAGES; page += 1) {
    const found = await sessions.pageOf({ accountId, ...(after && { after }), limit: PAGE, at })
    const earlier = found.filter((one) => isBefore(one, session))
    if (earlier.some((one) => !one.actor && isSameClient(one, session))) return true
    if (earlier.length < PAGE) return false
    after = found.at(-1)
  }
  return true
}

/** In the order of pages. */
function isBefore(one: Session, other: Session): boolean {
  return one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id)
}

/** Clients that do not say what they are, are one. */
function isSameClient(one: Session, other: Session): boolean {
  return withoutVersion(one) === withoutVersion(other)
}

/** Of `Firefox 130 on Linux` the `Firefox on Linux`: browsers update themselves every few weeks. */
function withoutVersion({ openedBy }: Session): string | undefined {
  return openedBy?.client?.replace(/ \d+(?= on |$)/, '')
}
