import { breaks, means, type Reader } from './setting.js'

/** One of these words, exactly as written here. */
export function choice<const T extends string>(...words: readonly T[]): Reader<T> {
  return (text) => {
    const word = words.find((one) => one === text)
    return word === undefined ? breaks(`must be ${alternatives(words)}`) : means(word)
  }
}

/** `1` or `true`, `0` or `false`. */
export const flag: Reader<boolean> = (text) => {
  if (text === '1' || text === 'true') return means(true)
  if (text === '0' || text === 'false') return means(false)
  return breaks('must be 1, 0, true or false')
}

/** `on` and `off` beside what a flag may be. */
export const onOff: Reader<boolean> = (text) => {
  if (text === 'on' || text === 'off') return means(text === 'on')
  const reading = flag(text)
  return reading.ok ? reading : breaks('must be on, off, 1, 0, true or false')
}

/** A text without control characters, such as a path. */
export function plain(what: string, most: number): Reader<string> {
  return (text) =>
    text.length <= most && !/\p{Cc}/u.test(text)
      ? means(text)
      : breaks(`must be ${what} of at most ${most} characters, without control characters`)
}

/** The key of a JSON object; those that reach an object's prototype are refused. */
export const modelName: Reader<string> = (text) =>
  /^[A-Za-z][\w.\\-]{0,99}$/.test(text) && !(text in {})
    ? means(text)
    : breaks('must be a name of 1 to 100 letters, digits, dots, hyphens, underscores or backslashes')

function alternatives(words: readonly string[]): string {
  return words.length === 1 ? String(words[0]) : `${words.slice(0, -1).join(', ')} or ${String(words.at(-1))}`
}
