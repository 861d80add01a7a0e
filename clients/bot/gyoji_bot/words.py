"""What is said to people, in English and Japanese."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Language = Literal["en", "ja"]

SENTENCES: Mapping[str, Mapping[Language, str]] = {
    "still thinking": {
        "en": "the bot was still thinking about an earlier turn",
        "ja": "ボットは前の手番をまだ考えていました",
    },
    "too late": {
        "en": "the bot gave no move within {seconds} seconds",
        "ja": "ボットは{seconds}秒以内に手を選びませんでした",
    },
    "failed": {"en": "the bot failed: {failure}", "ja": "ボットでエラーが起きました：{failure}"},
    "illegal": {"en": "the bot chose {move}, which is no legal move", "ja": "ボットが選んだ{move}は行えない手です"},
    "breaks": {
        "en": "the bot chose {move}, which is no legal move ({rule}): {because}",
        "ja": "ボットが選んだ{move}は行えない手です（{rule}）：{because}",
    },
    "not taken": {
        "en": "the bot chose {move}, which the service does not take as a move: {detail}",
        "ja": "ボットが選んだ{move}は手として受け付けられません：{detail}",
    },
    "instead": {
        "en": "match {match}, seat {seat}: {why}; the first legal move was made instead: {move}",
        "ja": "対局{match}、席{seat}：{why}。代わりに最初の合法手を行いました：{move}",
    },
    "away": {
        "en": "{address}: the service does not answer ({failure}); it is asked again",
        "ja": "{address}：サービスが応答しません（{failure}）。もう一度問い合わせます",
    },
    "left": {"en": "{address}: the seat is given up: {failure}", "ja": "{address}：この席をあきらめます：{failure}"},
    "other game": {"en": "{bot} does not play {game}", "ja": "{bot}は{game}に対応していません"},
    "no stream": {
        "en": "{address}: the key does not open the stream of its matches: {failure}",
        "ja": "{address}：このキーでは対局のストリームを開けません：{failure}",
    },
    "no seat": {
        "en": "that is no address of a seat: …/matches/{{id}}#token=…",
        "ja": "席のアドレスではありません：…/matches/{{id}}#token=…",
    },
    "over": {
        "en": "match {match}, seat {seat}: over, {result}; {moves} moves, {fallbacks} of them not the bot's own",
        "ja": "対局{match}、席{seat}：終了、{result}。{moves}手、うちボット自身でない手は{fallbacks}",
    },
    "scores": {"en": "scores {scores}, winners {winners}", "ja": "得点{scores}、勝者{winners}"},
    "void": {"en": "voided", "ja": "無効"},
    "no file": {"en": "{file}: there is no such Python file", "ja": "{file}：そのようなPythonファイルはありません"},
    "no bot": {
        "en": "{file}: one class of Bot is wanted, named as {file}:Name where there are several; found: {found}",
        "ja": "{file}：Botのクラスが1つ必要です。複数あるときは{file}:Nameと書いてください。見つかったもの：{found}",
    },
    "no player": {
        "en": "{name}: neither a Python file nor a player that comes with gyoji ({players})",
        "ja": "{name}：Pythonファイルでも、gyojiに付属するプレイヤー（{players}）でもありません",
    },
    "which game": {
        "en": "which game? --game with one of: {games}",
        "ja": "どのゲームですか。--gameで次のどれかを指定してください：{games}",
    },
    "no setting": {
        "en": "{game} cannot be set up like this; see {places}",
        "ja": "{game}はこの設定では始められません：{places}",
    },
    "lost": {
        "en": "match {match} was not played to its end: {failure}",
        "ja": "対局{match}は最後まで行われませんでした：{failure}",
    },
    "no server": {"en": "no server for the matches: {failure}", "ja": "対局のサーバーがありません：{failure}"},
    "unsound": {
        "en": "match {match}: the audit says {verdict}",
        "ja": "対局{match}：検証の判定は{verdict}です",
    },
    "not own": {
        "en": "{count} moves against {opponent} were not the bot's own",
        "ja": "{opponent}との対局で、ボット自身でない手が{count}手ありました",
    },
    "audited": {"en": "{count} matches, each audited: verified", "ja": "{count}局、すべて検証済み：verified"},
    "no extra": {
        "en": "this takes gyoji itself: install gyoji-bot[spar]",
        "ja": "gyoji本体が必要です：gyoji-bot[spar]を入れてください",
    },
}


@dataclass(frozen=True)
class Said:
    """A sentence by its name, and what it is filled with."""

    name: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def write(self, language: Language) -> str:
        """Write the sentence."""
        facts = {name: each.write(language) if isinstance(each, Said) else each for name, each in self.facts.items()}
        return SENTENCES[self.name][language].format(**facts)


class SaidError(Exception):
    """What cannot be done as it was asked, in a sentence."""

    def __init__(self, sentence: str, /, **facts: Any) -> None:
        self.said = Said(sentence, facts)
        super().__init__(self.said.write("en"))
