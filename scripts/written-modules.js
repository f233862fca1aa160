// How bundles use the modules that the build has written to dist/src, see write-module.js.
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'

const project = join(import.meta.dirname, '..')

/** Third-party code in separate files that every bundle shares, each with its licence at the top. */
export const APART = [
  'http/api-page/packed-files',
  'adapters/scrypt/bcryptjs',
  'adapters/blocklist/common-passwords',
  'adapters/bowser/bowser',
  'adapters/otpauth/otpauth',
  'adapters/otpauth/uqr',
]

/** A plugin of esbuild for bundles in a folder of dist. */
export const written = {
  name: 'written',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) => {
      const source = join(resolveDir, path.replace(/\.js$/, '.d.ts'))
      if (!source.startsWith(join(project, 'src')) || !existsSync(source)) return undefined
      const name = relative(join(project, 'src'), source).replace(/\.d\.ts$/, '')
      return APART.includes(name)
        ? { path: `../src/${name}.js`, external: true }
        : { path: join(project, 'dist', 'src', `${name}.js`) }
    })
  },
}
