const CLIENT_NAME_MAX = 64
/** The client chooses its name: characters that a page, a terminal or a log could interpret are left out. */
const OTHERS = /[^A-Za-z0-9 ._+()/-]/g
/** Mail readers make links of such dots, and notices show the name under the name of the service. */
const NO_VERSION_DOT = /(?<!\d)\.|\.(?!\d)/g

/**
 * The stored form of a client name, such as `Firefox 130 on Linux`: at most 64 characters, letters and digits of ASCII,
 * single spaces, `_+-()/`, and dots between digits. `undefined` if nothing is left.
 */
export function clientName(text: string): string | undefined {
  const plain = text.replaceAll(OTHERS, ' ').replaceAll(NO_VERSION_DOT, ' ').replaceAll(/ +/g, ' ').trim()
  const name = plain.slice(0, CLIENT_NAME_MAX).trim()
  return name === '' ? undefined : name
}
