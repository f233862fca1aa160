import { changePassword } from './change-password.js'
import { confirmLogin, beginPasskeyConfirmation } from './confirm-login.js'
import { getIdentity } from './get-identity.js'
import { loginAs, logoutAs } from './impersonation/login-as.js'
import { login } from './login.js'
import { logout } from './logout.js'
import { deleteAccount, exportAccount } from './own-data.js'
import { endOwnSessions, listOwnSessions } from './own-sessions.js'
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from './passkeys/own-passkeys.js'
import { beginPasskeyLogin, loginWithPasskey } from './passkeys/passkey-login.js'
import { consumeResetToken, requestPasswordReset } from './password-reset.js'
import { confirmEmailChange, requestEmailChange, undoEmailChange } from './proofs/change-email.js'
import { confirmLoginMail, requestLoginMail } from './proofs/login-by-mail.js'
import { confirmSignUp, requestSignUp } from './proofs/sign-up.js'
import { refresh } from './refresh.js'
import {
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './second-factor/own-second-factor.js'
import { confirmSecondFactor, setUpSecondFactor } from './second-factor/set-up-second-factor.js'

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
