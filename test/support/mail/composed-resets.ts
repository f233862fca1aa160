import { isRefusal, type RefusalCode } from '../../../src/domain/refusal.js'
import { NEW_PASSWORD, RESETS_PERMITTED } from '../http/resetting.js'
import { composeProofs } from './composed-proofs.js'
import { tokenIn } from './postbox.js'

export type ComposedResets = Awaited<ReturnType<typeof composeResets>>

/** The use cases with password reset permitted for everyone, and the in-memory mail server that receives the emails. */
export async function composeResets(options: Parameters<typeof composeProofs>[0] = {}) {
  const kennel = await composeProofs({ permissions: RESETS_PERMITTED, ...options })
  const { useCases, store, postbox } = kennel
  const ask = async (email: string) => await useCases.requestPasswordReset({ email, presented: {} })
  const sendMails = async () => (await kennel.mails().sendMails()).sent
  return {
    ...kennel,
    ask,
    sendMails,
    /** Resets the password; returns the error code if the reset was rejected. */
    consume: async (email: string, resetToken: string): Promise<'done' | RefusalCode> => {
      try {
        await useCases.consumeResetToken({ email, resetToken, password: NEW_PASSWORD, presented: {} })
        return 'done'
      } catch (error) {
        if (isRefusal(error)) return error.code
        throw error
      }
    },
    mailedToken: async (email: string) => {
      await ask(email)
      await sendMails()
      return tokenIn(postbox.arrived.at(-1))
    },
    /** Returns the event, outcome and count of each audit record of a reset. */
    resetRecords: async (): Promise<readonly string[]> => {
      const records = await store.audit.page({ limit: 10_000 })
      const ofResets = records.filter(({ event }) => event.startsWith('reset.'))
      return ofResets.map(({ event, outcome, count }) => [event, outcome, count ?? []].flat().join(' '))
    },
  }
}
