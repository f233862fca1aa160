import { actionOf, type EndpointParts, type HttpOperation } from '../endpoint.js'
import type { PageTexts } from '../settings.js'
import type { PACKED_FILES } from './packed-files.js'

/** The files of the pages, and the built-in texts. */
type Content = { readonly files: typeof PACKED_FILES; readonly texts: PageTexts }

/** The operations on which the content of the pages depends. */
const OPERATIONS: readonly HttpOperation[] = [
  ...(['login', 'requestLoginMail', 'requestPasswordReset', 'requestSignUp', 'requestEmailChange'] as const),
  ...(['changePassword', 'listOwnSessions', 'endOwnSessions', 'setUpSecondFactor', 'exportAccount'] as const),
  ...([
    'deleteAccount',
    'confirmLogin',
    'loginWithPasskey',
    'addPasskey',
    'beginPasskeyConfirmation',
  ] as const),
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

/**
 * All pages have the same HTML; the script shows the page that belongs to the address. Addresses are relative, so that they work below any
 * prefix.
 */
export function pagesHtml({ files, texts: own }: Content, parts: EndpointParts): string {
  const {
    stateless,
    authorizationHeader,
    passwordMinLength,
    rememberLogin,
    pageTexts,
    pagesApi: api,
  } = parts.settings
  const texts: PageTexts = { ...own, ...pageTexts }
  const text = (key: string) => escaped(texts[key] ?? '')
  const settings = {
    ...{ stateless, authorizationHeader, passwordMinLength, rememberLogin },
    ...{ api, offered: offered(parts), texts: pageTexts ?? {} },
  }
  return `<!doctype html>
<html lang="${text('lang')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text('name')}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="pages/${files['page.css'].address}">
${texts['stylesheet'] ? `<link rel="stylesheet" href="${text('stylesheet')}">` : ''}
<script type="module" src="pages/${files['page.js'].address}"></script>
</head>
<body data-settings="${escaped(JSON.stringify(settings))}">
<header>${texts['logo'] ? `<img class="logo" src="${text('logo')}" alt="">` : ''}<p class="brand">${text('name')}</p></header>
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
