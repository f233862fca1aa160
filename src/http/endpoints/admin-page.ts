import { AUDIT_EVENTS } from '../../domain/audit.js'
import { pageHtml } from './pages.js'
import { pageEndpoints, STRICT_POLICY } from '../static-page.js'

const OWN = {
  folder: 'admin',
  ownTexts: { name: 'Kennel administration' },
  header: '<nav aria-label="Sections" hidden></nav><p class="caller" hidden></p>',
} as const

/** The page for operators at `/admin`, and its files. */
export const adminPage = pageEndpoints({
  path: '/admin',
  isOffered: ({ administration }) => administration === 'page',
  policy: STRICT_POLICY,
  load: async () => {
    const { PACKED_FILES: files, OWN_TEXTS: texts } = await import('../admin-page/packed-files.js')
    const more = { events: AUDIT_EVENTS, rememberLogin: false }
    return {
      html: (parts) => {
        const passkeys = parts.settings.passkeyDomain !== undefined
        return pageHtml({ ...OWN, files, texts, more: { ...more, passkeys } }, parts)
      },
      files,
    }
  },
})
