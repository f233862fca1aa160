import { createKennelClient } from 'kennel-id/client'
import { useSyncExternalStore } from 'react'

const meta = /** @type {HTMLMetaElement} */ (document.querySelector('meta[name="kennel-url"]'))

/** The only client of the page. All tabs share its login, which survives a reload. */
export const kennel = createKennelClient({ baseUrl: meta.content, storage: 'sessionStorage' })

/** The identity of the user; its component is rendered again when another user logs in or out, in any tab. */
export const useIdentity = () => useSyncExternalStore(kennel.subscribe, kennel.identity)
