// A position and a move as the fragment of an address, and as a command for a shell.

/** The most characters of a fragment that are written or read. */
export const LONGEST = 8000;

const MOST_BYTES = 65536;

/** What stands behind the # of a link to the console: "s=" and deflated JSON, or "j=" and JSON, in base64url. */
export async function fragmentOf(asked) {
  const bytes = new TextEncoder().encode(JSON.stringify(asked));
  return "CompressionStream" in globalThis ? `s=${coded(await through(new CompressionStream("deflate-raw"), bytes))}` : `j=${coded(bytes)}`;
}

/** Whether a fragment means to be such a link. */
export const isLink = (fragment) => /^[sj]=/.test(fragment);

/** What a fragment holds: {state, move} or {state, moves}. Throws where it is too long, broken or something else. */
export async function askedIn(fragment) {
  if (fragment.length > LONGEST) throw new RangeError("too long");
  const bytes = decoded(fragment.slice(2));
  const plain = fragment.startsWith("s=") ? await through(new DecompressionStream("deflate-raw"), bytes) : bytes;
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
}

const coded = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

const decoded = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));

/** The bytes through a stream. A few bytes can be inflated to very many: past the most it is given up. */
async function through(stream, bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    size += value.length;
    if (size > MOST_BYTES) {
      await reader.cancel();
      throw new RangeError("too long");
    }
    chunks.push(value);
  }
}

/** A word of a POSIX shell: nothing within single quotes has a meaning, and a single quote is put beside them. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The call as a command. */
export function curl(address, body, language) {
  const headers = ["Content-Type: application/json", `Accept-Language: ${language}`].map((header) => `-H ${quoted(header)}`);
  return ["curl -gsS", quoted(address), ...headers, "--data-raw", quoted(JSON.stringify(body))].join(" ");
}
