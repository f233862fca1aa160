import { wholeOf, type Conversation } from './conversation.js'
import type { Outcome } from './exchange.js'

const [MOST_SENT, MOST_GOT] = [1500, 700]

/** A conversation that went wrong, for people: what is wrong, the bytes of both sides, and what was mutated. */
export function told(problems: readonly string[], conversation: Conversation, outcome: Outcome): string {
  const { host, requests, cuts, isHalfClosed } = conversation
  const mutations = requests.map(({ valid, applied }) =>
    [`${valid.method} ${valid.target}`, ...applied.map(({ mutation }) => mutation.name)].join(', '),
  )
  const got = outcome.replies.map(
    ({ status, headers, body }) =>
      `${status} ${headers.map((pair) => pair.join(': ')).join(' | ')} ${escaped(body, MOST_GOT)}`,
  )
  return [
    `${problems.join('; ')} (${host}${cuts.length > 0 ? `, in ${cuts.length + 1} pieces` : ''}${isHalfClosed ? ', half-closed' : ''})`,
    `from: ${mutations.join(' | ')}`,
    `sent: ${escaped(wholeOf(conversation), MOST_SENT)}`,
    ...got.map((reply) => `got: ${reply}`),
    ...(outcome.rest === '' ? [] : [`got: ${escaped(outcome.rest, MOST_GOT)}`]),
    ...(outcome.broken === undefined ? [] : [`ended by: ${outcome.broken}`]),
  ].join('\n')
}

/** Bytes as they would stand in a string of JavaScript; long runs and a long rest are counted. */
function escaped(bytes: string, most: number): string {
  const text = JSON.stringify(bytes)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll(/[\u007f-\u00ff]/g, (one) => `\\x${one.charCodeAt(0).toString(16)}`)
    .replaceAll(/(.)\1{40,}/g, (run: string, one: string) => `${one}{${run.length} times}`)
  return text.length <= most ? text : `${text.slice(0, most)}... (${bytes.length} bytes)`
}
