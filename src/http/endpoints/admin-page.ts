import { adminHtml } from '../admin-page/html.js'
import { pageEndpoints, STRICT_POLICY } from '../static-page.js'

/** The page for operators at `/admin`, and its files. */
export const adminPage = pageEndpoints({
  path: '/admin',
  isOffered: ({ administration }) => administration === 'page',
  policy: STRICT_POLICY,
  load: async () => {
    const { PACKED_FILES: files } = await import('../admin-page/packed-files.js')
    return { html: ({ settings }) => adminHtml(files, settings), files }
  },
})
