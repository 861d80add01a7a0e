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
  #rest = "";
  #id = "";
  #type = "";
  #data: string[] = [];

  *feed(received: string): Generator<StreamEvent> {
    const lines = (this.#rest + received).replaceAll("\r\n", "\n").split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line !== "") this.#take(line);
      else if (this.#data.length > 0) yield this.#complete();
      else this.#type = "";
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

  #complete(): StreamEvent {
    const event = { id: this.#id, type: this.#type || "message", data: this.#data.join("\n") };
    this.#type = "";
    this.#data = [];
    return event;
  }
}
