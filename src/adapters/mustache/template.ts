import { isUtf8 } from 'node:buffer'
import mustache from 'mustache'
import type { TemplateSpans } from 'mustache'
import { withOpenedFile } from '../../configuration/opened-file.js'

export type TemplateValues = Readonly<Record<string, string>>

export type Template = (values: TemplateValues) => string

/** The errors in a mail template; each error completes a sentence that begins with the file name. */
export type TemplateErrors = { readonly errors: readonly string[] }

/** Like `escape`, the tags are passed explicitly, because other users of the mustache module can change its defaults. */
const TAGS: [string, string] = ['{{', '}}']
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]/gu

const escapeHtml = mustache.escape
const unescaped = (value: string): string => value

/** Parses a template once, so that it can be rendered many times. The values are inserted as text and never parsed as templates. */
export function parseTemplate(
  text: string,
  names: readonly string[],
  html: boolean,
): Template | TemplateErrors {
  const writer = new mustache.Writer()
  const errors = errorsOf(() => writer.parse(text, TAGS) as TemplateSpans, names)
  if (errors.length > 0) return { errors }
  const escape = html ? escapeHtml : unescaped
  return (values) => {
    const clean = Object.entries(values).map(([name, value]) => [name, value.replace(CONTROL_CHARACTERS, '')])
    return writer.render(text, Object.fromEntries(clean), undefined, { tags: TAGS, escape })
  }
}

function errorsOf(parse: () => TemplateSpans, names: readonly string[]): string[] {
  try {
    return [...new Set(tagsOf(parse()).flatMap(([kind, name]) => errorsOfTag(kind, name, names)))]
  } catch (error) {
    return [`is not a mustache template: ${error instanceof Error ? error.message : 'it cannot be parsed'}`]
  }
}

/** Returns the kind (`name`, `#`, `&`, …) and the name of each tag, including tags in sections. */
function tagsOf(spans: TemplateSpans): [string, string][] {
  return spans.flatMap((span) => {
    const [kind, name, , , inside] = span
    const own: [string, string][] = kind === 'text' ? [] : [[kind, name]]
    return Array.isArray(inside) ? [...own, ...tagsOf(inside)] : own
  })
}

function errorsOfTag(kind: string, name: string, names: readonly string[]): string[] {
  if (kind === '!') return []
  if (kind === '&') return [`inserts ${name} without escaping it: write {{${name}}}`]
  if (kind === '>') return [`includes another template, ${name}, which is not supported`]
  if (kind === '=') return ['changes the delimiters, which is not supported']
  return names.includes(name)
    ? []
    : [`uses the unknown name ${name || '(empty)'}; known are ${names.join(', ')}`]
}

const MAX_SIZE = 64 * 1024

/** The message in `error` completes a sentence that begins with the file name. */
export type TemplateFile = { readonly text: string } | { readonly error: string }

export function readTemplateFile(path: string): TemplateFile {
  try {
    return withOpenedFile(path, ({ stats, read }) => {
      if (stats.size > MAX_SIZE) return { error: 'is larger than 64 kB' }
      const bytes = read()
      if (!isUtf8(bytes)) return { error: 'is not UTF-8' }
      const text = new TextDecoder().decode(bytes)
      return text.trim() === '' ? { error: 'is empty' } : { text }
    })
  } catch (error) {
    return { error: errorOf(error) }
  }
}

function errorOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT') return 'is missing'
  if (code === '') throw error
  return `cannot be read: ${code}`
}
