import { loginIn, type Login } from './login.js'
import { parsed, member } from './reply.js'

/** Stores one string per key: a Web Storage, or an object with the same three methods. Storage errors are ignored. */
export type LoginStorage = {
  /** The stored string; `null` if the key is absent. */
  getItem(key: string): string | null
  /** Stores the string. */
  setItem(key: string, value: string): void
  /** Removes the key. */
  removeItem(key: string): void
}

/** Where a login is kept across page loads. */
export type StorageOptions = {
  /**
   * Memory is the default, and is also used if the runtime has no `sessionStorage`. With `'sessionStorage'`, the login survives a reload of
   * the tab, and every script on the origin can read the login. A storage object keeps every login, including a login with `remember`.
   */
  readonly storage?: 'sessionStorage' | LoginStorage
}

/** The login that a storage object keeps under one key. */
export type KeptLogin = {
  /** Returns `undefined` if the string is not a stored login. */
  load(): Login | undefined
  save(login: Login | undefined): void
}

/** In a web page, a login with `remember` is stored in `localStorage`, unless the storage option is an object. */
export function createKeptLogin(key: string, { storage }: StorageOptions): KeptLogin {
  const usual = () => (storage === 'sessionStorage' ? (globalThis as Page).sessionStorage : storage)
  const lasting = () => (globalThis as Page).localStorage
  const places = typeof storage !== 'object' && 'document' in globalThis ? [usual, lasting] : [usual]

  return {
    load: () =>
      places.map((place) => loginIn(parsed(attempt(place, (kept) => kept.getItem(key)) ?? ''))).find(Boolean),
    save: (login) => {
      const chosen = login && places[login.remember ? places.length - 1 : 0]
      for (const place of places)
        attempt(place, (kept) => {
          if (place === chosen) kept.setItem(key, JSON.stringify(login))
          else kept.removeItem(key)
        })
    },
  }
}

function attempt<T>(place: () => LoginStorage | undefined, act: (kept: LoginStorage) => T): T | undefined {
  try {
    // Browsers throw when a script accesses disabled storage.
    const kept = place()
    return kept && act(kept)
  } catch {
    return undefined
  }
}

type Page = { readonly sessionStorage?: LoginStorage; readonly localStorage?: LoginStorage }

/** Options for sharing a login between tabs. */
export type TabOptions = {
  /**
   * By default, pages of the same origin share their login to a service. `false` disables sharing; a string sets the name of the
   * `BroadcastChannel`, which is derived from `baseUrl` by default. Outside a page, the login is shared only if a name is set, because each
   * client there has a separate cookie.
   */
  readonly tabs?: false | string
}

/**
 * Returns the name of the channel and the lock, or `false` if the login is not shared. A cookie jar belongs to one client; browser pages
 * share the browser's cookie.
 */
export function channelOf(
  place: string,
  { tabs, cookieJar }: TabOptions & { readonly cookieJar?: unknown },
): string | false {
  return tabs ?? ('document' in globalThis && !cookieJar && place)
}

export type Receiver = {
  readonly login: () => Login | undefined
  /** Called when another tab has changed its login, or has sent its login in reply. */
  readonly received: (login: Login, isAnswer: boolean) => void
  /** Called when another tab has ended the login of this session. */
  readonly ended: (session: unknown) => void
}

/** Opens the channel to the other tabs and asks them for their login. Without a name, the login is not shared. */
export function openTabs(name: string | false, { login, received, ended }: Receiver) {
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
    ;(channel as Unrefable).unref?.()
  }
  post({ asked: true })
  return {
    post,
    /** Runs `act` while no other tab runs such an action; without lock support, runs it immediately. */
    alone: <T>(act: () => Promise<T>) => (name ? withLock(name, act) : act()),
    close: (): void => {
      channel?.close()
      channel = undefined
    },
  }
}

/** `unref` exists only in Node. */
type Unrefable = { readonly unref?: () => unknown }
/** Some versions of Node lack locks. */
type Locks = {
  request(name: string, options: { signal: AbortSignal }, act: () => Promise<unknown>): Promise<unknown>
}

/** Milliseconds after which a tab stops waiting for the lock. */
const TURN_MAX = 5000

function openChannel(name: string) {
  try {
    return new BroadcastChannel(name)
  } catch {
    // Some runtimes lack `BroadcastChannel`, and browsers block it if storage is disabled.
    return undefined
  }
}

async function withLock<T>(name: string, act: () => Promise<T>): Promise<T> {
  const acts: Promise<T>[] = []
  const { locks } = (globalThis as { navigator?: { locks?: Locks } }).navigator ?? {}
  if (!locks) return await act()
  // Safari 15 lacks `AbortSignal.timeout`.
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(), TURN_MAX)
  // Ignores errors here; the last line rethrows errors from `act`.
  await locks.request(name, { signal: waiting.signal }, () => (acts[0] = act())).catch(() => undefined)
  clearTimeout(timer)
  return await (acts[0] ?? act())
}
