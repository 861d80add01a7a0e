"""The operations by which the service is run; and the pages, which are for people, with what only they ask for: no part
of the published API."""

from gyoji.api.media import CSV, HTML, JSON, TEXT
from gyoji.api.operation import Operation, about, lasting
from gyoji.api.operations.tournaments import TO_READ
from gyoji.api.parameters import TAGS, query, word
from gyoji.api.rights import OPEN, READING, Rights

TAG = query("tag", "Only the operations with this tag, and the shapes that they need", word(TAGS))

SERVICE = about(
    "operations",
    Operation("readHealth", "GET /healthz", "Whether the process answers", OPEN, answer="Health"),
    Operation(
        "readReadiness",
        "GET /readyz",
        "Whether the service can do its work",
        OPEN,
        answer="Health",
        problems=("unavailable",),
    ),
    lasting(
        Operation("readContract", "GET /openapi.json", "This description of the API", OPEN, parameters=(TAG,)),
    ),
)

METRICS = about(
    "operations",
    Operation(
        "readMetrics",
        "GET /metrics",
        "Counters and timings for Prometheus",
        OPEN,
        media=(TEXT,),
        problems=("unavailable",),
    ),
)


def _page(name: str, url: str, summary: str, rights: Rights = OPEN, media: str = HTML) -> Operation:
    return Operation(name, f"GET {url}", summary, rights, media=(media,), published=False)


PUBLISHED_PAGES = about(
    "operations",
    Operation("readIndex", "GET /", "What this is, and where to go", OPEN, media=(HTML,)),
    Operation("listProblemTypes", "GET /problems", "Every problem type", OPEN, media=(HTML,)),
    Operation("readDocumentation", "GET /docs", "This description as a page", OPEN, media=(HTML,), parameters=(TAG,)),
    Operation("readProblemType", "GET /problems/{code}", "What a problem type means", OPEN, media=(HTML,)),
)

PAGES = (
    Operation("readStaticFile", "GET /static/{filename}", "A file of the pages", OPEN, media=(), published=False),
    _page("readMatchPage", "/matches/{match}", "The viewer of a match, the same for every match"),
    _page("readFrames", "/matches/{match}/frames", "What the viewer of a match steps through", READING, JSON),
    _page("readNewMatch", "/matches/new", "A form that sets up a match"),
    _page("readAuditPage", "/audit", "The page that a replay file is dropped on"),
    Operation(
        "readVerdictOnFile",
        "POST /audit/verdict",
        "What the page of audits says of a replay file",
        OPEN,
        takes_replay=True,
        published=False,
    ),
    Operation(
        "readFramesOfFile",
        "POST /audit/frames",
        "What the viewer of a replay file steps through",
        OPEN,
        takes_replay=True,
        published=False,
    ),
    _page("listTournamentPages", "/tournaments", "The newest public tournaments"),
    _page("readNewTournament", "/tournaments/new", "A form that sets up a tournament"),
    _page("readPlan", "/tournaments/new/plan", "The tables of a tournament that is being set up", media=JSON),
    _page("readTournamentPage", "/tournaments/{tournament}", "Standings and the latest round", TO_READ),
    _page("readRoundPage", "/tournaments/{tournament}/rounds/{number}", "The tables of one round", TO_READ),
    _page("readTournamentDesk", "/tournaments/{tournament}/desk", "The desk of referees, the same for every one"),
    _page("readPlacePage", "/tournaments/{tournament}/place", "Where an entrant sits, the same page for every one"),
    _page("readJoinPage", "/tournaments/{tournament}/join", "Where anybody enters by the joining link"),
    _page("readProjector", "/tournaments/{tournament}/projector", "The latest round in large type"),
    _page("readStandingsTable", "/tournaments/{tournament}/standings.csv", "Standings to be saved", TO_READ, CSV),
    _page("readTables", "/tournaments/{tournament}/tables", "What the desk shows of the matches", TO_READ, JSON),
    _page("readCollection", "/docs/collection.json", "The calls as a collection for Postman and Bruno", media=JSON),
    _page("listGuides", "/docs/guides", "Every guide"),
    _page("readGuide", "/docs/guides/{guide_name}", "One guide"),
    _page("listRulebooks", "/rules", "Every rulebook"),
    _page("readRulebook", "/rules/{game}", "The rulebook of one game"),
    _page("readQuickRuling", "/rule", "A quick ruling: the cards that lie on the table are tapped"),
    _page("readConsole", "/console", "The console, with a first position of a game dealt"),
    _page("readConsoleCase", "/console/cases/{case}", "The console with a conformance case"),
)
