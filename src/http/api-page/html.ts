import type { PageFileName } from './packed-files.js'

/**
 * The Content-Security-Policy of the page, which permits only files and replies of the service and no inline code. The style sheet of
 * Swagger UI contains its icons as `data:` URLs.
 */
export const PAGE_POLICY = [
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
export function pageHtml(addressOf: (name: PageFileName) => string): string {
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
