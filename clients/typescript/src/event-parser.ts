/** Parses server-sent events (HTML Standard, section 9.2.6). */

export type StreamEvent = {
  /** The id of the last event that had one. */
  readonly id: string;
  /** `message` where the stream does not say. */
  readonly type: string;
  readonly data: string;
};

/** Takes the text of a stream as it comes, and gives the events that are complete. */
export class EventParser {
  /** The id behind which to go on: of an event without data, which is none, too. One that broke off counts for nothing. */
  last = "";
  #rest = "";
  #id = "";
  #type = "";
  #data: string[] = [];

  *feed(received: string): Generator<StreamEvent> {
    const lines = (this.#rest + received).replaceAll("\r\n", "\n").split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line !== "") this.#take(line);
      else yield* this.#complete();
    }
  }

  #take(line: string): void {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "id") this.#id = value;
    else if (name === "event") this.#type = value;
    else if (name === "data") this.#data.push(value);
  }

  #complete(): StreamEvent[] {
    const event = { id: this.#id, type: this.#type || "message", data: this.#data.join("\n") };
    const found = this.#data.length > 0 ? [event] : [];
    this.last = this.#id;
    this.#type = "";
    this.#data = [];
    return found;
  }
}
