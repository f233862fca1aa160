// Checks that the sources of a project (the first argument, by default this project) obey the layer rules. Also fails if a source was not
// read: without a compiler, dependency-cruiser reads nothing and finds no violation.
import { join, resolve } from 'node:path'
import { cruise } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import rules from '../.dependency-cruiser.cjs'
import { filesBelow, PROJECT } from './files.js'

const project = resolve(process.argv[2] ?? PROJECT)

const { output } = await cruise(
  ['src'],
  { ...rules.options, baseDir: project, validate: true, ruleSet: { forbidden: rules.forbidden } },
  undefined,
  { tsConfig: extractTSConfig(join(PROJECT, 'tsconfig.json')) },
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
