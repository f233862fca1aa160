import { loginIn, type Login } from './login.js'
import { parsed } from './reply.js'

/** Keeps one text per key: a Web Storage, or an object with the same three calls. The client ignores their errors. */
export type LoginStorage = {
  /** The stored text; `null` if the key is absent. */
  getItem(key: string): string | null
  /** Stores the text. */
  setItem(key: string, value: string): void
  /** Removes the key. */
  removeItem(key: string): void
}

/** The storage of a login beyond its page. */
export type StorageOptions = {
  /**
   * Memory by default, also if a runtime has no `sessionStorage`. In the `'sessionStorage'` of the tab the login survives
   * a reload, and every script of the origin can read it.
   */
  readonly storage?: 'sessionStorage' | LoginStorage
}

/** The login that a storage keeps under one key. */
export type KeptLogin = {
  /** `undefined` if the text is not a login. */
  load(): Login | undefined
  save(login: Login | undefined): void
}

export function createKeptLogin(key: string, { storage }: StorageOptions): KeptLogin {
  function attempt<T>(act: (kept: LoginStorage) => T): T | undefined {
    try {
      // A browser with storage disabled throws when a script reads the name.
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
