import { pageHtml } from '../pages/html.js'
import { pageEndpoints, STRICT_POLICY } from '../static-page.js'

/** The user pages, which share one script and one style sheet. */
export const pages = pageEndpoints({
  path: '/pages',
  paths: ['/login', '/sign-up', '/reset-password', '/confirm', '/account'],
  isOffered: ({ userPages }) => userPages,
  policy: STRICT_POLICY,
  load: async () => {
    const { PACKED_FILES: files, OWN_TEXTS: texts } = await import('../pages/packed-files.js')
    return {
      html: (parts) => pageHtml({ folder: 'pages', files, texts, ownTexts: parts.settings.pageTexts }, parts),
      files,
    }
  },
})
