import { createKennelClient } from 'kennel-id/client'
import { useSyncExternalStore } from 'react'

const meta = /** @type {HTMLMetaElement} */ (document.querySelector('meta[name="kennel-url"]'))

/** The page's only client. All tabs share its login, and a reload keeps the login. */
export const kennel = createKennelClient({ baseUrl: meta.content, storage: 'sessionStorage' })

/** Returns the user's identity, and re-renders the component when a user logs in or out in any tab. */
export const useIdentity = () => useSyncExternalStore(kennel.subscribe, kennel.identity)
