/**
 * Checks receipts: what the service signs when it accepts a move, and cannot deny later. A receipt has the event as the log has
 * it, byte for byte, and an Ed25519 signature of its hash (the guide *replays*, section *Encodings*).
 */

import { BadReceipt } from "./errors.ts";
import type { Receipt, SigningKey } from "./types.ts";

/**
 * Checks that a receipt proves an event: number `seq` of the match, signed with one of the keys. They are those of
 * `GET /v1/keys`, or from another source, which proves more. Throws `BadReceipt`.
 */
export async function checkReceipt(receipt: Receipt, keys: readonly SigningKey[], match: string, seq: number): Promise<void> {
  const line = new TextEncoder().encode(receipt.event);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", joined([Uint8Array.of(0), line])));
  if (hex(digest) !== receipt.hash) throw new BadReceipt("the hash is not that of the event");
  const event = JSON.parse(receipt.event) as { match: string; seq: number };
  if (event.match !== match || event.seq !== seq) throw new BadReceipt(`it is of event ${event.seq} of match ${event.match}`);
  const key = keys.find((each) => each.key === receipt.key);
  if (key === undefined || key.revoked !== null) throw new BadReceipt(`the key ${receipt.key} is not known, or revoked`);
  const signed = lengthsAndFields(["receipt/1", key.origin, match], [number(seq), digest]);
  const verifier = await crypto.subtle.importKey("raw", bytes(key.public), "Ed25519", false, ["verify"]);
  if (!(await crypto.subtle.verify("Ed25519", verifier, bytes(receipt.sig), signed))) throw new BadReceipt("the signature is not that of the key");
}

/** The fields, each behind its length in four bytes: `LP` of the guide. */
function lengthsAndFields(texts: readonly string[], rest: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const fields = [...texts.map((text) => new TextEncoder().encode(text)), ...rest];
  return joined(fields.flatMap((field) => [number(field.length), field]));
}

function number(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function hex(data: Uint8Array): string {
  return Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
