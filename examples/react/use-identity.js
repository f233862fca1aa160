import { createKennelClient } from 'kennel-id/client'
import { useSyncExternalStore } from 'react'

const meta = /** @type {HTMLMetaElement} */ (document.querySelector('meta[name="kennel-url"]'))

/** One for the page. All tabs have its login, and it survives a reload. */
export const kennel = createKennelClient({ baseUrl: meta.content, storage: 'sessionStorage' })

/** Who is logged in; what calls it is rendered again when that changes, in whichever tab. */
export const useIdentity = () => useSyncExternalStore(kennel.subscribe, kennel.identity)
