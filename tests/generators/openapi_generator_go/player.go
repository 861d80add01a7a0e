// Plays with the client that openapi-generator makes of the contract for Go.
//
// usage: player URL KEY SEED
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"player/gyoji"
)

var ctx = context.Background()

// as returns what a request needs that is sent with a key or a token.
func as(token string) context.Context {
	return context.WithValue(ctx, gyoji.ContextAccessToken, token)
}

// must returns an answer, and ends the program where there is none.
func must[Answer any](answer Answer, _ any, err error) Answer {
	if refused, is := err.(*gyoji.GenericOpenAPIError); is {
		log.Fatal(string(refused.Body()))
	}
	if err != nil {
		log.Fatal(err)
	}
	return answer
}

// choose chooses a move as every player does: another place of the list each time.
func choose[Move any](moves []Move, made int) Move {
	return moves[made%len(moves)]
}

func show(line map[string]any) {
	text, err := json.Marshal(line)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
}

// position is what is answered for a position of any game.
type position[State, Move, Outcome any] interface {
	GetState() State
	GetLegalMoves() []Move
	GetOutcomeOk() (*Outcome, bool)
}

// play plays one game to its end without a stored match.
func play[State, Move, Outcome any](
	game string,
	at position[State, Move, Outcome],
	rule func(State, Move) position[State, Move, Outcome],
) {
	moves := 0
	outcome, _ := at.GetOutcomeOk()
	for outcome == nil {
		at = rule(at.GetState(), choose(at.GetLegalMoves(), moves))
		outcome, _ = at.GetOutcomeOk()
		moves++
	}
	show(map[string]any{"game": game, "moves": moves, "state": at.GetState(), "outcome": outcome})
}

// seat is a stored match of any game as a seat sees it.
type seat struct {
	status  gyoji.MatchStatus
	toAct   []int32
	moves   []gyoji.AnyMove
	outcome any
}

// anyMoves returns moves of one game as moves of any.
func anyMoves[Move any](moves []Move) []gyoji.AnyMove {
	found := make([]gyoji.AnyMove, len(moves))
	for at, move := range moves {
		text, err := json.Marshal(move)
		if err == nil {
			err = json.Unmarshal(text, &found[at])
		}
		if err != nil {
			log.Fatal(err)
		}
	}
	return found
}

