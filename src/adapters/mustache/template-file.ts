import { readFileSync, statSync } from 'node:fs'

const LARGEST = 64 * 1024

/** The text of a template file, or what is wrong with the file, to be read on from its name. */
export type TemplateFile = { readonly text: string } | { readonly error: string }

export function readTemplateFile(path: string): TemplateFile {
  try {
    const { size } = statSync(path)
    if (size > LARGEST) return { error: 'is larger than 64 kB' }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
    return text.trim() === '' ? { error: 'is empty' } : { text }
  } catch (error) {
    return { error: errorOf(error) }
  }
}

function errorOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT') return 'is missing'
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'is not UTF-8'
  if (code === '') throw error
  return `cannot be read: ${code}`
}
