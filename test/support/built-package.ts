import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PROJECT, textOf } from './project.js'

/** The compiled sources that this test belongs to. */
const BUILT = join(import.meta.dirname, '..', '..', 'src')

/**
 * Emulates `npm install` in a folder, without packing. Installs `kennel-id`, built from these sources, and the given
 * packages of this project. An entry maps a path in `exports` to a module below `src`, without its extension.
 */
export function installBuilt(
  folder: string,
  entries: Readonly<Record<string, string>>,
  packages: readonly string[] = [],
): void {
  const modules = join(folder, 'node_modules')
  const own = join(modules, 'kennel-id')
  for (const name of ['kennel-id', ...packages]) mkdirSync(dirname(join(modules, name)), { recursive: true })
  mkdirSync(own, { recursive: true })
  symlinkSync(BUILT, join(own, 'src'), 'junction')
  for (const name of packages)
    symlinkSync(join(PROJECT, 'node_modules', name), join(modules, name), 'junction')
  const exports = Object.fromEntries(
    Object.entries(entries).map(([path, module]) => [
      path,
      { types: `./src/${module}.d.ts`, default: `./src/${module}.js` },
    ]),
  )
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name: 'kennel-id', type: 'module', exports }))
}

export const BUNDLE = join(PROJECT, 'dist', 'app')

type Contents = {
  readonly inputs: readonly string[]
  readonly packages: Readonly<Record<string, readonly string[]>>
}

export function bundleContents(): Contents {
  return JSON.parse(textOf('dist', 'app', 'contents.json')) as Contents
}

/** Returns the URLs of all CommonJS and ES modules that ran, from the NODE_V8_COVERAGE reports in a folder. */
export function ranScripts(folder: string): string[] {
  return readdirSync(folder).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { result: { url: string }[] }
    return result.map(({ url }) => url)
  })
}
