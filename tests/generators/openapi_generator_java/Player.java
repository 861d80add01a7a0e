import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import gyoji.ApiClient;
import gyoji.ApiException;
import gyoji.api.*;
import gyoji.model.*;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Plays with the client that openapi-generator makes of the contract for Java: java Player URL KEY SEED. */
public final class Player {
  private static final ObjectMapper JSON = mapper();

  /**
   * Returns what reads and writes JSON. Members that are not known are let pass, but not in the openings of a receipt:
   * by nothing else the generated classes tell the two kinds apart, which have no tag (a receipt is a document of its
   * own, which nothing is added to).
   */
  private static ObjectMapper mapper() {
    ObjectMapper mapper = ApiClient.createDefaultObjectMapper();
    return mapper.addHandler(
        new DeserializationProblemHandler() {
          @Override
          public boolean handleUnknownProperty(
              DeserializationContext context, JsonParser parser, JsonDeserializer<?> reader, Object read, String name)
              throws IOException {
            if (read instanceof SecretOpening || read instanceof PositionOpening) {
              throw JsonMappingException.from(context, name);
            }
            return false;
          }
        });
  }

  /** A position of any game. */
  private record At<State, Move>(State state, List<Move> moves, Object outcome) {}

  /** A stored match of any game, as a seat sees it. */
  private record Seen(MatchStatus status, List<Integer> toAct, List<?> moves, Object outcome) {}

  /** What rules on a move. */
  private interface Referee<State, Move> {
    At<State, Move> rule(State state, Move move) throws ApiException;
  }

  private final String url;
  private final String key;
  private final Map<String, Integer> fewest;

  private Player(String url, String key) throws ApiException {
    this.url = url;
    this.key = key;
    this.fewest =
        new CatalogueApi(asking(null))
            .listGames(null).getGames().stream()
                .collect(Collectors.toMap(GameSummary::getGame, game -> game.getSeats().getMin()));
  }

