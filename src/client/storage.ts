import { loginIn, type Login } from './login.js'
import { parsed } from './reply.js'

/** Keeps one text for a client: a Web Storage, or whatever has these three calls. What they throw has no effect. */
export type LoginStorage = {
  /** What was set last; `null` for none. */
  getItem(key: string): string | null
  /** Replaces what was there. */
  setItem(key: string, value: string): void
  /** Keeps nothing under the key any more. */
  removeItem(key: string): void
}

/** Where a login outlives its page. */
export type StorageOptions = {
  /**
   * Memory by default. `'sessionStorage'` is that of the tab: the login survives a reload, and every script of the
   * origin can read it. Where there is none it is memory.
   */
  readonly storage?: 'sessionStorage' | LoginStorage
}

/** The login that a storage keeps under one key. */
export type KeptLogin = {
  /** Nothing where the text is no login. */
  load(): Login | undefined
  save(login: Login | undefined): void
}

export function createKeptLogin(key: string, { storage }: StorageOptions): KeptLogin {
  function attempt<T>(act: (kept: LoginStorage) => T): T | undefined {
    try {
      // Where a browser keeps nothing for a page, it throws at the mere name.
      const kept = storage === 'sessionStorage' ? (globalThis as Page).sessionStorage : storage
      return kept && act(kept)
    } catch {
      return undefined
    }
  }

  return {
    load: () => loginIn(parsed(attempt((kept) => kept.getItem(key)) ?? '')),
    save: (login) => {
      attempt((kept) => {
        if (login) kept.setItem(key, JSON.stringify(login))
        else kept.removeItem(key)
      })
    },
  }
}

type Page = { readonly sessionStorage?: LoginStorage }
