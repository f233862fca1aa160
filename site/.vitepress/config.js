import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { defineConfig } from 'vitepress'
import { DOCS, doors } from '../map.js'

const PROJECT = dirname(DOCS)
const { homepage } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
const REPOSITORY = homepage.replace(/#.*$/, '')
const FILES = `${REPOSITORY}/blob/main/`

/** In the page itself: a browser asks for no file that is not there. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#3451b2" d="M4 15 16 5l12 10v13H4z"/><circle cx="16" cy="21" r="6" fill="#fff"/></svg>',
)}`

const linkTo = (path) => `/${path.replace(/README\.md$/, '').replace(/\.md$/, '')}`
const sidebar = doors().map(({ title, pages }) => ({
  text: title,
  collapsed: true,
  items: pages.map((page) => ({ text: page.title, link: linkTo(page.path) })),
}))
const tables = [
  { text: 'The laws', link: '/tables/laws' },
  { text: 'Laws behind the simulator', link: '/tables/assumptions' },
]

/**
 * Pages link to files of the repository that are no pages: on the site these links lead to the repository. Pages of the
 * package link to pages for contributors by address: on the site these links lead to the page.
 */
function linksToRepository(md) {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : undefined
      const folder = dirname(join(DOCS, env.relativePath))
      if (href?.startsWith(`${FILES}docs/`))
        token.attrSet('href', relative(folder, join(PROJECT, href.slice(FILES.length))).replaceAll('\\', '/'))
      if (!href || /^([a-z]+:|#|\/)/.test(href)) continue
      const [path, anchor] = href.split('#')
      const file = join(folder, path)
      const isPage = path.endsWith('.md') && !relative(DOCS, file).startsWith('..')
      if (isPage || !existsSync(file)) continue
      const address = `${FILES}${relative(PROJECT, file).replaceAll('\\', '/')}`
      token.attrSet('href', anchor === undefined ? address : `${address}#${anchor}`)
    }
  })
}

/** A drawing is drawn in the browser, in the colours that the reader has. */
function drawings(md) {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index]
    if (info.trim() !== 'mermaid') return fence(tokens, index, ...rest)
    return `<Drawing source="${encodeURIComponent(content)}" />\n`
  }
}

/** Blocks with names that only the tests know are plain text: the output of a command, the words of a law. */
function plainBlocks(md) {
  md.core.ruler.push('plain-blocks', ({ tokens }) => {
    for (const token of tokens.filter(
      ({ type, info }) => type === 'fence' && /^(output|text law)\b/.test(info),
    ))
      token.info = 'txt'
  })
}

/** Pictures beside a page: without the dot Vite would look for a package of that name. */
function relativePictures(md) {
  md.core.ruler.push('relative-pictures', ({ tokens }) => {
    for (const token of tokens.filter(({ type }) => type === 'html_block'))
      token.content = token.content.replaceAll(/ (src|srcset)="(?=\w[^":]*")/g, ' $1="./')
  })
}

/** Braces in code are text: Vue would take them for an expression. */
function literalCode(md) {
  const code = md.renderer.rules.code_inline
  md.renderer.rules.code_inline = (...given) => code(...given).replace(/^<code/, '<code v-pre')
}

/** Resolves packages that pages import from this folder, which has them; the pages are outside. */
function installedHere(names) {
  const importer = join(import.meta.dirname, 'config.js')
  return {
    name: 'installed-here',
    enforce: 'pre',
    resolveId(id) {
      return names.includes(id) ? this.resolve(id, importer, { skipSelf: true }) : undefined
    },
  }
}

export default defineConfig({
  title: 'Kennel',
  description: 'Identity and a pet catalog: library, service and command line.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: ICON }]],
  srcDir: relative(join(PROJECT, 'site'), DOCS),
  outDir: join(PROJECT, 'reports', 'site'),
  cacheDir: join(PROJECT, 'reports', 'site-cache'),
  rewrites: (path) => path.replace(/README\.md$/, 'index.md'),
  cleanUrls: true,
  markdown: {
    config: (md) => {
      md.use(linksToRepository)
      md.use(drawings)
      md.use(plainBlocks)
      md.use(literalCode)
      md.use(relativePictures)
    },
    languageAlias: { env: 'ini' },
  },
  themeConfig: {
    nav: doors().map(({ title, pages }) => ({ text: title, link: linkTo(pages[0].path) })),
    sidebar: [...sidebar, { text: 'Tables', collapsed: true, items: tables }],
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
  },
  // Mermaid is one large piece, which is loaded only by pages with drawings.
  vite: {
    build: { chunkSizeWarningLimit: 3000 },
    plugins: [installedHere(['vue', 'vue/server-renderer'])],
  },
})
