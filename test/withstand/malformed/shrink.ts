import { wholeOf, type Conversation } from './conversation.js'

/** Whether a conversation goes wrong in the same way. */
export type GoesWrong = (conversation: Conversation) => Promise<boolean>

/** Each attempt may wait for the timeout of the service: more of them make no history much clearer. */
const ATTEMPTS = 20

/** As little as still goes wrong: fewer requests, fewer mutations, fewer bytes. */
export async function shrink(conversation: Conversation, goesWrong: GoesWrong): Promise<Conversation> {
  let least = conversation
  let left = ATTEMPTS
  const accept = async (smaller: Conversation) => {
    if (left === 0) return false
    left -= 1
    if (!(await goesWrong(smaller))) return false
    least = smaller
    return true
  }
  for (const one of conversation.requests) if (await accept({ ...least, requests: [one] })) break
  for (let index = least.requests.length - 1; index >= 0; index -= 1)
    await accept(withoutRequest(least, index))
  for (const [request, { applied }] of least.requests.entries())
    for (let index = applied.length - 1; index >= 0; index -= 1)
      await accept(withoutMutation(least, request, index))
  if (least.cuts.length > 0) await accept({ ...least, cuts: [] })
  // Then nothing is waited for that does not come.
  await accept({ ...least, isHalfClosed: true })
  const bytes = wholeOf(least)
  if (await accept({ ...least, bytes })) await shorten(() => least, accept)
  return least
}

function withoutRequest(conversation: Conversation, index: number): Conversation {
  const requests = conversation.requests.filter((_, at) => at !== index)
  return { ...conversation, requests: requests.length > 0 ? requests : conversation.requests }
}

function withoutMutation(conversation: Conversation, request: number, index: number): Conversation {
  const requests = conversation.requests.map((drawn, at) =>
    at === request ? { ...drawn, applied: drawn.applied.filter((_, other) => other !== index) } : drawn,
  )
  return { ...conversation, requests }
}

/** Takes pieces out, from halves to single bytes. */
async function shorten(least: () => Conversation, accept: GoesWrong): Promise<void> {
  for (let size = Math.ceil(wholeOf(least()).length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < wholeOf(least()).length;) {
      const bytes = wholeOf(least())
      const isShorter = await accept({ ...least(), bytes: `${bytes.slice(0, at)}${bytes.slice(at + size)}` })
      if (!isShorter) at += size
    }
  }
}
