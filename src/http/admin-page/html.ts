import { AUDIT_EVENTS } from '../../domain/audit.js'
import type { HttpSettings } from '../settings.js'
import type { PACKED_FILES } from './packed-files.js'

/** Addresses are relative to `/admin`, so that they work below any prefix. */
export function adminHtml(files: typeof PACKED_FILES, settings: HttpSettings): string {
  const { stateless, authorizationHeader, passkeyDomain } = settings
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Kennel administration</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="admin/${files['page.css'].address}">
<script type="module" src="admin/${files['page.js'].address}"></script>
</head>
<body data-stateless="${stateless}" data-header="${authorizationHeader}" data-passkeys="${passkeyDomain !== undefined}">
<header>
<p class="brand">Kennel administration</p>
<nav aria-label="Sections" hidden></nav>
<p class="caller" hidden></p>
</header>
<progress aria-label="Loading" hidden></progress>
<main>
<p class="notice" role="status"></p>
<p class="notice problem" role="alert"></p>
<div class="view"></div>
<noscript><p class="notice problem">This page needs JavaScript.</p></noscript>
</main>
<datalist id="events">${AUDIT_EVENTS.map((event) => `<option value="${event}">`).join('')}</datalist>
</body>
</html>
`
}
