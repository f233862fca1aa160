import { pageEndpoints, STRICT_POLICY } from '../static-page.js'
import { actionOf, type EndpointParts, type HttpOperation } from '../endpoint.js'
import type { PageTexts } from '../parts.js'
import type { PACKED_FILES } from '../pages/packed-files.js'

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

/** Operations that the pages hide if the service does not offer them. */
const OPERATIONS: readonly HttpOperation[] = [
  ...(['login', 'requestLoginMail', 'requestPasswordReset', 'requestSignUp', 'requestEmailChange'] as const),
  ...(['changePassword', 'listOwnSessions', 'endOwnSessions', 'setUpSecondFactor', 'exportAccount'] as const),
  ...(['deleteAccount', 'confirmLogin', 'loginWithPasskey', 'addPasskey'] as const),
  'beginPasskeyConfirmation',
]

function offered({ useCases, settings }: EndpointParts): readonly HttpOperation[] {
  const calls: Partial<typeof useCases> = useCases
  return OPERATIONS.filter((operation) => {
    const action = actionOf({ operation })
    const isClosed =
      (operation === 'requestSignUp' && settings.signUp === 'invited') ||
      (operation === 'listOwnSessions' && settings.stateless)
    return calls[operation] && action && settings.grantedTo[action] !== 'nobody' && !isClosed
  })
}

export type PageContent = {
  /** The folder that contains the files, relative to the page, so that the page works below any prefix. */
  readonly folder: 'pages' | 'admin'
  readonly files: typeof PACKED_FILES
  readonly texts: PageTexts
  /** Custom texts, which replace the built-in texts with the same keys. */
  readonly ownTexts?: PageTexts | undefined
  /** Further settings for the script. */
  readonly more?: object
  readonly header?: string
}

/** Returns the HTML of the page without a view. The script then shows the view for the current address. */
export function pageHtml(content: PageContent, parts: EndpointParts): string {
  const { folder, files, ownTexts = {}, more, header = '' } = content
  const { stateless, authorizationHeader, passwordMinLength, rememberLogin, pagesApi: api } = parts.settings
  const texts: PageTexts = { ...content.texts, ...ownTexts }
  const text = (key: string) => escaped(texts[key] ?? '')
  const settings = {
    ...{ stateless, authorizationHeader, passwordMinLength, rememberLogin },
    ...{ api, offered: offered(parts), texts: ownTexts, ...more },
  }
  return `<!doctype html>
<html lang="${text('lang')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text('name')}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}/${files['page.css'].address}">
${texts['stylesheet'] ? `<link rel="stylesheet" href="${text('stylesheet')}">` : ''}
<script type="module" src="${folder}/${files['page.js'].address}"></script>
</head>
<body data-settings="${escaped(JSON.stringify(settings))}">
<header>${texts['logo'] ? `<img class="logo" src="${text('logo')}" alt="">` : ''}<p class="brand">${text('name')}</p>${header}</header>
<progress aria-label="${text('loading')}" hidden></progress>
<main>
<p class="notice" role="status"></p>
<p class="notice problem" role="alert"></p>
<div class="view"></div>
<noscript><p class="notice problem">${text('noScript')}</p></noscript>
</main>
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
