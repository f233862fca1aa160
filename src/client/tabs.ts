import { loginIn, type Login } from './login.js'
import { member } from './reply.js'

/** Who shares a login with whom. */
export type TabOptions = {
  /**
   * The pages of one origin that call one service share its login: what one of them changes the others have at once.
   * `false` keeps a page to itself; a text is the name of the `BroadcastChannel`, which is made of `baseUrl` by default.
   * Outside of pages, where each client has a cookie of its own, only a name turns it on.
   */
  readonly tabs?: false | string
}

/** The name of the channel, and of the lock. A jar is of one client, the cookie of a browser of all its pages. */
export function channelOf(
  place: string,
  { tabs, cookieJar }: TabOptions & { readonly cookieJar?: unknown },
): string | false {
  return tabs ?? ('document' in globalThis && !cookieJar && place)
}

/** What a client does with news of other tabs. */
export type Receiver = {
  readonly login: () => Login | undefined
  /** Another tab has changed its login; or, where it is an answer, says what it holds. */
  readonly told: (login: Login, isAnswer: boolean) => void
  /** Another tab has ended the login of this session. */
  readonly ended: (session: unknown) => void
}

/** The other tabs. */
export type Tabs = {
  readonly tell: (message: object) => void
  /** Acts when no other tab does, where the runtime can see to it. */
  readonly alone: <T>(act: () => Promise<T>) => Promise<T>
  readonly close: () => void
}

/** Without a name there are no other tabs. A new one asks what the others hold. */
export function openTabs(name: string | false, { login, told, ended }: Receiver): Tabs {
  let channel = name ? openChannel(name) : undefined
  const tell = (message: object) => channel?.postMessage(message)
  if (channel) {
    channel.onmessage = ({ data }: { readonly data: unknown }) => {
      const news = loginIn(member(data, 'login'))
      if (news) told(news, member(data, 'answer') === true)
      else if (member(data, 'over') === true) ended(member(data, 'session'))
      else if (member(data, 'asked') === true && login()) tell({ login: login(), answer: true })
    }
    // A program that does not close its client ends nevertheless.
    ;(channel as Unreferenced).unref?.()
  }
  tell({ asked: true })
  return {
    tell,
    alone: (act) => (name ? locked(name, act) : act()),
    close: () => {
      channel?.close()
      channel = undefined
    },
  }
}

/** What Node has beside a browser, and a browser beside Node. */
type Unreferenced = { readonly unref?: () => unknown }
type Locks = {
  request(name: string, options: { signal: AbortSignal }, act: () => Promise<unknown>): Promise<unknown>
}

/** Milliseconds after which a tab that gets no reply holds the others up no longer. */
const TURN_MAX = 5000

function openChannel(name: string) {
  try {
    return new BroadcastChannel(name)
  } catch {
    // A runtime may have none, and a browser that keeps nothing for a page may not let it talk to another one.
    return undefined
  }
}

async function locked<T>(name: string, act: () => Promise<T>): Promise<T> {
  const acts: Promise<T>[] = []
  const { locks } = (globalThis as { navigator?: { locks?: Locks } }).navigator ?? {}
  const options = { signal: AbortSignal.timeout(TURN_MAX) }
  // What the act itself fails with is thrown below.
  await locks?.request(name, options, () => (acts[0] = act())).catch(() => undefined)
  return await (acts[0] ?? act())
}
