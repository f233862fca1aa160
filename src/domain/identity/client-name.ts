const CLIENT_NAME_MAX = 64
/** A client chooses what it calls itself: what a page, a terminal or a log could take for something else is left out. */
const OTHERS = /[^A-Za-z0-9 ._+()/-]/g
/** What a mail reader could make a link of: a notice shows the name under the name of the service. */
const NO_VERSION_DOT = /(?<!\d)\.|\.(?!\d)/g

/**
 * What is kept of a name of a client, such as `Firefox 130 on Linux`: at most 64 characters, letters and digits of ASCII, single
 * spaces, `_+-()/`, and dots between digits. `undefined` where nothing is left.
 */
export function clientName(text: string): string | undefined {
  const plain = text.replaceAll(OTHERS, ' ').replaceAll(NO_VERSION_DOT, ' ').replaceAll(/ +/g, ' ').trim()
  const name = plain.slice(0, CLIENT_NAME_MAX).trim()
  return name === '' ? undefined : name
}
