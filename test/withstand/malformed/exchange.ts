import { connect, type Socket } from 'node:net'
import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import { answersTo, wholeOf, type Conversation } from './conversation.js'
import { createStrictReplies, type StrictReplies } from './strict-replies.js'

/** What became of one connection. */
export type Outcome = Pick<StrictReplies, 'replies' | 'interim' | 'rest' | 'error'> & {
  /** The client's port, by which the service knows it too. */
  readonly port: number
  /** The error that ended it, such as `ECONNRESET`. */
  readonly broken: string | undefined
  /** Neither an answer nor an end came. */
  readonly isHanging: boolean
}

/** The service at the other end. */
export type Peer = {
  readonly ports: Readonly<Record<Conversation['host'], number>>
  /** Resolves when its process has answered, over another way: so that a busy machine is no hanging connection. */
  ping(): Promise<unknown>
}

/** Longer than any timeout of the service: this often it is asked whether it is alive, in intervals of so many milliseconds. */
const [LOOKS, INTERVAL] = [3, 4000]

/** Says all that is to be said on a connection of its own, and waits for its end. */
export async function exchange(conversation: Conversation, peer: Peer): Promise<Outcome> {
  const socket = connect({
    host: '127.0.0.1',
    port: peer.ports[conversation.host],
    allowHalfOpen: true,
    noDelay: true,
  })
  const strict = createStrictReplies()
  const state = { broken: undefined as string | undefined, isHanging: false, port: 0 }
  socket.setEncoding('latin1')
  socket.on('error', (error: NodeJS.ErrnoException) => (state.broken = error.code ?? error.message))
  const closed = new Promise<void>((resolve) => socket.once('close', resolve))
  const watch = watchProgress(socket, peer, () => (state.isHanging = true))
  // What was asked is answered: there is nothing more to say.
  const expected = answersTo(conversation)
  let isSaid = false
  // The answer to HEAD ends with its head, and which one that is only the service knows.
  const isDone = () => strict.replies.length + (strict.rest.endsWith('\r\n\r\n') ? 1 : 0) >= expected
  const endIfDone = () => {
    if (isSaid && (isDone() || strict.error !== undefined)) socket.end()
  }
  socket.on('data', (bytes: string) => {
    watch.moved()
    strict.take(bytes)
    endIfDone()
  })
  socket.on('end', () => socket.end())
  socket.once('connect', () => {
    state.port = socket.localPort ?? 0
    void say(socket, conversation).then(() => {
      isSaid = true
      endIfDone()
    })
  })
  await closed
  watch.stop()
  const { replies, interim, rest, error } = strict
  return { ...state, replies, interim, rest, error }
}

async function say(socket: Socket, conversation: Conversation): Promise<void> {
  for (const piece of piecesOf(conversation)) {
    if (!socket.writable) return
    socket.write(piece, 'latin1')
    // Another packet, and another turn of the service: it must not matter how the bytes come.
    await setImmediate()
  }
  if (conversation.isHalfClosed) socket.end()
}

function piecesOf(conversation: Conversation): string[] {
  const whole = wholeOf(conversation)
  const places = conversation.cuts
    .map((cut) => Math.floor(cut * whole.length))
    .sort((one, other) => one - other)
  return [0, ...places].map((from, index) => whole.slice(from, places[index])).filter((piece) => piece !== '')
}

function watchProgress(socket: Socket, peer: Peer, onHanging: () => void) {
  const stopped = new AbortController()
  let moves = 0
  const watch = async () => {
    for (let looks = 0, seen = 0; looks < LOOKS; looks += 1) {
      await pause(INTERVAL, undefined, { signal: stopped.signal, ref: false })
      await peer.ping()
      if (moves > seen) looks = -1
      seen = moves
    }
    onHanging()
    socket.destroy()
  }
  watch().catch(() => undefined)
  return {
    moved: () => {
      moves += 1
    },
    stop: () => {
      stopped.abort()
    },
  }
}
