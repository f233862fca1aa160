import { createKennelClient } from 'kennel-id/client'
import { useSyncExternalStore } from 'react'

const meta = /** @type {HTMLMetaElement} */ (document.querySelector('meta[name="kennel-url"]'))

/** The only client of the page. All tabs share its login, which survives a reload. */
export const kennel = createKennelClient({ baseUrl: meta.content, storage: 'sessionStorage' })

/** Returns the identity of the user; the component is rendered again when a user logs in or out, in any tab. */
export const useIdentity = () => useSyncExternalStore(kennel.subscribe, kennel.identity)
