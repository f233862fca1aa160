/** A package that a text tells its reader to install, run or import, by the name of its folder in node_modules. */
export type NamedPackage = { readonly file: string; readonly name: string }

const NAME = String.raw`(?:@[a-z0-9][\w.-]*/)?[a-z0-9][\w.-]*`
const INSTALL = /\bnpm (?:install|i|add)[ \t]+([^\n`;&|()$#,]*)/g
const RUN = new RegExp(String.raw`\b(?:npx|npm exec|npm create)[ \t]+(?:-\S+[ \t]+)*(${NAME})`, 'g')
const IMPORT = new RegExp(
  String.raw`(?:(?:\bimport|\bexport|\})[^'\"\n]*\bfrom|^import|\bimport\(|\brequire\()[ \t]*(['"])(${NAME}(?:/[\w./-]*)?)\1`,
  'g',
)
const NAME_WITH_VERSION = new RegExp(String.raw`^["']?(${NAME})(?:@[^\s"']+)?["']?$`)

/** Every package that the text names in a command for npm or in an import; a manifest, its dependencies. */
export function packagesNamedIn(file: string, text: string): NamedPackage[] {
  const names = file.endsWith('package.json') ? dependenciesOf(text) : namesIn(text)
  return [...new Set(names)].map((name) => ({ file, name }))
}

function namesIn(text: string): string[] {
  const installed = Array.from(text.matchAll(INSTALL), ([, words = '']) => words.split(/\s+/))
  return [
    ...installed.flat().flatMap((word) => NAME_WITH_VERSION.exec(word)?.[1] ?? []),
    ...Array.from(text.matchAll(RUN), ([, name = '']) => name),
    ...Array.from(text.matchAll(IMPORT), ([, , path = '']) => packageOf(path)),
  ]
}

function packageOf(path: string): string {
  return path.split('/', path.startsWith('@') ? 2 : 1).join('/')
}

function dependenciesOf(manifest: string): string[] {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(manifest) as Record<string, object>
  return [dependencies, devDependencies, peerDependencies].flatMap((one) => Object.keys(one ?? {}))
}
