// How the page of a match talks to the service, and how it hears what is new.

/** The service said no: its status, and its problem as a document. */
export class Refused extends Error {
  constructor(status, document, retryAfter) {
    super(`${status}`);
    this.status = status;
    this.document = document;
    this.code = document.code;
    this.retryAfter = retryAfter;
  }
}

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 20000;
/** Milliseconds between two questions where no stream is to be had. */
const POLL = 2500;

/** Whether the service may say yes later: it is busy, or has as much to do for this caller as it does for one. */
const isBusy = ({ status }) => status === 503 || status === 429;

const pauseOf = (tries) => Math.min(FIRST_PAUSE * 2 ** tries, LONGEST_PAUSE) * (0.75 + Math.random() / 2);

/** Waits; not at all any more once `signal` is given. */
function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => { clearTimeout(timer); resolve(); }, { once: true });
  });
}

/** What no header can carry is nobody's token, and is sent as one that nobody has. */
const sendable = (token) => (/^[\x21-\x7e]+$/.test(token) ? token : "?");

/**
 * A function that asks the service with a token (or null), in a language. It gives back what the answer holds, or throws
 * `Refused`. With `patient`, a function that is told whether the service is being waited for, it asks again until the
 * service answers; with `tries` that many times. A `move`, or another `body`, is sent again under the same idempotency key:
 * it is made once; `seq` says where the match stood for whoever decided.
 */
export function service(token, language, signal) {
  const own = { "Accept-Language": language, ...(token === null ? {} : { Authorization: `Bearer ${sendable(token)}` }) };

  async function once(path, { move, dry = false, body = move && { move, ...(dry ? { dry_run: true } : {}) }, seq, key, as = "json", cache = "no-store", headers = {} }) {
    const sent = body === undefined ? { headers: { ...own, ...headers } } : {
      method: "POST",
      headers: { ...own, "Content-Type": "application/json", "Idempotency-Key": key, ...(seq === undefined ? {} : { "If-Match": `"${seq}"` }) },
      body: JSON.stringify(body),
    };
    const response = await fetch(path, { ...sent, signal, cache, credentials: "omit", referrerPolicy: "no-referrer" });
    if (!response.ok) throw new Refused(response.status, await response.json().catch(() => ({})), Number(response.headers.get("Retry-After")) || 0);
    return as === "stream" ? response : response[as]();
  }

  return async function ask(path, { patient, tries = patient ? Infinity : 1, ...options } = {}) {
    const key = (options.move ?? options.body) && newKey();
    for (let tried = 1; ; tried += 1) {
      try {
        const answer = await once(path, { ...options, key });
        patient?.(false);
        return answer;
      } catch (trouble) {
        const refused = trouble instanceof Refused;
        if (signal.aborted || tried >= tries || (refused && !isBusy(trouble))) throw trouble;
        patient?.(true);
        await pause((refused && trouble.retryAfter * 1000) || pauseOf(tried - 1), signal);
      }
    }
  };
}

/** A key of one's own for a request; `crypto.randomUUID` is not there at an address without TLS. */
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Follows a running match: hears of events by a stream and calls `catchUp` for each. An `EventSource` cannot send a token,
 * so the stream is read here. Where there is no place for a stream, what is new is asked for now and then. Where the log
 * has not come to what is known here, it is another one: `beginAgain` is called, and nothing is followed any more. `more()` is
 * what else the stream is asked for.
 */
export async function follow({ ask, match, more, after, catchUp, beginAgain, isRunning, waiting, signal }) {
  let tries = 0;
  while (isRunning() && !signal.aborted) {
    const begun = Date.now();
    let rest = null;
    try {
      const headers = { Accept: "text/event-stream", "Last-Event-ID": String(after()) };
      const response = await ask(`/v1/matches/${match}/events${more()}`, { as: "stream", headers });
      waiting(false);
      if (response.body && await heard(response.body, catchUp)) return beginAgain();
      tries = Date.now() - begun > 5000 ? 0 : tries;
    } catch (trouble) {
      if (signal.aborted) return;
      if (trouble instanceof Refused && !isBusy(trouble)) throw trouble;
      if (trouble instanceof Refused) rest = POLL;
      else waiting(true);
    }
    await catchUp();
    if (!isRunning()) return;
    await pause(rest ?? pauseOf(tries), signal);
    tries += 1;
  }
}

/**
 * Reads a stream of server-sent events to its end. Which event it was does not matter, since the frames tell; but for
 * `reset`, at which it stops and gives back `true`.
 */
async function heard(body, catchUp) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let line = "";
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    const lines = (line + value).split("\n");
    line = lines.pop();
    if (lines.includes("event: reset")) {
      await reader.cancel();
      return true;
    }
    if (lines.some((one) => one.startsWith("id:") || one === "event: calls")) await catchUp();
  }
  return false;
}
