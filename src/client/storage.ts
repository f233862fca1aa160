import { loginIn, type Login } from './login.js'
import { parsed } from './reply.js'

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
