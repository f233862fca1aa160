import { NEW_PASSWORD, RESETS_PERMITTED } from '../http/resetting.js'
import { isRefusal, type RefusalCode } from '../../../src/domain/refusal.js'
import { composeUseCases, type Composed, type UseCaseOptions } from '../use-cases.js'
import { createPostbox, ownTemplates, tokenIn, type Postbox } from './postbox.js'

/** The use cases with password reset permitted for everyone, and the mail server in memory that receives the emails. */
export type ComposedResets = Composed & {
  readonly postbox: Postbox
  readonly ask: (email: string) => Promise<void>
  /** Resets the password; returns the error code if the reset was rejected. */
  readonly consume: (email: string, resetToken: string, password?: string) => Promise<'done' | RefusalCode>
  readonly sendMails: () => Promise<number>
  readonly mailedToken: (email: string) => Promise<string>
  /** Returns the event, outcome and count of each audit record of a reset. */
  readonly resetRecords: () => Promise<readonly string[]>
}

type Options = Omit<UseCaseOptions, 'mail'> & { readonly postbox?: Postbox }

export async function composeResets({
  postbox = createPostbox(),
  ...options
}: Options = {}): Promise<ComposedResets> {
  const mail = { mailer: postbox.mailer, templates: ownTemplates() }
  const kennel = await composeUseCases({ permissions: RESETS_PERMITTED, mail, ...options })
  const { useCases, store } = kennel
  const ask = async (email: string) => await useCases.requestPasswordReset({ email, presented: {} })
  const sendMails = async () => (await kennel.mails().sendMails()).sent
  return {
    ...kennel,
    postbox,
    ask,
    consume: async (email, resetToken, password = NEW_PASSWORD) =>
      await useCases.consumeResetToken({ email, resetToken, password, presented: {} }).then(
        () => 'done' as const,
        (error: unknown) => {
          if (isRefusal(error)) return error.code
          throw error
        },
      ),
    sendMails,
    mailedToken: async (email) => {
      await ask(email)
      await sendMails()
      return tokenIn(postbox.arrived.at(-1))
    },
    resetRecords: async () => {
      const records = await store.audit.page({ limit: 10_000 })
      const ofResets = records.filter(({ event }) => event.startsWith('reset.'))
      return ofResets.map(({ event, outcome, count }) => [event, outcome, count ?? []].flat().join(' '))
    },
  }
}
