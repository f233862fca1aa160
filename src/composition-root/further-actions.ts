import type { Container } from 'inversify'
import { createAuditTrail } from '../application/audit/audit-trail.js'
import { createListAudit } from '../application/audit/list-audit.js'
import { createLoginAs } from '../application/identity/impersonation/login-as.js'
import { createLogoutAs } from '../application/identity/impersonation/logout-as.js'
import { createRefusedImpersonation } from '../application/identity/impersonation/refused.js'
import {
  createReplaceSession,
  createReplaceStateless,
} from '../application/identity/impersonation/replace-login.js'
import {
  createRequestPasswordReset,
  type RequestPasswordResetParts,
} from '../application/identity/password-reset/request-password-reset.js'
import { createLimitResetRequests } from '../application/identity/password-reset/limit-reset-requests.js'
import {
  createConsumeResetToken,
  type ConsumeResetTokenParts,
} from '../application/identity/password-reset/consume-reset-token.js'
import {
  createRefuseImpersonatedSession,
  refuseImpersonatedToken,
} from '../application/identity/password-reset/refuse-impersonated.js'
import { networkLimitOf } from '../application/identity/throttle.js'
import { createMakeMail } from '../application/mail/make-mail.js'
import { createQueueMail } from '../application/mail/queue-mail.js'
import { createSiftMails } from '../application/mail/sift-mails.js'
import { createSendMails } from '../application/mail/send-mails.js'
import { createTimeOrderedIds } from '../application/time-ordered-ids.js'
import type { Revocations } from '../ports/revocations.js'
import type { Infrastructure } from './infrastructure-parts.js'
import type { Mode } from './identity.js'
import { throttleOf, type ThrottleParts } from './throttling.js'
import { applied, provide, provideForCallers, TOKENS } from './tokens.js'

/** Password reset, impersonation and what is put on record of everything. */
export function bindFurtherActions(container: Container, infrastructure: Infrastructure): void {
  bindAudit(container, infrastructure)
  bindImpersonation(container, infrastructure.mode)
  bindResets(container, infrastructure)
  bindMail(container, infrastructure)
}

function bindAudit(container: Container, { onAuditLost, auditBatched = false }: Infrastructure): void {
  const { timeOrderedIds, randomness, auditSinks: sinks, operator, digest, clock, accounts } = TOKENS
  provide(container, timeOrderedIds, createTimeOrderedIds, { randomness })
  provide(
    container,
    TOKENS.audit,
    applied(createAuditTrail, { onLost: onAuditLost, batched: auditBatched }),
    {
      sinks,
      operator,
      timeOrderedIds,
      digest,
      clock,
    },
  )
  provideForCallers(container, 'listAudit', createListAudit, { audit: TOKENS.auditLog, accounts })
}

function bindImpersonation(container: Container, mode: Mode): void {
  const { authenticate, authorize, permissions, accounts, replaceLogin, audit, maxDuration, clock } = TOKENS
  if (mode.kind === 'stateless' && !mode.revocations) {
    provide(container, TOKENS.loginAs, createRefusedImpersonation, { authenticate })
    provide(container, TOKENS.logoutAs, createRefusedImpersonation, { authenticate })
    return
  }
  const parts = { authenticate, authorize, accounts, replaceLogin, audit }
  provide(container, TOKENS.loginAs, createLoginAs, { ...parts, permissions, maxDuration, clock })
  provide(container, TOKENS.logoutAs, createLogoutAs, parts)
  bindReplaceLogin(container, mode.kind === 'stateless' ? mode.revocations : undefined)
}

/** Without revocations it is sessions that stand behind the tokens. */
function bindReplaceLogin(container: Container, revocations: Revocations | undefined): void {
  const { replaceLogin, sessions, openSession, issue, issuePair, randomness, clock } = TOKENS
  if (!revocations) {
    provide(container, replaceLogin, createReplaceSession, { sessions, openSession, issue })
    return
  }
  provide(container, replaceLogin, applied(createReplaceStateless, { revocations }), {
    issuePair,
    randomness,
    clock,
  })
}

function bindResets(container: Container, { mode, loginLimit, mail, log }: Infrastructure): void {
  const { checkAccessToken, authorize, refuseImpersonated, queueMail, sessions, sessionKeys, clock } = TOKENS
  if (mode.kind === 'stateful')
    provide(container, refuseImpersonated, createRefuseImpersonatedSession, {
      sessions,
      sessionKeys,
      refuseLapsed: TOKENS.refuseLapsed,
      clock,
    })
  else container.bind(refuseImpersonated).toConstantValue(refuseImpersonatedToken)
  provide(container, TOKENS.queueMail, applied(createQueueMail, { onQueued: mail?.onQueued }), {
    mailQueue: TOKENS.mailQueue,
    timeOrderedIds: TOKENS.timeOrderedIds,
    clock,
  })
  const common = { checkAccessToken, authorize, refuseImpersonated, queueMail, clock }
  const networkLimit = loginLimit && networkLimitOf(loginLimit)
  const { attempts, digest, accounts, hasher, minPasswordLength, resetTokens, audit } = TOKENS
  provide(
    container,
    TOKENS.requestPasswordReset,
    (
      parts: Omit<RequestPasswordResetParts, 'limitResetRequests'> &
        Parameters<typeof createLimitResetRequests>[0],
    ) =>
      createRequestPasswordReset({
        ...parts,
        limitResetRequests: createLimitResetRequests({ ...parts, networkLimit }),
      }),
    { ...common, attempts, digest },
  )
  const createRedeem = (parts: Omit<ConsumeResetTokenParts, 'throttle' | 'log'> & ThrottleParts) =>
    createConsumeResetToken({ ...parts, throttle: throttleOf(parts, loginLimit), log })
  provide(container, TOKENS.consumeResetToken, createRedeem, {
    ...common,
    attempts,
    digest,
    accounts,
    hasher,
    minPasswordLength,
    resetTokens,
    audit,
  })
}

function bindMail(container: Container, { mail, log }: Infrastructure): void {
  if (!mail) return
  const { mailQueue, clock, makeMail, siftMails, accounts, resetTokens, audit } = TOKENS
  container.bind(TOKENS.templates).toConstantValue(mail.templates)
  container.bind(TOKENS.mailer).toConstantValue(mail.mailer)
  container.bind(TOKENS.resetTokenTtl).toConstantValue(mail.resetTokenTtl)
  container.bind(TOKENS.resetUrl).toConstantValue(mail.resetUrl)
  const { templates, resetTokenTtl, resetUrl, mailer } = TOKENS
  const making = { accounts, templates, resetTokens, resetTokenTtl, resetUrl, audit, clock }
  provide(container, makeMail, createMakeMail, making)
  provide(container, siftMails, createSiftMails, { mailQueue, accounts, audit, clock })
  provide(container, TOKENS.sendMails, applied(createSendMails, { log }), {
    mailQueue,
    makeMail,
    siftMails,
    mailer,
    clock,
  })
}
