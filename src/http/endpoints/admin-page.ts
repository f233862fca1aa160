import { ADMIN_POLICY, adminHtml } from '../admin-page/html.js'
import { pageEndpoints } from '../static-page.js'

/** The page for operators at `/admin`, and its files. */
export const adminPage = pageEndpoints({
  path: '/admin',
  isOffered: ({ administration }) => administration === 'page',
  policy: ADMIN_POLICY,
  load: async () => {
    const { PACKED_FILES: files } = await import('../admin-page/packed-files.js')
    return { html: (settings) => adminHtml(files, settings), files }
  },
})
