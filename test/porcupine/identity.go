package main

import (
	"slices"
	"strings"
)

// One moment of an operation.
type moment struct {
	*state
	*settings
	*progress
	in  input
	id  string
	now int64
}

// The end of an operation; `answer` is compared if it is not nil. With `orDone` the store decides whether it is refused.
type ending struct {
	code   string
	answer any
	orDone bool
}

// A step acts at one moment. It returns nil if the operation goes on.
type step func(m *moment) *ending

func done(answer any) *ending     { return &ending{answer: answer} }
func refused(code string) *ending { return &ending{code: code} }

const leeway, clockLeeway = 5, 30

func (t *token) isEarly(now int64) bool { return now < (t.Issued-clockLeeway)*1000 }
func (t *token) isValid(now int64) bool { return !t.isEarly(now) && now < (t.Expires+leeway)*1000 }

func (m *moment) identity() identity {
	return identity{m.progress.account, m.session, m.progress.roles, 0}
}

// prove needs the cookie and the bearer of one active session.
func prove(m *moment) *ending {
	if m.in.Key == nil && m.in.Access == nil {
		return refused("unauthenticated")
	}
	id := m.openedBy(m.in.Key, m.now)
	if id == "" || m.in.Access == nil || m.in.Access.Session != id || !m.in.Access.isValid(m.now) {
		return refused("invalid-token")
	}
	m.see(id)
	return nil
}

func (m *moment) see(id string) {
	one := m.sessions[id]
	m.session, m.progress.account, m.epoch, m.endsAt = id, one.account, one.epoch, one.endsAt
	m.progress.roles = m.state.roles(one.account)
}

func getIdentity(m *moment) *ending {
	if end := prove(m); end != nil {
		return end
	}
	return done(m.identity())
}

func checkPassword(m *moment) *ending {
	owner, exists := m.accounts[m.in.Account]
	if !exists || owner.disabled || owner.password != m.in.Password {
		return refused("login-failed")
	}
	m.progress.account, m.epoch, m.progress.roles = m.in.Account, owner.epoch, m.state.roles(m.in.Account)
	return nil
}

// A login ends the session of the cookie that was sent along.
func findReplaced(m *moment) *ending {
	m.session = m.openedBy(m.in.Key, m.now)
	return nil
}

func endReplaced(m *moment) *ending {
	delete(m.sessions, m.session)
	return nil
}

// open makes a session of the epoch that was proved: if all logins have ended since, it is dead, though answered.
func open(m *moment) *ending {
	if m.endsAt == 0 {
		m.endsAt = m.now + m.settings.Session
	}
	made := session{account: m.progress.account, epoch: m.epoch, created: m.now, endsAt: m.endsAt, root: m.id}
	made = m.next(made)
	m.session = m.id
	if m.isActive(made, m.now) {
		m.makeRoom(made)
		m.sessions[m.id] = made
	}
	return m.issued(made)
}

func (m *moment) next(one session) session {
	one.generation, one.pair, one.at = one.generation+1, m.id, m.now
	one.idleEnd = min(m.now+m.settings.RefreshToken, one.endsAt)
	return one
}

// makeRoom ends the oldest sessions above the limit.
func (m *moment) makeRoom(made session) {
	if m.SessionLimit == 0 {
		return
	}
	names := m.activeOf(made.account, m.now)
	slices.SortStableFunc(names, func(a, b string) int {
		return int(m.sessions[a].created - m.sessions[b].created)
	})
	for len(names) >= m.SessionLimit {
		delete(m.sessions, names[0])
		names = names[1:]
	}
}

func (m *moment) issued(one session) *ending {
	made := token{m.session, one.pair, one.account, one.at / 1000, 0}
	access, refresh := made, made
	// A token has a lifetime, even if its session ends within the same second.
	access.Expires = max(made.Issued+1, min(one.at+m.AccessToken, one.endsAt)/1000)
	refresh.Expires = max(made.Issued+1, one.idleEnd/1000)
	return done(issued{m.identity(), one.key(), access, refresh, one.endsAt})
}

