import type { Endpoint } from '../endpoint.js'
import type { HttpSettings } from '../parts.js'
import { pageEndpoints, redirect } from '../static-page.js'
import type { PageFileName } from '../api-page/packed-files.js'

/**
 * The Content-Security-Policy of the page, which permits only files and replies of the service and no inline code. The style sheet of
 * Swagger UI contains its icons as `data:` URLs.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Addresses are relative to `/docs`, so that they work below any prefix. */
function apiPageHtml(addressOf: (name: PageFileName) => string): string {
  const address = (name: PageFileName) => `docs/${addressOf(name)}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kennel: the HTTP interface</title>
<link rel="icon" type="image/png" href="${address('favicon-32x32.png')}">
<link rel="stylesheet" href="${address('swagger-ui.css')}">
<link rel="stylesheet" href="${address('page.css')}">
<script defer src="${address('swagger-ui-bundle.js')}"></script>
<script type="module" src="${address('page.js')}"></script>
</head>
<body>
<noscript><p class="notice">This page needs JavaScript. <a href="openapi.json">The description</a> itself does not.</p></noscript>
<div id="notices"></div>
<main id="interface"></main>
</body>
</html>
`
}

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
      return { html: () => apiPageHtml((name) => files[name].address), files }
    },
  }),
]
