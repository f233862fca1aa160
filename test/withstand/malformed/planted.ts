import type { RequestListener, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Refusal } from '../../../src/domain/refusal.js'
import type { HttpSettings } from '../../../src/http/settings.js'
import type { Store } from '../../../src/ports/store.js'
import type { Service } from '../../../src/composition-root/container.js'

/** Bugs of the service that its process can be started with, and what is wrong then. */
export const PLANTED = {
  nesting: 'a body that is nested deeply is an error of the service',
  unlimited: 'a body may be of any size',
  hanging: 'a client that half-closes its connection after a removal is waited for without end',
  writing: 'a request that is refused as malformed makes a pet',
  telling: 'the refusal of a login repeats the password and tells of the program',
  keeping: 'something is kept of every request for good',
  smuggling: 'a length and chunks are accepted together, as is what else a parser should not take',
  resetting: 'the connection is reset behind the answer to a request that cannot be read',
} as const

/** The parser of Node itself is lenient then. */
export const INSECURE_PARSER = 'smuggling' satisfies keyof typeof PLANTED

/** What may have a bug. */
export type Plantable = {
  readonly settings: HttpSettings
  readonly useCases: Service['useCases']
  readonly listener: (listener: RequestListener) => RequestListener
}

type Plant = (sound: Plantable, store: Store) => Plantable

const PLANTS: Readonly<Record<keyof typeof PLANTED, Plant>> = {
  nesting: (sound) => {
    const parse = JSON.parse
    JSON.parse = (text: string, ...more: []) =>
      (/(?:\[|\{"a":){200}/.test(text) ? poisoned() : parse(text, ...more)) as unknown
    return sound
  },
  unlimited: (sound) => ({ ...sound, settings: { ...sound.settings, bodyLimit: 1e9 } }),
  hanging: around((request, response, answer) => {
    if (request.method !== 'DELETE') {
      answer()
      return
    }
    request.socket.removeAllListeners('end')
    response.on('finish', () => {
      request.socket.setTimeout(0)
      request.socket.removeAllListeners('timeout')
    })
    answer()
  }),
  writing: (sound, store) =>
    around((_request, response, answer) => {
      beforeEnd(response, () => {
        if (response.statusCode === 400) void store.pets.insert({ name: 'Stray' } as never)
      })
      answer()
    })(sound, store),
  telling: (sound) => ({
    ...sound,
    useCases: {
      ...sound.useCases,
      login: async (input) => {
        const issued = await sound.useCases.login(input).catch(() => undefined)
        if (issued) return issued
        const message = `${String(input.password)} ${new Error('no login').stack ?? ''}`
        throw new Refusal('malformed', [{ field: 'password', type: 'NotValid', message }])
      },
    },
  }),
  keeping: around((request, _response, answer) => {
    kept.push(Buffer.alloc(64 * 1024, request.url))
    answer()
  }),
  smuggling: (sound) => sound,
  resetting: (sound) => {
    const prototype = Socket.prototype as unknown as { end: (this: Socket, ...args: unknown[]) => Socket }
    const { end } = prototype
    prototype.end = function (this: Socket, ...args: unknown[]) {
      if (!String(args[0]).startsWith('HTTP/1.1 400')) return Reflect.apply(end, this, args)
      this.write(String(args[0]))
      return this.resetAndDestroy()
    }
    return sound
  },
}

const kept: Buffer[] = []

/** With the bug of this name, or as it is. */
export function planted(name: string | undefined, sound: Plantable, store: Store): Plantable {
  return name === undefined ? sound : PLANTS[name as keyof typeof PLANTED](sound, store)
}

type Handling = (
  request: Parameters<RequestListener>[0],
  response: ServerResponse,
  answer: () => void,
) => void

function around(handling: Handling): Plant {
  return (sound) => ({
    ...sound,
    listener: (listener) => (request, response) => {
      handling(request, response, () => {
        sound.listener(listener)(request, response)
      })
    },
  })
}

function beforeEnd(response: ServerResponse, act: () => void): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse
  response.end = ((...args: unknown[]) => {
    act()
    return end(...args)
  }) as ServerResponse['end']
}

function poisoned(): unknown {
  return new Proxy(
    {},
    {
      ownKeys: () => {
        throw new RangeError('Maximum call stack size exceeded')
      },
      get: () => {
        throw new RangeError('Maximum call stack size exceeded')
      },
    },
  )
}
