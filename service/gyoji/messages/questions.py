"""Says what a question comes to: the ruling with its rules, or the one fact that has to be asked; and what cannot
be."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gyoji.games.completions import Completion, Verdict
from gyoji.games.game import Game, Infraction, Move
from gyoji.games.known import NOTHING, Impossible, Known, most_cards, tables, template
from gyoji.games.missing_fact import Found, Missing, consider
from gyoji.games.questions import HAND, Value, suit_of
from gyoji.messages.card_names import card_name, name_cards
from gyoji.messages.game_words import game_words
from gyoji.messages.language import Language, Sentence, fill_template, messages
from gyoji.messages.problems import Answer, problem
from gyoji.messages.rulebooks import rulebook


def impossible_question(slug: str, findings: Iterable[Impossible], instance: str, language: Language) -> Answer:
    """Write the problem 409: what is known cannot be so, named by card."""
    listed = [
        {
            "pointer": found.pointer,
            "code": found.code,
            "message": fill_template(
                messages()["impossible"][found.because], name_cards(slug, found.facts, language), {}, language
            ),
        }
        for found in findings
    ]
    answer = problem("impossible-state", instance, language, {"count": len(listed)})
    return Answer(answer.status, {**answer.body, "findings": listed})


def consider_question(game: Game[Any], known: Known, move: Move | None) -> Found:
    """Rule on a move, or on which there are (``None``), in every position that agrees with what is known."""
    seats = tables(game, known)
    most = most_cards(game.questions, seats)
    return consider(game, game.questions, known, most, template(game, seats[0], known.options), move)


def question_answer(
    game: Game[Any], request: Mapping[str, Any], known: Known, found: Found, language: Language
) -> dict[str, Any]:
    """Make the body of the answer: rulings on the moves, and what has to be asked where they are open."""
    speaker = Speaker(game, language, request.get("asker"))
    return {
        "answer": "ruling" if found.missing is None else "undetermined",
        "rulings": [speaker.ruling(move, verdicts) for move, verdicts in _by_move(found.moves, found.completions)],
        "missing": None
        if found.missing is None
        else speaker.missing(request["known"], known, found.moves, found.missing),
    }


def _by_move(moves: Sequence[Move], found: Sequence[Completion]) -> Iterable[tuple[Move, list[Verdict | None]]]:
    return [(move, [each.verdicts[at] for each in found]) for at, move in enumerate(moves)]


class Speaker:
    """Says what a question of one game comes to, in one language; ``asker`` is who is to play, where a name is
    known."""

    def __init__(self, game: Game[Any], language: Language, asker: str | None) -> None:
        self.game, self.language = game, language
        self.book, self.words = rulebook(game.slug), game_words(game.slug)
        self.asker = messages()["question"]["asker"][language] if asker is None else asker

    def ruling(self, move: Move, verdicts: Sequence[Verdict | None]) -> dict[str, Any]:
        """Rule on a move: as all verdicts do, or not at all."""
        outcomes = {each and each[:2] for each in verdicts}
        said = [each for each in verdicts if each is not None]
        if len(outcomes) > 1 or not said:
            return {"move": move, "legal": None, "reason": None, "rules": [], "because": None}
        rules = sorted({each.rule for each in said if each.rule is not None})
        return {
            "move": move,
            "legal": said[0].legal,
            "reason": said[0].reason,
            "rules": [self._rule(rule) for rule in rules],
            "because": self._because(said, rules),
        }

    def _rule(self, rule: str) -> dict[str, Any]:
        found: Mapping[str, Any] = self.book.rule(rule) or {}
        return {"rule": rule, "heading": found["heading"][self.language], "text": found["text"][self.language]}

    def _because(self, said: Sequence[Verdict], rules: Sequence[str]) -> str:
        """The sentence that is true in all of them: with the facts that they share, else the text of the rule."""
        first = said[0]
        if len({each.because for each in said}) == 1:
            facts = _shared([each.facts for each in said])
            if facts is not None:
                return self._sentence(first, facts)
        if len(rules) == 1:
            text: str = self._rule(rules[0])["text"]
            return text
        key = "allowed-by-either" if first.legal else "forbidden-by-either"
        return self._say(key, rules=rules)

    def _sentence(self, verdict: Verdict, facts: Mapping[str, Any]) -> str:
        named = name_cards(self.game.slug, facts, self.language)
        if verdict.legal:
            return fill_template(self.words.permitted[verdict.because], named, self.book.words, self.language)
        return self.book.because(Infraction("rule-violation", 0, None, verdict.because, named), self.language)

    def missing(self, sent: Mapping[str, Any], known: Known, moves: Sequence[Move], missing: Missing) -> dict[str, Any]:
        """Ask for the fact, with an example each way, each with the ruling that it leads to."""
        at = next(
            (at for at in range(len(moves)) if missing.yes.outcome[at] != missing.no.outcome[at]),
            0,
        )
        return {
            "fact": missing.fact,
            "among": [NOTHING if value is None else value for value in missing.among],
            "question": self._question(known, missing),
            **{
                way: {
                    "known": self._example(sent, known, example),
                    "ruling": self.ruling(moves[at], [example.verdicts[at]]),
                }
                for way, example in (("yes", missing.yes), ("no", missing.no))
            },
        }

    def _example(self, sent: Mapping[str, Any], known: Known, example: Completion) -> dict[str, Any]:
        order = {card: at for at, card in enumerate(self.game.questions.deck(known.options))}
        hand = sorted((*known.hand, *example.others), key=order.__getitem__)
        kept = {name: sent[name] for name in ("seats", "options", "elsewhere") if name in sent}
        return {**kept, **example.facts, "hand": hand, "others": 0}

    # What is asked

    def _question(self, known: Known, missing: Missing) -> str:
        if missing.fact == HAND:
            return self._about_hand(known, missing.among)
        (*_, first) = missing.among
        asked = self.words.asked
        if first is None:
            return self._fill(asked[f"{missing.fact}_{NOTHING}"])
        if missing.fact in asked:
            return self._fill(asked[missing.fact], cards=self._cards(known, missing.fact, missing.among))
        return self._fill(asked[f"{missing.fact}_{first}"])

    def _about_hand(self, known: Known, among: Sequence[Value]) -> str:
        suits = self._suits(known, among)
        if suits is None:
            return self._say("hand-cards" if len(among) > 1 else "hand-card", cards=self._cards(known, HAND, among))
        held = {suit_of(card) for card in known.hand}
        more = not held.isdisjoint({suit_of(card) for card in among if card is not None})
        return self._say("hand-another" if more else "hand-any", suits=suits)

    def _cards(self, known: Known, fact: str, among: Sequence[Value]) -> str:
        """Cards in words: whole suits, whole numbers, or one by one."""
        suits = self._suits(known, among)
        if suits is not None:
            return suits
        cards = [card for card in among if card is not None]
        numbers = sorted({_number(card) for card in cards}, key=lambda number: (len(number), number))
        values = self.game.questions.values(known.options).get(fact, self.game.questions.deck(known.options))
        if len(cards) > 1 and {value for value in values if value is not None and _number(value) in numbers} == {
            *cards
        }:
            return self._say("numbered", numbers=self._either(numbers))
        return self._either([card_name(self.game.slug, card, self.language) for card in cards])

    def _suits(self, known: Known, among: Sequence[Value]) -> str | None:
        """The suits that the cards are all of, as far as they are not seen elsewhere; ``None`` where they are not whole
        suits, or just one card."""
        seen = {*known.hand, *known.elsewhere}
        suits = list(dict.fromkeys(suit_of(card) for card in among if card is not None))
        deck = self.game.questions.deck(known.options)
        whole = {card for card in deck if suit_of(card) in suits}
        placed = {value for value in known.facts.values() if value is not None}
        if len(among) < 2 or not whole - {*among} <= seen | placed:
            return None
        words = [self.words.table.get(f"suit_{suit}") for suit in suits]
        return None if None in words else self._either([word[self.language] for word in words if word is not None])

    def _either(self, words: Sequence[str]) -> str:
        if len(words) == 1:
            return words[0]
        *most, last = words
        between: Mapping[str, Sentence] = messages()["question"]
        return between["comma"][self.language].join(most) + between["or"][self.language] + last

    def _say(self, key: str, **facts: Any) -> str:
        return self._fill(messages()["question"][key], **facts)

    def _fill(self, sentence: Sentence, **facts: Any) -> str:
        return fill_template(sentence, {"asker": self.asker, **facts}, {}, self.language)


def _shared(facts: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The facts that all have: of lists what is in all of them; ``None`` where others differ, or nothing is left."""
    shared: dict[str, Any] = {}
    for name, first in facts[0].items():
        values = [each[name] for each in facts]
        if all(value == first for value in values):
            shared[name] = first
        elif isinstance(first, tuple):
            common = [item for item in first if all(item in value for value in values)]
            if not common:
                return None
            shared[name] = common
        else:
            return None
    return shared


def _number(card: str) -> str:
    return card.removeprefix(suit_of(card))