func judgeRefresh(m *moment) *ending {
	if m.in.Refresh == nil || !m.in.Refresh.isValid(m.now) {
		return refused("invalid-token")
	}
	id := m.in.Refresh.Session
	one, exists := m.sessions[id]
	other := m.openedBy(m.in.Key, m.now)
	if !exists || !m.isActive(one, m.now) || other != "" && other != id {
		return refused("invalid-token")
	}
	m.see(id)
	return nil
}

// rotate is one compare-and-swap: one generation, whoever asks.
func rotate(m *moment) *ending {
	one, exists := m.sessions[m.session]
	if !exists || !m.isActive(one, m.now) {
		return refused("invalid-token")
	}
	isCurrent, isInWindow := m.in.Refresh.Pair == one.pair, m.Grace > 0 && m.now < one.until
	key := ""
	if m.in.Key != nil {
		key = *m.in.Key
	}
	isOwner := key == one.key() || isInWindow && key != "" && key == one.previousKey()
	switch {
	case isCurrent && isOwner:
		return m.moveOn(one)
	case isCurrent:
		return refused("invalid-token")
	case m.Grace > 0 && isOwner:
		return m.issued(one)
	case !isInWindow || m.in.Refresh.Pair != one.previous:
		delete(m.sessions, m.session)
	}
	return refused("invalid-token")
}

func (m *moment) moveOn(one session) *ending {
	one.previous, one.until = one.pair, 0
	if m.Grace > 0 {
		one.until = m.now + m.Grace
	}
	moved := m.next(one)
	m.sessions[m.session] = moved
	return m.issued(moved)
}

// judgeLogout accepts an expired bearer, and the previous key also after the window.
func judgeLogout(m *moment) *ending {
	if m.in.Access == nil && m.in.Key == nil {
		return done(nil)
	}
	if m.in.Access == nil || m.in.Access.isEarly(m.now) {
		return refused("invalid-token")
	}
	m.session = m.in.Access.Session
	if other := m.openedBy(m.in.Key, m.now); other != "" && other != m.session {
		return refused("invalid-token")
	}
	one, exists := m.sessions[m.session]
	if !exists || !m.isActive(one, m.now) {
		return done(nil)
	}
	if m.in.Key == nil || *m.in.Key != one.key() && *m.in.Key != one.previousKey() {
		return refused("invalid-token")
	}
	return nil
}

func end(m *moment) *ending {
	delete(m.sessions, m.session)
	return done(nil)
}

func listSessions(m *moment) *ending {
	return done(strings.Join(m.activeOf(m.progress.account, m.now), ","))
}

func endOthers(m *moment) *ending {
	count := 0
	for _, name := range m.activeOf(m.progress.account, m.now) {
		if name != m.session {
			count++
		}
	}
	for name, one := range m.sessions {
		if one.account == m.progress.account && name != m.session {
			delete(m.sessions, name)
		}
	}
	return done(count)
}

// endOne may find a session that is past its end.
func endOne(m *moment) *ending {
	one, exists := m.sessions[m.in.Session]
	if !exists || one.account != m.progress.account {
		return refused("not-found")
	}
	delete(m.sessions, m.in.Session)
	if m.isActive(one, m.now) {
		return done(nil)
	}
	return &ending{code: "not-found", orDone: true}
}

// onAccount is a write of an operator.
func onAccount(write func(m *moment, owner account) *ending) []step {
	return []step{func(m *moment) *ending {
		owner, exists := m.accounts[m.in.Account]
		if !exists {
			return refused("not-found")
		}
		return write(m, owner)
	}}
}

func (m *moment) setPassword(id int, password string) {
	m.change(id, func(a *account) { a.password, a.hash, a.resets = password, m.id, nil })
	m.endLogins(id)
}