// playStored plays one stored match to its end, each seat with its token.
func playStored(client *gyoji.APIClient, key string, game string, body gyoji.MatchRequest, look func(*gyoji.Match) seat) {
	made := must(client.MatchesAPI.CreateMatch(as(key)).MatchRequest(body).Execute())
	token := func(at int32) context.Context { return as(made.Seats[at].Token) }
	see := func(at int32) seat {
		return look(must(client.MatchesAPI.ReadMatch(token(at), made.Match).Execute()))
	}
	moves := 0
	match := see(0)
	for match.status == gyoji.MATCHSTATUS_PLAYING {
		acting := match.toAct[0]
		request := gyoji.NewMoveRequest(choose(see(acting).moves, moves))
		must(client.MatchesAPI.PlayMove(token(acting), made.Match).MoveRequest(*request).Execute())
		match = see(0)
		moves++
	}
	show(map[string]any{"match": made.Match, "game": game, "moves": moves, "outcome": match.outcome})
}

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: player URL KEY SEED")
	}
	url, key, seed := os.Args[1], os.Args[2], os.Args[3]
	configuration := gyoji.NewConfiguration()
	configuration.Servers = gyoji.ServerConfigurations{{URL: url}}
	client := gyoji.NewAPIClient(configuration)
	fewest := map[string]int32{}
	for _, game := range must(client.CatalogueAPI.ListGames(ctx).Execute()).Games {
		fewest[game.Game] = game.Seats.Min
	}

	catte := gyoji.NewCatteNewGame(fewest["catte"])
	catte.SetSeed(seed)
	play("catte",
		must(client.CatteAPI.StartCatte(ctx).StartCatteRequest(gyoji.CatteNewGameAsStartCatteRequest(catte)).Execute()).CattePosition,
		func(state gyoji.CatteState, move gyoji.CatteMove) position[gyoji.CatteState, gyoji.CatteMove, gyoji.CatteOutcome] {
			body := gyoji.CatteMoveAdjudicationAsAdjudicateCatteRequest(gyoji.NewCatteMoveAdjudication(state, move))
			return must(client.CatteAPI.AdjudicateCatte(ctx).AdjudicateCatteRequest(body).Execute()).CatteAdjudication
		})
	catteSeats := fewest["catte"]
	playStored(client, key, "catte",
		gyoji.CatteNewMatchAsMatchRequest(gyoji.NewCatteNewMatch("catte", gyoji.Int32AsCatteNewMatchSeats(&catteSeats))),
		func(match *gyoji.Match) seat {
			view, outcome := match.CatteMatch.GetView(), match.CatteMatch.Outcome.Get()
			return seat{match.CatteMatch.Status, view.ToAct, anyMoves(match.CatteMatch.LegalMoves), outcome}
		})

	towai := gyoji.NewTowaiNewGame(fewest["towai"])
	towai.SetSeed(seed)
	play("towai",
		must(client.TowaiAPI.StartTowai(ctx).StartTowaiRequest(gyoji.TowaiNewGameAsStartTowaiRequest(towai)).Execute()).TowaiPosition,
		func(state gyoji.TowaiState, move gyoji.TowaiMove) position[gyoji.TowaiState, gyoji.TowaiMove, gyoji.TowaiOutcome] {
			body := gyoji.TowaiMoveAdjudicationAsAdjudicateTowaiRequest(gyoji.NewTowaiMoveAdjudication(state, move))
			return must(client.TowaiAPI.AdjudicateTowai(ctx).AdjudicateTowaiRequest(body).Execute()).TowaiAdjudication
		})
	towaiSeats := fewest["towai"]
	playStored(client, key, "towai",
		gyoji.TowaiNewMatchAsMatchRequest(gyoji.NewTowaiNewMatch("towai", gyoji.Int32AsTowaiNewMatchSeats(&towaiSeats))),
		func(match *gyoji.Match) seat {
			view, outcome := match.TowaiMatch.GetView(), match.TowaiMatch.Outcome.Get()
			return seat{match.TowaiMatch.Status, view.ToAct, anyMoves(match.TowaiMatch.LegalMoves), outcome}
		})

	tomorrowNeverMeows := gyoji.NewTomorrowNeverMeowsNewGame(fewest["tomorrow-never-meows"])
	tomorrowNeverMeows.SetSeed(seed)
	play("tomorrow-never-meows",
		must(client.TomorrowNeverMeowsAPI.StartTomorrowNeverMeows(ctx).StartTomorrowNeverMeowsRequest(gyoji.TomorrowNeverMeowsNewGameAsStartTomorrowNeverMeowsRequest(tomorrowNeverMeows)).Execute()).TomorrowNeverMeowsPosition,
		func(state gyoji.TomorrowNeverMeowsState, move gyoji.TomorrowNeverMeowsMove) position[gyoji.TomorrowNeverMeowsState, gyoji.TomorrowNeverMeowsMove, gyoji.TomorrowNeverMeowsOutcome] {
			body := gyoji.TomorrowNeverMeowsMoveAdjudicationAsAdjudicateTomorrowNeverMeowsRequest(gyoji.NewTomorrowNeverMeowsMoveAdjudication(state, move))
			return must(client.TomorrowNeverMeowsAPI.AdjudicateTomorrowNeverMeows(ctx).AdjudicateTomorrowNeverMeowsRequest(body).Execute()).TomorrowNeverMeowsAdjudication
		})
	tomorrowNeverMeowsSeats := fewest["tomorrow-never-meows"]
	playStored(client, key, "tomorrow-never-meows",
		gyoji.TomorrowNeverMeowsNewMatchAsMatchRequest(gyoji.NewTomorrowNeverMeowsNewMatch("tomorrow-never-meows", gyoji.Int32AsTomorrowNeverMeowsNewMatchSeats(&tomorrowNeverMeowsSeats))),
		func(match *gyoji.Match) seat {
			view, outcome := match.TomorrowNeverMeowsMatch.GetView(), match.TomorrowNeverMeowsMatch.Outcome.Get()
			return seat{match.TomorrowNeverMeowsMatch.Status, view.ToAct, anyMoves(match.TomorrowNeverMeowsMatch.LegalMoves), outcome}
		})

	familiarsTrouble := gyoji.NewFamiliarsTroubleNewGame(fewest["familiars-trouble"])
	familiarsTrouble.SetSeed(seed)
	play("familiars-trouble",
		must(client.FamiliarsTroubleAPI.StartFamiliarsTrouble(ctx).StartFamiliarsTroubleRequest(gyoji.FamiliarsTroubleNewGameAsStartFamiliarsTroubleRequest(familiarsTrouble)).Execute()).FamiliarsTroublePosition,
		func(state gyoji.FamiliarsTroubleState, move gyoji.FamiliarsTroubleMove) position[gyoji.FamiliarsTroubleState, gyoji.FamiliarsTroubleMove, gyoji.FamiliarsTroubleOutcome] {
			body := gyoji.FamiliarsTroubleMoveAdjudicationAsAdjudicateFamiliarsTroubleRequest(gyoji.NewFamiliarsTroubleMoveAdjudication(state, move))
			return must(client.FamiliarsTroubleAPI.AdjudicateFamiliarsTrouble(ctx).AdjudicateFamiliarsTroubleRequest(body).Execute()).FamiliarsTroubleAdjudication
		})
	familiarsTroubleSeats := fewest["familiars-trouble"]
	playStored(client, key, "familiars-trouble",
		gyoji.FamiliarsTroubleNewMatchAsMatchRequest(gyoji.NewFamiliarsTroubleNewMatch("familiars-trouble", gyoji.Int32AsFamiliarsTroubleNewMatchSeats(&familiarsTroubleSeats))),
		func(match *gyoji.Match) seat {
			view, outcome := match.FamiliarsTroubleMatch.GetView(), match.FamiliarsTroubleMatch.Outcome.Get()
			return seat{match.FamiliarsTroubleMatch.Status, view.ToAct, anyMoves(match.FamiliarsTroubleMatch.LegalMoves), outcome}
		})
}
