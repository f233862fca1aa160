// Checks that the sources of a project obey the layer rules. The first argument is the project folder, by default this
// project. Also fails if a source was not read: without a compiler, dependency-cruiser reads nothing and finds no
// violation.
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { cruise } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { filesBelow } from './files.js'

const home = join(import.meta.dirname, '..')
const project = resolve(process.argv[2] ?? home)
const rules = createRequire(import.meta.url)('../.dependency-cruiser.cjs')

const { output } = await cruise(
  ['src'],
  { ...rules.options, baseDir: project, validate: true, ruleSet: { forbidden: rules.forbidden } },
  undefined,
  { tsConfig: extractTSConfig(join(home, 'tsconfig.json')) },
)

const read = new Set(output.modules.map((module) => module.source))
const sources = filesBelow(join(project, 'src'), '.ts').map((file) => `src/${file.replaceAll('\\', '/')}`)
const unread = sources.filter((file) => !read.has(file))
const { violations } = output.summary

for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} -> ${to}`)
for (const file of unread) console.error(`not read: ${file}`)
if (sources.length === 0) console.error('no source files were found')
console.log(
  `${sources.length - unread.length} of ${sources.length} sources read, ${violations.length} violations`,
)
process.exitCode = sources.length > 0 && unread.length === 0 && violations.length === 0 ? 0 : 1