func setPassword(m *moment, _ account) *ending {
	m.setPassword(m.in.Account, m.in.Password)
	return done(nil)
}

func setDisabled(m *moment, owner account) *ending {
	if owner.disabled != m.in.Disabled {
		m.change(m.in.Account, func(a *account) { a.disabled = m.in.Disabled })
		m.endLogins(m.in.Account)
	}
	return done(nil)
}

func revokeSessions(m *moment, _ account) *ending {
	m.endLogins(m.in.Account)
	return done(nil)
}

func setRole(m *moment, owner account) *ending {
	has := slices.Contains(owner.roles, m.in.Role)
	if m.in.Remove && !has {
		return refused("not-found")
	}
	roles := slices.DeleteFunc(slices.Clone(owner.roles), func(one string) bool { return one == m.in.Role })
	if !m.in.Remove {
		roles = append(roles, m.in.Role)
	}
	slices.Sort(roles)
	m.change(m.in.Account, func(a *account) { a.roles = roles })
	return done(nil)
}

const resetTokens = 3

// The newest three tokens are good. An account that may not log in gets no mail.
func issueReset(m *moment) *ending {
	owner, exists := m.accounts[m.in.Account]
	if !exists || owner.disabled {
		return done("")
	}
	one := reset{token: m.id}
	if m.presented[m.id] {
		one = reset{m.id, m.now + m.ResetToken, owner.epoch}
	}
	made := append(slices.Clone(owner.resets), one)
	m.change(m.in.Account, func(a *account) { a.resets = made[max(0, len(made)-resetTokens):] })
	return done(m.id)
}

func consumeReset(m *moment) *ending {
	owner := m.accounts[m.in.Account]
	isGood := slices.ContainsFunc(owner.resets, func(one reset) bool {
		return one.token == m.in.Token && m.now < one.until && one.epoch == owner.epoch
	})
	if !isGood || owner.disabled {
		return refused("invalid")
	}
	m.setPassword(m.in.Account, m.in.Password)
	return done(nil)
}

// own returns the account of the login, if its logins have not ended since.
func (m *moment) own() (account, bool) {
	owner, exists := m.accounts[m.progress.account]
	return owner, exists && !owner.disabled && owner.epoch == m.epoch
}

// judgeChange: the next password must be another one, and the present one must be right.
func judgeChange(m *moment) *ending {
	if m.in.Password == m.in.NewPassword {
		return refused("invalid")
	}
	owner, isOwn := m.own()
	if !isOwn {
		return refused("invalid-token")
	}
	if owner.password != m.in.Password {
		return refused("invalid")
	}
	m.hash, m.progress.roles = owner.hash, m.state.roles(m.progress.account)
	return nil
}

// Of several changes one wins. Without its login it sets the password, and logs nobody in.
func writeChange(m *moment) *ending {
	owner, exists := m.accounts[m.progress.account]
	if !exists || owner.disabled || owner.hash != m.hash {
		return refused("invalid")
	}
	m.setPassword(m.progress.account, m.in.NewPassword)
	if owner.epoch != m.epoch {
		return refused("invalid-token")
	}
	m.epoch++
	return nil
}

func seePassword(m *moment) *ending {
	owner, isOwn := m.own()
	if !isOwn {
		return refused("invalid-token")
	}
	m.isRight = owner.password == m.in.Password
	return nil
}

func judgePassword(m *moment) *ending {
	if _, isOwn := m.own(); !isOwn {
		return refused("invalid-token")
	}
	if !m.isRight {
		return refused("invalid")
	}
	return nil
}

func remove(m *moment) *ending {
	if owner, exists := m.accounts[m.progress.account]; !exists || owner.epoch != m.epoch {
		return refused("invalid-token")
	}
	delete(m.accounts, m.progress.account)
	for name, one := range m.sessions {
		if one.account == m.progress.account {
			delete(m.sessions, name)
		}
	}
	return done(nil)
}