  /** Returns what asks the service, with a key or a token or none. */
  private ApiClient asking(String token) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    client.setObjectMapper(JSON);
    if (token != null) {
      client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    }
    return client;
  }

  /** Chooses a move as every player does: another place of the list each time. */
  private static <Move> Move choose(List<Move> moves, int made) {
    return moves.get(made % moves.size());
  }

  private static void show(Map<String, Object> line) throws Exception {
    System.out.println(JSON.writeValueAsString(line));
  }

  /** Plays one game to its end without a stored match. */
  private static <State, Move> void play(String game, At<State, Move> at, Referee<State, Move> referee)
      throws Exception {
    int moves = 0;
    for (; at.outcome() == null; moves++) {
      at = referee.rule(at.state(), choose(at.moves(), moves));
    }
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("game", game);
    line.put("moves", moves);
    line.put("state", at.state());
    line.put("outcome", at.outcome());
    show(line);
  }

  private static Seen seen(Match match) {
    if (match.getActualInstance() instanceof CatteMatch of) {
      return new Seen(of.getStatus(), of.getView().getToAct(), of.getLegalMoves(), of.getOutcome());
    }
    if (match.getActualInstance() instanceof TowaiMatch of) {
      return new Seen(of.getStatus(), of.getView().getToAct(), of.getLegalMoves(), of.getOutcome());
    }
    if (match.getActualInstance() instanceof TomorrowNeverMeowsMatch of) {
      return new Seen(of.getStatus(), of.getView().getToAct(), of.getLegalMoves(), of.getOutcome());
    }
    FamiliarsTroubleMatch of = match.getFamiliarsTroubleMatch();
    return new Seen(of.getStatus(), of.getView().getToAct(), of.getLegalMoves(), of.getOutcome());
  }

  /** Plays one stored match to its end, each seat with its token. */
  private void playStored(String game, MatchRequest body) throws Exception {
    CreatedMatch made = new MatchesApi(asking(key)).createMatch(body, null);
    List<MatchesApi> seats =
        made.getSeats().stream().map(seat -> new MatchesApi(asking(seat.getToken()))).toList();
    Seen match = seen(seats.get(0).readMatch(made.getMatch()));
    int moves = 0;
    for (; match.status() == MatchStatus.PLAYING; moves++) {
      MatchesApi acting = seats.get(match.toAct().get(0));
      Object move = choose(seen(acting.readMatch(made.getMatch())).moves(), moves);
      MoveRequest request = new MoveRequest().move(JSON.convertValue(move, AnyMove.class));
      acting.playMove(made.getMatch(), request, null, null);
      match = seen(seats.get(0).readMatch(made.getMatch()));
    }
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("match", made.getMatch());
    line.put("game", game);
    line.put("moves", moves);
    line.put("outcome", match.outcome());
    show(line);
  }

  private static At<CatteState, CatteMove> open(CattePosition at) {
    return new At<>(at.getState(), at.getLegalMoves(), at.getOutcome());
  }

  private static At<CatteState, CatteMove> open(CatteAdjudication at) {
    return new At<>(at.getState(), at.getLegalMoves(), at.getOutcome());
  }

  private void playCatte(String seed) throws Exception {
    CatteApi api = new CatteApi(asking(null));
    CatteNewGame game = new CatteNewGame().seats(fewest.get("catte")).seed(seed);
    play(
        "catte",
        open(api.startCatte(new StartCatteRequest(game)).getCattePosition()),
        (state, move) -> {
          CatteMoveAdjudication body = new CatteMoveAdjudication().state(state).move(move);
          return open(api.adjudicateCatte(new AdjudicateCatteRequest(body)).getCatteAdjudication());
        });
    CatteNewMatch match = new CatteNewMatch().game(CatteNewMatch.GameEnum.CATTE);
    playStored("catte", new MatchRequest(match.seats(new CatteNewMatchSeats(fewest.get("catte")))));
  }

  private static At<TowaiState, TowaiMove> open(TowaiPosition at) {
    return new At<>(at.getState(), at.getLegalMoves(), at.getOutcome());
  }

  private static At<TowaiState, TowaiMove> open(TowaiAdjudication at) {
    return new At<>(at.getState(), at.getLegalMoves(), at.getOutcome());
  }

  private void playTowai(String seed) throws Exception {
    TowaiApi api = new TowaiApi(asking(null));
    TowaiNewGame game = new TowaiNewGame().seats(fewest.get("towai")).seed(seed);
    play(
        "towai",
        open(api.startTowai(new StartTowaiRequest(game)).getTowaiPosition()),
        (state, move) -> {
          TowaiMoveAdjudication body = new TowaiMoveAdjudication().state(state).move(move);
          return open(api.adjudicateTowai(new AdjudicateTowaiRequest(body)).getTowaiAdjudication());
        });
    TowaiNewMatch match = new TowaiNewMatch().game(TowaiNewMatch.GameEnum.TOWAI);
    playStored("towai", new MatchRequest(match.seats(new TowaiNewMatchSeats(fewest.get("towai")))));
  }

  private static At<TomorrowNeverMeowsState, TomorrowNeverMeowsMove> open(TomorrowNeverMeowsPosition at) {
    return new At<>(at.getState(), at.getLegalMoves(), at.getOutcome());
  }

  private static At<TomorrowNeverMeowsState, TomorrowNeverMeowsMove> open(TomorrowNeverMeowsAdjudication at) {
    return new At<>(at.getState(), at.getLegalMoves(), at.getOutcome());
  }

  private void playTomorrowNeverMeows(String seed) throws Exception {
    String slug = "tomorrow-never-meows";
    TomorrowNeverMeowsApi api = new TomorrowNeverMeowsApi(asking(null));
    TomorrowNeverMeowsNewGame game = new TomorrowNeverMeowsNewGame().seats(fewest.get(slug)).seed(seed);
    play(
        slug,
        open(
            api.startTomorrowNeverMeows(new StartTomorrowNeverMeowsRequest(game))
                .getTomorrowNeverMeowsPosition()),
        (state, move) -> {
          TomorrowNeverMeowsMoveAdjudication body =
              new TomorrowNeverMeowsMoveAdjudication().state(state).move(move);
          return open(
              api.adjudicateTomorrowNeverMeows(new AdjudicateTomorrowNeverMeowsRequest(body))
                  .getTomorrowNeverMeowsAdjudication());
        });
    TomorrowNeverMeowsNewMatch match =
        new TomorrowNeverMeowsNewMatch().game(TomorrowNeverMeowsNewMatch.GameEnum.TOMORROW_NEVER_MEOWS);
    playStored(slug, new MatchRequest(match.seats(new TomorrowNeverMeowsNewMatchSeats(fewest.get(slug)))));
  }

  private static At<FamiliarsTroubleState, FamiliarsTroubleMove> open(FamiliarsTroublePosition at) {
    return new At<>(at.getState(), at.getLegalMoves(), at.getOutcome());
  }

  private static At<FamiliarsTroubleState, FamiliarsTroubleMove> open(FamiliarsTroubleAdjudication at) {
    return new At<>(at.getState(), at.getLegalMoves(), at.getOutcome());
  }

  private void playFamiliarsTrouble(String seed) throws Exception {
    String slug = "familiars-trouble";
    FamiliarsTroubleApi api = new FamiliarsTroubleApi(asking(null));
    FamiliarsTroubleNewGame game = new FamiliarsTroubleNewGame().seats(fewest.get(slug)).seed(seed);
    play(
        slug,
        open(
            api.startFamiliarsTrouble(new StartFamiliarsTroubleRequest(game))
                .getFamiliarsTroublePosition()),
        (state, move) -> {
          FamiliarsTroubleMoveAdjudication body =
              new FamiliarsTroubleMoveAdjudication().state(state).move(move);
          return open(
              api.adjudicateFamiliarsTrouble(new AdjudicateFamiliarsTroubleRequest(body))
                  .getFamiliarsTroubleAdjudication());
        });
    FamiliarsTroubleNewMatch match =
        new FamiliarsTroubleNewMatch().game(FamiliarsTroubleNewMatch.GameEnum.FAMILIARS_TROUBLE);
    playStored(slug, new MatchRequest(match.seats(new FamiliarsTroubleNewMatchSeats(fewest.get(slug)))));
  }

  public static void main(String[] arguments) throws Exception {
    Player player = new Player(arguments[0], arguments[1]);
    player.playCatte(arguments[2]);
    player.playTowai(arguments[2]);
    player.playTomorrowNeverMeows(arguments[2]);
    player.playFamiliarsTrouble(arguments[2]);
  }
}
