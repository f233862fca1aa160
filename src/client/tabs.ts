import { loginIn, type Login } from './login.js'
import { member } from './reply.js'

/** Sharing of a login between tabs. */
export type TabOptions = {
  /**
   * Pages of one origin share the login of one service by default. `false` turns this off; a string is the name of the
   * `BroadcastChannel`, which otherwise follows from `baseUrl`. Outside a page only a name turns sharing on, because each
   * client there has a separate cookie.
   */
  readonly tabs?: false | string
}

/** The name of the channel and the lock. A cookie jar belongs to one client; browser pages share the browser's cookie. */
export function channelOf(
  place: string,
  { tabs, cookieJar }: TabOptions & { readonly cookieJar?: unknown },
): string | false {
  return tabs ?? ('document' in globalThis && !cookieJar && place)
}

/** Handles messages of other tabs. */
export type Receiver = {
  readonly login: () => Login | undefined
  /** Another tab has changed its login, or answers with its login. */
  readonly received: (login: Login, isAnswer: boolean) => void
  /** Another tab has ended the login of this session. */
  readonly ended: (session: unknown) => void
}

/** The other tabs. */
export type Tabs = {
  readonly post: (message: object) => void
  /** Runs `act` while no other tab runs its own, if the runtime supports locks. */
  readonly alone: <T>(act: () => Promise<T>) => Promise<T>
  readonly close: () => void
}

/** Asks the other tabs for their login. Without a name there are no other tabs. */
export function openTabs(name: string | false, { login, received, ended }: Receiver): Tabs {
  let channel = name ? openChannel(name) : undefined
  const post = (message: object) => channel?.postMessage(message)
  if (channel) {
    channel.onmessage = ({ data }: { readonly data: unknown }) => {
      const news = loginIn(member(data, 'login'))
      if (news) received(news, member(data, 'answer') === true)
      else if (member(data, 'over') === true) ended(member(data, 'session'))
      else if (member(data, 'asked') === true && login()) post({ login: login(), answer: true })
    }
    // Lets a program end that does not close its client.
    ;(channel as Unreferenced).unref?.()
  }
  post({ asked: true })
  return {
    post,
    alone: (act) => (name ? locked(name, act) : act()),
    close: () => {
      channel?.close()
      channel = undefined
    },
  }
}

/** Only in Node. */
type Unreferenced = { readonly unref?: () => unknown }
/** Not in every version of Node. */
type Locks = {
  request(name: string, options: { signal: AbortSignal }, act: () => Promise<unknown>): Promise<unknown>
}

/** Milliseconds after which a tab stops waiting for the lock. */
const TURN_MAX = 5000

function openChannel(name: string) {
  try {
    return new BroadcastChannel(name)
  } catch {
    // The runtime has no channels, or the browser blocks them because storage is disabled.
    return undefined
  }
}

async function locked<T>(name: string, act: () => Promise<T>): Promise<T> {
  const acts: Promise<T>[] = []
  const { locks } = (globalThis as { navigator?: { locks?: Locks } }).navigator ?? {}
  if (!locks) return await act()
  // Safari 15 lacks `AbortSignal.timeout`.
  const waiting = new AbortController()
  const timer = setTimeout(() => {
    waiting.abort()
  }, TURN_MAX)
  // An error of `act` is thrown below.
  await locks.request(name, { signal: waiting.signal }, () => (acts[0] = act())).catch(() => undefined)
  clearTimeout(timer)
  return await (acts[0] ?? act())
}
