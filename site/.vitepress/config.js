import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { defineConfig } from 'vitepress'
import { DOCS, doors } from '../map.js'

const PROJECT = dirname(DOCS)
const { homepage } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
const REPOSITORY = homepage.replace(/#.*$/, '')
const FILES = `${REPOSITORY}/blob/main/`

/** An inline icon, because browsers would otherwise request a file that does not exist. */
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
 * On the site, links to files that are not pages lead to the repository, and web addresses of contributor pages become links within the
 * site.
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

/** The browser draws diagrams, so that they match the reader's color scheme. */
function drawings(md) {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index]
    if (info.trim() !== 'mermaid') return fence(tokens, index, ...rest)
    return `<Drawing source="${encodeURIComponent(content)}" />\n`
  }
}

/** Shows `output` and `text law` blocks as plain text, because only the tests know these names. */
function plainBlocks(md) {
  md.core.ruler.push('plain-blocks', ({ tokens }) => {
    for (const token of tokens.filter(
      ({ type, info }) => type === 'fence' && /^(output|text law)\b/.test(info),
    ))
      token.info = 'txt'
  })
}

/** Adds `./` to the paths of pictures, because Vite would otherwise look for a package with that name. */
function relativePictures(md) {
  md.core.ruler.push('relative-pictures', ({ tokens }) => {
    for (const token of tokens.filter(({ type }) => type === 'html_block'))
      token.content = token.content.replaceAll(/ (src|srcset)="(?=\w[^":]*")/g, ' $1="./')
  })
}

/** Prevents Vue from interpreting braces in code as an expression. */
function literalCode(md) {
  const code = md.renderer.rules.code_inline
  md.renderer.rules.code_inline = (...given) => code(...given).replace(/^<code/, '<code v-pre')
}

/** Resolves these packages from this folder, because the pages that import them are outside it. */
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
  // Mermaid is one large chunk, which only pages with diagrams load.
  vite: {
    build: { chunkSizeWarningLimit: 3000 },
    plugins: [installedHere(['vue', 'vue/server-renderer'])],
  },
})
