import { changePassword } from './change-password.js'
import { confirmLogin } from './confirm-login.js'
import { deleteAccount } from './delete-account.js'
import { exportAccount } from './export-account.js'
import { getIdentity } from './get-identity.js'
import { loginAs } from './impersonation/login-as.js'
import { logoutAs } from './impersonation/logout-as.js'
import { login } from './login.js'
import { logout } from './logout.js'
import { endOwnSessions, listOwnSessions } from './own-sessions.js'
import { addPasskey, beginPasskey } from './passkeys/add-passkey.js'
import { beginPasskeyConfirmation } from './passkeys/confirm-with-passkey.js'
import { listPasskeys, removePasskey, renamePasskey } from './passkeys/own-passkeys.js'
import { beginPasskeyLogin, loginWithPasskey } from './passkeys/passkey-login.js'
import { consumeResetToken } from './password-reset/consume-reset-token.js'
import { requestPasswordReset } from './password-reset/request-password-reset.js'
import { confirmEmailChange, requestEmailChange, undoEmailChange } from './proofs/change-email.js'
import { confirmLoginMail, requestLoginMail } from './proofs/login-by-mail.js'
import { confirmSignUp, requestSignUp } from './proofs/sign-up.js'
import { refresh } from './refresh.js'
import { confirmSecondFactor } from './second-factor/confirm-second-factor.js'
import { readSecondFactor } from './second-factor/read-second-factor.js'
import { removeSecondFactor } from './second-factor/remove-second-factor.js'
import { renewRecoveryCodes } from './second-factor/renew-recovery-codes.js'
import { setUpSecondFactor } from './second-factor/set-up-second-factor.js'

/** The operations that identify their caller by credentials. */
export const IDENTITY = {
  ...{ login, getIdentity, refresh, logout, confirmLogin, deleteAccount, exportAccount },
  ...{ requestPasswordReset, consumeResetToken },
  ...{ requestSignUp, confirmSignUp, requestLoginMail, confirmLoginMail },
  ...{ requestEmailChange, confirmEmailChange, undoEmailChange },
  ...{ changePassword, listOwnSessions, endOwnSessions },
  ...{ readSecondFactor, setUpSecondFactor, confirmSecondFactor, removeSecondFactor, renewRecoveryCodes },
  ...{ beginPasskey, addPasskey, listPasskeys, renamePasskey, removePasskey },
  ...{ beginPasskeyLogin, loginWithPasskey, beginPasskeyConfirmation },
  ...{ loginAs, logoutAs },
}
