// Judges recorded histories with Porcupine, and with a model written from the specification alone.
// It reads one history a line, and prints one verdict a line: Ok, Illegal or Unknown.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

const patience = 2 * time.Minute

var rules = map[string][]step{
	"login":            {checkPassword, findReplaced, endReplaced, open},
	"getIdentity":      {getIdentity},
	"refresh":          {judgeRefresh, rotate},
	"logout":           {judgeLogout, end},
	"listSessions":     {prove, listSessions},
	"endOtherSessions": {prove, endOthers},
	"endSession":       {prove, endOne},
	"changePassword":   {prove, judgeChange, writeChange, open},
	"deleteAccount":    {prove, seePassword, judgePassword, remove},
	"setPassword":      onAccount(setPassword),
	"setDisabled":      onAccount(setDisabled),
	"revokeSessions":   onAccount(revokeSessions),
	"setRole":          onAccount(setRole),
	"issueReset":       {issueReset},
	"consumeReset":     {consumeReset},
	"createPet":        {authenticate, createPet},
	"readPet":          onPet(readPet),
	"patchPet":         onPet(patchPet),
	"removePet":        onPet(removePet),
	"createApiKey":     {createAPIKey},
	"revokeApiKey":     {revokeAPIKey},
}

// Porcupine knows operations of one step. So each step is an operation, and the state holds the progress.
type part struct {
	*operation
	number int
	act    step
	isLast bool
}

func partsOf(operations []operation) []porcupine.Operation {
	parts, never := []porcupine.Operation{}, int64(1)
	for _, one := range operations {
		if one.Return != nil {
			never = max(never, *one.Return+1)
		}
		never = max(never, one.Call+1)
	}
	for client := range operations {
		one := &operations[client]
		steps, known := rules[one.Rule]
		if !known {
			log.Fatalf("no rule for %s", one.Rule)
		}
		until := never
		if one.Return != nil {
			until = *one.Return
		}
		for number, act := range steps {
			input := part{one, number, act, number == len(steps)-1}
			parts = append(parts, porcupine.Operation{ClientId: client, Input: input, Call: one.Call, Return: until})
		}
	}
	return parts
}

// take returns the states after a step, for each time that the clock of the instance may have shown.
func take(s *state, one part, with *settings) []any {
	begun := s.begun[one.ID]
	if begun.step != one.number {
		return nil
	}
	next := []any{}
	for _, now := range slices.Compact(slices.Sorted(slices.Values(one.Times))) {
		after, made := s.copy(), begun
		made.step++
		if !made.isOver {
			m := &moment{after, with, &made, one.Input, one.ID, now}
			end := one.act(m)
			if end != nil && !one.Reply.allows(end) {
				continue
			}
			made.isOver = end != nil
		}
		after.begun[one.ID] = made
		if made.isOver {
			after.begun[one.ID] = progress{step: made.step, isOver: true}
		}
		if one.isLast {
			delete(after.begun, one.ID)
		}
		next = append(next, after.sealed())
	}
	return next
}

func judge(one history) porcupine.CheckResult {
	one.Settings.presented = map[string]bool{}
	for _, each := range one.Operations {
		one.Settings.presented[each.Input.Token] = true
	}
	model := porcupine.NondeterministicModel{
		Init:  func() []any { return []any{beginning(one.Accounts)} },
		Step:  func(s, input, _ any) []any { return take(s.(*state), input.(part), &one.Settings) },
		Equal: areEqual,
		Hash:  hashOf,
	}
	return porcupine.CheckOperationsTimeout(model.ToModel(), partsOf(one.Operations), patience)
}

func main() {
	lines := json.NewDecoder(os.Stdin)
	for {
		var one history
		if err := lines.Decode(&one); err == io.EOF {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		fmt.Println(judge(one))
	}
}
