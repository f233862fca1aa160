import { PAGE_POLICY, pageHtml } from '../api-page/html.js'
import type { Endpoint } from '../endpoint.js'
import type { HttpSettings } from '../settings.js'
import { pageEndpoints, redirect } from '../static-page.js'

const isOffered = ({ docs }: HttpSettings) => docs

/** The page `/docs` with its files, and a redirect from `/` to `/docs`, or to `/login` if only the user pages are enabled. */
export const apiPage: readonly Endpoint[] = [
  {
    method: 'GET',
    isOffered: ({ docs, userPages }) => docs || userPages,
    path: '/',
    work: ({ base, settings }) => {
      const page = settings.docs ? 'docs' : 'login'
      const { pathname } = new URL(base)
      // The address is relative if there is no prefix, because a proxy may add a prefix.
      const address = pathname === '/' ? page : `${pathname}/${page}`
      return () => redirect(302, address)
    },
  },
  ...pageEndpoints({
    path: '/docs',
    isOffered,
    policy: PAGE_POLICY,
    load: async () => {
      const { PACKED_FILES: files } = await import('../api-page/packed-files.js')
      return { html: () => pageHtml((name) => files[name].address), files }
    },
  }),
]
