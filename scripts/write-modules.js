// Writes the modules of dist that contain data or third-party content. A `.d.ts` of src at the same path declares each module. Code in any
// folder can import these modules, even in a bundle, and each licence is next to its content. Every build rewrites the data of
// all commands, so that help, completion and lookup work without loading a command.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, gzipSync } from 'node:zlib'
import { Plugin } from '@oclif/core'
import { commands as OWN_OF_OCLIF } from '@oclif/plugin-help'
import { COMMAND_MODULES } from '../dist/src/adapters/oclif/command-modules.js'
import { buildSync } from 'esbuild'
import { writeLibrary, writeModule } from './written-modules.js'

const project = join(import.meta.dirname, '..')
const read = (...path) => readFileSync(join(...path), 'utf8')

const folderOf = (url) => dirname(fileURLToPath(url))
const swagger = folderOf(import.meta.resolve('swagger-ui-dist/package.json'))
const commonPasswords = folderOf(import.meta.resolve('@zxcvbn-ts/language-common/package.json'))
const bowser = folderOf(import.meta.resolve('bowser'))
const otpauth = folderOf(import.meta.resolve('otpauth/bare'))
const uqr = folderOf(import.meta.resolve('uqr'))
const templates = join(project, 'templates', 'mail')
const apiPage = join(project, 'src', 'http', 'api-page')

writeModule('adapters/mustache/own-templates.js', {
  OWN_TEMPLATES: Object.fromEntries(
    readdirSync(templates)
      .sort()
      .map((name) => [name, read(templates, name)]),
  ),
})

writeModule('adapters/keyring/common-words.js', {
  COMMON_WORDS: read(project, 'src', 'adapters', 'keyring', 'common-words.txt').trim().split(/\s+/),
})

const thread = buildSync({
  entryPoints: [join(project, 'src', 'adapters', 'imported-hashes', 'in-thread', 'main.ts')],
  ...{ bundle: true, minify: true, platform: 'node', format: 'cjs', write: false, legalComments: 'none' },
  // From the ES module of hash-wasm, only Argon2 is used.
  mainFields: ['module', 'main'],
})
writeModule(
  'adapters/imported-hashes/thread-source.js',
  { THREAD: thread.outputFiles[0].text },
  ['bcryptjs', 'hash-wasm'].map((name) => `${name}\n\n${read(project, 'node_modules', name, 'LICENSE')}`),
)

writeModule(
  'adapters/blocklist/common-passwords.js',
  { COMMON_PASSWORDS: `\n${mostCommon(10_000).join('\n')}\n` },
  [`@zxcvbn-ts/language-common\n\n${read(commonPasswords, 'LICENSE.txt')}`],
)

for (const [path, source, folder, licence] of [
  ['adapters/bowser/bowser.js', 'bowser.mjs', bowser, 'LICENSE'],
  ['adapters/otpauth/otpauth.js', 'otpauth.bare.esm.min.js', otpauth, '../LICENSE.md'],
  ['adapters/otpauth/uqr.js', 'index.mjs', uqr, '../LICENSE'],
])
  writeLibrary(path, read(folder, source), `${parse(path).name}\n\n${read(folder, licence)}`)

const pageFiles = [
  ...['page.js', 'page.css'].map((name) => join(apiPage, name)),
  ...['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'].map((name) => join(swagger, name)),
].map((file) => packed(basename(file), readFileSync(file)))
writeModule('http/api-page/packed-files.js', { PACKED_FILES: Object.fromEntries(pageFiles) }, [
  ...['NOTICE', 'LICENSE'].map((name) => `Swagger UI: ${name}\n\n${read(swagger, name)}`),
  ...commentsOf(read(swagger, 'swagger-ui-bundle.js.LICENSE.txt')),
])

for (const folder of ['admin-page', 'pages']) {
  const outdir = join(project, 'src', 'http', folder)
  const { outputFiles } = buildSync({
    entryPoints: ['page.js', 'page.css'].map((name) => join(outdir, name)),
    alias: {
      'kennel-id/client': join(project, 'src', 'client', 'index.ts'),
      'kennel-id/account': join(project, 'src', 'client', 'account.ts'),
      'kennel-id/admin': join(project, 'src', 'client', 'admin.ts'),
    },
    ...{ bundle: true, minify: true, format: 'esm', outdir, write: false },
  })
  writeModule(`http/${folder}/packed-files.js`, {
    PACKED_FILES: Object.fromEntries(
      outputFiles.map(({ path, contents }) => packed(basename(path), contents)),
    ),
    OWN_TEXTS: JSON.parse(read(project, 'templates', 'pages', 'en.json')),
  })
}

const { name, version, description, bin, oclif } = JSON.parse(read(project, 'package.json'))
const found = await Promise.all(
  COMMAND_MODULES.map(async (load, at) =>
    Object.entries((await load()).COMMANDS).map(([id, make]) => ({ id, at, make })),
  ),
)
const all = found.flat()
// These properties are needed only when a command runs.
const classes = { help: OWN_OF_OCLIF.help, ...Object.fromEntries(all.map(({ id, make }) => [id, make({})])) }

/** Lets oclif describe exactly our commands, without searching for command files. */
class Described extends Plugin {
  async getCommandIDs() {
    return Object.keys(classes)
  }

  async findCommand(id) {
    return Object.assign(classes[id], { id, plugin: this })
  }
}

const plugin = new Described({
  root: project,
  type: 'core',
  ignoreManifest: true,
  errorOnManifestCreate: true,
  respectNoCacheDefault: true,
})
await plugin.load()
const { commands } = plugin.manifest
const modules = Object.fromEntries(all.map(({ id, at }) => [id, at]))
if (Object.keys(commands).length < 2) throw new Error('no command was found')
writeModule('adapters/oclif/described.js', {
  DESCRIBED: { name, version, description, names: Object.keys(bin), oclif, commands, modules },
})

/** The list is ordered by frequency. */
function mostCommon(count) {
  const all = JSON.parse(read(commonPasswords, 'src', 'passwords.json'))
  const list = all.slice(0, count)
  // Folding must not change these passwords: see foldedPassword in src/domain/identity/password.ts.
  const flawed = list.find((one) => !/^[\x21-\x7e]+$/.test(one) || one !== one.toLowerCase())
  if (list.length < count || flawed !== undefined) throw new Error(`not a list of passwords: ${flawed}`)
  return list
}

function packed(base, plain) {
  const { name, ext } = parse(base)
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 16)
  const gzip = gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }).toString('base64')
  return [base, { address: `${name}.${hash}${ext}`, gzip }]
}

/** Returns the texts of all comments, which are kept in a separate file. */
function commentsOf(text) {
  return [...text.matchAll(/\/\*!?([^]*?)\*\//g)].map(([, comment]) => comment.trim())
}
