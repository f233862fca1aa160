import { expect } from 'chai'
import { DESCRIBED } from '../../src/adapters/oclif/described.js'
import { pages } from '../support/pages/blocks.js'
import { filesOf, textOf } from '../support/project.js'

const IDS = Object.keys(DESCRIBED.commands)
const PROGRAM = /(?:bin\/app\.js|\bkennel-app|\bkennel-id|[`(]app) ([^`|;&>\n]*)/g
/** Inline code that begins with a command, without the name of the program. */
const INLINE = /`([a-z]+ [a-z]+ [^`\n]*)`/g
/** Flags of other programs that pages show without the program's name. */
const FOREIGN = [
  ...[
    'allow-ffi',
    'cpus',
    'cpuset-cpus',
    'env',
    'format',
    'frozen-intrinsics',
    'kill-who',
    'env-file',
    'omit',
    'platform',
  ],
  ...['replSet', 'stop-timeout', 'unstable-no-legacy-abort', 'users'],
]

/** Returns the pages for users and the files that these pages show. The changelog and decision records may name old flags. */
function shown(): string[] {
  return [...pages(), ...filesOf('examples'), ...filesOf('docs/operate/files')].filter((file) =>
    /^(?:README|docs\/(?:README|operate|http|embed)|examples\/.*\.(?:md|js|ts|sh|json)$)/.test(file),
  )
}

function flagsOf(id: string): string[] {
  return [...Object.keys(DESCRIBED.commands[id]?.flags ?? {}), 'help', 'version']
}

function idOf(text: string): string | undefined {
  const [topic = '', verb = ''] = text.trim().split(/[\s:]+/)
  return [`${topic}:${verb}`, topic].find((id) => IDS.includes(id))
}

const longFlags = (text: string) =>
  Array.from(text.matchAll(/(?<=^|\s)--([a-z][\w-]*)/g), ([, name = '']) => name)

type Use = { readonly page: string; readonly command: string; readonly flags: readonly string[] }

function usesIn(page: string): Use[] {
  const text = textOf(page).replaceAll(/\\\n\s*/g, ' ')
  const commands = [...text.matchAll(PROGRAM), ...text.matchAll(INLINE)].map(([, typed = '']) => typed)
  return commands.flatMap((command) => {
    const id = idOf(command)
    if (id === undefined) return []
    const flags = longFlags(command).filter((flag) => !flagsOf(id).includes(flag))
    return [{ page, command, flags }]
  })
}

describe('flags on pages', () => {
  it('belong to the command that they are shown with', () => {
    const uses = shown().flatMap(usesIn)
    expect(uses.filter(({ command }) => command.includes('--')).length).to.be.greaterThan(60)
    expect(uses.filter(({ flags }) => flags.length > 0)).to.deep.equal([])
  })

  it('belong to a command on the same page if shown without a command', () => {
    const unknown = shown().flatMap((page) => {
      const text = textOf(page)
      const named = IDS.filter((id) => new RegExp(`\\b${id.replace(':', '[ :]')}\\b`).test(text))
      const known = [...named.flatMap(flagsOf), ...FOREIGN]
      const alone = Array.from(text.matchAll(/`(--[a-z][^`\n]*)`/g), ([, code = '']) => code)
      return alone.flatMap(longFlags).flatMap((flag) => (known.includes(flag) ? [] : [`${page}: --${flag}`]))
    })
    expect(unknown).to.deep.equal([])
  })
})
