import { shownEmail, type Account } from '../../domain/identity/account.js'
import type { Session } from '../../domain/identity/session.js'
import type { Sessions } from '../../ports/sessions.js'
import type { ClientContext } from '../client-context.js'
import type { Notices } from '../mail/queue-mail.js'

/** A login that has just begun. */
export type BegunLogin = {
  readonly account: Account
  readonly session: Session
  /** The session that this login replaces, if it replaces a session. */
  readonly replaced?: Session | undefined
  readonly client: ClientContext | undefined
}

/** Sends a notice of a login if no other active session of the account began with the same client. */
export type TellNewClient = (begun: BegunLogin) => Promise<void>

const PAGE = 100
/** An account whose sessions fill more than this many pages is not notified, because no real user has that many sessions. */
const PAGES = 10

/** Reads nothing if notices about new clients are off. */
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

/** Only earlier sessions are compared; otherwise two concurrent logins with a new client would hide each other. */
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

function isBefore(one: Session, other: Session): boolean {
  return one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id)
}

/** Clients without a name are treated as the same client. */
function isSameClient(one: Session, other: Session): boolean {
  return withoutVersion(one) === withoutVersion(other)
}

/** Removes the version (`Firefox on Linux` for `Firefox 130 on Linux`), because browsers update themselves every few weeks. */
function withoutVersion({ openedBy }: Session): string | undefined {
  return openedBy?.client?.replace(/ \d+(?= on |$)/, '')
}
