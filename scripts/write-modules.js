// Writes the modules of dist that contain data or third-party content with its licence. A `.d.ts` of src at the same path declares each
// module. The data of all commands is among them, so that help, completion and lookup work without loading a command.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, gzipSync } from 'node:zlib'
import { Plugin } from '@oclif/core'
import { commands as OWN_OF_OCLIF } from '@oclif/plugin-help'
import { buildSync, transformSync } from 'esbuild'
import { filesBelow, jsonOf, PROJECT, replaceFile, textOf } from './files.js'

const folderOf = (url) => dirname(fileURLToPath(url))
const swagger = folderOf(import.meta.resolve('swagger-ui-dist/package.json'))
const commonPasswords = folderOf(import.meta.resolve('@zxcvbn-ts/language-common/package.json'))
const bowser = folderOf(import.meta.resolve('bowser'))
const otpauth = folderOf(import.meta.resolve('otpauth/bare'))
const uqr = folderOf(import.meta.resolve('uqr'))

const templates = readdirSync(join(PROJECT, 'templates/mail')).sort()
writeModule('adapters/mustache/own-templates.js', {
  OWN_TEMPLATES: Object.fromEntries(templates.map((name) => [name, textOf(`templates/mail/${name}`)])),
})

writeModule('adapters/keyring/common-words.js', {
  COMMON_WORDS: textOf('src/adapters/keyring/common-words.txt').trim().split(/\s+/),
})

const thread = buildSync({
  entryPoints: [join(PROJECT, 'src/adapters/imported-hashes/in-thread/main.ts')],
  ...{ bundle: true, minify: true, platform: 'node', format: 'cjs', write: false, legalComments: 'none' },
  // From the ES module of hash-wasm, only Argon2 is used.
  mainFields: ['module', 'main'],
})
writeModule('adapters/imported-hashes/thread-source.js', { THREAD: thread.outputFiles[0].text }, [
  `bcryptjs\n\n${textOf('node_modules/bcryptjs/LICENSE')}`,
  `hash-wasm\n\n${textOf('node_modules/hash-wasm/LICENSE')}`,
])

writeModule(
  'adapters/blocklist/common-passwords.js',
  { COMMON_PASSWORDS: `\n${mostCommon(10_000).join('\n')}\n` },
  [`@zxcvbn-ts/language-common\n\n${textOf(`${commonPasswords}/LICENSE.txt`)}`],
)

writeLibrary('adapters/bowser/bowser.js', `${bowser}/bowser.mjs`, `${bowser}/LICENSE`)
writeLibrary('adapters/otpauth/otpauth.js', `${otpauth}/otpauth.bare.esm.min.js`, `${otpauth}/../LICENSE.md`)
writeLibrary('adapters/otpauth/uqr.js', `${uqr}/index.mjs`, `${uqr}/../LICENSE`)

const pageFiles = [
  ...['page.js', 'page.css'].map((name) => join(PROJECT, 'src/http/api-page', name)),
  ...['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'].map((name) => join(swagger, name)),
].map((file) => packed(basename(file), readFileSync(file)))
writeModule('http/api-page/packed-files.js', { PACKED_FILES: Object.fromEntries(pageFiles) }, [
  ...['NOTICE', 'LICENSE'].map((name) => `Swagger UI: ${name}\n\n${textOf(`${swagger}/${name}`)}`),
  ...commentsOf(textOf(`${swagger}/swagger-ui-bundle.js.LICENSE.txt`)),
])

for (const folder of ['admin-page', 'pages']) {
  const outdir = join(PROJECT, 'src', 'http', folder)
  const { outputFiles } = buildSync({
    entryPoints: ['page.js', 'page.css'].map((name) => join(outdir, name)),
    alias: {
      'kennel-id/client': join(PROJECT, 'src/client/index.ts'),
      'kennel-id/account': join(PROJECT, 'src/client/account.ts'),
      'kennel-id/admin': join(PROJECT, 'src/client/admin.ts'),
    },
    ...{ bundle: true, minify: true, format: 'esm', outdir, write: false },
  })
  const files = outputFiles.map(({ path, contents }) => packed(basename(path), contents))
  const constants = { PACKED_FILES: Object.fromEntries(files), OWN_TEXTS: jsonOf('templates/pages/en.json') }
  writeModule(`http/${folder}/packed-files.js`, constants)
}

const { name, version, description, bin, oclif } = jsonOf('package.json')
const classes = { help: OWN_OF_OCLIF.help }
const topics = {}
const loaders = []
for (const name of filesBelow(`${PROJECT}/src/adapters/oclif/commands`, '.ts').sort()) {
  const file = `commands/${name.replace(/ts$/, 'js')}`
  const { COMMANDS, TOPICS = {} } = await import(`../dist/src/adapters/oclif/${file}`)
  for (const [topic, description] of Object.entries(TOPICS)) topics[topic] = { description }
  for (const [id, make] of Object.entries(COMMANDS)) {
    // A context is needed only when a command runs.
    classes[id] = make({})
    loaders.push(`  '${id}': () => import('./${file}'),`)
  }
}

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
  root: PROJECT,
  type: 'core',
  ignoreManifest: true,
  errorOnManifestCreate: true,
  respectNoCacheDefault: true,
})
await plugin.load()
const { commands } = plugin.manifest
if (Object.keys(commands).length < 2) throw new Error('no command was found')
const undescribed = Object.keys(classes).find((id) => id.includes(':') && !(id.split(':')[0] in topics))
if (undescribed) throw new Error(`TOPICS describes no topic for ${undescribed}`)
const described = {
  name,
  version,
  description,
  names: Object.keys(bin),
  oclif: { ...oclif, topics },
  commands,
}
writeDeclared('adapters/oclif/described.js', [
  ...constantsOf({ DESCRIBED: described }),
  `export const COMMAND_FILES = {\n${loaders.join('\n')}\n}\n`,
])

function constantsOf(constants) {
  return Object.entries(constants).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value, undefined, 2)}\n`,
  )
}

function writeModule(path, constants, licences = []) {
  writeDeclared(path, constantsOf(constants), licences)
}

/** Writes a module of another package. The module must have no imports, because its package is not installed with ours. */
function writeLibrary(path, file, licence) {
  const source = textOf(file)
  if (/^import\b|\bfrom ?['"]/m.test(source)) throw new Error(`${path} would import something`)
  const { code } = transformSync(source, { minifyWhitespace: true, format: 'esm', legalComments: 'inline' })
  writeDeclared(path, [code], [`${parse(path).name}\n\n${textOf(licence)}`])
}

/** Writes a module and its declaration. Bundlers keep comments that begin with an exclamation mark. */
function writeDeclared(path, parts, licences = []) {
  const declaration = path.replace(/\.js$/, '.d.ts')
  const comments = licences.map((text) => `/*!\n${text.trimEnd()}\n*/\n`)
  replaceFile(join(PROJECT, 'dist/src', declaration), textOf(`src/${declaration}`))
  replaceFile(join(PROJECT, 'dist/src', path), [...comments, ...parts].join('\n'))
}

function mostCommon(count) {
  const list = jsonOf(`${commonPasswords}/src/passwords.json`).slice(0, count)
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

function commentsOf(text) {
  return [...text.matchAll(/\/\*!?([^]*?)\*\//g)].map(([, comment]) => comment.trim())
}
