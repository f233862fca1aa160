import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permission-rules.js'
import { isRefusal } from '../../../src/domain/refusal.js'
import type { MailTemplates } from '../../../src/ports/mail.js'
import { permitting } from '../permissions.js'
import { composeUseCases, type UseCaseOptions } from '../use-cases.js'
import { createPostbox, fragmentOf, linkIn, ownTemplates, type Postbox } from './postbox.js'

const { everyone, user } = DEFAULT_PERMISSIONS.roles

/** The built-in permissions, and also sign-up and login by email for everyone, and changes of the email for every account. */
export const PROOFS_PERMITTED = permitting({
  everyone: {
    components: { ...everyone.components, auth: [...everyone.components.auth, 'sign-up', 'login-by-mail'] },
  },
  user: { components: { ...user.components, auth: [...user.components.auth, 'change-email'] } },
})

export type ComposedProofs = Awaited<ReturnType<typeof composeProofs>>

/** The use cases with every email proof permitted, and the in-memory mail server that receives the emails. */
export async function composeProofs({
  postbox = createPostbox(),
  templates = ownTemplates(),
  ...options
}: Omit<UseCaseOptions, 'mail'> & {
  readonly postbox?: Postbox
  readonly templates?: MailTemplates
} = {}) {
  const mail = { mailer: postbox.mailer, templates }
  const kennel = await composeUseCases({ permissions: PROOFS_PERMITTED, mail, ...options })
  return {
    ...kennel,
    postbox,
    /** Sends the queued emails, and returns the secrets in the last email. */
    mailed: async () => {
      await kennel.mails().sendMails()
      const mail = postbox.arrived.at(-1)
      const { token = '', code = '' } = fragmentOf(linkIn(mail))
      return { token, code, to: mail?.to ?? '' }
    },
  }
}

/** Resolves with `done`, or with the refusal code, and the field and message of the first error. */
export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'done'
  } catch (error) {
    if (!isRefusal(error)) throw error
    const [first] = error.messages
    return `${error.code} ${first?.field ?? ''} ${first?.message ?? ''}`
  }
}
