// The notices of the bundled packages: their licences require a notice in every copy.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of a package, and its name; a generated module has a name before a colon. */
const FOLDER = /^(?!\w+:).*node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/
const NOTICE = /^(licen[cs]e|copying|notice)/i

/** One text for all packages of these files. Throws if a package names no licence. */
export function noticesOf(project, files) {
  const folders = [...new Set(files.flatMap((file) => FOLDER.exec(file)?.[0] ?? []))].sort()
  const notices = folders.map((folder) => noticeOf(join(project, folder)))
  return `The files beside this one hold code of these packages.\n\n${[...new Set(notices)].join('\n')}`
}

/** The names of the packages of these files. */
export function packagesOf(files) {
  return [...new Set(files.flatMap((file) => FOLDER.exec(file)?.[1] ?? []))].sort()
}

function noticeOf(folder) {
  const { name, version, license, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  if (!license) throw new Error(`${name} says nothing of its licence`)
  const texts = readdirSync(folder)
    .filter((file) => NOTICE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const said =
    texts.length > 0 ? texts : [`It holds no text of it; it is from ${repository.url ?? repository}.`]
  return ['='.repeat(80), `${name} ${version} (${license})`, '', ...said, ''].join('\n')
}
