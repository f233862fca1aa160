import { expect } from 'chai'
import { startBackground } from '../../src/composition-root/background.js'
import { SILENT_LOG } from '../../src/ports/log.js'
import type { Mailer } from '../../src/ports/mail.js'

describe('background work', () => {
  let done: string[] = []
  let release: () => void = () => undefined
  beforeEach(() => {
    done = []
  })

  const turn = () => new Promise((resolve) => setImmediate(resolve))

  type Purge = (signal?: AbortSignal) => Promise<number>

  function start(close: Mailer['close'], purge?: Purge) {
    const purged = new Promise<void>((resolve) => (release = resolve))
    const heldPurge = async () => {
      await purged
      done.push('purged')
      return 0
    }
    return startBackground({
      audit: { flush: async () => void done.push('flushed') },
      purgeExpired: purge ?? heldPurge,
      mails: {
        mailer: { close, send: async () => ({ kind: 'sent' }) },
        sendMails: async () => {
          done.push('sent')
          return { sent: 0 }
        },
        siftMails: async () => undefined,
      },
      clock: () => 0,
      log: SILENT_LOG,
    })
  }

  it('starts immediately, ends when the running work is complete, and flushes the audit log last', async () => {
    const background = start(async () => void done.push('closed'))
    expect(done).to.deep.equal(['sent'])
    const ended = background.end()
    release()
    await ended
    expect(done).to.deep.equal(['sent', 'closed', 'purged', 'flushed'])
  })

  it('stops a running purge between two batches', async () => {
    let asked: AbortSignal | undefined
    const background = start(
      async () => undefined,
      (signal) => {
        asked = signal
        return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(0)))
      },
    )
    await turn()
    expect(asked?.aborted).to.equal(false)
    await background.end()
    expect(asked?.aborted).to.equal(true)
  })

  it('ends even if the mailer cannot be closed', async () => {
    const background = start(() => Promise.reject(new Error('closed already')))
    const ended = background.end().catch((error: unknown) => error)
    await turn()
    release()
    expect(await ended)
      .to.be.instanceOf(Error)
      .with.property('message', 'closed already')
    expect(done).to.deep.equal(['sent', 'purged', 'flushed'])
  })

  it('starts another round of emails when it is woken', async () => {
    const background = start(async () => undefined)
    // Waits until the first round has ended.
    await turn()
    background.wakeMailing()
    release()
    await background.end()
    expect(done.filter((one) => one === 'sent')).to.have.lengthOf(2)
  })
})
